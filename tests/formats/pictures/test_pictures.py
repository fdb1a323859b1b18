"""Pictures: well formed, nothing on top of another, the same every time, and true."""

from __future__ import annotations

from itertools import pairwise
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from defusedxml.ElementTree import fromstring
from hypothesis import given, settings
from hypothesis import strategies as st

from pathveil.errors import NotAWalk
from pathveil.formats.pictures import (
    network_svg,
    publication_dot,
    publication_svg,
    publication_text_picture,
    publication_tikz,
)
from pathveil.formats.pictures.drawing_sheet import Theme
from pathveil.formats.pictures.labelling import labels, short_name, text_cells
from pathveil.formats.pictures.layout import ordered_rows, spread
from pathveil.formats.pictures.placing import placed
from pathveil.model.layered import LayeredGraph
from pathveil.model.network import Network
from pathveil.model.positions import Positions
from pathveil.model.publication import PolicyTerms, Publication
from pathveil.model.walk import Walk

SVG = "{http://www.w3.org/2000/svg}"
THEMES: tuple[Theme, ...] = ("auto", "light", "dark")
NASTY = ['<b>&"', "\\{}$%_^~#", "a\x00\x1f", "\u202eabc", "東京都", "Llanfairpwllgwyngyll-7", "#"]


def published(graph: LayeredGraph, *, unsafe: bool = False) -> Publication:
    return Publication.of_drawing(graph, PolicyTerms("balanced"), direction=True, unsafe=unsafe)


def figure3() -> Publication:
    """The paper's running example: b c / a d e / f."""
    positions = Positions(tuple("abcdef"), (1,) * 6)
    covers = [(2, 0), (2, 4), (1, 3), (1, 4), (0, 5), (3, 5)]
    return published(LayeredGraph.build(positions, range(6), [1, 0, 0, 1, 1, 2], covers))


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
        for r in group.iter(f"{SVG}rect")
        if r.attrib.get("class", "").startswith("node")
    ]


@pytest.mark.parametrize("theme", THEMES)
def test_the_running_example_is_drawn(theme: Theme) -> None:
    svg = publication_svg(figure3(), theme=theme)
    root: ET.Element = fromstring(svg)
    assert root.attrib["role"] == "img"
    assert (root.findtext(f"{SVG}title") or "").startswith("A walk among 6 vertices")
    assert "Layer 0: b, c. Layer 1: a, d, e. Layer 2: f." in (root.findtext(f"{SVG}desc") or "")
    style = root.findtext(f"{SVG}style") or ""
    assert ("prefers-color-scheme:dark" in style) == (theme == "auto")
    assert len(boxes(svg)) == 6
    assert svg == publication_svg(figure3(), theme=theme)


def test_an_unknown_theme_is_refused() -> None:
    with pytest.raises(ValueError, match="'blue' is none of auto, light, dark"):
        publication_svg(figure3(), theme="blue")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "publication",
    [
        figure3(),
        with_copies_and_pieces(),
        scattered(60, 2, 8, 0.05),
        scattered(60, 2, 2, 0.25),
        scattered(60, 1, 30, 0.02),
        scattered(24, 2, 5, 0.05, names=[f"Frankfurt-am-Main-{i}" for i in range(24)]),
        scattered(7, 2, 3, 0.3, names=NASTY),
        scattered(1, 1, 1, 0.0),
    ],
    ids=["figure 3", "copies", "60", "60 on two layers", "60 on 30", "long names", "nasty", "one"],
)
def test_no_node_lies_on_another_and_all_lie_on_the_sheet(publication: Publication) -> None:
    svg = publication_svg(publication)
    root: ET.Element = fromstring(svg)
    width, height = float(root.attrib["width"]), float(root.attrib["height"])
    found = boxes(svg)
    assert len(found) == len(publication.layered.position_of)
    assert width <= 1500
    for x, y, w, h in found:
        assert 0 <= x <= x + w <= width
        assert 0 <= y <= y + h <= height
    for i, (x1, y1, w1, h1) in enumerate(found):
        for x2, y2, w2, h2 in found[:i]:
            apart = abs(x1 + w1 / 2 - x2 - w2 / 2) >= (w1 + w2) / 2 or abs(y1 - y2) >= min(h1, h2)
            assert apart, (found[i], (x2, y2, w2, h2))


