// The bits, one for each pair of vertices, as a staircase; fresh coins flip in pair by pair.

import { html, useEffect, useMemo, useRef, useState } from "/assets/vendor/htm-preact.js";
import { brief, ends, key } from "/assets/geometry.js";
import { Pane, useRoom } from "/assets/panes.js";
import { Word } from "/assets/words.js";

const NAMED = 26, LINE = 10.5, LAST = 82, FLIP = 280, MANY = 120;
const KINDS = ["chaff-same", "chaff-apart", "link-same", "walk-apart"];

export const pairNumber = (size, i, j) => i * size - (i * (i + 1)) / 2 + (j - i - 1);

// What each cell is to the one who looks; where they know no link, only same or different.
function kindsOf(release, view, plain) {
  const { names, bits } = release, place = new Map(names.map((name, number) => [name, number]));
  const kinds = new Uint8Array(bits.length);
  for (let number = 0; number < bits.length; number += 1) kinds[number] = bits[number] === "1" ? 0 : 1;
  if (plain) return kinds;
  const mark = ([u, v], kind) => {
    if (!place.has(u) || !place.has(v)) return;
    const [i, j] = [place.get(u), place.get(v)].sort((a, b) => a - b);
    kinds[pairNumber(names.length, i, j)] = kind;
  };
  view.links.forEach((link) => mark(link, 2));
  view.steps.forEach((step) => mark(step, 3));
  return kinds;
}

function useColours() {
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const read = () => {
    const style = getComputedStyle(document.documentElement);
    return KINDS.map((kind) => style.getPropertyValue(`--${kind}`).trim());
  };
  const [colours, setColours] = useState(read);
  useEffect(() => {
    const change = () => setColours(read());
    dark.addEventListener("change", change);
    return () => dark.removeEventListener("change", change);
  }, []);
  return colours;
}

// Many small cells at once: one pixel each, then stretched.
function paintMany(brush, kinds, size, cell, colours) {
  const page = new OffscreenCanvas(size, size), image = new ImageData(size, size), cells = new Uint32Array(image.data.buffer);
  const tones = Uint32Array.from(colours, (hex) => { // bytes in the order red, green, blue, opaque
    const tone = parseInt(hex.slice(1), 16);
    return new Uint32Array(Uint8Array.of(tone >> 16, (tone >> 8) & 255, tone & 255, 255).buffer)[0];
  });
  for (let i = 0, number = 0; i < size; i += 1) {
    for (let j = i + 1; j < size; j += 1, number += 1) cells[j * size + i] = tones[kinds[number]];
  }
  page.getContext("2d").putImageData(image, 0, 0);
  brush.imageSmoothingEnabled = false;
  brush.drawImage(page, 0, 0, size * cell, size * cell);
}

