// Where things go: plain functions from data to coordinates, shared by the panes.

export const key = (u, v) => (u < v ? `${u}\u0000${v}` : `${v}\u0000${u}`);

export function stepsOf(walk) {
  return walk.slice(1).map((name, place) => [walk[place], name]);
}

export function neighboursOf(links) {
  const found = new Map();
  for (const [u, v] of links) {
    (found.get(u) ?? found.set(u, new Set()).get(u)).add(v);
    (found.get(v) ?? found.set(v, new Set()).get(v)).add(u);
  }
  return found;
}

// Points scaled into a box, the shape of the map kept; y grows downwards on a screen.
export function scaled(points, width, height, margin) {
  const xs = points.map((p) => p.x), ys = points.map((p) => p.y);
  const left = Math.min(...xs), top = Math.max(...ys);
  const wide = Math.max(...xs) - left || 1, high = top - Math.min(...ys) || 1;
  const scale = Math.min((width - 2 * margin) / wide, (height - 2 * margin) / high);
  const dx = (width - wide * scale) / 2, dy = (height - high * scale) / 2;
  return points.map((p) => ({ ...p, x: dx + (p.x - left) * scale, y: dy + (top - p.y) * scale }));
}

export function layerPoints(layers, width, height, margin) {
  const xs = layers.nodes.map((node) => node.x);
  const left = Math.min(...xs), wide = Math.max(...xs) - left || 1;
  const step = (height - 2 * margin) / Math.max(layers.height - 1, 1);
  return layers.nodes.map((node) => ({
    ...node,
    x: layers.nodes.length === 1 ? width / 2 : margin + ((node.x - left) / wide) * (width - 2 * margin),
    y: layers.height === 1 ? height / 2 : margin + node.y * step,
  }));
}

// The short name shown in a small place; the whole name is in the title and for screen readers.
export const brief = (name, longest = 14) =>
  name.length <= longest ? name : `${name.slice(0, longest - 1)}…`;

export const percent = (share) => `${Math.round(100 * share)} %`;
