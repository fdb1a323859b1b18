// The studio: one screen that is a story. State lives here; the server computes, the panes draw.

import { html, render, useCallback, useEffect, useMemo, useRef, useState } from "/assets/vendor/htm-preact.js";
import { get, post } from "/assets/api.js";
import { ends, key, neighboursOf, randomWalk, stepsOf } from "/assets/geometry.js";
import { LayersPane, NetworkPane, Pane } from "/assets/panes.js";
import { CoinsPane, pairNumber } from "/assets/coins.js";
import { Dial, Sentence } from "/assets/sentence.js";
import { Attacker, Reader } from "/assets/people.js";
import { Again } from "/assets/again.js";
import { Code } from "/assets/code.js";
import { Drawing, useDrawing } from "/assets/drawing.js";

const FIRST = "supply-chain", FIRST_POLICY = "balanced", WALKS = 10, DRAWN_AT_ONCE = 80, LARGEST_FILE = 4_000_000, NOWHERE = [], LARGE = 120;

// A link to share names an example and a policy; a network of one's own, a walk or a coin never.
function shared() {
  const asked = new URLSearchParams(location.hash.slice(1));
  return { example: asked.get("example"), policy: asked.get("policy") };
}

// The newest answer to a question that changes; older ones that come late are dropped.
function useAnswer(path, body, wanted, fail, pause = 0) {
  const [answer, setAnswer] = useState(null);
  const asked = wanted ? JSON.stringify(body) : null;
  useEffect(() => {
    let stale = false;
    if (asked === null) setAnswer(null);
    else {
      const wait = setTimeout(() => post(path, body).then((value) => stale || setAnswer({ asked, value }), (problem) => stale || fail(problem)), pause);
      return () => { stale = true; clearTimeout(wait); };
    }
    return () => { stale = true; };
  }, [asked]);
  return [answer?.value ?? null, answer !== null && answer.asked === asked];
}

