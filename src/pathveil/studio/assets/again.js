// Publish again: the cover runs down with every walk; the plan says beforehand how many fit.

import { html, useEffect, useState } from "/assets/vendor/htm-preact.js";
import { post } from "/assets/api.js";
import { neighboursOf, percent } from "/assets/geometry.js";

const MOST = 20, SHOWN = [1, 2, 5, 10, 20];

function randomWalk(links, length) {
  const near = neighboursOf(links), names = [...near.keys()];
  for (let tries = 0; tries < 200; tries += 1) {
    const walk = [names[Math.floor(Math.random() * names.length)]];
    while (walk.length <= length) {
      const onward = [...near.get(walk[walk.length - 1])].filter((name) => !walk.includes(name));
      if (!onward.length) break;
      walk.push(onward[Math.floor(Math.random() * onward.length)]);
    }
    if (walk.length === length + 1) return walk;
  }
  return null;
}

export function Again({ scene, fail }) {
  const length = scene.walk.length - 1;
  const [alike, setAlike] = useState(false);
  const [rows, setRows] = useState(null);
  const [plan, setPlan] = useState(null);
  useEffect(() => {
    let stale = false;
    setRows(null);
    setPlan(null);
    const walks = [scene.walk];
    while (walks.length < MOST) {
      const walk = alike ? scene.walk : randomWalk(scene.links, length);
      if (!walk) break;
      walks.push(walk);
    }
    post("series", { links: scene.links, walks, policy: scene.policy }).then((found) => stale || setRows(found), fail);
    post("plan", { links: scene.links, walks: 10, length }).then((found) => stale || setPlan(found), fail);
    return () => { stale = true; };
  }, [scene.links, scene.walk.join("\u0000"), scene.policy, alike]);
  const full = rows?.findIndex((row) => row.closed) ?? -1;
  return html`<section class="again" aria-labelledby="again-title">
    <h2 id="again-title">Publish again</h2>
    <p>Someone who knows no link but collects every file can find the walks once the cover is used up.</p>
    <label><input type="checkbox" checked=${alike} onChange=${(event) => setAlike(event.target.checked)}/> the same route every time</label>
    ${rows ? html`<table><caption>Cover used, with fresh coins for each walk of ${length} links</caption>
      <thead><tr><th scope="col">files</th><th scope="col">cover used</th><th scope="col">may go out?</th></tr></thead>
      <tbody>${SHOWN.filter((count) => rows[count - 1]).map((count) => {
        const row = rows[count - 1];
        return html`<tr><th scope="row">${count}</th>
          <td><span class="cover"><span style=${`width:${Math.min(100 * row.share, 100)}%`}></span></span> ${percent(row.share)}</td>
          <td>${row.closed ? "no: refused" : "yes"}</td></tr>`;
      })}</tbody></table>
      <p aria-live="polite">${full < 0 ? `All ${rows.length} walks fit.` : `Walk ${full + 1} would be refused.`}</p>` : html`<p>counting …</p>`}
    ${plan && html`<p><b>The plan for ten walks:</b> ${plan.verdict}</p>`}
  </section>`;
}
