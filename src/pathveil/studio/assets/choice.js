// The network: an example, a file, or clicked together. What a file leaves open is asked here.

import { html, useState } from "/assets/vendor/htm-preact.js";
import { encoded, post } from "/assets/api.js";
import { Drawing } from "/assets/drawing.js";
import { times } from "/assets/geometry.js";

const LARGEST_FILE = 4_000_000;
const STRANGERS = ["\x89PNG", "\xff\xd8\xff", "GIF8", "%PDF", "PK\x03\x04"]; // pictures, documents, archives
const REPAIRS = { drop_loops: "Leave such links out", largest_part: "Keep the largest part" };

export function Choice({ network, name, examples, open, load, drawing, busy, setBusy, clear, fail }) {
  const [asked, setAsked] = useState(null);
  const read = async (given) => {
    setAsked(null);
    setBusy(`Reading ${given.name} …`);
    try {
      load(await post("network", given), null);
    } catch (problem) {
      setBusy(null);
      if (problem.cells || problem.repair) { clear(); setAsked({ given, problem }); }
      else fail(problem);
    }
  };
  const upload = async (event) => {
    const [file] = event.target.files;
    if (!file) return;
    drawing.stop();
    if (file.size > LARGEST_FILE) fail(new Error("the file is larger than 4 MB; the command line reads it"));
    else {
      const bytes = new Uint8Array(await file.arrayBuffer()), start = String.fromCharCode(...bytes.subarray(0, 4));
      if (STRANGERS.some((one) => start.startsWith(one))) fail(new Error(`${file.name} is no network file: a table of links (CSV), GraphML, GEXF, GML or JSON is`));
      else await read({ name: file.name.slice(0, 200), data: encoded(bytes) });
    }
    event.target.value = "";
  };
  return html`<section class="choice" aria-labelledby="network-choice"><h2 id="network-choice">1. The network</h2>
    <label>Example <select value=${name ?? ""} onChange=${(event) => { drawing.stop(); setAsked(null); open(event.target.value); }}>
      ${!name && html`<option value="" disabled>my own network</option>`}
      ${examples.map((one) => html`<option key=${one.name} value=${one.name}>${one.title}</option>`)}</select></label>
    <div class="buttons"><label class="file"><span>Load a file</span><input type="file" accept=".csv,.tsv,.txt,.graphml,.gml,.gexf,.json,.edges,.parquet" onChange=${upload}/></label>
      ${!drawing.on && html`<button onClick=${() => { setAsked(null); drawing.start(); }}>Click one together</button>`}</div>
    ${asked && html`<div class="asked" role="alert">${asked.problem.cells ? html`<${Columns} asked=${asked} read=${read} cancel=${() => setAsked(null)}/>`
      : html`<p>${asked.problem.message}.</p><div class="buttons"><button class="primary" onClick=${() => read({ ...asked.given, [asked.problem.repair]: true })}>${REPAIRS[asked.problem.repair]}</button>
        <button onClick=${() => setAsked(null)}>Cancel</button></div>`}</div>`}
    ${drawing.on ? html`<${Drawing} drawing=${drawing}/>` : !asked && html`<p class="hint">${busy ?? network.about ?? `${times(network.vertices.length, "vertex", "vertices")}, ${times(network.links.length, "link")}.`}${
      network.source ? ` ${network.source}.` : ""}</p>`}
  </section>`;
}

// A table whose first line has no known words: which two columns hold the ends of a link?
function Columns({ asked, read, cancel }) {
  const { cells } = asked.problem, [ends, setEnds] = useState([0, 1]), [header, setHeader] = useState(true);
  const pick = (side) => html`<label>${side ? "to" : "from"} <select value=${ends[side]} onChange=${(event) => setEnds(ends.map((old, place) => (place === side ? Number(event.target.value) : old)))}>
    ${cells.map((cell, number) => html`<option key=${number} value=${number}>${header && cell ? cell : `column ${number + 1} (${cell || "empty"})`}</option>`)}</select></label>`;
  const words = ends.map((end) => cells[end]), named = header && words[0] && words[1] && cells.filter((cell) => words.includes(cell)).length === 2;
  return html`<p>Which columns of ${asked.given.name} hold the two ends of a link?</p>${pick(0)}${pick(1)}
    <label class="check"><input type="checkbox" checked=${header} onChange=${(event) => setHeader(event.target.checked)}/> the first line is a heading</label>
    <div class="buttons"><button class="primary" disabled=${ends[0] === ends[1]}
      onClick=${() => read({ ...asked.given, columns: named ? words : ends.map((end) => `${end + 1}`) })}>Read it so</button><button onClick=${cancel}>Cancel</button></div>`;
}