function Studio() {
  const [examples, setExamples] = useState([]);
  const [name, setName] = useState(null);
  const [network, setNetwork] = useState(null);
  const [walk, setWalk] = useState([]);
  const [policy, setPolicy] = useState(FIRST_POLICY);
  const [flips, setFlips] = useState(0);
  const [release, setRelease] = useState(null);
  const [reader, setReader] = useState(null);
  const [lacking, setLacking] = useState(null);
  const [secret, setSecret] = useState(false);
  const [plain, setPlain] = useState(false);
  const [hover, setHover] = useState(null);
  const [alike, setAlike] = useState(false);
  const [busy, setBusy] = useState("Opening an example …");
  const [error, setError] = useState(null);
  const fail = useCallback((problem) => { setBusy(null); setError(problem.message); }, []);
  const ready = Boolean(network) && walk.length > 1;
  const links = network?.links;
  const pause = (network?.vertices.length ?? 0) > LARGE ? 500 : 0; // quick clicks must not pile up work
  const scene = useMemo(() => ({ links, walk, policy }), [links, walk, policy]);

  const load = useCallback((found, called) => {
    setError(null);
    setBusy(null);
    setRelease(null);
    setReader(null);
    setLacking(null);
    setSecret(false);
    setNetwork(found);
    setWalk(found.walk ?? []);
    setName(called);
  }, []);
  const open = useCallback((called) => {
    setBusy("Opening the example …");
    get(`examples/${encodeURIComponent(called)}`).then((found) => load(found, called), fail);
  }, []);
  const drawing = useDrawing({ load, fail });

  useEffect(() => {
    get("examples").then(setExamples, fail);
    get("opened").then((found) => {
      const asked = shared();
      if (asked.policy) setPolicy(asked.policy);
      if (found) load(found, null);
      else open(asked.example ?? FIRST);
    }, fail);
  }, []);

  const [settings] = useAnswer("dial", { links, walk }, ready, fail, pause);
  const chosen = Math.max(0, settings?.findIndex((setting) => setting.policy === policy) ?? 0);
  const known = Boolean(settings?.some((setting) => setting.policy === policy));
  useEffect(() => {
    if (settings && !known) setPolicy(FIRST_POLICY);
  }, [settings]);
  const walks = useMemo(() => {
    if (!ready) return [];
    const near = neighboursOf(links), made = [walk];
    while (made.length < WALKS) {
      const next = alike ? walk : randomWalk(near, walk.length - 1);
      if (!next) break;
      made.push(next);
    }
    return made;
  }, [links, walk, alike]);

  const show = (made, isStale) => {
    setRelease(made);
    setLacking((old) => {
      const steps = stepsOf(walk);
      return (old && steps.find(([u, v]) => key(u, v) === key(...old))) ?? steps[Math.floor((steps.length - 1) / 2)];
    });
    if (made.names.length <= DRAWN_AT_ONCE) draw(made, isStale);
  };
  useEffect(() => {
    let stale = false;
    if (!ready) setRelease(null);
    if (!ready || !known) return undefined;
    setError(null);
    const wait = setTimeout(() => post("publish", scene).then((made) => stale || show(made, () => stale), (problem) => stale || fail(problem)), pause);
    return () => { stale = true; clearTimeout(wait); };
  }, [scene, flips, known]);
  // What is saved is drawn when it is saved: whoever keeps the flip they like best tells on the walk.
  const publishNow = async () => {
    const made = await post("publish", scene);
    show(made, () => false);
    return made.file;
  };
  const draw = (made, isStale) => post("layers", { file: made.file }).then(
    (layers) => isStale() || setRelease((now) => (now?.file === made.file ? { ...now, layers } : now)),
    (problem) => isStale() || setRelease((now) => (now?.file === made.file ? { ...now, layersError: problem.message } : now)));

  useEffect(() => {
    const address = name ? `#example=${encodeURIComponent(name)}&policy=${encodeURIComponent(policy)}` : location.pathname;
    if (network) history.replaceState(null, "", address);
  }, [name, policy, network]);

  const near = useMemo(() => neighboursOf(links ?? []), [links]);
  const onward = useMemo(() => (walk.length ? [...near.get(walk.at(-1)) ?? []].filter((one) => !walk.includes(one)) : [...near.keys()]).sort(), [near, walk]);
  const step = useCallback((vertex) => {
    setReader(null);
    setSecret(false);
    setWalk((old) => {
      if (old.at(-1) === vertex) return old.slice(0, -1);
      if (old.length && (old.includes(vertex) || !near.get(old.at(-1))?.has(vertex))) return old;
      return [...old, vertex];
    });
  }, [near]);
  const upload = async (event) => {
    const [file] = event.target.files;
    if (!file) return;
    try {
      if (file.size > LARGEST_FILE) throw new Error("the file is larger than 4 MB; use the command line for it");
      setBusy(`Reading ${file.name} …`);
      load(await post("network", { name: file.name.slice(0, 200), text: await file.text() }), null);
    } catch (problem) { fail(problem); }
    event.target.value = "";
  };

  const shown = drawing.network ?? network;
  if (!shown) {
    return html`<div class="opening"><p>${busy ?? error}</p>${!busy && html`<button onClick=${() => open(FIRST)}>Open an example</button>`}</div>`;
  }
  const turn = (to) => setPolicy(settings[to].policy);
  const isHidden = secret && lacking, live = ready && release && !drawing.on;
  const empty = drawing.on ? "Click a network together, then click a walk along its links."
    : !ready && (walk.length ? "Click the next stop: any vertex that is linked to the last one." : "Click a first stop on the network, then go along its links.");
  return html`
    <header>
      <p class="brand"><b>pathveil studio</b> <span>runs on this machine only; nothing leaves it, nothing is written</span></p>
      <${Sentence} settings=${settings ?? []} chosen=${chosen} setChosen=${turn}
        waiting="Working out the chances …" empty=${empty}/>
      ${error && html`<p class="error" role="alert">${error} <button onClick=${() => setError(null)}>Dismiss</button></p>`}
    </header>
    <main class=${live ? "" : "bare"}>
      <div class="controls">
        <section class="choice" aria-labelledby="network-choice"><h2 id="network-choice">1. The network</h2>
          <label>Example <select value=${name ?? ""} onChange=${(event) => { drawing.stop(); open(event.target.value); }}>
            ${!name && html`<option value="" disabled>my own network</option>`}
            ${examples.map((one) => html`<option key=${one.name} value=${one.name}>${one.title}</option>`)}</select></label>
          <div class="buttons"><label class="file"><span>Load a file</span><input type="file" accept=".csv,.tsv,.txt,.graphml,.gml,.gexf,.json,.edges" onChange=${upload}/></label>
            ${!drawing.on && html`<button onClick=${() => drawing.start()}>Click one together</button>`}</div>
          ${drawing.on ? html`<${Drawing} drawing=${drawing}/>` : html`<p class="hint">${busy ?? network.about ?? `${network.vertices.length} vertices, ${network.links.length} links.`}${
            network.source ? ` ${network.source}.` : ""}</p>`}
        </section>
        ${!drawing.on && html`<section class="course" aria-labelledby="walk-title"><h2 id="walk-title">2. The walk</h2>
          <p class=${walk.length ? "walk" : "hint"}>${isHidden ? "hidden while you guess" : walk.length ? walk.join(" → ") : "no stop yet"}</p>
          <label>${walk.length ? "Next stop" : "First stop"} <select value="" onChange=${(event) => step(event.target.value)}>
            <option value="">${onward.length ? "click a vertex, or choose" : "no way on"}</option>
            ${onward.map((one) => html`<option key=${one} value=${one}>${one}</option>`)}</select></label>
          <div class="buttons"><button disabled=${!walk.length} onClick=${() => step(walk.at(-1))}>One step back</button>
          <button disabled=${!walk.length} onClick=${() => { setReader(null); setWalk([]); }}>New walk</button></div>
          </section>`}
        ${!drawing.on && settings && ready && html`<${Dial} settings=${settings} chosen=${chosen} setChosen=${turn} release=${release}/>`}
        ${!drawing.on && !(settings && ready) && html`<section class="dial" aria-labelledby="dial-title"><h2 id="dial-title">3. The dial</h2>
          <p class="hint">${ready ? "working out the chances …" : "It turns once the walk has a link."}</p></section>`}
        ${!drawing.on && html`<section class="go" aria-labelledby="publish-title"><h2 id="publish-title">4. Publish</h2>
          <button class="primary" disabled=${!ready} onClick=${() => setFlips(flips + 1)}>Flip all coins again</button>
          <p class="hint">Flip as often as you like to see what coins do. The file you save is drawn afresh: picking a flip would tell on the walk.</p></section>`}
      </div>
      <div class="middle">
        <${NetworkPane} network=${shown} walk=${drawing.on ? NOWHERE : walk} reader=${drawing.on ? null : reader} lacking=${live ? lacking : null} secret=${isHidden}
          hover=${hover} setHover=${setHover} onVertex=${drawing.on ? drawing.choose : step} drawing=${drawing.on ? drawing : null}/>
        ${live ? html`<${CoinsPane} network=${network} walk=${walk} release=${release} hover=${hover} setHover=${setHover}
            secret=${isHidden ? key(...lacking) : null} plain=${plain} setPlain=${setPlain}/>
          <${LayersPane} release=${release} hover=${hover} setHover=${setHover} onDraw=${release.names.length > DRAWN_AT_ONCE
            ? () => draw(release, () => false) : null}/>
          <p class="readout">${said(hover, release, links, walk, isHidden ? key(...lacking) : null)}</p>
          <${Reader} network=${network} release=${release} reader=${reader} setReader=${setReader} hidden=${isHidden} fail=${fail}/>`
        : html`<${Waiting} id="coins" title="What you publish" about="a bit for each pair" words=${ready && !drawing.on ? "flipping coins …" : "The coins appear once the walk has a link."}/>
          <${Waiting} id="layers" title="What everyone sees" about="as a layered graph" words=${ready && !drawing.on ? "" : "Then the layered graph."}/>`}
      </div>
      ${live && html`${lacking && html`<${Attacker} scene=${scene} release=${release} lacking=${lacking} setLacking=${setLacking} secret=${secret} setSecret=${setSecret} fail=${fail}/>`}
        <div class="below"><${Again} scene=${scene} walks=${walks} alike=${alike} setAlike=${setAlike} size=${network.vertices.length} fail=${fail}/>
        <${Code} scene=${isHidden ? { ...scene, walk: ["hidden while you guess"] } : scene} hidden=${isHidden} release=${release} lacking=${isHidden ? null : lacking} example=${name} publishNow=${publishNow} fail=${fail}/></div>`}
    </main>`;
}

