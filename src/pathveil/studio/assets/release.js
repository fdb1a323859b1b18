// Practice coins and the release. A walk is drawn once: who keeps the draw they like tells on the walk.

import { html, useEffect, useState } from "/assets/vendor/htm-preact.js";
import { decoded, post } from "/assets/api.js";
import { percent, stepsOf, times } from "/assets/geometry.js";

const FILE = "route.veil";

export function save(name, content, type) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

export const saveRelease = (release) => save(FILE, decoded(release.file), "application/octet-stream");

// What this very draw did to each link of the walk: for the custodian's eyes.
export function useRisks(scene, release, wanted, fail) {
  const [risks, setRisks] = useState(null);
  const file = wanted ? release?.file : null;
  useEffect(() => {
    let stale = false;
    setRisks(null);
    if (file) post("links", { file, links: scene.links, walk: scene.walk }).then((rows) => stale || setRisks(rows), (problem) => stale || fail(problem));
    return () => { stale = true; };
  }, [file]);
  return risks;
}

export function Release({ release, mine, isMine, count, risks, hidden, ready, practise, draw, showMine, busy }) {
  const flip = html`<button disabled=${!ready} onClick=${practise}>Flip practice coins</button>`;
  return html`<section class="go" aria-labelledby="draw-title"><h2 id="draw-title">4. Draw a release</h2>
    ${isMine ? html`<p><b>This is your release of this walk.</b> It counts as released: ${percent(release.cover.share ?? 1)} of the cover is used${
        count > 1 ? ` by the ${count} you drew` : ""}.</p>
      ${!hidden && html`<${ThisDraw} risks=${risks} walk=${mine.walk}/>`}
      <div class="buttons"><button class="primary" onClick=${() => saveRelease(release)}>Save the release</button>${flip}</div>`
    : html`<p class="hint">You see practice coins. Flip them as often as you like; they cannot be saved.</p>
      ${mine ? html`<div class="buttons"><button class="primary" onClick=${showMine}>Show my release</button>${flip}</div>
        <p class="hint">This walk is drawn already, and it counts. Drawing until you like the coins would give it away.</p>`
      : html`<div class="buttons"><button class="primary" disabled=${!ready || busy} onClick=${draw}>Draw a release</button>${flip}</div>
        <p class="hint">Nothing leaves this computer until you save. Choose the policy first: a walk is drawn once.</p>`}`}
  </section>`;
}

function ThisDraw({ risks, walk }) {
  if (!risks) return html`<p class="hint" aria-live="polite">Looking at what this draw did to each link …</p>`;
  const certain = risks.filter((row) => row.certain), worst = Math.max(0, ...risks.map((row) => row.after));
  if (!certain.length) {
    return html`<p class="hint" aria-live="polite">For your eyes only: this draw makes no link certain. The likeliest is guessed right ${Math.round(100 * worst)} times in 100.${
      risks.length < stepsOf(walk).length ? " Some links were too much to work out." : ""} You may send it: whoever has the whole network reads the walk, a partner its own places, others guess as said above.</p>`;
  }
  return html`<div class="certain" role="status"><p><b>For your eyes only: this draw makes ${times(certain.length, "link")} certain</b> (${
      certain.map(({ link }) => link.join(" – ")).join(", ")}): someone who lacks only that link can name it.</p>
    <ul><li>Do not draw again: choosing the coins gives the walk away.</li>
      <li>Encrypt the file to its readers: <code>pathveil inspect ${FILE} -o ${FILE}.age <span class="kept">--to KEY</span></code>. Or keep it to yourself.</li>
      <li>It counts as released either way.</li>
      <li>For the next walk, choose more chaff beforehand.</li></ul></div>`;
}
