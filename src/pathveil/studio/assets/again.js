// Publish again: the cover runs down, outsiders put the files together, the plan says what else fits.

import { html, useEffect, useRef, useState } from "/assets/vendor/htm-preact.js";
import { post } from "/assets/api.js";
import { percent, times } from "/assets/geometry.js";
import { fitting } from "/assets/sentence.js";

const SHOWN = [1, 2, 5, 10], ATTACKED = [2, 5, 10], LARGEST = 120, PAUSE = 400;

function useSeen() {
  const element = useRef(null), [seen, setSeen] = useState(false);
  useEffect(() => {
    const watch = new IntersectionObserver((entries) => { if (entries.some((entry) => entry.isIntersecting)) setSeen(true); });
    watch.observe(element.current);
    return () => watch.disconnect();
  }, []);
  return [element, seen];
}

export function Again({ scene, walks, fits, alike, setAlike, size, fail }) {
  const [element, seen] = useSeen();
  const [rows, setRows] = useState(null);
  const [plan, setPlan] = useState(null);
  const [outside, setOutside] = useState({});
  const length = scene.walk.length - 1, links = scene.links;
  useEffect(() => {
    if (!seen) return undefined;
    let stale = false;
    setRows(null);
    setOutside({});
    const wait = setTimeout(async () => {
      try {
        const found = await post("series", { ...scene, files: SHOWN.at(-1), alike });
        if (stale) return;
        setRows(found);
        for (const count of ATTACKED) {
          if (stale || size > LARGEST || walks.length < count) return;
          const read = await post("outsider", { links, walks: walks.slice(0, count), policy: scene.policy });
          if (!stale) setOutside((old) => ({ ...old, [count]: read }));
        }
      } catch (problem) { if (!stale) fail(problem); }
    }, PAUSE);
    return () => { stale = true; clearTimeout(wait); };
  }, [seen, walks, scene]);
  useEffect(() => {
    if (!seen) return undefined;
    let stale = false;
    setPlan(null);
    const wait = setTimeout(() => post("plan", { links, walks: 10, length, alike }).then((made) => stale || setPlan(made), (problem) => stale || fail(problem)), PAUSE);
    return () => { stale = true; clearTimeout(wait); };
  }, [seen, links, length, alike]);
  return html`<section class="again" aria-labelledby="again-title" ref=${element}>
    <h2 id="again-title">7. Publish again</h2>
    <p class="lead" aria-live="polite">With the policy on the dial and fresh coins for each file, ${alike ? sameRoute(rows) : html`${fitting(fits, length)}${
      fits < SHOWN.at(-1) ? html`; file <b>${fits + 1}</b> would be refused` : ""}`}.</p>
    <p>An outsider knows no link but collects every file. Chaff covers the walks, and each file uses up some of this cover. A part must stay unused: the mark in each bar.</p>
    <label class="check"><input type="checkbox" checked=${alike} onChange=${(event) => setAlike(event.target.checked)}/> the same route every time</label>
    ${rows ? html`<table><caption>${alike ? "This route" : `Walks of ${times(length, "link")}`}, policy ${scene.policy}</caption>
      <thead><tr><th scope="col">after</th><th scope="col">cover used</th><th scope="col">the last one</th><th scope="col">an outsider names</th></tr></thead>
      <tbody>${SHOWN.map((count) => html`<${Row} key=${count} count=${count} row=${rows[count - 1]} read=${outside[count]} links=${links.length}
        tried=${size <= LARGEST && walks.length >= count}/>`)}</tbody></table>` : html`<p class="quiet">counting …</p>`}
    <p>For comparison: if you sent the walk itself, one file would tell an outsider everything. Encrypted to its readers, a file tells an
      outsider nothing and any number fits, but every reader needs a key.</p>
    ${plan && html`<p>Is there a better way for ten such walks? <code>pathveil plan</code> says: ${plan.verdict}</p>
      <ul class="ways">${plan.ways.filter(({ way }) => way in WAYS).map((way) => html`<li key=${way.way}><span>${WAYS[way.way](way)}</span>
        <span>${way.most_walks === null ? "any number fits" : way.most_walks === 1 ? "only the first fits" : `about ${way.most_walks} fit`}</span></li>`)}</ul>`}
  </section>`;
}

const WAYS = {
  coins: (way) => html`fresh coins at the rate that fits best, <code>${/--policy (\S+)/.exec(way.command)?.[1]}</code>`,
  series: () => "one series, in which chaff remembers what was shown",
  grouping: () => "classes of vertices, drawn before the first file",
  envelopes: () => "encrypted to their readers",
};

function sameRoute(rows) {
  const closed = rows ? rows.findIndex((row) => row.closed) : -1;
  if (!rows) return "the same route …";
  return closed < 0 ? html`the same route may go out in <b>${rows.length}</b> files and more` : html`the same route fits <b>${closed === 1 ? "once" : `${closed} times`}</b>; file <b>${closed + 1}</b> would be refused`;
}

function Row({ count, row, read, links, tried }) {
  const best = read && (read.structure.walks_right > read.counting.walks_right || read.structure.links_right > read.counting.links_right
    ? read.structure : read.counting);
  return html`<tr><th scope="row">${times(count, "file")}</th>
    <td><span class="cover"><i style=${`width:${Math.min(100 * (row.share ?? 1), 100)}%`}></i>${count > 1 && html`<s style=${`left:${Math.max(100 * row.full, 1)}%`}></s>`}</span> ${row.share === null ? "all" : row.share > 1 ? "more than all" : percent(row.share)}</td>
    <td>${row.closed ? "is refused" : "may go out"}</td>
    <td>${best ? html`<span class="names">an outsider names </span>${best.links_right} of ${links} links <span class="hint">(luck ${Math.round(best.links_by_luck)})</span>, ${times(best.walks_right, "walk")}`
      : count === 1 || !tried ? "–" : "trying …"}</td></tr>`;
}
