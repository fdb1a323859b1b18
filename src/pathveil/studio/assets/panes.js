// The pictures of network and layers. Pointing at a pair in one pane shows it in all.

import { html, useLayoutEffect, useMemo, useRef, useState } from "/assets/vendor/htm-preact.js";
import { apart, branchBetween, brief, columnPoints, ends, isCrowded, key, layerPoints, lines, named, nameSpots, neighboursOf, scaled } from "/assets/geometry.js";
import { Word } from "/assets/words.js";

// The room that a pane has, in CSS pixels: names stay as large as they should be read.
export function useRoom() {
  const box = useRef(null), [room, setRoom] = useState(null);
  useLayoutEffect(() => {
    const measure = () => {
      const { width, height } = box.current.getBoundingClientRect();
      setRoom((old) => (old && old.width === Math.round(width) && old.height === Math.round(height) ? old
        : { width: Math.round(width), height: Math.round(height) }));
    };
    measure();
    const watch = new ResizeObserver(measure);
    watch.observe(box.current);
    return () => watch.disconnect();
  }, []);
  return [box, room];
}

export function Pane({ id, title, about, children, note, room, height }) {
  return html`<figure class="pane" id=${id} aria-labelledby="${id}-title">
    <figcaption id="${id}-title"><b>${title}</b> <span>${about}</span></figcaption>
    <div class="picture" ref=${room} style=${height ? `height:${height}px` : ""}>${children}</div>${note}</figure>`;
}

const text = (spot, style = "name") => html`<text class=${style} x=${spot.x} y=${spot.y}>${spot.text.map((line, row) =>
  html`<tspan x=${spot.x} dy=${row ? 11.5 : 0}>${line}</tspan>`)}</text>`;

const pressed = (act) => (event) => {
  if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    act();
  }
};

// One tab stop for the whole network; arrow keys go to the nearest vertex that way.
function toNearest(points, from, arrow, can) {
  const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[arrow];
  let best = null, least = Infinity;
  points.forEach((point, number) => {
    const x = point.x - from.x, y = point.y - from.y, ahead = x * dx + y * dy;
    if (ahead <= 1 || !can(point.name)) return;
    const far = ahead + 2 * Math.abs(x * dy + y * dx);
    if (far < least) [best, least] = [number, far];
  });
  return best;
}

