// The pictures of network and layers. Pointing at a pair in one pane shows it in all.

import { html, useEffect, useLayoutEffect, useMemo, useRef, useState } from "/assets/vendor/htm-preact.js";
import { branchBetween, brief, ends, key, layerPoints, lines, nameSpots, neighboursOf, scaled, stepsOf } from "/assets/geometry.js";

const MANY = 60;

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

export function NetworkPane({ network, walk, reader, lacking, secret, hover, setHover, onVertex, drawing }) {
  const [box, room] = useRoom();
  const { width = 0, height = 0 } = room ?? {};
  const many = network.vertices.length > 26;
  const radius = network.vertices.length > 120 ? 3 : many ? 6 : 9;
  const points = useMemo(() => (room && network.vertices.length
    ? (drawing ? network.vertices : scaled(network.vertices, width, height, many ? 18 : 30)) : []), [network, room, drawing]);
  const place = useMemo(() => new Map(points.map((point) => [point.name, point])), [points]);
  const near = useMemo(() => neighboursOf(network.links), [network]);
  const steps = useMemo(() => new Map(stepsOf(walk).map(([u, v], step) => [key(u, v), { step: step + 1, from: u, to: v }])), [walk]);
  const hidden = lacking && secret ? key(...lacking) : null;
  const spots = useMemo(() => nameSpots(points, { width, height, radius, size: 11, least: points.length > 120 ? 1 : -1, first: (number) => {
    const name = points[number].name;
    return walk.includes(name) ? 2 : near.get(name)?.size / 1000 || 0;
  } }), [points, walk]);
  const last = walk.at(-1);
  const can = (name) => drawing || !walk.length || name === last || (near.get(last)?.has(name) && !walk.includes(name));
  const [at, setAt] = useState(0);
  const svg = useRef(null);
  useEffect(() => { if (at >= points.length) setAt(0); }, [points]);
  const move = (event) => {
    if (!event.key.startsWith("Arrow") || !points[at]) return;
    event.preventDefault();
    const to = toNearest(points, points[at], event.key, () => true);
    if (to === null) return;
    setAt(to);
    svg.current.querySelector(`[data-number="${to}"]`)?.focus();
  };
  const base = useMemo(() => [...network.links].sort((a, b) => steps.has(key(...a)) - steps.has(key(...b))).map(([u, v]) => {
    const a = place.get(u), b = place.get(v), pair = key(u, v), walked = steps.get(pair);
    if (!a || !b || pair === hidden) return null;
    const kinds = ["link", walked ? "walked" : "", lacking && key(...lacking) === pair ? "lacking" : ""].join(" ");
    return html`<g key=${pair} class=${reader && u !== reader && v !== reader ? "dim" : ""} onPointerEnter=${() => setHover(pair)} onPointerLeave=${() => setHover(null)}>
      <line class="reach" x1=${a.x} y1=${a.y} x2=${b.x} y2=${b.y}/><line class=${kinds} x1=${a.x} y1=${a.y} x2=${b.x} y2=${b.y}/>
      ${walked && html`<${Arrow} from=${place.get(walked.from)} to=${place.get(walked.to)}/>`}</g>`;
  }), [points, network.links, steps, reader, lacking, hidden]);
  const vertices = useMemo(() => points.map((point, number) => ({ ...point, number })).sort((a, b) => walk.includes(a.name) - walk.includes(b.name)).map(({ name, x, y, number }) => {
    const stop = hidden ? -1 : walk.indexOf(name), open = can(name), chosen = drawing?.chosen === name;
    const visited = hidden ? touchedBy(network, steps, hidden, name) : stop >= 0;
    const kinds = ["vertex", visited ? "walked" : "", open ? "open" : "", reader === name || chosen ? "reader" : "",
      reader && reader !== name && !near.get(reader)?.has(name) ? "dim" : ""].join(" ");
    const spoken = `${name}${stop >= 0 ? `, stop ${stop + 1} of the walk` : ""}${chosen ? ", chosen" : ""}${
      open ? "" : ", not linked to the last stop"}`;
    return html`<g key=${name} class=${kinds} role="button" tabindex=${number === at ? 0 : -1} data-number=${number}
      aria-disabled=${!open} aria-label=${spoken} onFocus=${() => setAt(number)}
      onClick=${(event) => { event.stopPropagation(); if (open) onVertex(name); }}
      onKeyDown=${pressed(() => open && onVertex(name))}>
      <circle class="touch" cx=${x} cy=${y} r=${points.length > 120 ? 5 : many ? 9 : 14}/><circle class="disc" cx=${x} cy=${y} r=${radius}/>
      ${stop >= 0 && !many && html`<text class="stop" x=${x} y=${y + 3.8}>${stop + 1}</text>`}<title>${spoken}</title></g>`;
  }), [points, network.links, walk, reader, at, drawing?.chosen, hidden]);
  const names = useMemo(() => [...spots].map(([number, spot]) => html`<g key=${number} class=${
    reader && points[number] && reader !== points[number].name && !near.get(reader)?.has(points[number].name) ? "dim" : ""}>${text(spot)}</g>`), [spots, reader]);
  const lit = hover ? ends(hover).map((name) => place.get(name)) : [];
  return html`<${Pane} id="network" title=${drawing ? "Click one together" : "What you have"} room=${box}
    about=${drawing ? "empty space: a vertex; two vertices: a link" : "network and walk"}>
    ${room && html`<svg ref=${svg} width=${width} height=${height} role="group" class=${drawing ? "drawing" : ""} onKeyDown=${move}
      aria-label="network of ${points.length} vertices and ${network.links.length} links; arrow keys move, Enter chooses"
      onClick=${(event) => {
        if (!drawing) return;
        const frame = event.currentTarget.getBoundingClientRect();
        drawing.add(event.clientX - frame.left, event.clientY - frame.top);
      }}>
      ${base}${vertices}${names}
      ${lit.length === 2 && lit[0] && lit[1] && html`<g class="lit"><line x1=${lit[0].x} y1=${lit[0].y} x2=${lit[1].x} y2=${lit[1].y}/>
        ${lit.map((point) => html`<circle cx=${point.x} cy=${point.y} r=${radius + 2}/>`)}
        ${lit.map((point) => !spots.has(points.indexOf(point)) && text(beside(point, radius, width, height)))}</g>`}
      ${!points.length && html`<text class="note" x=${width / 2} y=${height / 2}>Click anywhere to put a vertex.</text>`}
    </svg>`}</${Pane}>`;
}

