"""Publications worth drawing, and how their pictures are read."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import numpy as np
from defusedxml.ElementTree import fromstring
from hypothesis import strategies as st

from pathveil.model.bits import PackedBits
from pathveil.model.certificate import PolicyTerms
from pathveil.model.layered import LayeredGraph
from pathveil.model.positions import Positions
from pathveil.model.publication import Publication

SVG = "{http://www.w3.org/2000/svg}"


NASTY = ['<b>&"', "\\{}$%_^~#", "a\x00\x1f", "\u202eabc", "東京都", "Llanfairpwllgwyngyll-7", "#"]


def published(graph: LayeredGraph, *, unsafe: bool = False) -> Publication:
    bits = PackedBits(graph.positions, graph.bits())
    made = Publication(bits, PolicyTerms("balanced"), direction=True, unsafe=unsafe)
    return made.showing(graph)


def figure3() -> Publication:
    """The paper's running example: b c / a d e / f."""
    positions = Positions(tuple("abcdef"), (1,) * 6)
    arcs = [(2, 0), (2, 4), (1, 3), (1, 4), (0, 5), (3, 5)]
    return published(LayeredGraph.build(positions, range(6), [1, 0, 0, 1, 1, 2], arcs))


def with_copies_and_pieces() -> Publication:
    positions = Positions(("a", "b", "c"), (1, 2, 1))
    owner, layer = [0, 1, 2, 3, 3], [0, 0, 1, 1, 2]
    return published(LayeredGraph.build(positions, owner, layer, [(0, 2), (1, 3), (2, 4)]))


def scattered(
    vertices: int, pieces: int, layers: int, chance: float, *, names: list[str] | None = None
) -> Publication:
    random = np.random.default_rng(vertices * 1000 + layers)
    names = names or [f"v{i:04}" for i in range(vertices)]
    positions = Positions(tuple(sorted(names)), (1,) * len(names))
    owner = np.repeat(np.arange(len(names)), pieces)
    layer = random.integers(0, layers, len(owner))
    upper, lower = np.nonzero(
        (layer[:, None] < layer[None, :]) & (random.random((len(owner),) * 2) < chance)
    )
    graph = LayeredGraph.build(positions, owner, layer, np.stack([upper, lower], axis=1))
    return published(graph, unsafe=True)


def boxes(svg: str) -> list[tuple[float, float, float, float]]:
    root: ET.Element = fromstring(svg)
    return [
        (
            float(r.attrib["x"]),
            float(r.attrib["y"]),
            float(r.attrib["width"]),
            float(r.attrib["height"]),
        )
        for group in root.iter(f"{SVG}g")
        if "transform" not in group.attrib  # a mark of the legend
        for r in group.iter(f"{SVG}rect")
        if r.attrib.get("class", "").startswith("node")
    ]


@st.composite
def small_graphs(draw: st.DrawFn) -> LayeredGraph:
    size = draw(st.integers(1, 9))
    layer = [draw(st.integers(0, 3)) for _ in range(size)]
    pairs = [(a, b) for a in range(size) for b in range(size) if layer[a] < layer[b]]
    arcs = draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    positions = Positions(tuple("abcdefghi"[:size]), (1,) * size)
    return LayeredGraph.build(positions, range(size), layer, arcs)
