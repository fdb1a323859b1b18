// The studio: one screen that is a story. State lives here; the server computes, the panes draw.

import { html, render, useCallback, useEffect, useMemo, useState } from "/assets/vendor/htm-preact.js";
import { get, post, useAnswer, useJob } from "/assets/api.js";
import { ends, key, neighboursOf, randomWalk, stepsOf } from "/assets/geometry.js";
import { LayersPane, NetworkPane, Pane } from "/assets/panes.js";
import { CoinsPane, pairNumber } from "/assets/coins.js";
import { Dial, Sentence } from "/assets/sentence.js";
import { certainOf, Learned, Release, useRisks } from "/assets/release.js";
import { Attacker, Reader } from "/assets/people.js";
import { Again } from "/assets/again.js";
import { Code } from "/assets/code.js";
import { Choice } from "/assets/choice.js";
import { useDrawing } from "/assets/drawing.js";
import { Meanings } from "/assets/words.js";

const FIRST = "supply-chain", FIRST_POLICY = "balanced", DRAWN_AT_ONCE = 80, LARGE = 120, ALL_ASKED = 60, SHORTEST_GAME = 3;

// A link names an example and a policy; a network of one's own, a walk or a coin never.
function shared() {
  const asked = new URLSearchParams(location.hash.slice(1));
  return { example: asked.get("example"), policy: asked.get("policy") };
}

// What the one who looks knows: you know all, a reader its own links, an attacker all but one. Pieces
// of a walk have no arrows: the stated chances are of someone who does not know the direction.
function viewOf(links, walk, reader, hidden) {
  const steps = stepsOf(walk);
  if (reader) return { who: reader, links: links.filter((link) => link.includes(reader)), steps: steps.filter((step) => step.includes(reader)), stops: null };
  if (!hidden) return { links, steps, stops: walk, directed: true };
  const isKnown = (pair) => key(...pair) !== hidden;
  return { links: links.filter(isKnown), steps: steps.filter(isKnown), stops: null, made: true };
}

