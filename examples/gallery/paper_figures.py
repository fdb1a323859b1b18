"""The paper's Figures 1, 3, 4, 5 and 6 by this program, as one picture: paper-figures.svg."""

from __future__ import annotations

from collections.abc import Hashable
from itertools import pairwise
from pathlib import Path

import numpy as np

import pathveil as pv
from pathveil.chance.copies import draw_copies
from pathveil.lab.baselines.baseline_release import Instance, Release
from pathveil.lab.baselines.figure1 import nearest
from pathveil.lab.baselines.view import observe
from pathveil.layering.backtracking import draw_in_walk_order, insert_vertices
from pathveil.model.bits import PairBits
from pathveil.model.layered import LayeredGraph
from pathveil.model.positions import Positions

Point = tuple[float, float]
STYLE = (
    "<style>text{font:13px sans-serif;fill:#222}.t{font-weight:bold}line,path{stroke:#777;"
    "fill:none}.w{stroke:#d55e00;stroke-width:3}.p{stroke:#0072b2;stroke-dasharray:5 3}"
    "circle{stroke:#222;fill:#fff}.q{fill:#0072b2}.f{fill:#ddd}</style>"
)


class Panel:
    """A part of the picture, with its own corner and scale."""

    def __init__(self, title: str, head: Point, corner: Point, scale: Point) -> None:
        (self.x, self.y), (self.wide, self.high) = corner, scale
        self.parts = [f'<text class="t" x="{head[0]:g}" y="{head[1]:g}">{title}</text>']

    def at(self, point: Point) -> Point:
        """Return where a point comes to lie."""
        return self.x + self.wide * point[0], self.y + self.high * point[1]

    def line(self, one: Point, two: Point, style: str = "", bow: float = 0) -> None:
        """Draw a line, or a curve that leaves it by so much."""
        (x, y), (u, v) = self.at(one), self.at(two)
        middle = f"Q{(x + u) / 2 + bow / 4:g} {(y + v) / 2 + bow:g}"
        self.parts.append(f'<path class="{style}" d="M{x:g} {y:g}{middle} {u:g} {v:g}"/>')

    def disc(self, point: Point, name: str, style: str = "", side: float = -13) -> None:
        """Draw a vertex with its name above or, where there is no room, below."""
        x, y = self.at(point)
        self.parts.append(f'<circle class="{style}" cx="{x:g}" cy="{y:g}" r="6"/>')
        self.parts.append(f'<text x="{x - 16:g}" y="{y + side + 4:g}">{name}</text>')


def figure_1() -> list[str]:
    """The literal attack: the nearest vertices of consecutive published points."""
    places: dict[Hashable, Point] = dict(
        zip("abcd", [(-5, 0), (-2, 1), (1, -1), (1, 2)], strict=True)
    )
    published = [(-4.0, 1.0), (-2.0, 0.0), (0.0, 0.0), (2.0, 2.0)]
    network = pv.Network.from_links(pairwise("abcd"), coordinates=places)
    instance = Instance.of(network, pv.Walk("abcd"), known=network.without(("b", "c")))
    release = Release(np.array(published), None)
    view = observe(instance, ("b", "c"))
    found = [network.vertices[end] for pair in nearest(view, release) or () for end in pair]
    title = f"Figure 1: of {len(view.candidates)} joins, {found[0]}-{found[1]} is named"
    panel = Panel(title, (20, 24), (190, 140), (32, -32))
    for one, two in (("a", "b"), ("c", "d")):
        panel.line(places[one], places[two])
    panel.line(places[found[0]], places[found[1]], "w")
    for here, there in pairwise(published):
        panel.line(here, there, "p")
    for name, place in places.items():
        panel.disc(place, str(name), side=16 if name in ("a", "c") else -13)
    for name, place in zip("abcd", published, strict=True):
        panel.disc(place, f"{name}′", "q", side=16 if name == "b" else -13)
    return panel.parts


