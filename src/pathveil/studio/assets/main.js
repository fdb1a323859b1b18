// The studio: one screen that is a story. State lives here; the server computes, the panes draw.

import { html, render, useCallback, useEffect, useState } from "/assets/vendor/htm-preact.js";
import { get, post } from "/assets/api.js";
import { neighboursOf } from "/assets/geometry.js";
import { CoinsPane, LayersPane, NetworkPane } from "/assets/panes.js";
import { Dial, Sentence } from "/assets/sentence.js";
import { Attacker, Reader } from "/assets/people.js";
import { Again } from "/assets/again.js";
import { Code } from "/assets/code.js";

const FIRST = "supply-chain", START = 3;

// A link to share names an example and a policy; a network of one's own, a walk or a coin never.
function shared() {
  const asked = new URLSearchParams(location.hash.slice(1));
  return { example: asked.get("example"), policy: asked.get("policy") };
}

function Studio() {
  const [examples, setExamples] = useState([]);
  const [name, setName] = useState(null);
  const [network, setNetwork] = useState(null);
  const [walk, setWalk] = useState([]);
  const [settings, setSettings] = useState([]);
  const [chosen, setChosen] = useState(START);
  const [release, setRelease] = useState(null);
  const [reader, setReader] = useState(null);
  const [lacking, setLacking] = useState(null);
  const [hover, setHover] = useState(null);
  const [error, setError] = useState(null);
  const [drawing, setDrawing] = useState(null);
  const [flips, setFlips] = useState(0);
  const fail = useCallback((problem) => setError(problem.message), []);
  const ready = network && walk.length > 1;
  const policy = settings[chosen]?.policy ?? "balanced";
  const scene = { links: network?.links, walk, policy };

  const load = (found, called) => {
    setError(null);
    setRelease(null);
    setReader(null);
    setLacking(null);
    setDrawing(null);
    setSettings([]);
    setNetwork(found);
    setWalk(found.walk ?? []);
    setName(called);
  };
  const open = (called) => get(`examples/${called}`).then((found) => load(found, called), fail);

  useEffect(() => {
    get("examples").then(setExamples, fail);
    get("opened").then((found) => {
      const asked = shared();
      if (found) load(found, null);
      else open(asked.example ?? FIRST);
    }, fail);
  }, []);
  useEffect(() => {
    let stale = false;
    if (ready) {
      post("dial", { links: network.links, walk }).then((found) => {
        if (stale) return;
        setSettings(found);
        const asked = found.findIndex((setting) => setting.policy === shared().policy);
        if (asked >= 0 && !settings.length) setChosen(asked);
      }, fail);
    } else setSettings([]);
    return () => { stale = true; };
  }, [network, walk.join("\u0000")]);
  useEffect(() => {
    let stale = false;
    setLacking(null);
    if (ready) {
      setError(null);
      post("publish", { links: network.links, walk, policy }).then((found) => stale || setRelease(found), fail);
    } else setRelease(null);
    return () => { stale = true; };
  }, [network, walk.join("\u0000"), policy, flips]);
  useEffect(() => {
    if (name) history.replaceState(null, "", `#example=${name}&policy=${policy}`);
    else history.replaceState(null, "", location.pathname);
  }, [name, policy]);

  const step = (vertex) => {
    setReader(null);
    const near = neighboursOf(network.links);
    setWalk((old) => {
      if (old[old.length - 1] === vertex) return old.slice(0, -1);
      if (old.length && (!near.get(old[old.length - 1]).has(vertex) || old.includes(vertex))) return old;
      return [...old, vertex];
    });
  };
  const upload = async (event) => {
    const file = event.target.files[0];
    if (!file) return;
    try {
      if (file.size > 4_000_000) throw new Error("the file is larger than 4 MB; use the command line");
      load(await post("network", { name: file.name, text: await file.text() }), null);
    } catch (problem) { fail(problem); }
    event.target.value = "";
  };
  const together = async (text) => {
    const links = text.split("\n").map((line) => line.split(/\s*[-–,;>]+\s*/).map((part) => part.trim())).filter((pair) => pair.length === 2 && pair[0] && pair[1]);
    try { load(await post("layout", { links }), null); } catch (problem) { fail(problem); }
  };

  if (!network) return html`<p class="loading">${error ?? "Opening an example …"}</p>`;
  return html`<header>
      <p class="brand">pathveil studio <span>on this machine alone; nothing leaves it</span></p>
      <${Sentence} settings=${settings} chosen=${chosen} setChosen=${setChosen}/>
      <p class="outsiders">${settings[chosen] ? html`Outsiders, who know no link: <b>${Math.round(100 * settings[chosen].share)} %</b> of the cover is used by this walk. They want the opposite setting.` : " "}</p>
      ${error && html`<p class="error" role="alert">${error}</p>`}
    </header>
    <main>
      <div class="controls">
        <section aria-labelledby="network-choice"><h2 id="network-choice">The network</h2>
          <label>Example <select value=${name ?? ""} onChange=${(event) => event.target.value && open(event.target.value)}>
            ${!name && html`<option value="">my own</option>`}
            ${examples.map((one) => html`<option value=${one.name}>${one.title}</option>`)}</select></label>
          <label class="file">Or your own file <input type="file" accept=".csv,.tsv,.graphml,.gml,.gexf,.json,.txt" onChange=${upload}/></label>
          <button aria-expanded=${drawing !== null} onClick=${() => setDrawing(drawing === null ? network.links.map((link) => link.join(" - ")).join("\n") : null)}>Type one</button>
          ${drawing !== null && html`<label>One link on each line, as A - B
            <textarea rows="6" value=${drawing} onInput=${(event) => setDrawing(event.target.value)}></textarea></label>
            <button onClick=${() => together(drawing)}>Use these links</button>`}
          <p class="hint">${network.about ?? `${network.vertices.length} vertices, ${network.links.length} links.`} ${network.source ?? ""}</p></section>
        <section aria-labelledby="walk-title"><h2 id="walk-title">The walk</h2>
          <p class="walk">${walk.length ? walk.join(" → ") : "Click vertices along the links."}</p>
          <button disabled=${!walk.length} onClick=${() => setWalk(walk.slice(0, -1))}>Take the last step back</button>
          <button disabled=${!walk.length} onClick=${() => setWalk([])}>Clear</button></section>
        ${settings.length > 0 && html`<${Dial} settings=${settings} chosen=${chosen} setChosen=${setChosen}/>`}
        <button class="primary" disabled=${!ready} onClick=${() => setFlips(flips + 1)}>Publish with fresh coins</button>
      </div>
      <div class="panes">
        <${NetworkPane} network=${network} walk=${walk} reader=${reader} lacking=${lacking} hover=${hover} setHover=${setHover} onVertex=${step}/>
        ${release ? html`<${CoinsPane} network=${network} walk=${walk} release=${release} hover=${hover} setHover=${setHover}/>
          <${LayersPane} release=${release} hover=${hover} setHover=${setHover}/>` : html`<p class="empty">Once the walk has a link, its coins and layers appear here.</p>`}
      </div>
      <div class="people">${release && html`<${Reader} network=${network} release=${release} reader=${reader} setReader=${setReader} fail=${fail}/>
        <${Attacker} scene=${scene} release=${release} lacking=${lacking} setLacking=${setLacking} fail=${fail}/>`}</div>
      <div class="below">${release && html`<${Again} scene=${scene} fail=${fail}/><${Code} scene=${scene} release=${release} fail=${fail}/>`}</div>
    </main>`;
}

const root = document.getElementById("studio");
root.replaceChildren();
render(html`<${Studio}/>`, root);
