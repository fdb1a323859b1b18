// Be a reader: read from your own links. Be the attacker: lack a link, guess it, keep score.

import { html, useEffect, useState } from "/assets/vendor/htm-preact.js";
import { post } from "/assets/api.js";
import { key, stepsOf, times } from "/assets/geometry.js";

const MOST_BARS = 6, FLIPS = 100;

export function Reader({ network, release, reader, setReader, hidden, fail }) {
  const [own, setOwn] = useState(null);
  const [whole, setWhole] = useState(null);
  useEffect(() => {
    let stale = false;
    setWhole(null);
    post("read", { file: release.file, links: network.links }).then((read) => stale || setWhole(read), fail);
    return () => { stale = true; };
  }, [release.file]);
  useEffect(() => {
    let stale = false;
    setOwn(null);
    if (reader) {
      const links = network.links.filter((link) => link.includes(reader));
      post("read-own", { file: release.file, links, vertex: reader }).then((read) => stale || setOwn(read), fail);
    }
    return () => { stale = true; };
  }, [reader, release.file]);
  return html`<section class="reader" aria-labelledby="reader-title">
    <h2 id="reader-title">5. Be a reader</h2>
    <label>I am <select value=${reader ?? ""} onChange=${(event) => setReader(event.target.value || null)}>
      <option value="">someone who has the whole network</option>
      ${network.vertices.map(({ name }) => html`<option key=${name} value=${name}>${name}, with my own links only</option>`)}</select></label>
    <p class="answer" aria-live="polite">${reader ? (own ? place(own) : "reading …") : whole ? html`You read the whole walk, exactly:${" "}
      <b>${hidden ? "hidden while you guess" : whole.walk.join(" → ")}</b>.` : "reading …"}</p>
    <p class="hint">${reader ? "The pictures show what you know: your own links, and no more of the walk. Click another vertex to be that one."
      : "The bit of a link is never a coin. Whoever knows which pairs are links knows which bits to read."}</p>
  </section>`;
}

function place(read) {
  if (!read.visits) return html`The walk does not visit <b>${read.vertex}</b>.`;
  const others = read.links.map((link) => link.there.vertex);
  return others.length === 1 ? html`<b>${read.vertex}</b> is an end of the walk, next to <b>${others[0]}</b>.`
    : html`<b>${read.vertex}</b> is on the walk, between <b>${others[0]}</b> and <b>${others[1]}</b>.`;
}

const words = (chance) => `${Math.round(100 * chance)}`;