// What is shown of the walk is what the one who looks knows: see `viewOf` in main.js.
export function NetworkPane({ network, walk, view, lacking, hover, setHover, onVertex, drawing }) {
  const [box, room] = useRoom();
  const { width = 0, height = 0 } = room ?? {};
  const count = network.vertices.length, many = count > 26, large = count > 120;
  const radius = large ? 3 : many ? 6 : 9, margin = many ? 16 : 30;
  const points = useMemo(() => {
    if (!room || !count || drawing) return drawing ? network.vertices : [];
    const map = scaled(network.vertices, width, height, margin);
    return large ? map : apart(map, width, height, margin);
  }, [network, room, drawing]);
  const place = useMemo(() => new Map(points.map((point) => [point.name, point])), [points]);
  const near = useMemo(() => neighboursOf(network.links), [network]);
  const steps = useMemo(() => new Map(view.steps.map(([u, v]) => [key(u, v), { from: u, to: v }])), [view]);
  const visited = useMemo(() => new Set(view.steps.flat().concat(view.stops ?? [])), [view.steps, view.stops]);
  const spots = useMemo(() => nameSpots(points, { width, height, radius, size: 11, least: large ? 1 : -1, longest: 13, wrap: 11, first: (number) => {
    const { name } = points[number];
    return visited.has(name) || name === view.who ? 2 : view.who && near.get(view.who)?.has(name) ? 1.5 : near.get(name)?.size / 1000 || 0;
  } }), [points, view]);
  const last = walk.at(-1);
  const can = (name) => drawing || !walk.length || name === last || (near.get(last)?.has(name) && !walk.includes(name));
  const svg = useRef(null), act = useRef(null);
  act.current = onVertex;
  const come = (to) => { // one tab stop: the vertex that was used last
    svg.current.querySelector('[tabindex="0"]')?.setAttribute("tabindex", -1);
    to.setAttribute("tabindex", 0);
  };
  const move = (event) => {
    const from = event.key.startsWith("Arrow") && points[event.target.dataset?.number];
    if (!from) return;
    event.preventDefault();
    const to = toNearest(points, from, event.key, () => true);
    if (to !== null) svg.current.querySelector(`[data-number="${to}"]`)?.focus();
  };
  const missing = lacking ? key(...lacking) : null;
  const base = useMemo(() => [...view.links].sort((a, b) => steps.has(key(...a)) - steps.has(key(...b))).map(([u, v]) => {
    const a = place.get(u), b = place.get(v), pair = key(u, v), walked = steps.get(pair);
    if (!a || !b) return null;
    return html`<g key=${pair} onPointerEnter=${() => setHover(pair)} onPointerLeave=${() => setHover(null)}>
      <line class="reach" x1=${a.x} y1=${a.y} x2=${b.x} y2=${b.y}/><line class="link ${walked ? "walked" : ""} ${missing === pair ? "lacking" : ""}" x1=${a.x} y1=${a.y} x2=${b.x} y2=${b.y}/>
      ${walked && view.directed && html`<${Arrow} from=${place.get(walked.from)} to=${place.get(walked.to)}/>`}</g>`;
  }), [points, view, missing]);
  // A reader changes few of them: rings and shades for its own are drawn over the rest.
  const vertices = useMemo(() => {
    const all = points.map((point, number) => ({ ...point, number, open: can(point.name) }));
    all.sort((a, b) => a.open - b.open || visited.has(a.name) - visited.has(b.name)); // the last are on top
    return all.map(({ name, x, y, number, open }) => {
      const stop = view.stops ? view.stops.indexOf(name) : -1, chosen = drawing?.chosen === name;
      const kinds = `vertex${visited.has(name) ? " walked" : ""}${open ? " open" : ""}${chosen ? " reader" : ""}`;
      const spoken = `${name}${stop >= 0 ? `, stop ${stop + 1} of the walk` : ""}${chosen ? ", chosen" : ""}`;
      return html`<g key=${name} class=${kinds} role="button" tabindex=${number ? -1 : 0} data-number=${number} aria-label=${spoken} onFocus=${(event) => come(event.currentTarget)}
        onClick=${(event) => { event.stopPropagation(); act.current(name); }} onKeyDown=${pressed(() => act.current(name))}>
        <circle class="touch" cx=${x} cy=${y} r=${large ? 5 : many ? 9 : 14}/><circle class="disc" cx=${x} cy=${y} r=${radius}/>
        ${stop >= 0 && !many && html`<text class="stop" x=${x} y=${y + 3.8}>${stop + 1}</text>`}<title>${spoken}</title></g>`;
    });
  }, [points, visited, view.stops, walk, drawing?.chosen]);
  const own = useMemo(() => (view.who ? points.filter(({ name }) => name === view.who || near.get(view.who)?.has(name)) : [])
    .map(({ name, x, y }) => html`<circle key=${name} class="disc ${name === view.who ? "me" : ""} ${visited.has(name) ? "on" : ""}" cx=${x} cy=${y} r=${radius}/>`), [points, view]);
  const names = useMemo(() => [...spots].filter(([number]) => points[number]).map(([number, spot]) => html`<g key=${number} class=${
    view.who && view.who !== points[number].name && !near.get(view.who)?.has(points[number].name) ? "dim" : ""}>${text(spot)}</g>`), [spots, view]);
  const lit = hover ? ends(hover).map((name) => place.get(name)) : [], isLit = lit.length === 2 && lit[0] && lit[1];
  const about = drawing ? "empty space: a vertex; two vertices: a link" : view.who ? `what ${brief(view.who, 24)} knows: its own links` : view.made ? "a made-up walk, in pieces" : "network and walk";
  return html`<${Pane} id="network" title=${drawing ? "Click one together" : view.who ? "What a reader has" : "What you have"} room=${box} about=${about}>
    ${room && html`<svg ref=${svg} width=${width} height=${height} role="group" class=${drawing ? "drawing" : view.who ? "as-reader" : ""} onKeyDown=${move}
      aria-label="network of ${points.length} vertices and ${view.links.length} links; arrow keys move, Enter chooses"
      onClick=${(event) => {
        if (!drawing) return;
        const frame = event.currentTarget.getBoundingClientRect();
        drawing.add(event.clientX - frame.left, event.clientY - frame.top);
      }}>
      ${base}
      ${isLit && html`<g class="lit"><line x1=${lit[0].x} y1=${lit[0].y} x2=${lit[1].x} y2=${lit[1].y}/></g>`}
      <g class="vertices">${vertices}</g><g class="own">${own}</g>${names}
      ${isLit && html`<g class="lit">${lit.map((point) => html`<circle cx=${point.x} cy=${point.y} r=${radius + 2}/>`)}
        ${lit.map((point) => !spots.has(points.indexOf(point)) && text(beside(point, radius, width, height)))}</g>`}
      ${!points.length && html`<text class="note" x=${width / 2} y=${height / 2}>Click anywhere to put a vertex.</text>`}
    </svg>`}</${Pane}>`;
}

