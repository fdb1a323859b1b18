// Click one together: vertices by clicks on empty space, links by clicks on two vertices.

import { html, useState } from "/assets/vendor/htm-preact.js";
import { post } from "/assets/api.js";
import { key } from "/assets/geometry.js";

const MOST = 60, APART = 26;

function nextName(taken) {
  for (let number = 0; ; number += 1) {
    const letter = String.fromCharCode(65 + (number % 26)), round = Math.floor(number / 26);
    const name = round ? `${letter}${round + 1}` : letter;
    if (!taken.has(name)) return name;
  }
}

export function useDrawing({ load, fail }) {
  const [network, setNetwork] = useState(null);
  const [chosen, setChosen] = useState(null);
  const start = () => { setNetwork({ vertices: [], links: [] }); setChosen(null); };
  const stop = () => { setNetwork(null); setChosen(null); };
  const add = (x, y) => setNetwork((old) => {
    if (old.vertices.length >= MOST || old.vertices.some((one) => Math.hypot(one.x - x, one.y - y) < APART)) return old;
    const name = nextName(new Set(old.vertices.map((one) => one.name)));
    const links = chosen ? [...old.links, [chosen, name]] : old.links;
    if (chosen) setChosen(null);
    return { vertices: [...old.vertices, { name, x, y }], links };
  });
  // For the keyboard: the next vertex goes to a free place on a spiral.
  const addAnywhere = (width, height) => {
    const count = network.vertices.length, angle = 2.4 * count, away = 34 * Math.sqrt(count);
    add(width / 2 + away * Math.cos(angle), height / 2 + away * Math.sin(angle));
  };
  const choose = (name) => {
    if (chosen === name) return setChosen(null);
    if (chosen === null) return setChosen(name);
    setNetwork((old) => {
      const pair = key(chosen, name), rest = old.links.filter((link) => key(...link) !== pair);
      return { ...old, links: rest.length < old.links.length ? rest : [...rest, [chosen, name]] };
    });
    return setChosen(null);
  };
  const rename = (name) => {
    const clean = name.slice(0, 200);
    if (!clean.trim() || network.vertices.some((one) => one.name === clean)) return;
    const other = (one) => (one === chosen ? clean : one);
    setNetwork((old) => ({ vertices: old.vertices.map((one) => ({ ...one, name: other(one.name) })), links: old.links.map((link) => link.map(other)) }));
    setChosen(clean);
  };
  const remove = () => {
    setNetwork((old) => ({ vertices: old.vertices.filter((one) => one.name !== chosen), links: old.links.filter((link) => !link.includes(chosen)) }));
    setChosen(null);
  };
  const finish = async () => {
    try {
      const linked = new Set(network.links.flat()), alone = network.vertices.filter((one) => !linked.has(one.name));
      if (!network.links.length) throw new Error("there is no link yet: click two vertices, one after the other");
      if (alone.length) throw new Error(`${alone[0].name} has no link yet: link it, or remove it`);
      const places = Object.fromEntries(network.vertices.map(({ name, x, y }) => [name, [x, -y]]));
      load(await post("layout", { links: network.links, places }), null);
      stop();
    } catch (problem) { fail(problem); }
  };
  return { on: network !== null, network, chosen, start, stop, add, addAnywhere, choose, rename, remove, finish };
}

export function Drawing({ drawing }) {
  const { network, chosen } = drawing;
  const room = () => document.querySelector("#network .picture").getBoundingClientRect();
  return html`<div class="drawing-tools">
    <p class="hint" aria-live="polite">${network.vertices.length} vertices, ${network.links.length} links. ${chosen
      ? `${chosen} is chosen: click another vertex to link or unlink them.` : "Click a vertex to choose it."}</p>
    ${chosen && html`<label>Name <input type="text" maxlength="200" value=${chosen} onChange=${(event) => drawing.rename(event.target.value)}/></label>`}
    <div class="buttons"><button onClick=${() => drawing.addAnywhere(room().width, room().height)}>Add a vertex</button>
      ${chosen && html`<button onClick=${drawing.remove}>Remove ${chosen.length > 12 ? "it" : chosen}</button>`}</div>
    <div class="buttons"><button class="primary" onClick=${drawing.finish}>Use this network</button>
      <button onClick=${drawing.stop}>Cancel</button></div></div>`;
}
