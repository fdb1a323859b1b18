// Where things go: plain functions from data to coordinates, shared by the panes.

export const key = (u, v) => (u < v ? `${u}\u0000${v}` : `${v}\u0000${u}`);
export const ends = (pair) => pair.split("\u0000");

export function stepsOf(walk) {
  return walk.slice(1).map((name, place) => [walk[place], name]);
}

export function neighboursOf(links) {
  const near = new Map();
  const put = (u, v) => (near.has(u) ? near.get(u).add(v) : near.set(u, new Set([v])));
  for (const [u, v] of links) {
    put(u, v);
    put(v, u);
  }
  return near;
}

// A random simple path of a length, or null where the network has none that we meet.
export function randomWalk(near, length) {
  const names = [...near.keys()];
  const any = (list) => list[Math.floor(Math.random() * list.length)];
  for (let tries = 0; tries < 300; tries += 1) {
    const walk = [any(names)];
    while (walk.length <= length) {
      const onward = [...near.get(walk.at(-1))].filter((name) => !walk.includes(name));
      if (!onward.length) break;
      walk.push(any(onward));
    }
    if (walk.length === length + 1) return walk;
  }
  return null;
}

// Points scaled into a box, the shape of the map kept; y grows upwards on a map, down on a screen.
export function scaled(points, width, height, margin) {
  const xs = points.map((p) => p.x), ys = points.map((p) => p.y);
  const left = Math.min(...xs), top = Math.max(...ys);
  const wide = Math.max(...xs) - left, high = top - Math.min(...ys);
  const room = [Math.max(width - 2 * margin, 10), Math.max(height - 2 * margin, 10)];
  const both = Math.min(room[0] / (wide || 1e-9), room[1] / (high || 1e-9));
  // A map in a narrow pane may be stretched a little: names need the room more than shape does.
  const sx = wide ? Math.min(room[0] / wide, 2.6 * both) : 0;
  const sy = high ? Math.min(room[1] / high, 2.6 * both) : 0;
  const dx = (width - wide * sx) / 2, dy = (height - high * sy) / 2;
  return points.map((p) => ({ ...p, x: dx + (p.x - left) * sx, y: dy + (top - p.y) * sy }));
}

// Points that are too near are pushed apart, so that discs and names find room: a map, not a survey.
export function apart(points, width, height, margin) {
  const gap = Math.min(44, 0.62 * Math.sqrt((width * height) / points.length));
  const moved = points.map((point) => ({ ...point }));
  for (let round = 0; round < 60; round += 1) {
    let still = true;
    for (let a = 0; a < moved.length; a += 1) {
      for (let b = a + 1; b < moved.length; b += 1) {
        const dx = moved[b].x - moved[a].x || 0.1, dy = moved[b].y - moved[a].y || 0.1, far = Math.hypot(dx, dy);
        if (far >= gap) continue;
        const push = (0.5 * (gap - far)) / far;
        moved[a].x -= dx * push; moved[a].y -= dy * push;
        moved[b].x += dx * push; moved[b].y += dy * push;
        still = false;
      }
    }
    for (const point of moved) {
      point.x = Math.min(Math.max(point.x, margin), width - margin);
      point.y = Math.min(Math.max(point.y, margin), height - margin);
    }
    if (still) break;
  }
  return moved;
}

const CROWDED = 8;
const rowsOf = (layers) => {
  const rows = Array.from({ length: layers.height }, () => []);
  layers.nodes.forEach((node, number) => rows[node.y].push(number));
  rows.forEach((row) => row.sort((a, b) => layers.nodes[a].x - layers.nodes[b].x));
  return rows;
};

export const isCrowded = (layers) => rowsOf(layers).some((row) => row.length > CROWDED);

// Crowded layers are columns, left to right, with a line for each name; `end` says on which side it is.
export function columnPoints(layers, width, height, size) {
  const rows = rowsOf(layers), last = rows.length - 1;
  const widest = (row) => Math.min(86, Math.max(0, ...row.map((number) => breadth(brief(named(layers.nodes[number]), 13), size))) + 12);
  const pitch = (height - 16) / Math.max(...rows.map((row) => row.length));
  const left = pitch >= size ? widest(rows[0]) + 6 : 14, right = width - (pitch >= size ? widest(rows[last]) + 6 : 14);
  const points = [];
  rows.forEach((row, depth) => row.forEach((number, place) => {
    points[number] = { ...layers.nodes[number], x: last ? left + ((right - left) * depth) / last : width / 2,
      y: 8 + ((place + 0.5) * (height - 16)) / row.length, end: depth < last };
  }));
  return { points, named: pitch >= size };
}

export const named = (node) => `${node.vertex}${"′".repeat(node.piece)}`;