def test_copies_and_pieces_are_told_apart() -> None:
    publication = with_copies_and_pieces()
    assert [n.plain for n in labels(publication.layered)] == ["a", "b₀", "b₁", "c′", "c″"]
    svg = publication_svg(publication)
    assert svg.count('stroke-dasharray="4 3"') == 3  # two pieces and the legend
    assert svg.count('class="join') == 1
    assert "copies of one vertex" in svg
    assert "c, piece 2 of 2" in svg
    assert "copies of one vertex" not in publication_svg(figure3())


def test_seeded_publications_say_so() -> None:
    assert "UNSAFE" in publication_svg(scattered(3, 1, 2, 0.5))
    assert "UNSAFE" not in publication_svg(figure3())


def test_a_large_publication_is_still_drawn() -> None:
    publication = scattered(500, 2, 6, 0.02)
    assert len(publication.layered.covers) > 5000
    svg = publication_svg(publication)
    fromstring(svg)
    assert len(svg) < 2_000_000


def test_the_order_has_no_crossing_where_none_is_needed() -> None:
    rows = ordered_rows(figure3().layered)
    place = {item: i for row in rows.rows for i, item in enumerate(row)}
    layer = figure3().layered.layer
    ways = [(layer[w[0]], place[w[0]], place[w[-1]]) for w in rows.ways]
    assert not any(a[0] == b[0] and a[1] < b[1] and a[2] > b[2] for a in ways for b in ways)


@st.composite
def small_graphs(draw: st.DrawFn) -> LayeredGraph:
    size = draw(st.integers(1, 9))
    layer = [draw(st.integers(0, 3)) for _ in range(size)]
    pairs = [(a, b) for a in range(size) for b in range(size) if layer[a] < layer[b]]
    covers = draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    positions = Positions(tuple("abcdefghi"[:size]), (1,) * size)
    return LayeredGraph.build(positions, range(size), layer, covers)


@settings(max_examples=80)
@given(small_graphs())
def test_rows_hold_each_node_once_and_keep_their_distance(graph: LayeredGraph) -> None:
    rows = ordered_rows(graph)
    nodes = [item for row in rows.rows for item in row if item < rows.nodes]
    assert sorted(nodes) == list(range(len(graph.position_of)))
    for depth, row in enumerate(rows.rows):
        assert all(graph.layer[item] == depth for item in row if item < rows.nodes)
    for way in rows.ways:
        depths = rows.row_of()[list(way)].tolist()
        assert depths == list(range(depths[0], depths[-1] + 1))
    x = spread(rows, np.full(rows.items, 2.0), gap=1.0, stagger=[1] * len(rows.rows))
    for row in rows.rows:
        assert all(x[b] - x[a] >= 3 - 1e-9 for a, b in pairwise(row))


# -- text -----------------------------------------------------------------------------------------


def test_dot_of_the_running_example() -> None:
    assert publication_dot(figure3()) == (
        "graph publication {\n"
        "  graph [rankdir=TB, ordering=out];\n"
        '  node [shape=ellipse, fontname="sans-serif"];\n'
        '  n0 [label="a", tooltip="a"];\n'
        '  n1 [label="b", tooltip="b"];\n'
        '  n2 [label="c", tooltip="c"];\n'
        '  n3 [label="d", tooltip="d"];\n'
        '  n4 [label="e", tooltip="e"];\n'
        '  n5 [label="f", tooltip="f"];\n'
        "  { rank=same; n1; n2; }  // layer 0\n"
        "  { rank=same; n0; n3; n4; }  // layer 1\n"
        "  { rank=same; n5; }  // layer 2\n"
        "  n0 -- n5;\n  n1 -- n3;\n  n1 -- n4;\n  n2 -- n0;\n  n2 -- n4;\n  n3 -- n5;\n"
        "}\n"
    )


