"""How nodes are called."""

from __future__ import annotations

from pathveil.drawing.sheet import labels, printable, short_name, summary, text_cells
from pathveil.model.layered import LayeredGraph
from pathveil.model.positions import Positions


def test_names_are_cut_to_their_width() -> None:
    assert short_name("short") == "short"
    assert text_cells(short_name("東" * 20)) <= 12
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


def test_a_summary_leaves_out_what_is_empty() -> None:
    assert summary(["a", "", "b"]) == "a · b"
