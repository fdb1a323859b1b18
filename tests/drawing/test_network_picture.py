"""Networks with their walk."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Hashable
from itertools import combinations, pairwise
from xml.etree import ElementTree as ET

import networkx as nx
import numpy as np
import pytest
from defusedxml.ElementTree import fromstring

from pathveil.drawing.network_picture import network_svg, placed
from pathveil.drawing.sheet import text_width
from pathveil.errors import NotAWalk
from pathveil.model.network import Network
from pathveil.model.walk import Walk
from tests.drawing.samples import SVG


def test_a_network_with_its_walk() -> None:
    network = Network.parse("ab ae be bc bf ef ed cd cf")
    svg = network_svg(network, Walk("abcdebcf"))
    root: ET.Element = fromstring(svg)
    found = [c.attrib["class"] for c in root.iter(f"{SVG}circle")]
    assert found.count("step") == 7 + 1  # and in the legend
    assert found.count("start") == found.count("end") == 2  # on the map and in the legend
    assert "Secret" in svg
    assert svg == network_svg(network, Walk("abcdebcf"))


def test_a_walk_elsewhere_is_refused() -> None:
    with pytest.raises(NotAWalk):
        network_svg(Network.parse("ab bc"), Walk("ac"))


def _meandering(size: int) -> tuple[Network, Walk]:
    """A grid with long names, and a walk that visits every vertex of it."""
    wide = 10
    grid = nx.grid_2d_graph(size // wide, wide)
    for at in grid:
        grid.nodes[at].update(x=float(at[0]), y=float(at[1]))  # computing places takes seconds
    network = Network.from_networkx(nx.relabel_nodes(grid, lambda at: f"Town {at[0]}-{at[1]}"))
    walk = [
        f"Town {row}-{column if row % 2 == 0 else wide - 1 - column}"
        for row in range(size // wide)
        for column in range(wide)
    ]
    return network, Walk(walk)


@pytest.mark.parametrize("size", [30, 60, 200])
def test_no_number_and_no_vertex_covers_a_name(size: int) -> None:
    network, walk = _meandering(size)
    root: ET.Element = fromstring(network_svg(network, walk))
    names = [t for t in root.iter(f"{SVG}text") if (t.text or "").startswith("Town")]
    assert {t.text for t in names} == set(network)  # every vertex is named, each twice: rim, ink
    boxes = [
        (
            float(t.attrib["x"]) - text_width(t.text or "", float(t.attrib["font-size"])) / 2,
            float(t.attrib["y"]) - float(t.attrib["font-size"]),
            float(t.attrib["x"]) + text_width(t.text or "", float(t.attrib["font-size"])) / 2,
            float(t.attrib["y"]),
        )
        for t in names
        if t.attrib["class"] == "ink"
    ]
    discs = [
        (float(c.attrib["cx"]), float(c.attrib["cy"]), float(c.attrib["r"]))
        for c in root.iter(f"{SVG}circle")
        if c.attrib["class"] in {"step", "node", "node visited"} and "cx" in c.attrib
    ]
    assert len(discs) > size
    for x, y, r in discs:
        for left, top, right, bottom in boxes:
            across = min(abs(x - left), abs(x - right)) if not left <= x <= right else 0.0
            along = min(abs(y - top), abs(y - bottom)) if not top <= y <= bottom else 0.0
            assert across**2 + along**2 >= (r - 1.5) ** 2, (x, y, r, left, top)


@pytest.mark.parametrize("walk", [None, Walk("abcd"), Walk("abca")])
def test_every_mark_is_in_the_legend_and_no_other(walk: Walk | None) -> None:
    network = Network.parse("ab bc ca cd de")
    root: ET.Element = fromstring(network_svg(network, walk))
    words = {t.text for t in root.iter(f"{SVG}text")}
    meanings = {
        "node": "vertex" if walk is None else "not on the walk",
        "link": "link",
        "faint": "a link off the walk",
        "walk": "a step of the walk",
        "step": "number of the step",
        "node visited": "on the walk",
        "start": "start",
        "end": "end",
    }
    marks = {m.attrib["class"] for m in root.iter() if m.attrib.get("class") in meanings}
    assert marks == ({"node", "link"} if walk is None else set(meanings) - {"link"})
    assert {meanings[mark] for mark in marks} <= words


def test_a_very_long_walk_numbers_every_tenth_step() -> None:
    network, walk = _meandering(200)
    svg = network_svg(network, walk)
    assert "number of every tenth step" in svg
    assert svg.count('class="step"') == 1 + 19 + 1  # the first, each tenth, the legend


def test_a_crowd_of_vertices_has_no_names() -> None:
    path = nx.path_graph(401)
    for at in path:
        path.nodes[at].update(x=float(at), y=0.0)
    svg = network_svg(Network.from_networkx(path))
    assert svg.count("<text") == 4  # title, facts, two words of the legend


def test_no_vertex_covers_another_and_no_name_another() -> None:
    """Seven towns on one spot of a map, with names that are too long for all to be shown."""
    towns = [f"Town number {i}" for i in range(7)]
    places: dict[Hashable, tuple[float, float]] = {
        name: (float(i // 6), 0.5) for i, name in enumerate(towns)
    }
    network = Network.from_links(list(pairwise(towns)), coordinates=places)
    root: ET.Element = fromstring(network_svg(network))
    spots = [
        (float(c.attrib["cx"]), float(c.attrib["cy"]))
        for c in root.iter(f"{SVG}circle")
        if c.attrib["r"] == "8"
    ]
    assert len(spots) == 7
    assert min(np.hypot(*np.subtract(a, b)) for a, b in combinations(spots, 2)) > 16
    names = [t for t in root.iter(f"{SVG}text") if t.attrib["class"] == "halo"]
    for one, other in combinations(names, 2):
        across = abs(float(one.attrib["x"]) - float(other.attrib["x"]))
        along = abs(float(one.attrib["y"]) - float(other.attrib["y"]))
        assert across > 0.9 * text_width("Town number 1", 11) or along > 9


def test_known_positions_are_used_with_y_upwards() -> None:
    network = Network.from_links(
        [("a", "b"), ("b", "c")], coordinates={"a": (0, 0), "b": (10, 0), "c": (10, 10)}
    )
    points = placed(network)
    assert points.tolist() == [[0, 0], [1, 0], [1, 1]]
    root: ET.Element = fromstring(network_svg(network))
    discs = [c for c in root.iter(f"{SVG}circle") if "cx" in c.attrib]
    spots = [(float(c.attrib["cx"]), float(c.attrib["cy"])) for c in discs]
    assert spots[1][1] > spots[2][1]  # c lies above b
    assert spots[0][0] < spots[1][0]


@pytest.mark.parametrize("size", [2, 3, 6, 50, 160, 900])
def test_computed_places_are_distinct_and_steady(size: int) -> None:
    ring = [(f"{i:04}", f"{(i + 1) % size:04}") for i in range(size if size > 2 else 1)]
    network = Network.from_links(ring)
    points = placed(network)
    assert points.min() >= -1e-9
    assert points.max() <= 1 + 1e-9
    assert len(np.unique(points.round(6), axis=0)) == size
    assert np.array_equal(points, placed(network))
    fromstring(network_svg(network, Walk(network.links[0])))


@pytest.mark.regression("a network's picture depended on the processor it was drawn on")
def test_every_processor_draws_the_same() -> None:
    """A star leaves a layout the most freedom; libraries for an old processor add otherwise."""
    code = (
        "from pathveil.drawing.network_picture import network_svg;"
        "from pathveil.model.network import Network;"
        "print(network_svg(Network.from_links([('hub', str(i)) for i in range(20)])))"
    )
    old = {"OPENBLAS_CORETYPE": "Prescott", "NPY_DISABLE_CPU_FEATURES": "X86_V3 X86_V4"}
    drawn = [
        subprocess.run(
            [sys.executable, "-W", "ignore", "-c", code],
            env={**os.environ, **given},
            capture_output=True,
            check=True,
        ).stdout
        for given in ({}, old)
    ]
    assert drawn[0] == drawn[1]
