// The three pictures: network, coins, layers. Hovering a pair in one shows it in all.

import { html, useMemo } from "/assets/vendor/htm-preact.js";
import { brief, key, layerPoints, neighboursOf, scaled, stepsOf } from "/assets/geometry.js";

const W = 360, H = 320, MOST_NAMES = 60, MOST_CELLS = 60;

function pressed(event, act) {
  if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    act();
  }
}

export function NetworkPane({ network, walk, reader, lacking, hover, setHover, onVertex, editing }) {
  const points = useMemo(() => scaled(network.vertices, W, H, 34), [network]);
  const place = new Map(points.map((point) => [point.name, point]));
  const near = useMemo(() => neighboursOf(network.links), [network]);
  const onWalk = new Map(stepsOf(walk).map(([u, v], step) => [key(u, v), step + 1]));
  const last = walk[walk.length - 1];
  const open = (name) => !walk.length || name === last || (near.get(last)?.has(name) && !walk.includes(name));
  const small = points.length > 30;
  const named = (name) => points.length <= MOST_NAMES || walk.includes(name);
  return html`<figure class="pane" aria-labelledby="network-title">
    <figcaption id="network-title"><b>What you have</b> network and walk</figcaption>
    <svg viewBox="0 0 ${W} ${H}" role="group" aria-label="network of ${points.length} vertices">
      ${network.links.map(([u, v]) => {
        const a = place.get(u), b = place.get(v), step = onWalk.get(key(u, v));
        const kinds = ["link"];
        if (step) kinds.push("walked");
        if (lacking && key(...lacking) === key(u, v)) kinds.push("lacking");
        if (reader && u !== reader && v !== reader) kinds.push("dim");
        if (hover && hover === key(u, v)) kinds.push("hover");
        return html`<line class=${kinds.join(" ")} x1=${a.x} y1=${a.y} x2=${b.x} y2=${b.y}
          onPointerEnter=${() => setHover(key(u, v))} onPointerLeave=${() => setHover(null)}>
          <title>${u} – ${v}${step ? `, step ${step} of the walk` : ""}</title></line>`;
      })}
      ${points.map(({ name, x, y }) => {
        const at = walk.indexOf(name), can = editing || open(name);
        const kinds = ["vertex", at >= 0 ? "walked" : "", can ? "open" : "", reader === name ? "reader" : "",
          hover && hover.split("\u0000").includes(name) ? "hover" : ""].join(" ");
        const said = `${name}${at >= 0 ? `, stop ${at + 1} of the walk` : ""}${can ? "" : ", not linked to the last stop"}`;
        return html`<g class=${kinds} role="button" tabindex=${can ? 0 : -1} aria-disabled=${!can}
          aria-label=${said} onClick=${() => can && onVertex(name)}
          onKeyDown=${(event) => pressed(event, () => can && onVertex(name))}>
          <circle class="touch" cx=${x} cy=${y} r="14"/>
          <circle cx=${x} cy=${y} r=${small ? 5 : 8}/>
          ${at >= 0 && !small && html`<text class="stop" x=${x} y=${y + 3.5}>${at + 1}</text>`}
          ${named(name) && html`<text class="name" x=${x} y=${y + (small ? 15 : 21)}>${brief(name, small ? 8 : 14)}</text>`}
          <title>${said}</title></g>`;
      })}
    </svg></figure>`;
}

