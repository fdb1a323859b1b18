// Click one together: vertices by clicks on empty space, links by clicks on two vertices.

import { html, useEffect, useRef, useState } from "/assets/vendor/htm-preact.js";
import { post } from "/assets/api.js";
import { brief, key, times } from "/assets/geometry.js";

const MOST = 60, APART = 26;

function nextName(taken) {
  for (let number = 0; ; number += 1) {
    const letter = String.fromCharCode(65 + (number % 26)), round = Math.floor(number / 26);
    const name = round ? `${letter}${round + 1}` : letter;
    if (!taken.has(name)) return name;
  }
}

export function useDrawing({ load, fail }) {
  const [past, setPast] = useState([]); // the networks so far; the last is the one that is drawn
  const [chosen, setChosen] = useState(null);
  const network = past.at(-1) ?? null;
  const start = () => { setPast([{ vertices: [], links: [] }]); setChosen(null); };
  const stop = () => { setPast([]); setChosen(null); };
  const change = (next) => setPast((old) => [...old, next]);
  const undo = () => { setPast((old) => (old.length > 1 ? old.slice(0, -1) : old)); setChosen(null); };
  const add = (x, y) => {
    const { vertices, links } = network;
    if (vertices.length >= MOST || vertices.some((one) => Math.hypot(one.x - x, one.y - y) < APART)) return;
    const name = nextName(new Set(vertices.map((one) => one.name)));
    change({ vertices: [...vertices, { name, x, y }], links: chosen ? [...links, [chosen, name]] : links });
    setChosen(null);
  };
  // For the keyboard: the next vertex goes to a free place on a spiral.
  const addAnywhere = (width, height) => {
    const count = network.vertices.length, angle = 2.4 * count, away = 34 * Math.sqrt(count);
    add(width / 2 + away * Math.cos(angle), height / 2 + away * Math.sin(angle));
  };
  const choose = (name) => {
    if (chosen === name) return setChosen(null);
    if (chosen === null) return setChosen(name);
    const pair = key(chosen, name), rest = network.links.filter((link) => key(...link) !== pair);
    change({ ...network, links: rest.length < network.links.length ? rest : [...rest, [chosen, name]] });
    return setChosen(null);
  };
  const rename = (name) => {
    const clean = name.trim().slice(0, 200);
    if (!clean || clean === chosen) return;
    if (network.vertices.some((one) => one.name === clean)) { fail(new Error(`${clean} is the name of another vertex; choose a new one`)); return; }
    const other = (one) => (one === chosen ? clean : one);
    change({ vertices: network.vertices.map((one) => ({ ...one, name: other(one.name) })), links: network.links.map((link) => link.map(other)) });
    setChosen(clean);
  };
  const remove = () => {
    change({ vertices: network.vertices.filter((one) => one.name !== chosen), links: network.links.filter((link) => !link.includes(chosen)) });
    setChosen(null);
  };
  const finish = async () => {
    try {
      const linked = new Set(network.links.flat()), alone = network.vertices.filter((one) => !linked.has(one.name));
      if (!network.links.length) throw new Error("there is no link yet: click two vertices, one after the other");
      if (alone.length) throw new Error(`${alone[0].name} has no link yet: link it, or delete it`);
      const places = Object.fromEntries(network.vertices.map(({ name, x, y }) => [name, [x, -y]]));
      load(await post("layout", { links: network.links, places }), null);
      stop();
    } catch (problem) { fail(problem); }
  };
  return { on: network !== null, network, chosen, canUndo: past.length > 1, start, stop, undo, add, addAnywhere, choose, rename, remove, finish };
}

export function Drawing({ drawing }) {
  const { network, chosen, canUndo } = drawing, now = useRef(null);
  now.current = drawing;
  const room = () => document.querySelector("#network .picture").getBoundingClientRect();
  useEffect(() => {
    const press = (event) => {
      if (event.target.matches?.("input")) return;
      if (event.key === "z" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); now.current.undo(); }
      if ((event.key === "Delete" || event.key === "Backspace") && now.current.chosen) { event.preventDefault(); now.current.remove(); }
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, []);
  return html`<div class="drawing-tools">
    <p class="hint" aria-live="polite">${times(network.vertices.length, "vertex", "vertices")}, ${times(network.links.length, "link")}. ${chosen
      ? `${brief(chosen, 24)} is chosen: click another vertex to link or unlink them.` : "Click a vertex to choose it."}</p>
    <label>Name <input type="text" maxlength="200" disabled=${!chosen} value=${chosen ?? ""} placeholder="choose a vertex first" onChange=${(event) => drawing.rename(event.target.value)}/></label>
    <div class="buttons"><button disabled=${!chosen} onClick=${drawing.remove}>Delete the vertex</button>
      <button disabled=${!canUndo} onClick=${drawing.undo}>Undo</button>
      <button onClick=${() => drawing.addAnywhere(room().width, room().height)}>Add a vertex</button></div>
    <div class="buttons"><button class="primary" onClick=${drawing.finish}>Use this network</button>
      <button onClick=${drawing.stop}>Cancel</button></div></div>`;
}