function beside(point, radius, width, height) {
  const said = lines(point.name ?? point.vertex), half = Math.max(...said.map((line) => line.length)) * 3.2;
  const x = Math.min(Math.max(point.x, half + 2), width - half - 2);
  return { x, y: point.y + radius + 14 + 12 * said.length > height ? point.y - radius - 4 - 11 * (said.length - 1) : point.y + radius + 13, text: said };
}

function Arrow({ from, to }) {
  const x = from.x + 0.56 * (to.x - from.x), y = from.y + 0.56 * (to.y - from.y);
  const turn = (Math.atan2(to.y - from.y, to.x - from.x) * 180) / Math.PI;
  return html`<path class="tip" d="M-4,-5 L6,0 L-4,5 Z" transform="translate(${x},${y}) rotate(${turn})"/>`;
}

const LINE = 10;

export function LayersPane({ layers, problem, hover, onDraw }) {
  const [box, room] = useRoom(), [node, setNode] = useState(null);
  const { width = 0, height = 0 } = room ?? {};
  const crowded = useMemo(() => Boolean(layers) && isCrowded(layers), [layers]);
  const placed = useMemo(() => {
    if (!layers || !room) return { points: [], named: false };
    const { points, named: fits } = crowded ? columnPoints(layers, width, height, LINE) : { points: layerPoints(layers, width, height, { x: 26, y: 6 }), named: true };
    return { points: points.map((point) => ({ ...point, name: named(point) })), named: fits };
  }, [layers, room]);
  const { points } = placed, radius = crowded ? 3 : points.length > 26 ? 5 : 7;
  const spots = useMemo(() => (crowded ? new Map() : nameSpots(points, { width, height, radius, size: 10.5, first: (number) => -points[number].x / 10_000, longest: 12, wrap: 5 })), [points]);
  const thick = layers && layers.arcs.length > 3000;
  const bands = (depth) => {
    const step = ((crowded ? width : height) - 12) / layers.height, from = 6 + depth * step;
    return html`<rect class=${`band ${depth % 2 ? "odd" : ""}`} x=${crowded ? from : 0} y=${crowded ? 0 : from} width=${crowded ? step : width} height=${crowded ? height : step} rx="6"/>`;
  };
  const base = useMemo(() => layers && points.length > 0 && html`
    ${!crowded && Array.from({ length: layers.height }, (_, depth) => bands(depth))}
    <path class="arc" style=${`opacity:${Math.max(0.14, Math.min(0.65, 8 / Math.sqrt(layers.arcs.length)))}`}
      d=${thick ? "" : layers.arcs.map(([a, b]) => `M${points[a].x},${points[a].y}L${points[b].x},${points[b].y}`).join("")}/>
    ${points.map(({ x, y, name, vertex }) => html`<circle class="node" cx=${x} cy=${y} r=${radius} onPointerEnter=${() => setNode(vertex)} onPointerLeave=${() => setNode(null)}><title>${name}</title></circle>`)}
    ${crowded ? placed.named && points.map((point) => html`<text class=${point.end ? "line ahead" : "line behind"} x=${point.x + (point.end ? -7 : 7)} y=${point.y + 3.4}>${brief(point.name, 13)}</text>`)
      : [...spots.values()].map((spot) => text(spot))}`, [points, spots]);
  const lit = hover ? ends(hover) : node ? [node] : [];
  const way = useMemo(() => (layers && hover ? branchBetween(layers, ...ends(hover)) : new Set()), [layers, hover]);
  const unnamed = points.some((point, number) => lit.includes(point.vertex) && !spots.has(number)) && !(crowded && placed.named);
  return html`<${Pane} id="layers" title="What everyone sees" about=${html`as a layered graph: <${Word} of="layers"/> ${crowded ? "left to right" : "top to bottom"}`} room=${box}>
    ${room && layers && html`<svg width=${width} height=${height} role="img" class=${unnamed ? "pointing" : ""}
      aria-label="layered graph: ${layers.height} layers, ${points.length} nodes, ${layers.arcs.length} arcs. Two vertices share a branch if arcs lead on from one to the other.">
      ${base}
      <g class="lit">${[...way].map((arc) => points[layers.arcs[arc][0]] && html`<line x1=${points[layers.arcs[arc][0]].x} y1=${points[layers.arcs[arc][0]].y}
          x2=${points[layers.arcs[arc][1]].x} y2=${points[layers.arcs[arc][1]].y}/>`)}
        ${points.map((point, number) => lit.includes(point.vertex) && html`<circle cx=${point.x} cy=${point.y} r=${radius + 2}/>
          ${unnamed && text(beside(point, radius, width, height))}`)}</g>
    </svg>`}
    ${!layers && html`<p class="quiet">${problem ?? (onDraw ? html`With this many vertices it is mostly arcs.
      <button onClick=${onDraw}>Draw it anyway</button>` : "drawing the layers …")}</p>`}
  </${Pane}>`;
}
