// Practice coins and the release. A walk is drawn once: who keeps the draw they like tells on the walk.

import { html, useState } from "/assets/vendor/htm-preact.js";
import { decoded, post, save, useJob } from "/assets/api.js";
import { attackCommand } from "/assets/code.js";
import { key, stepsOf, times } from "/assets/geometry.js";
import { CoverMeter, fitting, share } from "/assets/sentence.js";
import { Word } from "/assets/words.js";

const FILE = "route.veil";

const keep = (name, file) => save(name, decoded(file), "application/octet-stream");
const words = (chance) => `${Math.round(100 * chance)}`;

// What these very coins did to each link of the walk, link by link: for the custodian's eyes.
export function useRisks(scene, release, wanted) {
  const [risks, setRisks] = useState({ file: null, rows: new Map() });
  const file = wanted ? release?.file : null;
  useJob(async (signal) => {
    setRisks({ file, rows: new Map() });
    for (const lacking of file ? stepsOf(scene.walk) : []) {
      const row = await post("risk", { file, links: scene.links, lacking }, signal).catch((problem) => ({ problem: problem.message }));
      if (signal.aborted) return;
      setRisks((old) => ({ file, rows: new Map(old.rows).set(key(...lacking), row) }));
    }
  }, [file], () => {});
  return risks.file && risks.file === release?.file ? risks.rows : null;
}

// Links that are certain to someone who lacks only that one, by this file or by all that were drawn so.
export const certainOf = (risks) => [...risks.values()].filter((row) => row.certain || row.certain_together).length;

export function Release({ scene, release, room, isMine, risks, ready, busy, practise, draw, showMine }) {
  const flip = html`<button disabled=${!ready} onClick=${practise}>Flip practice coins</button>`;
  const length = scene.walk.length - 1, rest = room && !room.mine && html`<${CoverMeter} room=${room}/>`;
  return html`<section class="go" aria-labelledby="draw-title"><h2 id="draw-title">4. Draw a release</h2>
    ${isMine ? html`<p><b>This is your release of this walk.</b> It counts as released.</p><${CoverMeter} room=${room}/>
      <${Verdict} release=${release} risks=${risks} steps=${length}/><div class="buttons">${flip}</div>`
    : html`<p class="hint">You see practice <${Word} of="coin">coins</${Word}>. Flip them as often as you like; they cannot be saved.</p>
      ${room?.mine ? html`<div class="buttons"><button class="primary" onClick=${showMine}>Show my release</button>${flip}</div>
        <p class="hint">This walk is drawn already, and it counts. Drawing until you like the coins would give it away.</p>`
      : html`${rest}${room?.refused && html`<p class="certain" role="status"><b>This walk cannot be drawn in public:</b> ${room.refused}. It shares too much with what you drew; ${
          fitting(room, length)}. Encrypted to its readers, any number fits: <code>pathveil publish --to KEY</code>.</p>`}
        <div class="buttons"><button class="primary" disabled=${!ready || busy || !room || room.refused} onClick=${draw}>Draw a release</button>${flip}</div>
        <p class="hint">Nothing leaves this computer until you save. Choose the policy first: a walk is drawn once. The studio remembers what you drew, also
          when you reload the page, until you end it in the terminal; a ledger remembers for good (<code>publish --ledger</code>).</p>`}`}
  </section>`;
}