def test_tikz_of_the_running_example() -> None:
    lines = publication_tikz(figure3()).splitlines()
    assert lines[0] == r"\begin{tikzpicture}["
    assert lines[-1] == r"\end{tikzpicture}"
    assert r"  \node (n1) at (0.65,0.00) {b};" in lines
    assert r"  \node (n5) at (1.30,-3.00) {f};" in lines
    assert r"  \draw (n2) -- (n0);" in lines
    assert sum(line.startswith(r"  \draw") for line in lines) == 6


def test_marks_in_dot_and_tikz() -> None:
    publication = with_copies_and_pieces()
    tikz, dot = publication_tikz(publication), publication_dot(publication)
    assert r"{b$_{1}$}" in tikz
    assert r"\node [piece] (n4)" in tikz
    assert "{c$''$}" in tikz
    assert r"\draw [together] (n3) to" in tikz
    assert "n3 -- n4 [style=dotted" in dot


def test_names_are_escaped() -> None:
    publication = scattered(7, 1, 2, 0.5, names=NASTY)
    dot, tikz = publication_dot(publication), publication_tikz(publication)
    assert r'label="<b>&\""' in dot
    assert r'label="\\{}$%_^~#"' in dot
    assert r"\textbackslash{}\{\}\$\%\_\textasciicircum{}\textasciitilde{}\#" in tikz
    assert "\x00" not in dot + tikz
    assert "\u202e" not in dot + tikz
    svg = publication_svg(publication)
    assert "&lt;b&gt;&amp;" in svg
    assert "Llanfairpwllgwyngyll-7" in svg  # the full name, on demand
    assert "Llanfai…ll-7" in svg


def test_names_are_cut_to_their_width() -> None:
    assert short_name("short") == "short"
    assert text_cells(short_name("東" * 20)) <= 12
    assert short_name("a" * 50 + "7").endswith("aaa7")


FIGURE3_IN_LETTERS = """\
layer 0     b     c
          ┌─┴──┐ ┌┴───┐
layer 1   d     e     a
          └────┐ ┌────┘
layer 2         f"""


def test_the_running_example_in_a_terminal() -> None:
    assert publication_text_picture(figure3(), 80) == FIGURE3_IN_LETTERS


def test_what_does_not_fit_becomes_a_list() -> None:
    picture = publication_text_picture(figure3(), 12)
    assert picture.splitlines() == [
        "layer 0  b c",
        "  b ─ d e",
        "  c ─ a e",
        "layer 1  a d e",
        "  a ─ f",
        "  d ─ f",
        "layer 2  f",
    ]
    wide = publication_text_picture(scattered(60, 2, 4, 0.1), 100)
    assert all(len(line) <= 100 for line in wide.splitlines())


_UP, _DOWN, _LEFT, _RIGHT = "│┴┘└┼┤├", "│┬┐┌┼┤├", "─┴┘┬┐┼┤", "─┴└┬┌┼├"


