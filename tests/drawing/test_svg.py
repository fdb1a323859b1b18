"""SVG pictures: nothing overlaps, everything is on the sheet, marks say what they mean."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest
from defusedxml.ElementTree import fromstring

from pathveil.drawing.matrix import matrix_svg
from pathveil.drawing.pictures import publication_svg
from pathveil.drawing.sheet import Theme, labels
from pathveil.model.publication import Publication
from tests.drawing.samples import (
    NASTY,
    SVG,
    THEMES,
    boxes,
    figure3,
    scattered,
    with_copies_and_pieces,
)


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
    svg = publication_svg(publication, view="layers")
    root: ET.Element = fromstring(svg)
    width, height = (float(part) for part in root.attrib["viewBox"].split()[2:])
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
    assert svg.count('class="join') == 2  # between the pieces, and in the legend
    assert "<tspan" not in svg
    assert "copies of one vertex" in svg
    assert "c, piece 2 of 2" in svg
    assert "copies of one vertex" not in publication_svg(figure3())


def test_seeded_publications_say_so() -> None:
    assert "UNSAFE" in publication_svg(scattered(3, 1, 2, 0.5))
    assert "UNSAFE" not in publication_svg(figure3())


def test_a_large_publication_is_still_drawn() -> None:
    publication = scattered(500, 2, 6, 0.02)
    assert len(publication.layered.arcs) > 5000
    svg = publication_svg(publication, view="layers")
    fromstring(svg)
    assert len(svg) < 2_000_000


def test_layers_are_drawn_while_an_eye_can_follow_their_lines() -> None:
    few, many = scattered(20, 1, 4, 0.2), scattered(60, 2, 4, 0.2)
    assert len(few.layered.arcs) <= 160 < len(many.layered.arcs)
    assert publication_svg(few) == publication_svg(few, view="layers")
    assert publication_svg(many) == publication_svg(many, view="matrix") == matrix_svg(many)
    with pytest.raises(ValueError, match="'tree' is none of auto, layers, matrix"):
        publication_svg(few, view="tree")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("publication", "marks"),
    [
        (figure3(), {"link", "node"}),
        (with_copies_and_pieces(), {"link", "node", "copy", "piece", "join", "colour"}),
        (scattered(2, 2, 1, 0.0), {"piece", "join", "colour"}),
    ],
    ids=["plain", "copies and pieces", "pieces alone"],
)
def test_every_mark_is_in_the_legend_and_no_other(
    publication: Publication, marks: set[str]
) -> None:
    meanings = {
        "link": "a line joins an upper node to a lower one; a chain down is a branch",
        "node": "a vertex in one place",
        "copy": "index: copies of one vertex, different places on the walk",
        "piece": "dashed, primes: pieces that together are one place",
        "join": "from a piece to the next",
        "colour": "one colour: one vertex",
    }
    root: ET.Element = fromstring(publication_svg(publication, view="layers"))
    words = {t.text for t in root.iter(f"{SVG}text")}
    assert {mark for mark, meaning in meanings.items() if meaning in words} == marks


def test_more_vertices_than_colours_are_said_to_share_them() -> None:
    svg = publication_svg(scattered(9, 2, 2, 0.1), view="layers")
    assert "one colour: one vertex (8 colours in turn)" in svg
