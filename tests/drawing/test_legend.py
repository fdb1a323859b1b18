"""A legend: each mark beside its meaning, on as many lines as it needs."""

from __future__ import annotations

from defusedxml.ElementTree import fromstring

from pathveil.drawing.sheet import Entry, arrow, circle, drawn_legend, pill, square, stroke


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
    for x, _, words in _texts(wide):
        assert x + 0.6 * 12 * len(words) <= 2000


def test_each_kind_of_mark_bears_its_class_and_its_letters() -> None:
    for mark, style in (
        (circle("node visited", inside="<"), "node visited"),
        (pill("node h0", inside="v", dashed=True), "node h0"),
        (square("lit"), "lit"),
        (stroke("faint", upright=True), "faint"),
        (arrow("walk", "tip"), "walk"),
    ):
        root = fromstring(f"<g>{mark(20, 30)}</g>")
        assert root[0].attrib["class"] == style
    assert drawn_legend([], left=0, top=7, right=9) == ([], 30.0)