def figure_4() -> list[str]:
    """The network with copies of b, c and d, as seed 12 draws them."""
    network, walk = pv.Network.parse("ab ae be bc bf ef ed cd cf"), pv.Walk("abcdebcf")
    lifted = draw_copies(network, walk, pv.Policy.paper(vertex=1, link=1), pv.Seeded(12))
    top, low = ["a₀", "b₀", "c₀", "d₁", "c₁", "f₀"], {"d₀": 2, "e₀": 3, "b₁": 4}
    place = {name: (float(x), 0.0) for x, name in enumerate(top)}
    place |= {name: (float(x), 1.0) for name, x in low.items()}
    labels = (lifted.positions.label(p) for p in range(len(lifted.positions)))
    names = [f"{vertex}{'₀₁'[copy]}" for vertex, copy in labels]
    used = {frozenset(step) for step in pairwise(lifted.visits)}
    pairs = lifted.positions.lifted(network.pairs).tolist()
    title = f"Figure 4: {len(used)} links on the walk + {len(pairs) - len(used)} = {len(pairs)}"
    panel = Panel(title, (400, 24), (420, 120), (80, 90))
    for i, j in sorted(pairs, key=lambda pair: frozenset(pair) in used):
        (x, y), (u, v) = place[names[i]], place[names[j]]
        far = 40 * abs(x - u) * (-1 if not y else 1) if y == v and abs(x - u) > 1 else 0
        low_bow = {"b₁": 190, "e₀": 90}.get(names[j] if names[i] == "a₀" else "", 0)
        panel.line((x, y), (u, v), "w" if frozenset((i, j)) in used else "", far * 0.7 + low_bow)
    for position, name in enumerate(names):
        fake = "" if position in lifted.visits else "f"
        panel.disc(place[name], name, fake, side=16 if name in low else -13)
    return panel.parts


def layered(
    title: str, corner: Point, graph: LayeredGraph, across: dict[str, float], *, by_depth: bool
) -> list[str]:
    """A layered graph: by its own layers, or each vertex as high as its arcs allow."""
    rows = [int(layer) for layer in graph.layer]
    arcs = sorted(graph.arcs.tolist(), key=lambda arc: rows[arc[0]])
    if by_depth:
        depth = [0] * len(rows)
        for upper, lower in arcs:
            depth[lower] = max(depth[lower], depth[upper] + 1)
        rows = depth
    names = [node.vertex + "′" * node.piece for node in graph.nodes]
    panel = Panel(title, (corner[0] - 14, corner[1] - 34), corner, (42, 44))
    for upper, lower in arcs:
        one, two = ((across[names[i]], float(rows[i])) for i in (upper, lower))
        panel.line(one, two)
    for name, row in zip(names, rows, strict=True):
        panel.disc((across[name], float(row)), name)
    return panel.parts


def graph_of(names: str, shared: str, *, walk: bool) -> LayeredGraph:
    """The graph Alg. 4 draws of these same-branch pairs; of a walk, turned by Rule 5."""
    positions = Positions.uniform(tuple(names), 1)
    pairs = [(names.index(pair[0]), names.index(pair[1])) for pair in shared.split()]
    bits = PairBits.from_pairs(len(names), pairs)
    if walk:
        return draw_in_walk_order(bits, positions, range(len(names)))
    drawn = insert_vertices(bits, positions, range(len(names))).layered
    assert drawn is not None
    return drawn


def main() -> None:
    """Draw all figures."""
    parts = [*figure_1(), *figure_4()]
    three = graph_of("abcdef", "ac af bd be bf ce cf df", walk=True)
    five = graph_of("uyxv", "uy ux yx yv", walk=False)
    six = graph_of("abcde", "ac bc bd de ae", walk=False)
    at = {"c": 0.5, "b": 1.5, "a": 0.0, "e": 1.0, "d": 2.0, "f": 1.0}
    parts += layered("Figure 3, Alg. 4", (40, 330), three, at, by_depth=False)
    parts += layered("as printed", (180, 330), three, at, by_depth=True)
    at = {"y": 0.5, "u": 0.0, "v": 1.0, "x": 0.0}
    parts += layered("Figure 5, Alg. 4", (320, 330), five, at, by_depth=False)
    parts += layered("as printed", (460, 330), five.upside_down(), at, by_depth=True)
    at = {"e′": 0.0, "a": 0.8, "c": 0.8, "b": 1.7, "d": 1.7, "e": 2.5}
    parts += layered("Figure 6, Alg. 4", (580, 330), six, at, by_depth=False)
    parts += layered("as printed", (740, 330), six, at, by_depth=True)
    head = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 880 540" role="img">'
    text = "\n".join([head, STYLE, '<rect width="880" height="540" fill="#fff"/>', *parts])
    Path("paper-figures.svg").write_text(f"{text}\n</svg>\n", encoding="utf-8")


if __name__ == "__main__":
    main()