// May I send it? In large words, with what to do.
function Verdict({ release, risks, steps }) {
  const plain = html`<button class="primary" onClick=${() => keep(FILE, release.file)}>Save the release</button>`;
  if (!risks || risks.size < steps) return html`<p class="verdict" aria-live="polite">Looking at what this draw did to each link …</p>`;
  const rows = [...risks.values()], certain = certainOf(risks), files = Math.max(...rows.map((row) => row.files ?? 1)), open = rows.filter((row) => row.problem).length;
  if (certain) {
    const alarm = rows.some((row) => row.alarm), words = alarm ? "Do not send it as it is." : `Send it only to people who may know ${certain === 1 ? "that link" : "those links"}.`;
    return html`<div class=${alarm ? "certain alarm" : "certain"} role="status"><p class="verdict">${words}</p><p>For your eyes only: ${files > 1 ? `your ${files} releases together make` : "this draw makes"} <b>${times(certain, "link")} certain</b> to someone who lacks only that link.</p>
      <ul><li>Encrypt it to its readers, or keep it to yourself. It counts as released either way.</li>
        <li>Do not draw again: choosing the coins gives the walk away.</li><li>For the next walk, choose more chaff beforehand.</li></ul>
      <${Encrypted} release=${release}/><div class="buttons"><button onClick=${() => keep(FILE, release.file)}>Save it for myself</button></div></div>`;
  }
  return html`<p class="verdict" role="status">${open ? "You may send it, as far as was worked out here." : "You may send it."}</p>
    <p class="hint">For your eyes only: ${open ? `${times(open, "link")} had too many possibilities to list here; of the others,` : files > 1 ? `your ${files} releases together make` : "this draw makes"} no link ${open ? "is " : ""}certain.</p>
    <div class="buttons">${plain}</div><details><summary>Save it encrypted to its readers</summary><${Encrypted} release=${release}/></details>`;
}

function Encrypted({ release }) {
  const [to, setTo] = useState(""), [problem, setProblem] = useState(null), keys = to.split("\n").map((line) => line.trim()).filter(Boolean);
  const seal = () => post("envelope", { file: release.file, to: keys }).then(({ file }) => { setProblem(null); keep(`${FILE}.age`, file); }, (why) => setProblem(why.message));
  return html`<label>Public keys of the readers, one a line <textarea rows="2" spellcheck="false" placeholder="age1… or ssh-ed25519 …" value=${to} onInput=${(event) => setTo(event.target.value)}></textarea></label>
    <div class="buttons"><button class="primary" disabled=${!keys.length} onClick=${seal}>Save it encrypted</button></div>${problem && html`<p class="refusal" role="alert">${problem}</p>`}
    <p class="hint">A reader makes a key with <code>pathveil keys</code> and sends you its public part. In a terminal: <code>pathveil inspect ${FILE} -o ${FILE}.age <span class="kept">--to KEY</span></code></p>`;
}

// Which links are safe, and from whom.
export function Learned({ scene, room, risks, askRisks, drawn, opensOthers }) {
  const steps = stepsOf(scene.walk);
  const open = risks && steps.find((step) => risks.get(key(...step))?.problem);
  return html`<section class="learned" aria-label="Who learns what"><table><caption><b>Who learns what</b> ${drawn ? "from your release" : "with these practice coins"}</caption>
    <tbody><tr><th scope="row">someone with the whole network</th><td>reads the walk</td></tr>
      <tr><th scope="row">a partner with its own links</th><td>reads its own place; for the rest it is an outsider</td></tr>
      ${steps.map(([u, v], place) => html`<tr key=${key(u, v)} class="link-row"><th scope="row">someone who lacks just <b>${u} – ${v}</b>${place === 0 || place === steps.length - 1 ? html` <em>end</em>` : ""}</th>
        <td>${risks ? guessed(risks.get(key(u, v))) : place ? "" : html`<button onClick=${askRisks}>Work out each link</button>`}</td></tr>`)}
      <tr><th scope="row">outsiders, who know no link</th><td>${opensOthers ? "see every link off the walk; " : ""}${room ? html`${share(drawn ? room.used : room.after)} of the cover used` : "…"}</td></tr></tbody></table>
    ${open && html`<p class="hint">In a terminal: <code>${attackCommand(open)}</code></p>`}</section>`;
}

function guessed(row) {
  if (!row) return "…";
  if (row.problem) return html`<span class="hint">${row.problem}</span>`;
  if (row.before > 1 - 1e-12) return "knows it without the file: nothing else fits";
  const all = row.certain_together && !row.certain ? html`; with your ${row.files} releases <b>certain</b>` : row.together !== null && !row.certain ? html`; with your ${row.files} releases <b>${words(row.together)}</b>` : "";
  return html`${row.certain ? html`<b>is certain</b>` : html`is right <b>${words(row.after)}</b> in 100`}; by luck ${words(row.before)}${all}`;
}
