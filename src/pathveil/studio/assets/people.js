// Be a reader: read from your own links. Be the attacker: lack a link, guess it, keep score.

import { html, useEffect, useMemo, useRef, useState } from "/assets/vendor/htm-preact.js";
import { post, useAnswer } from "/assets/api.js";
import { attackCommand } from "/assets/code.js";
import { key, stepsOf, times } from "/assets/geometry.js";
import { Word } from "/assets/words.js";

const MOST_BARS = 6, FLIPS = 100, LONGEST = 5_000;

export function Reader({ network, release, reader, setReader, fail }) {
  const { links } = network, { file } = release;
  const own = useMemo(() => links.filter((link) => link.includes(reader)), [links, reader]);
  const [whole] = useAnswer("read", { file, links }, { wanted: true, fail });
  const [mine, isNow] = useAnswer("read-own", { file, links: own, vertex: reader }, { wanted: Boolean(reader), fail });
  const options = useMemo(() => network.vertices.map(({ name }) => html`<option key=${name} value=${name}>${name}, with my own links only</option>`), [network]);
  return html`<section class="reader" aria-labelledby="reader-title">
    <h2 id="reader-title">5. Be a reader</h2>
    <label>I am <select value=${reader ?? ""} onChange=${(event) => setReader(event.target.value || null)}>
      <option value="">someone who has the whole network</option>${options}</select></label>
    <p class="answer" aria-live="polite">${reader ? (mine && isNow ? place(mine) : "reading …") : whole ? html`You read the whole walk, exactly:${" "}
      <b>${whole.walk.join(" → ")}</b>.` : "reading …"}</p>
    <p class="hint">${reader ? "The pictures show what you know: your own links, and no more of the walk. Click another vertex to be that one."
      : html`The bit of a link is never a <${Word} of="coin"/>. Whoever knows which pairs are links knows which bits to read.`}</p>
  </section>`;
}

function place(read) {
  if (!read.visits) return html`The walk does not visit <b>${read.vertex}</b>.`;
  const others = read.links.map((link) => link.there.vertex);
  return others.length === 1 ? html`<b>${read.vertex}</b> is an end of the walk, next to <b>${others[0]}</b>.`
    : html`<b>${read.vertex}</b> is on the walk, between <b>${others[0]}</b> and <b>${others[1]}</b>.`;
}

const words = (chance) => `${Math.round(100 * chance)}`;

