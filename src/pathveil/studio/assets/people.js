// Be a reader, be the attacker: what each of them gets from the same file.

import { html, useEffect, useState } from "/assets/vendor/htm-preact.js";
import { post } from "/assets/api.js";
import { key, stepsOf } from "/assets/geometry.js";

export function Reader({ network, release, reader, setReader, fail }) {
  const [read, setRead] = useState(null);
  useEffect(() => {
    setRead(null);
    if (!reader) return;
    const own = network.links.filter((link) => link.includes(reader));
    post("read-own", { file: release.file, links: own, vertex: reader }).then(setRead, fail);
  }, [reader, release]);
  return html`<section class="reader" aria-labelledby="reader-title">
    <h2 id="reader-title">Be a reader</h2>
    <label>I am <select value=${reader ?? ""} onChange=${(event) => setReader(event.target.value || null)}>
      <option value="">everyone: I have the whole network</option>
      ${network.vertices.map(({ name }) => html`<option value=${name}>${name}</option>`)}
    </select></label>
    <p aria-live="polite">${reader ? (read ? said(read) : "reading …") : "Whoever has the whole network reads the whole walk, exactly."}</p>
  </section>`;
}

function said(read) {
  if (!read.visits) return `The walk does not visit ${read.vertex}. Its own links say so, and nothing more.`;
  const others = read.links.map((link) => link.there.vertex);
  const where = others.length === 1 ? `It is an end of the walk, next to ${others[0]}.` : `It stands between ${others.join(" and ")}.`;
  return `The walk visits ${read.vertex}. ${where} Of the rest of the walk it reads nothing.`;
}

export function Attacker({ scene, release, lacking, setLacking, fail }) {
  const [belief, setBelief] = useState(null);
  const [guess, setGuess] = useState(null);
  const [mine, setMine] = useState({ right: 0, tries: 0 });
  const [score, setScore] = useState(null);
  const [busy, setBusy] = useState(false);
  const steps = stepsOf(scene.walk);
  useEffect(() => {
    setBelief(null);
    setGuess(null);
    if (lacking) post("attack", { file: release.file, links: scene.links, lacking }).then(setBelief, fail);
  }, [lacking && key(...lacking), release]);
  useEffect(() => { setScore(null); setMine({ right: 0, tries: 0 }); }, [lacking && key(...lacking), scene.policy, scene.walk.join("\u0000")]);
  const flip = async (flips) => {
    setBusy(true);
    try {
      const played = await post("game", { ...scene, lacking, flips });
      setScore((old) => ({ ...played, flips: played.flips + (old?.flips ?? 0), right: played.right + (old?.right ?? 0),
        certain: played.certain + (old?.certain ?? 0) }));
    } catch (error) { fail(error); }
    setBusy(false);
  };
  const truth = lacking && `${[...lacking].sort().join(" - ")}`;
  const decide = (candidate) => {
    if (guess) return;
    setGuess(candidate);
    setMine((old) => ({ right: old.right + (candidate === truth), tries: old.tries + 1 }));
  };
  return html`<section class="attacker" aria-labelledby="attacker-title">
    <h2 id="attacker-title">Be the attacker</h2>
    <label>You know every link but <select value=${lacking ? key(...lacking) : ""}
      onChange=${(event) => setLacking(steps.find(([u, v]) => key(u, v) === event.target.value) ?? null)}>
      <option value="">choose a link of the walk</option>
      ${steps.map(([u, v]) => html`<option value=${key(u, v)}>${u} – ${v}</option>`)}
    </select></label>
    ${lacking && !belief && html`<p>thinking …</p>`}
    ${belief && html`<p>${guess ? verdict(guess, truth) : "Which of these pairs is the missing link? Guess:"}</p>
      <ol class="bars">${belief.candidates.slice(0, 8).map(({ candidate, prior, posterior }) => html`<li>
        <button class=${`bar ${guess && candidate === truth ? "truth" : ""} ${guess === candidate ? "guessed" : ""}`}
          aria-pressed=${guess === candidate} onClick=${() => decide(candidate)}>
          <span class="who">${candidate}</span>
          <span class="before" style=${`width:${100 * prior}%`}></span><span class="after" style=${`width:${100 * posterior}%`}></span>
          <span class="chance">${Math.round(100 * prior)} → ${Math.round(100 * posterior)} in 100</span></button></li>`)}</ol>
      <p class="key"><span class="swatch before"></span>without the file’s coins <span class="swatch after"></span>with them</p>
      ${mine.tries > 0 && html`<p>You were right ${mine.right} of ${mine.tries} ${mine.tries === 1 ? "time" : "times"}.</p>`}
      <p><button disabled=${busy} onClick=${() => flip(50)}>${busy ? "flipping …" : "Let the best guesser play 50 fresh flips"}</button></p>
      ${score && html`<p aria-live="polite" class="score">The best guess was right <b>${score.right}</b> of ${score.flips} times${
        score.stated ? html`; the certificate says ${Math.round(100 * score.stated.after)} in 100` : ""}. It was certain ${score.certain} times.</p>`}`}
  </section>`;
}

function verdict(guess, truth) {
  return guess === truth ? "Right." : `Wrong: it was ${truth}.`;
}
