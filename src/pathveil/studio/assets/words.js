// Words that need a sentence: point at one, tap it or press Enter on it to read what it means.

import { html } from "/assets/vendor/htm-preact.js";

const MEANINGS = {
  chaff: "Answers for pairs that are not linked, drawn by coins. They hide which answers are real.",
  coin: "For each pair that is not linked a coin decides what the file says of it.",
  cover: "How much outsiders still have to guess. Each file uses up some of it; a part must stay unused.",
  branch: "Nodes connected by a way straight down in the layered graph. A link of the walk is in different branches, another link in one.",
  layers: "The file, drawn: nodes on layers, arcs between layers. It shows exactly the published bits.",
  series: "Files whose chaff remembers what the files before it showed.",
  certificate: "What a file promises, computed from its public terms. Anyone can check it.",
};

export const Word = ({ of, children }) => html`<button type="button" class="word" popovertarget=${`word-${of}`} title=${MEANINGS[of]}>${children ?? of}</button>`;

export const Meanings = () => Object.entries(MEANINGS).map(([word, meaning]) => html`<p key=${word} id=${`word-${word}`} class="meaning" popover="auto"><b>${word}</b>: ${meaning}</p>`);