export function layerPoints(layers, width, height, margin) {
  const step = (height - 2 * margin.y) / layers.height, rows = rowsOf(layers);
  const points = layers.nodes.map((node) => ({ ...node, y: margin.y + (node.y + 0.42) * step }));
  const all = layers.nodes.map((node) => node.x), left = Math.min(...all), wide = Math.max(...all) - left || 1;
  for (const row of rows) {
    const room = width - 2 * margin.x, gap = Math.min(room / Math.max(row.length - 1, 1), 64);
    let last = -Infinity;
    const wished = row.map((number) => margin.x + ((layers.nodes[number].x - left) / wide) * room);
    wished.forEach((x, place) => { wished[place] = last = Math.max(x, last + gap); });
    let limit = width - margin.x;
    for (let place = wished.length - 1; place >= 0; place -= 1) {
      wished[place] = Math.min(wished[place], limit);
      limit = wished[place] - gap;
    }
    row.forEach((number, place) => { points[number].x = wished[place]; });
  }
  return points;
}

// The short name for a small place; the whole name is in the title and for screen readers.
export const brief = (name, longest = 14) => {
  const letters = [...name];
  if (letters.length <= longest) return name;
  // Cut in the middle: names that begin alike often differ at their end.
  const tail = Math.floor((longest - 1) / 2);
  return `${letters.slice(0, longest - 1 - tail).join("")}…${tail ? letters.slice(-tail).join("") : ""}`;
};

// A name on one line or two, each short; what is longer than `wrap` is broken where it can be.
export function lines(name, longest = 11, wrap = longest) {
  if ([...name].length <= wrap || !/[\s_-]/.test(name)) return [brief(name, longest)];
  const words = name.trim().match(/[\s_-]*[^\s_-]+[_-]*/g) ?? [name]; // a hyphen stays with the word before it
  let first = words.shift();
  while (words.length > 1 && (first + words[0]).length <= longest) first += words.shift();
  return words.length ? [brief(first.trim(), longest), brief(words.join("").trim(), longest)] : [brief(first, longest)];
}

const ruler = document.createElement("canvas").getContext("2d");
const breadth = (line, size) => {
  ruler.font = `${size}px system-ui, sans-serif`;
  return ruler.measureText(line).width;
};

const hits = (a, b) => a.x < b.x + b.w + 2 && b.x < a.x + a.w + 2 && a.y < b.y + b.h && b.y < a.y + a.h;

// A spot for each name beside its disc where it covers no disc and no other name; else none.
export function nameSpots(points, { width, height, radius, size, first, least = -1, longest = 11, wrap = longest }) {
  const discs = points.map(({ x, y }) => ({ x: x - radius, y: y - radius, w: 2 * radius, h: 2 * radius }));
  const taken = [], spots = new Map();
  const order = points.map((_, number) => number).filter((number) => first(number) > least).sort((a, b) => first(b) - first(a));
  for (const number of order) {
    const { x, y, name } = points[number], text = lines(name, longest, wrap);
    const w = Math.max(...text.map((line) => breadth(line, size))) + 4, h = text.length * (size + 1);
    const away = radius + 3;
    const tries = [[x - w / 2, y + away], [x - w / 2, y - away - h], [x + away, y - h / 2], [x - away - w, y - h / 2],
      [x + away * 0.6, y + away * 0.6], [x - w - away * 0.6, y + away * 0.6], [x + away * 0.6, y - h - away * 0.6],
      [x - w - away * 0.6, y - h - away * 0.6]];
    for (const [wished, top] of tries) {
      const left = Math.min(Math.max(wished, Math.min(1, x)), Math.max(width - w - 1, 0)), box = { x: left, y: top, w, h };
      if (Math.abs(left - wished) > w / 2 || hits(box, discs[number])) continue;
      if (left < 1 || top < 1 || left + w > width - 1 || top + h > height - 1) continue;
      if (discs.some((disc, other) => other !== number && hits(box, disc)) || taken.some((other) => hits(box, other))) continue;
      taken.push(box);
      spots.set(number, { x: left + w / 2, y: top + size * 0.85, text });
      break;
    }
  }
  return spots;
}

// Arcs on a downward way between nodes of two vertices; none where they are in different branches.
export function branchBetween(layers, u, v) {
  const down = new Map();
  layers.arcs.forEach(([a, b], number) => (down.has(a) ? down.get(a).push([b, number]) : down.set(a, [[b, number]])));
  const nodesOf = (name) => layers.nodes.flatMap((node, number) => (node.vertex === name ? [number] : []));
  for (const [from, to] of [[u, v], [v, u]]) {
    const goals = new Set(nodesOf(to)), came = new Map(nodesOf(from).map((number) => [number, null]));
    const queue = [...came.keys()];
    while (queue.length) {
      const here = queue.shift();
      if (goals.has(here)) {
        const way = new Set();
        for (let at = here; came.get(at); at = came.get(at)[0]) way.add(came.get(at)[1]);
        return way;
      }
      for (const [next, arc] of down.get(here) ?? []) {
        if (!came.has(next)) {
          came.set(next, [here, arc]);
          queue.push(next);
        }
      }
    }
  }
  return new Set();
}

export const percent = (share) => `${Math.round(100 * share)}\u00a0%`;
export const times = (count, word, many = `${word}s`) => `${count} ${count === 1 ? word : many}`;