function touchedBy(network, steps, hidden, name) {
  return [...steps.keys()].some((pair) => pair !== hidden && ends(pair).includes(name));
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

export function LayersPane({ release, hover, setHover, onDraw }) {
  const [box, room] = useRoom();
  const { width = 0, height = 0 } = room ?? {}, layers = release.layers;
  const points = useMemo(() => (layers && room ? layerPoints(layers, width, height, { x: 30, y: 6 })
    .map((point) => ({ ...point, name: `${point.vertex}${"′".repeat(point.piece)}` })) : []), [layers, room]);
  const many = points.length > MANY, radius = many ? 3 : points.length > 26 ? 5 : 7;
  const spots = useMemo(() => nameSpots(points, { width, height, radius, size: 11, least: many ? 0 : -1, first: () => 0, longest: 10 }), [points]);
  const thick = layers && layers.arcs.length > 1500;
  const base = useMemo(() => layers && points.length > 0 && html`
    ${Array.from({ length: layers.height }, (_, depth) => {
      const step = (height - 12) / layers.height;
      return html`<rect class=${`band ${depth % 2 ? "odd" : ""}`} x="0" y=${6 + depth * step} width=${width} height=${step} rx="6"/>`;
    })}
    <g style=${`opacity:${Math.max(0.16, Math.min(0.65, 9 / Math.sqrt(layers.arcs.length)))}`}>${!thick && layers.arcs.map(([a, b]) => html`<line class="arc" x1=${points[a].x} y1=${points[a].y} x2=${points[b].x} y2=${points[b].y}/>`)}</g>
    ${points.map(({ x, y, name }) => html`<circle class="node" cx=${x} cy=${y} r=${radius}><title>${name}</title></circle>`)}
    ${[...spots.values()].map((spot) => text(spot))}`, [points, spots]);
  const lit = hover ? ends(hover) : [];
  const way = useMemo(() => (layers && hover ? branchBetween(layers, ...ends(hover)) : new Set()), [layers, hover]);
  return html`<${Pane} id="layers" title="What everyone sees" about="as a layered graph" room=${box}>
    ${room && layers && html`<svg width=${width} height=${height} role="img"
      aria-label="layered graph: ${layers.height} layers, ${points.length} nodes, ${layers.arcs.length} arcs. Two vertices share a branch if arcs lead down from one to the other.">
      ${base}
      <g class="lit">${[...way].map((arc) => points[layers.arcs[arc][0]] && html`<line x1=${points[layers.arcs[arc][0]].x} y1=${points[layers.arcs[arc][0]].y}
          x2=${points[layers.arcs[arc][1]].x} y2=${points[layers.arcs[arc][1]].y}/>`)}
        ${points.map((point, number) => lit.includes(point.vertex) && html`<circle cx=${point.x} cy=${point.y} r=${radius + 2}/>
          ${!spots.has(number) && text(beside(point, radius, width, height))}`)}</g>
    </svg>`}
    ${!layers && html`<p class="quiet">${release.layersError ?? (onDraw ? html`With this many vertices it is mostly arcs.
      <button onClick=${onDraw}>Draw it anyway</button>` : "drawing the layers …")}</p>`}
  </${Pane}>`;
}