export function CoinsPane({ view, release, isMine, hover, setHover, plain, setPlain }) {
  const [box, room] = useRoom();
  const canvas = useRef(null), before = useRef({ kinds: null, bits: null });
  const colours = useColours();
  const { names, bits } = release, size = names.length;
  const named = size <= NAMED && (!room || (room.width - LAST) / Math.max(size - 1, 1) >= LINE);
  const last = named ? Math.min(LAST, 6 * brief(names[size - 1], 13).length + 8) : 2;
  const cell = room ? Math.max(0, Math.min((room.width - last) / Math.max(size - 1, 1), 30)) : 0, height = Math.ceil(cell * size) + 1;
  const kinds = useMemo(() => kindsOf(release, view, plain), [release, view, plain]);
  useEffect(() => {
    if (!room || !canvas.current) return undefined;
    const ratio = window.devicePixelRatio || 1, element = canvas.current;
    element.width = room.width * ratio;
    element.height = height * ratio;
    const brush = element.getContext("2d");
    brush.scale(ratio, ratio);
    if (size > MANY) {
      paintMany(brush, kinds, size, cell, colours);
      return undefined;
    }
    const gap = cell > 5 ? 1 : 0;
    const paint = (shown, from) => {
      brush.clearRect(0, 0, room.width, height);
      for (let i = 0, number = 0; i < size; i += 1) {
        for (let j = i + 1; j < size; j += 1, number += 1) {
          // pair by pair: a cell shows its old side, then turns, then its new one
          const turn = Math.min(Math.max(shown * (bits.length + 40) - number, 0) / 40, 1);
          const kind = turn < 0.5 && from ? from[number] : kinds[number], flat = turn < 1 && from ? Math.abs(1 - 2 * turn) : 1;
          brush.fillStyle = colours[kind];
          brush.fillRect(i * cell, j * cell + ((1 - flat) * (cell - gap)) / 2, cell - gap, (cell - gap) * flat);
        }
      }
    };
    const old = before.current.kinds?.length === kinds.length ? before.current.kinds : null;
    const isFlip = old && before.current.bits !== bits;
    before.current = { kinds, bits };
    if (!isFlip || window.matchMedia("(prefers-reduced-motion: reduce)").matches) {
      paint(1, null);
      return undefined;
    }
    let frame, start = null;
    const next = (now) => {
      start ??= now;
      const shown = Math.min((now - start) / FLIP, 1);
      paint(shown, old);
      if (shown < 1) frame = requestAnimationFrame(next);
    };
    frame = requestAnimationFrame(next);
    return () => { cancelAnimationFrame(frame); paint(1, null); };
  }, [kinds, room, colours, cell]);
  const point = (event) => {
    const frame = event.currentTarget.getBoundingClientRect();
    const i = Math.floor((event.clientX - frame.left) / cell), j = Math.floor((event.clientY - frame.top) / cell);
    setHover(i >= 0 && j < size && i < j ? key(names[i], names[j]) : null);
  };
  const lit = hover ? ends(hover).map((name) => names.indexOf(name)).sort((a, b) => a - b) : null;
  const apart = useMemo(() => bits.split("0").length - 1, [bits]);
  const mark = (kind, words) => html`<li><span class=${`mark ${kind}`}></span>${words}</li>`;
  return html`<${Pane} id="coins" title="What you publish" about=${html`${isMine ? "your release" : view.made ? "the made-up walk" : "practice coins"}: a <${Word} of="branch"/> bit for each pair`} room=${box} height=${height}
    note=${html`<ul class="legend">${plain ? html`${mark("chaff-apart", "different branches")}${mark("chaff-same", "same branch")}`
      : html`${mark("walk-apart", "walk: different branches")}${mark("chaff-apart", view.who ? "not my link: different" : "chaff: coin said different")}
        ${mark("link-same", view.who ? "my other link: same branch" : "other link: same branch")}${mark("chaff-same", view.who ? "not my link: same" : "coin said same")}`}</ul>
      <label class="check"><input type="checkbox" checked=${plain} onChange=${(event) => setPlain(event.target.checked)}/> as an outsider sees it</label>`}>
    ${room && html`<canvas ref=${canvas} class="bits" role="img" aria-label="${bits.length} bits. ${apart} say different branches${
      plain ? "" : `: ${view.steps.length} are links of the walk that you know, the others are coins`}." onPointerMove=${point} onPointerLeave=${() => setHover(null)}></canvas>
    <svg class="over" width=${room.width} height=${height} aria-hidden="true">
      ${named && names.map((name, number) => html`<text class=${`row ${lit?.includes(number) ? "strong" : ""}`}
        x=${number * cell + 3} y=${(number + 0.5) * cell + 3.6}>${brief(name, Math.max(3, Math.floor((room.width - number * cell - 4) / 6.1)))}</text>`)}
      ${lit && lit[0] >= 0 && html`<rect class="frame" x=${lit[0] * cell - 1} y=${lit[1] * cell - 1} width=${Math.max(cell, 4) + 1} height=${Math.max(cell, 4) + 1}/>
        ${!named && html`<path class="cross" d="M0,${(lit[1] + 0.5) * cell} H${lit[0] * cell} M${(lit[0] + 0.5) * cell},${lit[0] * cell} V${lit[1] * cell}"/>`}`}
    </svg>`}</${Pane}>`;
}
