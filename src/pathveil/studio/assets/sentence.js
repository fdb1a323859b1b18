// The sentence that carries the page. Its number is the dial, and the dial shows both adversaries.

import { html, useRef } from "/assets/vendor/htm-preact.js";
import { percent, times } from "/assets/geometry.js";
import { Word } from "/assets/words.js";

const STEP = 30, NUMBERS = { 2: "two", 3: "three", 4: "four" };

// One count for the whole page: unrelated walks of this length that fit besides those drawn.
export const fitting = ({ drawn, more }, length) => {
  const walks = `${drawn ? " more unrelated" : ""} ${more === 1 ? "walk" : "walks"} of ${times(length, "link")}`;
  if (!more) return html`no more unrelated walk of ${times(length, "link")} fits after the ${drawn === 1 ? "one" : drawn} you drew`;
  return more === 1 ? html`<b>one</b>${walks} fits` : html`about <b>${more}</b>${walks} fit`;
};

export const share = (used) => (used.share === null ? "all" : used.share > 1 ? "more than all" : percent(used.share));

// The cover: what the drawn walks use, what this one would add, and the mark up to which it may be used.
export function CoverMeter({ room }) {
  const { drawn, used, after, mine } = room, wide = (part) => `${Math.min(100 * (part.share ?? 1), 100)}%`;
  const said = mine ? html`${share(used)} of the <${Word} of="cover"/> is used by the ${drawn === 1 ? "walk" : `${drawn} walks`} you drew.`
    : drawn ? html`${share(used)} of the <${Word} of="cover"/> is used by the ${drawn === 1 ? "walk" : `${drawn} walks`} you drew; with this one it would be ${share(after)}, and ${percent(after.full)} may be used.`
      : html`Nothing is drawn yet. This walk would use ${share(after)} of the <${Word} of="cover"/>; a first walk always may.`;
  return html`<div class="covered"><div class="meter room" role="img" aria-label="cover: ${share(used)} used, ${share(after)} with this walk"><i class="adds" style=${`width:${wide(after)}`}></i>
    <i class="used" style=${`width:${wide(used)}`}></i>${drawn > 0 && !mine && html`<s style=${`left:${100 * after.full}%`}></s>`}</div><p class="hint">${said}</p></div>`;
}

// What the certificate states about this walk: where the fewest links could be the missing one.
export function statedFor(dial, chosen) {
  const setting = dial?.settings[chosen], open = dial?.joins.filter((joins) => joins > 1) ?? [];
  if (!setting) return null;
  const joins = open.length ? Math.min(...open) : 4;
  return { joins, inside: open.length > 0, guess: setting.stated[joins] ?? setting.lacks_one_link };
}

export function Sentence({ dial, chosen, setChosen, room, length, waiting, empty }) {
  const from = useRef(null), settings = dial?.settings ?? [];
  const setting = settings[chosen], stated = statedFor(dial, chosen);
  const story = html`<p class="story">Your route is secret. Whoever has the whole network can read it. Who else?</p>`;
  if (empty) return html`${story}<h1 class="sentence">${empty}</h1><p class="second">Nothing is drawn yet.</p>`;
  if (!stated) return html`${story}<h1 class="sentence">${waiting}</h1><p class="second"> </p>`;
  const last = settings.length - 1, { joins, inside, guess } = stated, many = NUMBERS[joins] ?? joins;
  const turn = (to) => setChosen(Math.min(Math.max(to, 0), last));
  const keys = { ArrowLeft: chosen - 1, ArrowDown: chosen - 1, ArrowRight: chosen + 1, ArrowUp: chosen + 1, Home: 0, End: last };
  const number = html`<span class="number" role="slider" tabindex="0" aria-valuemin="0" aria-valuemax=${last} aria-valuenow=${chosen}
    aria-label="how often someone who lacks one link guesses it right" aria-valuetext="${guess.after} times in 100"
    title="drag, or use the arrow keys"
    onKeyDown=${(event) => { if (event.key in keys) { event.preventDefault(); turn(keys[event.key]); } }}
    onPointerDown=${(event) => { from.current = [event.clientX, chosen]; event.currentTarget.setPointerCapture(event.pointerId); }}
    onPointerMove=${(event) => { if (from.current) turn(from.current[1] + Math.round((event.clientX - from.current[0]) / STEP)); }}
    onPointerUp=${() => { from.current = null; }} onPointerCancel=${() => { from.current = null; }}>${guess.after}</span>`;
  const alike = Math.min(...dial.joins) === Math.max(...dial.joins);
  return html`${story}<h1 class="sentence">${inside ? "Someone who lacks one link inside this walk" : "Someone who lacks one link"}, if ${many} links could be the missing one, guesses it right ${number} times in 100; by luck, ${guess.before}.${
      setting.opens_other_links ? " But every link off the walk is published openly." : ""}</h1>
    <p class="second">${guess.certain ? html`In <b>${guess.certain}</b> of 100 releases they are certain.` : "They are never certain."}
      ${" "}${room && html`Outsiders, who know no link: ${fitting(room, length)} before they could piece the walks together.${room.refused ? " This walk does not fit any more: step 4 says why." : ""}`}</p>
    <p class="hint">${!inside ? "This is a yardstick: inside this walk there is no such link. Step 4 says how often each of its links is guessed."
      : `${alike ? "" : "Of some links inside this walk more could be the missing one, or no other: the sentence takes the fewest. "}Its two end links have chances of their own: step 4 lists every link.`}</p>`;
}

export function Dial({ dial, chosen, setChosen, room, length, release }) {
  const { settings } = dial, { guess } = statedFor(dial, chosen);
  return html`<section class="dial" aria-labelledby="dial-title">
    <h2 id="dial-title">3. The dial</h2>
    <input type="range" min="0" max=${settings.length - 1} value=${chosen} aria-labelledby="dial-title"
      aria-valuetext="right ${guess.after} times in 100" onInput=${(event) => setChosen(Number(event.target.value))}/>
    <div class="ends"><span><b>More <${Word} of="chaff"/></b> one link is guessed less often; fewer walks fit</span>
      <span><b>Less chaff</b> more walks fit; one link is guessed more often</span></div>
    ${chosen === 0 && html`<p class="hint">At this end the file shows every link off the walk openly: it hides only which links the walk takes.</p>`}
    <div class="meters">
      <p>Someone who lacks one link is right <b>${guess.after}</b> in 100</p>
      <div class="meter" role="img" aria-label="${guess.after} in 100; by luck ${guess.before}"><i style=${`width:${guess.after}%`}></i><s style=${`left:${guess.before}%`}></s></div>
      <p class="hint">the mark is luck: ${guess.before}</p>
      ${room && html`<p>Outsiders: ${fitting(room, length)}</p><${CoverMeter} room=${room}/>`}
    </div>
    ${release && html`<p class="hint">Public in every file: ${release.public}.</p>`}
  </section>`;
}
