// The one sentence that carries the page; its numbers are the dial.

import { html, useRef } from "/assets/vendor/htm-preact.js";
import { percent } from "/assets/geometry.js";

export function Sentence({ settings, chosen, setChosen }) {
  const from = useRef(null);
  const setting = settings[chosen], guess = setting?.lacks_one_link;
  if (!guess) return html`<h1 class="sentence">Choose a network and click a walk along its links.</h1>`;
  const turn = (by) => setChosen(Math.min(Math.max(chosen + by, 0), settings.length - 1));
  const keys = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 };
  const number = html`<span class="number" role="slider" tabindex="0" aria-label="how often someone who lacks one link guesses it right; arrow keys change the policy"
    aria-valuemin="0" aria-valuemax=${settings.length - 1} aria-valuenow=${chosen}
    aria-valuetext="${guess.after} times in 100, policy ${setting.policy}"
    onKeyDown=${(event) => { if (keys[event.key]) { event.preventDefault(); turn(keys[event.key]); } }}
    onPointerDown=${(event) => { from.current = [event.clientX, chosen]; event.target.setPointerCapture(event.pointerId); }}
    onPointerMove=${(event) => {
      if (!from.current) return;
      const moved = from.current[1] + Math.round((event.clientX - from.current[0]) / 36);
      setChosen(Math.min(Math.max(moved, 0), settings.length - 1));
    }}
    onPointerUp=${() => { from.current = null; }}>${guess.after}</span>`;
  return html`<h1 class="sentence" aria-live="polite">Someone who lacks one link of this walk guesses it right ${number} times in 100
    (${guess.before} without the file) and is ${guess.certain ? html`certain in <b>${guess.certain}</b> of 100 releases` : "never certain"}.</h1>`;
}

export function Dial({ settings, chosen, setChosen }) {
  const setting = settings[chosen];
  return html`<section class="dial" aria-labelledby="dial-title">
    <h2 id="dial-title">The dial</h2>
    <input type="range" min="0" max=${settings.length - 1} value=${chosen} aria-labelledby="dial-title"
      aria-valuetext=${setting.policy} onInput=${(event) => setChosen(Number(event.target.value))}/>
    <div class="ends"><span>more chaff: hides one link better from someone who knows the rest</span>
      <span>less chaff: hides many walks better from outsiders who know no link</span></div>
    <dl><dt>policy</dt><dd><code>${setting.policy}</code></dd>
      <dt>someone who lacks one link</dt><dd>right ${setting.lacks_one_link.after} times in 100</dd>
      <dt>outsiders</dt><dd>${percent(setting.share)} of the cover used by this walk</dd>
      <dt>public</dt><dd>${setting.public}</dd></dl>
    ${setting.policy === "sealed" && html`<p class="hint">Sealed shows every link off the walk to everyone.</p>`}
  </section>`;
}