const Waiting = ({ id, title, about, words }) => html`<${Pane} id=${id} title=${title} about=${about}><p class="quiet">${words}</p></${Pane}>`;

// One line under the three pictures: what the pair that is pointed at is in each of them.
function said(hover, release, links, walk, hidden) {
  if (!hover) return "Point at a link, a bit or a node: the same pair lights up in all three pictures.";
  const [u, v] = ends(hover), places = [release.names.indexOf(u), release.names.indexOf(v)].sort((a, b) => a - b);
  const same = release.bits[pairNumber(release.names.length, ...places)] === "1";
  const branch = same ? "same branch" : "different branches";
  const walked = hover !== hidden && stepsOf(walk).some((step) => key(...step) === hover);
  const linked = hover !== hidden && links.some((link) => key(...link) === hover);
  return html`<b>${u} – ${v}</b>: ${walked ? html`a link of the walk, so its bit says <b>${branch}</b>`
    : linked ? html`a link off the walk, so its bit says <b>${branch}</b>` : html`no link${hidden ? " that you know" : ""}; a coin said <b>${branch}</b>`}.
    ${same ? " In the layers, arcs lead down from one to the other." : " In the layers, no arcs lead down from one to the other."}`;
}

const root = document.getElementById("studio");
root.replaceChildren();
render(html`<${Studio}/>`, root);
