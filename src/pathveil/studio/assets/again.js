// Publish again: the cover runs down, outsiders put the files together, the plan says what else fits.

import { html, useEffect, useRef, useState } from "/assets/vendor/htm-preact.js";
import { post, useAnswer } from "/assets/api.js";
import { neighboursOf, randomWalk, times } from "/assets/geometry.js";
import { fitting, share } from "/assets/sentence.js";
import { Word } from "/assets/words.js";

const SHOWN = [1, 2, 5, 10], EACH = Array.from({ length: 10 }, (_, number) => number + 1), ATTACKED = [2, 5, 10], LARGEST = 120, PAUSE = 400;

function useSeen() {
  const element = useRef(null), [seen, setSeen] = useState(false);
  useEffect(() => {
    const watch = new IntersectionObserver((entries) => { if (entries.some((entry) => entry.isIntersecting)) setSeen(true); });
    watch.observe(element.current);
    return () => watch.disconnect();
  }, []);
  return [element, seen];
}

export function Again({ scene, room, size, fail }) {
  const [element, seen] = useSeen();
  const [alike, setAlike] = useState(false);
  const [plan, setPlan] = useState(null);
  const [outside, setOutside] = useState(null);
  const asking = useRef(null), length = scene.walk.length - 1, { links } = scene;
  const [rows, isNow] = useAnswer("series", { ...scene, files: alike ? EACH : SHOWN, alike }, { wanted: seen && Boolean(room), fail, pause: PAUSE, again: room?.drawn, family: links });
  const rowOf = (count) => rows[(alike ? EACH : SHOWN).indexOf(count)], refused = alike && rows && isNow ? EACH.find((count) => rowOf(count)?.closed) : null;
  // What was asked for by a click is about this network, length and policy; another one ends it.
  useEffect(() => {
    setPlan(null);
    setOutside(null);
    return () => asking.current?.abort();
  }, [links, scene.walk, scene.policy, alike]);
  const ask = async (job) => {
    asking.current?.abort();
    const { signal } = asking.current = new AbortController();
    try { await job(signal); } catch (problem) { if (!signal.aborted) fail(problem); }
  };
  const attack = () => ask(async (signal) => {
    setOutside({});
    const near = neighboursOf(links), walks = [scene.walk];
    for (let next = scene.walk; next && walks.length < ATTACKED.at(-1);) {
      next = alike ? scene.walk : randomWalk(near, length);
      if (next) walks.push(next);
    }
    for (const count of ATTACKED.filter((one) => one <= walks.length)) {
      const read = await post("outsider", { links, walks: walks.slice(0, count), policy: scene.policy }, signal);
      setOutside((old) => ({ ...old, [count]: read }));
    }
  });
  const askPlan = () => ask(async (signal) => {
    setPlan({ waiting: true });
    setPlan(await post("plan", { links, walks: 10, length }, signal));
  });
  return html`<section class="again" aria-labelledby="again-title" ref=${element}>
    <h2 id="again-title">7. Publish again</h2>
    ${room && html`<p class="lead" aria-live="polite">With the policy on the dial and fresh coins for each file, ${!alike ? html`${fitting(room, length)}${room.more ? html`; file <b>${room.drawn + room.more + 1}</b> would be refused` : ""}`
      : refused ? html`this very route fits ${times(refused - 1, "more time", "more times")}; file <b>${room.drawn + refused}</b> would be refused` : "this very route fits at least ten more times"}.</p>`}
    <p>An outsider knows no link but collects every file. <${Word} of="chaff">Chaff</${Word}> covers the walks, and each file uses up some of this <${Word} of="cover"/>. A part must stay unused: the mark in each bar.</p>
    <label class="check"><input type="checkbox" checked=${alike} onChange=${(event) => setAlike(event.target.checked)}/> instead, this very route every time</label>
    ${rows && isNow ? html`<table><caption>${alike ? "This route each time" : `Unrelated walks of ${times(length, "link")}`}${room.drawn ? `, after the ${room.drawn === 1 ? "one" : room.drawn} you drew` : ""}</caption>
      <thead><tr><th scope="col">after</th><th scope="col">cover used</th><th scope="col">the last one</th><th scope="col">an outsider names</th></tr></thead>
      <tbody>${room.drawn > 0 && html`<${Row} words="now" row=${room.used} first=${room.drawn < 2}/>`}
        ${SHOWN.map((count) => html`<${Row} key=${count} words=${`${room.drawn ? "+ " : ""}${times(count, "file")}`} row=${rowOf(count)} first=${count + room.drawn < 2} read=${outside?.[count]}
          links=${links.length} tried=${outside !== null && count > 1}/>`)}</tbody></table>` : html`<p class="quiet">counting …</p>`}
    ${size <= LARGEST ? html`<div class="buttons"><button onClick=${attack}>Let an outsider try</button><button disabled=${plan?.waiting} onClick=${askPlan}>Is there a better way for ten?</button></div>
      <p class="hint">The outsider gets files of such walks, drawn for this question and thrown away, and searches quickly; more time names more.</p>`
      : html`<p class="hint">With this many vertices, ask in a terminal: <code>pathveil plan network.csv --walks 10 --length ${length}</code></p>`}
    ${plan?.waiting ? html`<p class="quiet">planning …</p>` : plan && html`<p><code>pathveil plan</code> says of ten unrelated walks, before any draw: ${plan.verdict}</p>
      <ul class="ways">${plan.ways.filter(({ way }) => way in WAYS).map((way) => html`<li key=${way.way}><span>${WAYS[way.way]}</span>
        <span>${way.most_walks === null ? "any number fits" : way.most_walks === 1 ? "only the first fits" : `about ${way.most_walks} fit`}</span></li>`)}</ul>`}
    <p>For comparison: if you sent the walk itself, one file would tell an outsider everything. Encrypted to its readers, a file tells an
      outsider nothing and any number fits, but every reader needs a key.</p>
  </section>`;
}

const WAYS = {
  series: html`instead of fresh coins, one <${Word} of="series"/>`,
  grouping: "instead, over classes of vertices, drawn before the first file",
  envelopes: "instead, encrypted to their readers",
};

function Row({ words, row, first, read, links, tried }) {
  const best = read && (read.structure.walks_right > read.counting.walks_right || read.structure.links_right > read.counting.links_right
    ? read.structure : read.counting);
  return html`<tr><th scope="row">${words}</th>
    <td><span class="cover"><i style=${`width:${Math.min(100 * (row.share ?? 1), 100)}%`}></i>${!first && html`<s style=${`left:${Math.max(100 * row.full, 1)}%`}></s>`}</span> ${share(row)}</td>
    <td>${words === "now" ? "is out" : row.closed ? "is refused" : "may go out"}</td>
    <td>${best ? html`<span class="names">an outsider names </span>${best.links_right} of ${links} links <span class="hint">(luck ${Math.round(best.links_by_luck)})</span>, ${times(best.walks_right, "walk")}`
      : tried ? "trying …" : "not tried"}</td></tr>`;
}