function Studio() {
  const [examples, setExamples] = useState([]);
  const [name, setName] = useState(null);
  const [network, setNetwork] = useState(null);
  const [walk, setWalk] = useState([]);
  const [policy, setPolicy] = useState(FIRST_POLICY);
  const [flips, setFlips] = useState(0); // how often practice coins were flipped
  const [practises, setPractises] = useState(false); // although this walk is drawn
  const [draws, setDraws] = useState(0);
  const [asksRisks, setAsksRisks] = useState(false);
  const [reader, setReader] = useState(null);
  const [lacked, setLacked] = useState(null);
  const [game, setGame] = useState(null); // a walk that was never shown, to guess a link of
  const [wantsLayers, setWantsLayers] = useState(false);
  const [busy, setBusy] = useState("Opening an example …");
  const [error, setError] = useState(null);
  const [refusal, setRefusal] = useState(null); // why a click on a vertex made no step
  const fail = useCallback((problem) => { setBusy(null); setError(problem.message); }, []);
  const ready = Boolean(network) && walk.length > 1, links = network?.links, size = network?.vertices.length ?? 0;
  const pause = size > LARGE ? 150 : 0; // quick clicks must not pile up work
  const scene = useMemo(() => ({ links, walk, policy }), [links, walk, policy]);

  const load = useCallback((found, called) => {
    setError(null);
    setBusy(null);
    setReader(null);
    setLacked(null);
    setGame(null);
    setRefusal(null);
    setWantsLayers(false);
    setNetwork(found);
    setWalk(found.walk ?? []);
    setName(called);
  }, []);
  const open = useCallback((called, walked) => {
    setBusy("Opening the example …");
    return get(`examples/${encodeURIComponent(called)}`).then((found) => load({ ...found, walk: walked ?? found.walk }, called), fail);
  }, []);
  const drawing = useDrawing({ load, fail });

  // What the page showed last is in the memory of the studio; a link to another example goes before it.
  useEffect(() => {
    const begin = async () => {
      const asked = shared(), listed = await get("examples"), kept = await get("scene"), opened = await get("opened");
      const isListed = listed.some((one) => one.name === asked.example);
      setExamples(listed);
      if (asked.policy) setPolicy(asked.policy);
      if (kept && (!asked.example || asked.example === kept.example)) {
        if (!asked.policy) setPolicy(kept.policy);
        if (kept.example) await open(kept.example, kept.walk);
        else load({ vertices: kept.vertices, links: kept.links, walk: kept.walk }, null);
      } else if (opened) load(opened, null);
      else {
        await open(isListed ? asked.example : FIRST);
        if (asked.example && !isListed) setError(`There is no example called ${asked.example.slice(0, 40)}; this is the first one.`);
      }
    };
    begin().catch(fail);
  }, []);
  useJob((signal) => (network ? post("scene", { example: name, vertices: network.vertices, links, walk, policy }, signal) : Promise.resolve()), [network, walk, policy], () => {}, 300);

  const [dial] = useAnswer("dial", { links, walk }, { wanted: ready, fail, pause, family: links });
  const settings = dial?.settings, chosen = Math.max(0, settings?.findIndex((setting) => setting.policy === policy) ?? 0);
  const known = Boolean(settings?.some((setting) => setting.policy === policy));
  useEffect(() => {
    if (settings && !known) setPolicy(FIRST_POLICY);
  }, [settings]);

  // What was drawn is kept by the server: the gate counts it, and a walk is not drawn again.
  const [room, isCounted] = useAnswer("room", scene, { wanted: ready && known, fail, pause, again: draws, family: links });
  const mine = isCounted ? room.mine : null, isMine = Boolean(mine && mine.policy === policy && !practises);
  const [practice, isFlipped] = useAnswer("publish", scene, { wanted: ready && known, hold: !isCounted || isMine, fail, again: flips, family: links });
  const release = isMine ? mine.release : practice, settled = isMine || (isCounted && isFlipped);
  useEffect(() => { setPractises(false); setAsksRisks(false); }, [scene]);
  const lacking = useMemo(() => { // the link that was chosen, or one in the middle
    const steps = stepsOf(walk);
    return (lacked && steps.find(([u, v]) => key(u, v) === key(...lacked))) ?? steps[Math.floor((steps.length - 1) / 2)] ?? null;
  }, [walk, lacked]);
  useEffect(() => setGame(null), [scene]);
  const practise = () => { setPractises(true); setFlips((old) => old + 1); };
  const showMine = () => { setPractises(false); setPolicy(mine.policy); };
  const drawForGood = async () => {
    setBusy("Drawing …");
    try {
      await post("draw", scene);
      setPractises(false);
      setDraws((old) => old + 1);
      setBusy(null);
    } catch (problem) { fail(problem); }
  };

  const near = useMemo(() => neighboursOf(links ?? []), [links]);
  const play = async () => {
    const longest = Math.max(walk.length - 1, SHORTEST_GAME);
    let made = null;
    for (let length = longest; length >= SHORTEST_GAME && !made; length -= 1) made = randomWalk(near, length);
    if (!made) return fail(new Error("no walk of three links was found in this network, and the game hides an inner link"));
    const inner = stepsOf(made).slice(1, -1);
    try {
      const release = await post("publish", { links, walk: made, policy });
      setGame({ walk: made, release, lacking: inner[Math.floor(Math.random() * inner.length)], decided: false });
    } catch (problem) { fail(problem); }
    return undefined;
  };

  useEffect(() => {
    const address = name ? `#example=${encodeURIComponent(name)}&policy=${encodeURIComponent(policy)}` : location.pathname;
    if (network) history.replaceState(null, "", address);
  }, [name, policy, network]);

  const onward = useMemo(() => (walk.length ? [...near.get(walk.at(-1)) ?? []].filter((one) => !walk.includes(one)) : [...near.keys()]).sort(), [near, walk]);
  const options = useMemo(() => onward.map((one) => html`<option key=${one} value=${one}>${one}</option>`), [onward]);
  const step = (vertex) => {
    const last = walk.at(-1);
    setReader(null);
    setRefusal(null);
    if (last === vertex) setWalk(walk.slice(0, -1));
    else if (walk.includes(vertex)) setRefusal(`${vertex} is on the walk already, and each vertex is visited once here. Click ${last} to take the last step back.`);
    else if (walk.length && !near.get(last)?.has(vertex)) setRefusal(`${vertex} is not linked to the last stop, ${last}. Go on along a link, or begin a new walk.`);
    else setWalk([...walk, vertex]);
  };
  const playing = game && game.release, looked = playing ? game.release : release;
  const drawn = drawing.on ? drawing.network : network, hidden = playing ? key(...game.lacking) : null;
  const view = useMemo(() => (drawing.on ? viewOf(drawn.links, [], null, null) : viewOf(links ?? [], playing ? game.walk : walk, playing ? null : reader, playing && !game.decided ? hidden : null)),
    [links, walk, reader, game, drawing.network]);
  const risks = useRisks(scene, release, ready && settled && (isMine || asksRisks || size <= ALL_ASKED));
  const [layersProblem, setLayersProblem] = useState(null);
  const [layers] = useAnswer("layers", { file: looked?.file }, { wanted: Boolean(looked) && (size <= DRAWN_AT_ONCE || wantsLayers), fail: (problem) => setLayersProblem(problem.message), family: links });
  if (!drawn) {
    return html`<div class="opening"><p>${busy ?? error}</p>${!busy && html`<button onClick=${() => open(FIRST)}>Open an example</button>`}</div>`;
  }
  const turn = (to) => setPolicy(settings[to].policy);
  const live = ready && release && !drawing.on, length = walk.length - 1;
  const empty = drawing.on ? "Click a network together, then click a walk along its links."
    : !ready && (walk.length ? "Click the next stop: any vertex that is linked to the last one." : "Click a first stop on the network, then go along its links.");
  const onVertex = drawing.on ? drawing.choose : reader ? setReader : playing ? () => setRefusal("You are guessing. Go back to your walk to change it.") : step;
  return html`
    <header>
      <p class="brand"><b>pathveil studio</b> <span>runs on this machine only; nothing leaves it, nothing is written but what you save</span></p>
      <${Sentence} dial=${dial} chosen=${chosen} setChosen=${turn} room=${room} length=${length} waiting="Working out the chances …" empty=${empty}/>
      ${error && html`<p class="error" role="alert">${error} <button onClick=${() => setError(null)}>Dismiss</button></p>`}
    </header>
    <main class=${live ? "" : "waiting"}>
      <div class="controls">
        <${Choice} network=${network ?? drawn} name=${name} examples=${examples} open=${open} load=${load} drawing=${drawing} busy=${busy} setBusy=${setBusy} clear=${() => setError(null)} fail=${fail}/>
        ${!drawing.on && html`<section class="course" aria-labelledby="walk-title"><h2 id="walk-title">2. The walk</h2>
          ${reader ? html`<p class="hint">hidden while you are ${reader}</p>` : html`<p class=${walk.length ? "walk" : "hint"}>${walk.length ? walk.join(" → ") : "no stop yet"}</p>
            ${refusal && html`<p class="refusal" role="status">${refusal}</p>`}
            <label>${walk.length ? "Next stop" : "First stop"} <select value="" onChange=${(event) => step(event.target.value)}>
            <option value="">${onward.length ? "click a vertex, or choose" : "no way on"}</option>${options}</select></label>`}
          <div class="buttons"><button disabled=${!walk.length || reader} onClick=${() => step(walk.at(-1))}>One step back</button>
          <button disabled=${!walk.length} onClick=${() => { setReader(null); setRefusal(null); setWalk([]); }}>New walk</button></div>
          </section>
        ${settings && ready ? html`<${Dial} dial=${dial} chosen=${chosen} setChosen=${turn} room=${room} length=${length} release=${release}/>`
          : html`<section class="dial" aria-labelledby="dial-title"><h2 id="dial-title">3. The dial</h2>
          <p class="hint">${ready ? "working out the chances …" : "It turns once the walk has a link."}</p></section>`}
        `}
      </div>
      <div class="middle ${drawn.vertices.length > 26 ? "tall" : ""}">
        <${Pictures} network=${drawn} walk=${drawing.on ? [] : walk} view=${view} lacking=${playing ? (game.decided ? game.lacking : null) : live && !reader ? lacking : null}
          onVertex=${onVertex} drawing=${drawing.on ? drawing : null} release=${live ? looked : null} isMine=${isMine && !playing} waits=${ready && !drawing.on} layers=${layers} problem=${layersProblem}
          onDraw=${size > DRAWN_AT_ONCE && !wantsLayers ? () => setWantsLayers(true) : null}/>
        ${!drawing.on && html`<div class="pair"><${Release} scene=${scene} release=${release} room=${isCounted ? room : null} isMine=${isMine} risks=${risks}
            ready=${ready} busy=${busy} practise=${practise} draw=${drawForGood} showMine=${showMine}/>
          ${live && html`<div class="column">${!reader && html`<${Learned} scene=${scene} room=${isCounted ? room : null} risks=${risks} askRisks=${() => setAsksRisks(true)} drawn=${isMine}
              opensOthers=${settings?.[chosen]?.opens_other_links}/>`}
            ${!playing && html`<${Reader} network=${network} release=${release} reader=${reader} setReader=${setReader} fail=${fail}/>`}</div>`}</div>`}
      </div>
      ${live && html`${reader ? html`<section class="attacker" aria-labelledby="attacker-title"><h2 id="attacker-title">6. Be the attacker</h2>
          <p class="hint">You are ${reader} now and know only its links. To attack, you need all links but one.</p>
          <button onClick=${() => setReader(null)}>Know the whole network again</button></section>`
        : lacking && html`<${Attacker} settled=${playing || settled} scene=${playing ? { ...scene, walk: game.walk } : scene} release=${looked} lacking=${playing ? game.lacking : lacking} setLacking=${setLacked}
            game=${playing ? game : null} play=${play} decide=${() => setGame({ ...game, decided: true })} leave=${() => { setGame(null); setRefusal(null); }} fail=${fail}/>`}
        <div class="below"><${Again} scene=${scene} room=${isCounted ? room : null} size=${size} fail=${fail}/>
        <${Code} scene=${scene} reader=${reader} release=${release} isMine=${isMine} mayGoOut=${isMine && Boolean(risks) && !certainOf(risks)} lacking=${lacking} example=${name} fail=${fail}/></div>`}
    </main><${Meanings}/>`;
}

