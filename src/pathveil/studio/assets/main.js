// The studio: one screen that is a story. State lives here; the server computes, the panes draw.

import { html, render, useCallback, useEffect, useMemo, useRef, useState } from "/assets/vendor/htm-preact.js";
import { get, post } from "/assets/api.js";
import { ends, key, neighboursOf, randomWalk, stepsOf } from "/assets/geometry.js";
import { LayersPane, NetworkPane, Pane } from "/assets/panes.js";
import { CoinsPane, pairNumber } from "/assets/coins.js";
import { Dial, Sentence } from "/assets/sentence.js";
import { Release, useRisks } from "/assets/release.js";
import { Attacker, Reader } from "/assets/people.js";
import { Again } from "/assets/again.js";
import { Code } from "/assets/code.js";
import { Choice } from "/assets/choice.js";
import { useDrawing } from "/assets/drawing.js";

const FIRST = "supply-chain", FIRST_POLICY = "balanced", WALKS = 10, DRAWN_AT_ONCE = 80, LARGE = 120, ALL_ASKED = 60;

// A link to share names an example and a policy; a network of one's own, a walk or a coin never.
function shared() {
  const asked = new URLSearchParams(location.hash.slice(1));
  return { example: asked.get("example"), policy: asked.get("policy") };
}

