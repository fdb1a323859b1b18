// Publish again: the cover runs down, outsiders put the files together, the plan says what fits.

import { html, useEffect, useRef, useState } from "/assets/vendor/htm-preact.js";
import { post } from "/assets/api.js";
import { percent, times } from "/assets/geometry.js";

const SHOWN = [1, 2, 5, 10], ATTACKED = [2, 5, 10], LARGEST = 120, PAUSE = 700;

function useSeen() {
  const element = useRef(null), [seen, setSeen] = useState(false);
  useEffect(() => {
    const watch = new IntersectionObserver((entries) => { if (entries.some((entry) => entry.isIntersecting)) setSeen(true); });
    watch.observe(element.current);
    return () => watch.disconnect();
  }, []);
  return [element, seen];
}

export function Again({ scene, walks, alike, setAlike, size, fail }) {
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
        const found = await post("series", { links, walks, policy: scene.policy });
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
  }, [seen, walks, scene.policy]);
  useEffect(() => {
    if (!seen) return undefined;
    let stale = false;
    setPlan(null);
    post("plan", { links, walks: 10, length, alike }).then((made) => stale || setPlan(made), fail);
    return () => { stale = true; };
  }, [seen, links, length, alike]);
  const full = rows ? rows.findIndex((row) => row.closed) : -1;
  return html`<section class="again" aria-labelledby="again-title" ref=${element}>
    <h2 id="again-title">7. Publish again</h2>
    <p>An outsider knows no link but collects every file. What hides the walks from them is the cover; each file uses some of it up.</p>
    <label class="check"><input type="checkbox" checked=${alike} onChange=${(event) => setAlike(event.target.checked)}/> the same route every time</label>
    ${rows ? html`<table><caption>Walks of ${times(length, "link")}, each with fresh coins</caption>
      <thead><tr><th scope="col">files</th><th scope="col">cover used</th><th scope="col">the last one</th><th scope="col">an outsider names</th></tr></thead>
      <tbody>${SHOWN.filter((count) => rows[count - 1]).map((count) => html`<${Row} key=${count} count=${count} row=${rows[count - 1]}
        read=${outside[count]} links=${links.length} size=${size}/>`)}</tbody></table>
      <p aria-live="polite"><b>${full < 0 ? `All ${rows.length} files may go out.` : `File ${full + 1} would be refused`}</b>${full < 0 ? ""
        : ": too little cover would be left, and the walks could be pieced together."}</p>` : html`<p class="quiet">counting …</p>`}
    ${plan && html`<p>The plan for ten walks: ${plan.verdict}</p>`}
  </section>`;
}

function Row({ count, row, read, links, size }) {
  const best = read && (read.structure.walks_right > read.counting.walks_right || read.structure.links_right > read.counting.links_right
    ? read.structure : read.counting);
  return html`<tr><th scope="row">${count}</th>
    <td><span class="cover"><i style=${`width:${Math.min(100 * (row.share ?? 1), 100)}%`}></i></span> ${row.share === null ? "no bound" : percent(row.share)}</td>
    <td>${row.closed ? "is refused" : "may go out"}</td>
    <td>${best ? html`${best.links_right} of ${links} links <span class="hint">(luck ${Math.round(best.links_by_luck)})</span>, ${times(best.walks_right, "walk")}`
      : count === 1 || size > LARGEST ? "–" : "trying …"}</td></tr>`;
}