// The three pictures. What is pointed at lights up in all of them, and nothing else on the page changes.
function Pictures({ network, walk, view, lacking, onVertex, drawing, release, isMine, waits, layers, problem, onDraw }) {
  const [hover, setHover] = useState(null);
  const [plain, setPlain] = useState(false);
  useEffect(() => setHover(null), [network]);
  return html`<${NetworkPane} network=${network} walk=${walk} view=${view} lacking=${lacking} hover=${hover} setHover=${setHover} onVertex=${onVertex} drawing=${drawing}/>
    ${release ? html`<${CoinsPane} view=${view} release=${release} isMine=${isMine} hover=${hover} setHover=${setHover} plain=${plain} setPlain=${setPlain}/>
      <${LayersPane} layers=${layers} problem=${problem} hover=${hover} onDraw=${onDraw}/><p class="readout">${said(hover, release, view)}</p>`
    : html`<${Waiting} id="coins" title="What you publish" about="a bit for each pair" words=${waits ? "flipping coins …" : "The coins appear once the walk has a link."}/>
      <${Waiting} id="layers" title="What everyone sees" about="as a layered graph" words=${waits ? "" : "Then the layered graph."}/>`}`;
}

const Waiting = ({ id, title, about, words }) => html`<${Pane} id=${id} title=${title} about=${about}><p class="quiet">${words}</p></${Pane}>`;

// One line under the three pictures: what the pair that is pointed at is in each of them.
function said(hover, release, view) {
  if (!hover) return "Point at a link or a bit: the same pair lights up in all three pictures.";
  const [u, v] = ends(hover), places = [release.names.indexOf(u), release.names.indexOf(v)].sort((a, b) => a - b);
  const same = release.bits[pairNumber(release.names.length, ...places)] === "1";
  const branch = same ? "same branch" : "different branches", isIt = (pair) => key(...pair) === hover;
  return html`<b>${u} – ${v}</b>: ${view.steps.some(isIt) ? html`a link of the walk, so its bit says <b>${branch}</b>`
    : view.links.some(isIt) ? html`a link off the walk, so its bit says <b>${branch}</b>`
      : view.who ? html`none of ${view.who}'s links; its bit says <b>${branch}</b>, which may be a coin` : html`no link${view.made ? " that you know" : ""}; a coin said <b>${branch}</b>`}.
    ${same ? " In the layers, arcs lead on from one to the other." : " In the layers, no arcs lead on from one to the other."}`;
}

const root = document.getElementById("studio");
root.replaceChildren();
render(html`<${Studio}/>`, root);
