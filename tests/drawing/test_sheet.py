"""The sheet holds whatever names hold, in light and dark."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest
from defusedxml.ElementTree import fromstring
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from pathveil.drawing.publication_picture import layers_svg, matrix_svg, publication_svg
from pathveil.drawing.sheet import (
    Entry,
    circle,
    drawn_legend,
    labels,
    num,
    printable,
    sheet,
    short_name,
    square,
    stroke,
    text,
    text_width,
    words,
)
from pathveil.errors import DoesNotFit
from pathveil.model.layered import LayeredGraph
from pathveil.model.positions import Positions
from pathveil.model.publication import Publication
from tests.drawing.samples import NASTY, SVG, boxes, figure3, scattered, with_copies_and_pieces


def test_a_sheet_is_a_document_with_words_for_who_cannot_see() -> None:
    made = sheet([words(1, 2, "<a&b>")], width=10, height=20.04, title="T<", about='A"')
    root = fromstring(made)
    assert (root.get("viewBox"), root.get("width"), root.get("role")) == (
        "0 0 10 20",
        "100%",
        "img",
    )
    assert root.findtext(f"{SVG}title") == "T<"
    assert root.findtext(f"{SVG}desc") == 'A"'
    assert root.findtext(f"{SVG}text") == "<a&b>"
    style = root.findtext(f"{SVG}style") or ""
    light, dark = style.split("@media(prefers-color-scheme:dark)")
    assert ("#f3f5f9" in light, "#0f141b" in dark) == (True, True)


@given(st.text())
def test_any_name_can_be_written(name: str) -> None:
    root = fromstring(f'<t a="{text(name)}">{text(name)}</t>')
    assert len(root.text or "") == len(root.get("a") or "") == len(name)


def test_numbers_are_short() -> None:
    assert [num(x) for x in (0, -0.01, 1.25, 10.0, -3.16)] == ["0", "0", "1.2", "10", "-3.2"]
    assert text_width("東", 10) == 2 * text_width("a", 10)


def _texts(parts: list[str]) -> list[tuple[float, float, str]]:
    root = fromstring(f"<g>{''.join(parts)}</g>")
    return [
        (float(t.attrib["x"]), float(t.attrib["y"]), t.text or "")
        for t in root.iter("text")
        if t.attrib["class"] == "muted"
    ]


def test_entries_run_on_and_break_where_the_sheet_ends() -> None:
    entries = [
        Entry(circle("start"), "start"),
        Entry(square("tile"), "a" * 20),
        Entry(stroke("link"), "b" * 20),
    ]
    wide, below = drawn_legend(entries, left=10, top=5, right=2000)
    assert below == 5 + 23
    assert len({y for _, y, _ in _texts(wide)}) == 1
    narrow, below = drawn_legend(entries, left=10, top=5, right=200)
    assert below == 5 + 3 * 23
    assert {x for x, _, _ in _texts(narrow)} == {10 + 38.0}
    for x, _, line in _texts(wide):
        assert x + 0.6 * 12 * len(line) <= 2000


def test_names_are_cut_to_their_width() -> None:
    assert short_name("short") == "short"
    assert cell_len(short_name("東" * 20)) <= 12
    assert short_name("a" * 50 + "7").endswith("aaa7")


def test_copies_bear_an_index_and_pieces_primes() -> None:
    positions = Positions(("a", "b"), (12, 1))
    owner = [*range(12), *[12] * 5]
    graph = LayeredGraph.build(positions, owner, [*[0] * 12, *range(5)], [])
    found = labels(graph)
    assert [label.plain for label in found[9:12]] == ["a₉", "a₁₀", "a₁₁"]
    assert [label.plain for label in found[12:]] == ["b′", "b″", "b‴", "b′⁴", "b′⁵"]
    assert found[3].full == "a, copy 3 of 0 to 11"
    assert found[13].full == "b, piece 2 of 5"
    assert found[11].cells == 3


def test_signs_that_turn_text_round_are_not_shown() -> None:
    assert printable("a\x1b]0;x\u202e\u2028b") == "a\ufffd]0;x\ufffd\ufffdb"
    assert printable("東京 é–ß") == "東京 é–ß"


def test_the_running_example_is_drawn() -> None:
    svg = publication_svg(figure3())
    root: ET.Element = fromstring(svg)
    assert root.attrib["role"] == "img"
    assert (root.findtext(f"{SVG}title") or "").startswith("Published: a walk among 6 vertices")
    assert "Layer 0: b, c. Layer 1: a, d, e. Layer 2: f." in (root.findtext(f"{SVG}desc") or "")
    assert len(boxes(svg)) == 6
    assert svg == publication_svg(figure3())


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
    svg = layers_svg(publication)
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


def test_seeded_publications_say_so() -> None:
    assert "UNSAFE" in publication_svg(scattered(3, 1, 2, 0.5))
    assert "UNSAFE" not in publication_svg(figure3())


def test_a_publication_too_large_to_be_seen_is_refused() -> None:
    publication = scattered(401, 1, 2, 0.0)
    with pytest.raises(DoesNotFit):
        publication_svg(publication)
    fromstring(publication_svg(scattered(400, 1, 2, 0.0)))


def test_layers_are_drawn_while_an_eye_can_follow_their_lines() -> None:
    few, many = scattered(20, 1, 4, 0.2), scattered(60, 2, 4, 0.2)
    assert len(few.layered.arcs) <= 160 < len(many.layered.arcs)
    assert publication_svg(few) == layers_svg(few)
    assert publication_svg(many) == matrix_svg(many)


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
        "link": "an arc; arcs going down form a branch",
        "node": "a vertex",
        "copy": "index: copies of one vertex",
        "piece": "dashed, with primes: pieces that together are one vertex",
        "join": "joins the pieces",
        "colour": "one colour: one vertex",
    }
    root: ET.Element = fromstring(layers_svg(publication))
    words = {t.text for t in root.iter(f"{SVG}text")}
    assert {mark for mark, meaning in meanings.items() if meaning in words} == marks


def test_more_vertices_than_colours_are_said_to_share_them() -> None:
    svg = layers_svg(scattered(9, 2, 2, 0.1))
    assert "one colour: one vertex (8 colours in turn)" in svg