export function CoinsPane({ network, walk, release, hover, setHover }) {
  const names = release.names, size = names.length;
  const links = useMemo(() => new Set(network.links.map(([u, v]) => key(u, v))), [network]);
  const onWalk = new Set(stepsOf(walk).map(([u, v]) => key(u, v)));
  const many = size > MOST_CELLS;
  const chosen = many && hover ? hover.split("\u0000")[0] : null;
  const margin = many ? 8 : 58, cell = (Math.min(W, H) - margin - 8) / size;
  const shown = release.coins.filter(([i, j]) => !many || names[i] === chosen || names[j] === chosen);
  return html`<figure class="pane" aria-labelledby="coins-title">
    <figcaption id="coins-title"><b>What you publish</b> a bit for each pair</figcaption>
    <svg viewBox="0 0 ${W} ${H}" role="img" aria-label=${spoken(release, links, onWalk)}>
      ${many && !chosen && html`<text class="note" x=${W / 2} y=${H / 2}>${release.coins.length.toLocaleString("en")} bits: point at a link to see its row</text>`}
      ${shown.map(([i, j, same], order) => {
        const pair = key(names[i], names[j]);
        const kind = onWalk.has(pair) ? "walked" : links.has(pair) ? "linked" : "chaff";
        const said = `${names[i]} – ${names[j]}: ${same ? "same branch" : "different branches"}, ${
          kind === "walked" ? "a link of the walk" : kind === "linked" ? "a link off the walk" : "no link: a coin"}`;
        return html`<rect key=${pair} class=${`cell ${same ? "same" : "apart"} ${kind} ${hover === pair ? "hover" : ""}`}
          style=${`--order:${order / shown.length}`} x=${margin + i * cell} y=${8 + j * cell}
          width=${Math.max(cell - 1, 0.8)} height=${Math.max(cell - 1, 0.8)}
          onPointerEnter=${() => setHover(pair)} onPointerLeave=${() => setHover(null)}><title>${said}</title></rect>`;
      })}
      ${!many && names.map((name, place) => html`<text class="side" x=${margin - 4} y=${8 + (place + 0.5) * cell + 3}>${brief(name, 9)}</text>`)}
    </svg>
    <p class="legend"><span class="mark apart walked"></span>walk <span class="mark apart chaff"></span>coin says “different”
      <span class="mark same linked"></span>other link <span class="mark same chaff"></span>coin says “same”</p>
  </figure>`;
}

function spoken(release, links, onWalk) {
  const apart = release.coins.filter(([, , same]) => !same).length;
  return `${release.coins.length} bits, ${apart} of them say different branches; ${onWalk.size} of these are links of the walk, the rest are coins`;
}

export function LayersPane({ release, hover, setHover }) {
  const layers = release.layers;
  const points = useMemo(() => layerPoints(layers, W, H, 26), [layers]);
  const band = (H - 16) / layers.height, lit = hover ? hover.split("\u0000") : [];
  const small = points.length > 30;
  return html`<figure class="pane" aria-labelledby="layers-title">
    <figcaption id="layers-title"><b>What others see</b> a layered graph</figcaption>
    <svg viewBox="0 0 ${W} ${H}" role="img" aria-label="layered graph: ${layers.height} layers, ${points.length} nodes, ${layers.arcs.length} arcs; two vertices share a branch if lines lead down from one to the other">
      ${Array.from({ length: layers.height }, (_, depth) => html`<rect class=${`band ${depth % 2 ? "odd" : ""}`} x="4" y=${8 + depth * band} width=${W - 8} height=${band} rx="6"/>`)}
      ${layers.arcs.map(([a, b]) => html`<line class=${`arc ${lit.includes(points[a].vertex) && lit.includes(points[b].vertex) ? "hover" : ""}`}
        x1=${points[a].x} y1=${points[a].y} x2=${points[b].x} y2=${points[b].y}/>`)}
      ${points.map(({ vertex, piece, x, y }) => html`<g class=${`node ${lit.includes(vertex) ? "hover" : ""}`}>
        <circle cx=${x} cy=${y} r=${small ? 4 : 7}/>
        ${(!small || lit.includes(vertex)) && html`<text class="name" x=${x} y=${y - 10}>${brief(vertex, 10)}${piece ? "′".repeat(piece) : ""}</text>`}
        <title>${vertex}</title></g>`)}
    </svg></figure>`;
}
