// The sentence that carries the page. Its number is the dial, and the dial shows both adversaries.

import { html, useRef } from "/assets/vendor/htm-preact.js";
import { times } from "/assets/geometry.js";

const STEP = 30;

// One yardstick for the whole page: the policy on the dial, with fresh coins for each file.
export const fitting = (fits, length) => (fits === 1 ? html`<b>one</b> walk of ${times(length, "link")} fits` : html`about <b>${fits}</b> walks of ${times(length, "link")} fit`);

export function Sentence({ settings, chosen, setChosen, length, waiting, empty }) {
  const from = useRef(null);
  const setting = settings[chosen], guess = setting?.lacks_one_link;
  if (empty) return html`<h1 class="sentence">${empty}</h1><p class="second">Nothing is drawn yet.</p>`;
  if (!guess) return html`<h1 class="sentence">${waiting}</h1><p class="second"> </p>`;
  const last = settings.length - 1;
  const turn = (to) => setChosen(Math.min(Math.max(to, 0), last));
  const keys = { ArrowLeft: chosen - 1, ArrowDown: chosen - 1, ArrowRight: chosen + 1, ArrowUp: chosen + 1, Home: 0, End: last };
  const number = html`<span class="number" role="slider" tabindex="0" aria-valuemin="0" aria-valuemax=${last} aria-valuenow=${chosen}
    aria-label="how often someone who lacks one link guesses it right" aria-valuetext="${guess.after} times in 100, policy ${setting.policy}"
    title="drag, or use the arrow keys"
    onKeyDown=${(event) => { if (event.key in keys) { event.preventDefault(); turn(keys[event.key]); } }}
    onPointerDown=${(event) => { from.current = [event.clientX, chosen]; event.currentTarget.setPointerCapture(event.pointerId); }}
    onPointerMove=${(event) => { if (from.current) turn(from.current[1] + Math.round((event.clientX - from.current[0]) / STEP)); }}
    onPointerUp=${() => { from.current = null; }} onPointerCancel=${() => { from.current = null; }}>${guess.after}</span>`;
  return html`<h1 class="sentence">Someone who lacks one link, where four would fit, guesses it right ${number} times in 100; without the file, ${guess.before}.${
      setting.opens_other_links ? " But every link off the walk is published openly." : ""}</h1>
    <p class="second">${guess.certain ? html`In <b>${guess.certain}</b> of 100 releases they are certain.` : "They are never certain."}
      ${" "}Outsiders, who know no link: ${fitting(setting.fits, length)} before they could piece the walks together.</p>
    <p class="hint">${length > 2 ? `The sentence is about the ${times(length - 2, "link")} inside this walk. Its two end links have chances of their own: step 6 lists every link.`
      : "The sentence is about links inside a walk. This walk has end links only, which have chances of their own: step 6 lists them."}</p>`;
}

export function Dial({ settings, chosen, setChosen, length, release }) {
  const setting = settings[chosen], guess = setting.lacks_one_link;
  const most = Math.max(...settings.map((one) => one.fits));
  return html`<section class="dial" aria-labelledby="dial-title">
    <h2 id="dial-title">3. The dial</h2>
    <input type="range" min="0" max=${settings.length - 1} value=${chosen} aria-labelledby="dial-title"
      aria-valuetext="${setting.policy}: right ${guess.after} times in 100" onInput=${(event) => setChosen(Number(event.target.value))}/>
    <div class="ends"><span><b>More chaff</b> hides one link from someone who knows the rest</span>
      <span><b>Less chaff</b> hides more walks from outsiders, to a point</span></div>
    <div class="meters">
      <p>Someone who lacks one link is right <b>${guess.after}</b> in 100</p>
      <div class="meter" role="img" aria-label="${guess.after} in 100; by luck ${guess.before}"><i style=${`width:${guess.after}%`}></i><s style=${`left:${guess.before}%`}></s></div>
      <p class="hint">the mark is luck: ${guess.before}</p>
      <p>Outsiders: ${fitting(setting.fits, length)}</p>
      <div class="meter room" role="img" aria-label="${times(setting.fits, "walk")} of at most ${most}"><i style=${`width:${(100 * setting.fits) / most}%`}></i></div>
    </div>
    <p class="hint">Policy <code>${setting.policy}</code>${release ? html`. Public: ${release.public}.` : "."}</p>
  </section>`;
}