export function Attacker({ scene, release, risks, lacking, setLacking, secret, setSecret, fail }) {
  const [belief, setBelief] = useState(null);
  const [guess, setGuess] = useState(null);
  const [mine, setMine] = useState({ right: 0, tries: 0 });
  const [score, setScore] = useState(null);
  const [busy, setBusy] = useState(false);
  const steps = stepsOf(scene.walk), pair = lacking ? key(...lacking) : "";
  useEffect(() => {
    let stale = false;
    setBelief(null);
    setGuess(null);
    if (lacking) post("attack", { file: release.file, links: scene.links, lacking }).then((found) => stale || setBelief(found), fail);
    return () => { stale = true; };
  }, [pair, release.file]);
  useEffect(() => setScore(null), [pair, scene.policy, scene.walk]);
  useEffect(() => setMine({ right: 0, tries: 0 }), [scene.policy, scene.walk]);
  const flip = async () => {
    setBusy(true);
    try {
      const played = await post("game", { ...scene, lacking, flips: FLIPS });
      setScore((old) => ({ stated: played.stated, flips: played.flips + (old?.flips ?? 0),
        right: played.right + (old?.right ?? 0), certain: played.certain + (old?.certain ?? 0) }));
    } catch (problem) { fail(problem); }
    setBusy(false);
  };
  const surprise = () => {
    setSecret(true);
    setGuess(null);
    const others = steps.filter(([u, v]) => key(u, v) !== pair);
    setLacking((others.length ? others : steps)[Math.floor(Math.random() * (others.length || 1))]);
  };
  const truth = lacking && [...lacking].sort((a, b) => (a < b ? -1 : 1)).join(" - ");
  const hides = secret && !guess;
  const decide = (candidate) => {
    if (guess) return;
    setGuess(candidate);
    setSecret(false);
    setMine((old) => ({ right: old.right + (candidate === truth), tries: old.tries + 1 }));
  };
  const rows = belief ? belief.candidates.filter((row) => row.prior > 0) : [];
  const shown = rows.slice(0, MOST_BARS);
  return html`<section class="attacker" aria-labelledby="attacker-title">
    <h2 id="attacker-title">6. Be the attacker</h2>
    <label>You know every link but <select value=${hides ? "?" : pair}
      onChange=${(event) => { setSecret(false); setLacking(steps.find(([u, v]) => key(u, v) === event.target.value)); }}>
      ${hides && html`<option value="?">one that is kept from you</option>`}
      ${steps.map(([u, v]) => html`<option key=${key(u, v)} value=${key(u, v)}>${u} – ${v}</option>`)}</select></label>
    <button onClick=${surprise}>Hide one from me</button>
    ${!belief && html`<p class="quiet">thinking …</p>`}
    ${belief && html`<p class="ask" aria-live="polite">${guess ? (guess === truth ? html`<b>Right.</b>` : html`<b>Wrong.</b> It was ${truth.replace(" - ", " – ")}.`)
      : "The pieces fit together in these ways. Which link is it?"}</p>
      <ol class="bars">${shown.map(({ candidate, prior, posterior }) => html`<li key=${candidate}>
        <button class=${`bar ${guess && candidate === truth ? "truth" : ""}`} aria-pressed=${guess === candidate} onClick=${() => decide(candidate)}>
          <span class="who">${candidate.replace(" - ", " – ")}${guess === candidate ? html` <em>your guess</em>` : ""}</span>
          <span class="tracks"><i class="before" style=${`width:${100 * prior}%`}></i><i class="after" style=${`width:${100 * posterior}%`}></i></span>
          <span class="chance">${words(prior)} → <b>${words(posterior)}</b></span></button></li>`)}</ol>
      ${rows.length > shown.length && html`<p class="hint">and ${rows.length - shown.length} more that are as likely or less</p>`}
      <p class="key">Belief in 100: <span><span class="mark before"></span>by the links you know,</span> <span><span class="mark after"></span>with the coins</span></p>
      ${mine.tries > 0 && html`<p>You were right <b>${mine.right}</b> of ${times(mine.tries, "time")}.</p>`}
      <button disabled=${busy || hides} onClick=${flip}>${busy ? "flipping …" : `Flip all coins ${FLIPS} times`}</button>
      <div class="score" aria-live="polite">${score ? html`<p>The best guess was right <b>${score.right}</b> of ${score.flips} times,
          certain ${score.certain} times.${score.stated ? ` The certificate says ${words(score.stated.after)} in 100.` : ""}</p>
        <div class="meter" role="img" aria-label="right in ${words(score.right / score.flips)} of 100"><i style=${`width:${(100 * score.right) / score.flips}%`}></i>
          ${score.stated && html`<s style=${`left:${100 * score.stated.after}%`}></s>`}</div>
        <p class="hint">${score.stated ? "the mark is what the certificate states"
          : "At an end of the walk there are more ways than the certificate's rows count: it states no chance."}</p>`
        : html`<p class="hint">Play it many times: the best guesser's score against the stated chance.</p>`}</div>`}
    ${risks && !hides && html`<div class="every"><h3>Every link of this walk</h3>
      <p class="hint">For someone who lacks just that link: right in 100 by luck, and with these coins.</p>
      <ul>${steps.map(([u, v]) => [key(u, v), risks.find((row) => key(...row.link) === key(u, v))]).map(([one, row], step) => row && html`<li key=${one}>
        <span>${row.link.join(" – ")}${step === 0 || step === steps.length - 1 ? html` <em>end</em>` : ""}</span>
        <span>${words(row.before)} → <b>${words(row.after)}</b>${row.certain ? ", certain" : ""}</span></li>`)}</ul></div>`}
  </section>`;
}
