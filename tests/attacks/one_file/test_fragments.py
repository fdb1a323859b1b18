"""What known links tell: fragments, loose copies, open pairs."""

from __future__ import annotations

import pytest

from pathveil import Network
from pathveil.attacks.one_file.completions import absent_pairs, known_places, read_fragments
from pathveil.errors import DoesNotFit
from pathveil.model.bits import PairBits
from pathveil.model.positions import Positions

SIX = Positions.uniform(tuple("abcdef"), 1)


def test_fragments_of_a_path_without_two_links() -> None:
    known = Network.parse("ab bc cd de ef").without(("b", "c"), ("e", "f"))
    read = read_fragments(PairBits.from_pairs(6, []), SIX, known)
    assert read.paths == ((0, 1), (2, 3, 4))
    assert read.loose == (5,)
    assert read.base(4, 2) == (2, 4)
    assert read.names((2, 4)) == ("c", "e")
    assert (1, 2) in read.open_pairs


def test_links_off_the_walk_are_read_as_such() -> None:
    known = Network.parse("ab bc cd de ef ac")
    read = read_fragments(PairBits.from_pairs(6, [(0, 2)]), SIX, known)
    assert read.paths == ((0, 1, 2, 3, 4, 5),)


def test_copies_are_lifted() -> None:
    positions = Positions(("a", "b"), (2, 1))
    known = Network.from_links([], vertices="ab", connected=False)
    read = read_fragments(PairBits.from_pairs(3, []), positions, known)
    assert read.lifted((0, 1)) == [(0, 2), (1, 2)]
    assert read.loose == (0, 1, 2)


def test_a_universe_bounds_the_open_pairs() -> None:
    known = Network.parse("ab bc cd")
    assert absent_pairs(known, [("d", "a"), ("a", "b")]) == ((0, 3),)


def test_known_places_are_flat_and_sorted() -> None:
    assert known_places(Positions.uniform(tuple("abc"), 1), Network.parse("bc ab")).tolist() == [
        0,
        2,
    ]


@pytest.mark.parametrize(
    ("text", "fact"), [("ab ac ad ae af", "5 walk links"), ("ab bc ca", "ring")]
)
def test_what_is_no_piece_of_a_path_does_not_fit(text: str, fact: str) -> None:
    known = Network.parse(text)
    positions = Positions.uniform(known.vertices, 1)
    with pytest.raises(DoesNotFit, match=fact):
        read_fragments(PairBits.from_pairs(len(known), []), positions, known)