// What the one who looks knows: you know all, a reader its own links, an attacker all but one.
function viewOf(links, walk, reader, hidden) {
  const steps = stepsOf(walk);
  if (reader) return { who: reader, links: links.filter((link) => link.includes(reader)), steps: steps.filter((step) => step.includes(reader)), stops: null };
  if (!hidden) return { links, steps, stops: walk, directed: true };
  const isKnown = (pair) => key(...pair) !== hidden;
  return { links: links.filter(isKnown), steps: steps.filter(isKnown), stops: null, directed: true };
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
  const [release, setRelease] = useState(null);
  const [drawn, setDrawn] = useState([]); // the releases of this tab: each walk is drawn once
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
  const pause = (network?.vertices.length ?? 0) > LARGE ? 150 : 0; // quick clicks must not pile up work
  const scene = useMemo(() => ({ links, walk, policy }), [links, walk, policy]);

  const load = useCallback((found, called) => {
    setError(null);
    setBusy(null);
    setRelease(null);
    setReader(null);
    setLacking(null);
    setSecret(false);
    setHover(null);
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

  const asText = useMemo(() => JSON.stringify(links ?? []), [links]), walked = walk.join("\u0000");
  const counted = drawn.filter((one) => one.links === asText);
  const mine = counted.find((one) => one.walk.join("\u0000") === walked) ?? null;
  const show = (made, isStale) => {
    setRelease(made);
    setLacking((old) => {
      const steps = stepsOf(walk);
      return (old && steps.find(([u, v]) => key(u, v) === key(...old))) ?? steps[Math.floor((steps.length - 1) / 2)];
    });
    if (made.names.length <= DRAWN_AT_ONCE && !made.layers) draw(made, isStale);
  };
  const practise = (isStale = () => false) => post("publish", scene).then((made) => isStale() || show(made, isStale), (problem) => isStale() || fail(problem));
  useEffect(() => {
    let stale = false;
    if (!ready) setRelease(null);
    if (!ready || !known) return undefined;
    setError(null);
    if (mine?.policy === policy) { show(mine.release, () => stale); return () => { stale = true; }; }
    const wait = setTimeout(() => practise(() => stale), pause);
    return () => { stale = true; clearTimeout(wait); };
  }, [scene, known]);
  // For good: the gate counts what this tab drew before, and the walk is not drawn again.
  const drawForGood = async () => {
    setBusy("Drawing …");
    try {
      const before = counted.map((one) => ({ walk: one.walk, policy: one.policy }));
      const made = { ...await post("draw", { ...scene, before }), drawn: true };
      setDrawn((old) => [...old, { links: asText, walk, policy, release: made }]);
      show(made, () => false);
      setBusy(null);
    } catch (problem) { fail(problem); }
  };
  const showMine = () => {
    if (mine.policy === policy) show(mine.release, () => false);
    else setPolicy(mine.policy);
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
  const shown = drawing.network ?? network;
  const hidden = secret && lacking ? key(...lacking) : null;
  const view = useMemo(() => (drawing.on ? viewOf(drawing.network.links, [], null, null) : viewOf(links ?? [], walk, reader, hidden)), [links, walk, reader, hidden, drawing.network]);
  const risks = useRisks(scene, release, ready && (release?.drawn || release?.names.length <= ALL_ASKED), fail);
  if (!shown) {
    return html`<div class="opening"><p>${busy ?? error}</p>${!busy && html`<button onClick=${() => open(FIRST)}>Open an example</button>`}</div>`;
  }
  const turn = (to) => setPolicy(settings[to].policy);
  const isMine = Boolean(release?.drawn && mine?.release.file === release.file);
  const hides = Boolean(secret && lacking), live = ready && release && !drawing.on, length = walk.length - 1;
  const veiled = reader ? `hidden while you are ${reader}` : hides ? "hidden while you guess" : null;
  const empty = drawing.on ? "Click a network together, then click a walk along its links."
    : !ready && (walk.length ? "Click the next stop: any vertex that is linked to the last one." : "Click a first stop on the network, then go along its links.");
  return html`
    <header>
      <p class="brand"><b>pathveil studio</b> <span>runs on this machine only; nothing leaves it, nothing is written but what you save</span></p>
      <${Sentence} settings=${settings ?? []} chosen=${chosen} setChosen=${turn} length=${length}
        waiting="Working out the chances …" empty=${empty}/>
      ${error && html`<p class="error" role="alert">${error} <button onClick=${() => setError(null)}>Dismiss</button></p>`}
    </header>
    <main class=${live ? "" : "waiting"}>
      <div class="controls">
        <${Choice} network=${network ?? shown} name=${name} examples=${examples} open=${open} load=${load} drawing=${drawing} busy=${busy} setBusy=${setBusy} fail=${fail}/>
        ${!drawing.on && html`<section class="course" aria-labelledby="walk-title"><h2 id="walk-title">2. The walk</h2>
          <p class=${walk.length && !veiled ? "walk" : "hint"}>${veiled ?? (walk.length ? walk.join(" → ") : "no stop yet")}</p>
          ${!veiled && html`<label>${walk.length ? "Next stop" : "First stop"} <select value="" onChange=${(event) => step(event.target.value)}>
            <option value="">${onward.length ? "click a vertex, or choose" : "no way on"}</option>
            ${onward.map((one) => html`<option key=${one} value=${one}>${one}</option>`)}</select></label>`}
          <div class="buttons"><button disabled=${!walk.length || veiled} onClick=${() => step(walk.at(-1))}>One step back</button>
          <button disabled=${!walk.length} onClick=${() => { setReader(null); setSecret(false); setWalk([]); }}>New walk</button></div>
          </section>
        ${settings && ready ? html`<${Dial} settings=${settings} chosen=${chosen} setChosen=${turn} length=${length} release=${release}/>`
          : html`<section class="dial" aria-labelledby="dial-title"><h2 id="dial-title">3. The dial</h2>
          <p class="hint">${ready ? "working out the chances …" : "It turns once the walk has a link."}</p></section>`}
        `}
      </div>
      <div class="middle ${shown.vertices.length > 26 ? "tall" : ""}">
        <${NetworkPane} network=${shown} walk=${drawing.on ? [] : walk} view=${view} lacking=${live && !veiled ? lacking : null} fixed=${hides}
          hover=${hover} setHover=${setHover} onVertex=${drawing.on ? drawing.choose : reader ? setReader : step} drawing=${drawing.on ? drawing : null}/>
        ${live ? html`<${CoinsPane} view=${view} release=${release} hover=${hover} setHover=${setHover} plain=${plain} setPlain=${setPlain}/>
          <${LayersPane} release=${release} hover=${hover} onDraw=${release.names.length > DRAWN_AT_ONCE
            ? () => draw(release, () => false) : null}/>
          <p class="readout">${said(hover, release, view, hides)}</p>`
        : html`<${Waiting} id="coins" title="What you publish" about="a bit for each pair" words=${ready && !drawing.on ? "flipping coins …" : "The coins appear once the walk has a link."}/>
          <${Waiting} id="layers" title="What everyone sees" about="as a layered graph" words=${ready && !drawing.on ? "" : "Then the layered graph."}/>`}
        ${!drawing.on && html`<div class="pair"><${Release} release=${release} mine=${mine} isMine=${isMine} count=${counted.length} risks=${risks} hidden=${Boolean(veiled)} ready=${ready} busy=${busy}
            practise=${() => practise()} draw=${drawForGood} showMine=${showMine}/>
          ${live && html`<${Reader} network=${network} release=${release} reader=${reader} setReader=${setReader} hidden=${hides} fail=${fail}/>`}</div>`}
      </div>
      ${live && html`${reader ? html`<section class="attacker" aria-labelledby="attacker-title"><h2 id="attacker-title">6. Be the attacker</h2>
          <p class="hint">You are ${reader} now and know only its links. To attack, you need all links but one.</p>
          <button onClick=${() => setReader(null)}>Know the whole network again</button></section>`
        : lacking && html`<${Attacker} scene=${scene} release=${release} risks=${risks} lacking=${lacking} setLacking=${setLacking} secret=${secret} setSecret=${setSecret} fail=${fail}/>`}
        <div class="below"><${Again} scene=${scene} walks=${walks} fits=${settings?.[chosen]?.fits ?? 1} alike=${alike} setAlike=${setAlike} size=${network.vertices.length} fail=${fail}/>
        <${Code} scene=${veiled ? { ...scene, walk: [veiled] } : scene} hidden=${Boolean(veiled)} release=${release} isMine=${isMine} lacking=${veiled ? null : lacking} example=${name} fail=${fail}/></div>`}
    </main>`;
}

const Waiting = ({ id, title, about, words }) => html`<${Pane} id=${id} title=${title} about=${about}><p class="quiet">${words}</p></${Pane}>`;

// One line under the three pictures: what the pair that is pointed at is in each of them.
function said(hover, release, view, hides) {
  if (!hover) return "Point at a link, a bit or a node: the same pair lights up in all three pictures.";
  const [u, v] = ends(hover), places = [release.names.indexOf(u), release.names.indexOf(v)].sort((a, b) => a - b);
  const same = release.bits[pairNumber(release.names.length, ...places)] === "1";
  const branch = same ? "same branch" : "different branches", isIt = (pair) => key(...pair) === hover;
  return html`<b>${u} – ${v}</b>: ${view.steps.some(isIt) ? html`a link of the walk, so its bit says <b>${branch}</b>`
    : view.links.some(isIt) ? html`a link off the walk, so its bit says <b>${branch}</b>`
      : view.who ? html`none of ${view.who}'s links; its bit says <b>${branch}</b>, which may be a coin` : html`no link${hides ? " that you know" : ""}; a coin said <b>${branch}</b>`}.
    ${same ? " In the layers, arcs lead on from one to the other." : " In the layers, no arcs lead on from one to the other."}`;
}

const root = document.getElementById("studio");
root.replaceChildren();
render(html`<${Studio}/>`, root);