// `game` is a made-up walk that was never shown, one of its inner links hidden; else it is your own walk.
export function Attacker({ settled, scene, release, lacking, setLacking, game, play, decide, leave, fail }) {
  const [mine, setMine] = useState({ right: 0, tries: 0, luck: 0, best: 0 });
  const [score, setScore] = useState(null);
  const [busy, setBusy] = useState(false);
  const [guess, setGuess] = useState(null);
  const flipping = useRef(null);
  const steps = stepsOf(scene.walk), pair = key(...lacking), { links } = scene, { file } = release;
  const [problem, setProblem] = useState(null);
  const [belief, isNow] = useAnswer("attack", { file, links, lacking }, { wanted: true, hold: !settled, fail: (why) => setProblem({ file, pair, message: why.message }) });
  const refused = problem?.file === file && problem.pair === pair ? problem.message : null;
  // Another link, policy or walk: what was guessed and flipped is about something else.
  useEffect(() => { setGuess(null); }, [pair, file]);
  useEffect(() => {
    setScore(null);
    setBusy(false);
    return () => flipping.current?.abort();
  }, [pair, scene.policy, scene.walk]);
  useEffect(() => setMine({ right: 0, tries: 0, luck: 0, best: 0 }), [scene.policy, links]);
  const flip = async () => {
    const end = flipping.current = new AbortController(), until = Date.now() + LONGEST;
    setBusy(true);
    try {
      for (let left = FLIPS; left > 0 && Date.now() < until;) {
        const played = await post("game", { ...scene, lacking, flips: left }, end.signal);
        if (end.signal.aborted) return;
        left -= played.flips;
        setScore((old) => ({ stated: played.stated, flips: played.flips + (old?.flips ?? 0),
          right: played.right + (old?.right ?? 0), certain: played.certain + (old?.certain ?? 0) }));
      }
    } catch (why) { if (!end.signal.aborted) fail(why); }
    if (!end.signal.aborted) setBusy(false);
  };
  const rows = belief && isNow ? belief.links : [], shown = rows.slice(0, MOST_BARS), hides = game && !game.decided;
  const name = (link) => link.join(" – "), isTruth = (link) => key(...link) === pair;
  const choose = (link) => {
    if (guess) return;
    setGuess(key(...link));
    if (!game) return;
    setMine((old) => ({ right: old.right + isTruth(link), tries: old.tries + 1, luck: old.luck + 1 / rows.length, best: old.best + rows[0].posterior }));
    decide();
  };
  return html`<section class="attacker" aria-labelledby="attacker-title">
    <h2 id="attacker-title">6. Be the attacker</h2>
    ${game ? html`<p class="hint">A made-up walk of ${times(steps.length, "link")} that you have not seen, published with the policy on the dial. You know every link but one inside it: the picture shows the two pieces.</p>
      <div class="buttons">${!hides && html`<button onClick=${play}>Hide another</button>`}<button onClick=${leave}>Back to my walk</button></div>`
    : html`<label>You know every link but <select value=${pair} onChange=${(event) => setLacking(steps.find(([u, v]) => key(u, v) === event.target.value))}>
        ${steps.map(([u, v]) => html`<option key=${key(u, v)} value=${key(u, v)}>${u} – ${v}</option>`)}</select></label>
      <button onClick=${play}>Hide one from me</button>`}
    ${refused ? html`<p class="answer">${refused}. In a terminal: <code>${attackCommand(lacking)}</code></p>` : !rows.length ? html`<p class="quiet">thinking …</p>` : html`
      <p class="ask" aria-live="polite">${guess ? (guess === pair ? html`<b>Right.</b>` : html`<b>Wrong.</b> It was ${name([...lacking].sort((a, b) => (a < b ? -1 : 1)))}.`)
        : hides ? "The two pieces fit together in these ways. Which link is it?" : "Someone who lacks it believes:"}</p>
      <ol class="bars">${shown.map(({ link, prior, posterior }) => html`<li key=${key(...link)}>
        <button class=${`bar ${(guess || !game) && isTruth(link) ? "truth" : ""}`} aria-pressed=${guess === key(...link)} onClick=${() => choose(link)}>
          <span class="who">${name(link)}${guess === key(...link) ? html` <em>your guess</em>` : ""}</span>
          <span class="tracks"><i class="before" style=${`width:${100 * prior}%`}></i><i class="after" style=${`width:${100 * posterior}%`}></i></span>
          <span class="chance">${words(prior)} → <b>${words(posterior)}</b></span></button></li>`)}</ol>
      ${belief.count > shown.length && html`<p class="hint">and ${(belief.count - shown.length).toLocaleString("en")} more that are as likely or less</p>`}
      <p class="key">Belief in 100: <span><span class="mark before"></span>by the links you know,</span> <span><span class="mark after"></span>with the coins</span></p>`}
    ${mine.tries > 0 && game && html`<p class="score">You were right <b>${mine.right}</b> of ${times(mine.tries, "time")}. The best guesser expects ${mine.best.toFixed(1)}, luck ${mine.luck.toFixed(1)}.</p>`}
    ${!game && !refused && rows.length > 0 && html`<button disabled=${busy} onClick=${flip}>${busy ? "flipping …" : `Flip all coins ${FLIPS} times`}</button>
      <div class="score" aria-live="polite">${score ? html`<p>The best guess was right <b>${score.right}</b> of ${score.flips} times,
          certain ${score.certain} times.${score.stated ? ` The certificate says ${words(score.stated.after)} in 100.` : ""}</p>
        <div class="meter" role="img" aria-label="right in ${words(score.right / score.flips)} of 100"><i style=${`width:${(100 * score.right) / score.flips}%`}></i>
          ${score.stated && html`<s style=${`left:${100 * score.stated.after}%`}></s>`}</div>
        <p class="hint">${score.stated ? html`the mark is what the <${Word} of="certificate"/> states`
          : "At an end of the walk there are more ways than the certificate's rows count: it states no chance."}</p>`
        : html`<p class="hint">Play it many times: the best guesser's score against the stated chance.</p>`}</div>`}
  </section>`;
}