def _covers_read(picture: str) -> set[tuple[str, str]]:
    """Follow the lines of a picture with one-letter names, knowing only what signs look like."""
    lines = picture.splitlines()
    name_rows = {y for y, line in enumerate(lines) if line.startswith("layer")}
    wide = max(map(len, lines)) + 2
    grid = [(" " * 8 + line[8:]).ljust(wide) for line in lines]
    found: set[tuple[str, str]] = set()

    def arrive(start: str, y: int, x: int) -> None:
        # Onto a name or a bend, right beside it, or onto an arm of it.
        low = high = next(i for i in (x, x - 1, x + 1) if grid[y][i] != " ")
        while grid[y][low - 1] != " ":
            low -= 1
        while grid[y][high + 1] != " ":
            high += 1
        if "│" in grid[y][low : high + 1]:
            follow(start, y + 1, grid[y].index("│", low), "down")
        else:
            (name,) = [sign for sign in grid[y][low : high + 1] if sign.isalpha()]
            found.add((start, name))

    def follow(start: str, y: int, x: int, heading: str) -> None:
        if y in name_rows:
            arrive(start, y, x)
            return
        sign = grid[y][x]
        if heading == "down":
            if sign in _LEFT:
                follow(start, y, x - 1, "left")
            if sign in _RIGHT:
                follow(start, y, x + 1, "right")
            if sign in "│┼┤├":
                follow(start, y + 1, x, "down")
            return
        onwards, step = (_LEFT, -1) if heading == "left" else (_RIGHT, 1)
        if sign != "│" and sign in _DOWN:
            follow(start, y + 1, x, "down")
        if sign in onwards or sign == "│":  # a column of another net interrupts the track
            follow(start, y, x + step, heading)

    for y in name_rows:
        for x, sign in enumerate(grid[y]):
            if sign.isalpha() and y + 1 < len(grid) and grid[y + 1][x] in _UP:
                follow(sign, y + 1, x, "down")
    return found


@settings(max_examples=150)
@given(small_graphs())
def test_a_terminal_picture_shows_exactly_the_covers(graph: LayeredGraph) -> None:
    publication = published(graph)
    picture = publication_text_picture(publication, 300)
    if " ─ " in picture:
        return  # too dense to draw: a list
    drawn = {(upper.vertex, lower.vertex) for upper, lower in publication.covers}
    assert _covers_read(picture) == drawn, picture


# -- networks -------------------------------------------------------------------------------------


@pytest.mark.parametrize("theme", THEMES)
def test_a_network_with_its_walk(theme: Theme) -> None:
    network = Network.parse("ab ae be bc bf ef ed cd cf")
    svg = network_svg(network, Walk("abcdebcf"), theme=theme)
    root: ET.Element = fromstring(svg)
    found = [c.attrib["class"] for c in root.iter(f"{SVG}circle")]
    assert found.count("step") == 7
    assert found.count("start") == found.count("end") == 2  # on the map and in the legend
    assert "secret" in svg
    assert svg == network_svg(network, Walk("abcdebcf"), theme=theme)


def test_a_network_alone_shows_no_walk() -> None:
    svg = network_svg(Network.parse("ab bc"))
    assert "secret" not in svg
    assert 'class="walk"' not in svg


def test_a_closed_walk_has_both_rings_on_one_vertex() -> None:
    svg = network_svg(Network.parse("ab bc ca"), Walk("abca"))
    assert svg.count('class="start"') == svg.count('class="end"') == 2


def test_a_walk_elsewhere_is_refused() -> None:
    with pytest.raises(NotAWalk):
        network_svg(Network.parse("ab bc"), Walk("ac"))


def test_known_positions_are_used_with_y_upwards() -> None:
    network = Network.from_edges(
        [("a", "b"), ("b", "c")], coordinates={"a": (0, 0), "b": (10, 0), "c": (10, 10)}
    )
    points = placed(network)
    assert points.tolist() == [[0, 0], [1, 0], [1, 1]]
    root: ET.Element = fromstring(network_svg(network))
    spots = [(float(c.attrib["cx"]), float(c.attrib["cy"])) for c in root.iter(f"{SVG}circle")]
    assert spots[1][1] > spots[2][1]  # c lies above b
    assert spots[0][0] < spots[1][0]


@pytest.mark.parametrize("size", [2, 3, 6, 50, 160, 900])
def test_computed_places_are_distinct_and_steady(size: int) -> None:
    ring = [(f"{i:04}", f"{(i + 1) % size:04}") for i in range(size if size > 2 else 1)]
    network = Network.from_edges(ring)
    points = placed(network)
    assert points.min() >= -1e-9
    assert points.max() <= 1 + 1e-9
    assert len(np.unique(points.round(6), axis=0)) == size
    assert np.array_equal(points, placed(network))
    fromstring(network_svg(network, Walk(network.edges[0])))
