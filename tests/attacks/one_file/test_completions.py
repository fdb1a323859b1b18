"""What known links show, and the worlds that join them."""

from __future__ import annotations

import itertools

import pytest

from pathveil import Network
from pathveil.attacks.one_file.completions import Completions, Fragments, read_fragments
from pathveil.errors import DoesNotFit
from pathveil.model.bits import PairBits
from pathveil.model.positions import Positions


@pytest.mark.parametrize(
    ("text", "fact"), [("ab ac ad ae af", "5 walk links"), ("ab bc ca", "ring")]
)
def test_what_is_no_piece_of_a_path_does_not_fit(text: str, fact: str) -> None:
    known = Network.parse(text)
    positions = Positions.uniform(known.vertices, 1)
    with pytest.raises(DoesNotFit, match=fact):
        read_fragments(PairBits.from_pairs(len(known), []), positions, known)


NAMES = "abcdefgh"


def cut_path(*missing: str) -> Fragments:
    whole = Network.from_links(itertools.pairwise(NAMES))
    known = whole.without(*((word[0], word[1]) for word in missing))
    return read_fragments(PairBits.from_pairs(8, []), Positions.uniform(tuple(NAMES), 1), known)


@pytest.mark.parametrize(("missing", "count"), [(("de",), 4), (("bc", "ef"), 24), (("ab",), 2)])
def test_spanning_worlds_are_counted(missing: tuple[str, ...], count: int) -> None:
    """f fragments have f! 2^(f-1) orders and orientations; a loose vertex has one orientation."""
    worlds = Completions(cut_path(*missing), len(missing), spanning=True).listed(9999)
    assert worlds is not None
    assert len(worlds) == count
    for world in worlds:
        assert sorted(world.visits) == list(range(8))
        assert len(world.joins) == len(world.links) == len(missing)


def test_the_search_has_a_limit() -> None:
    assert Completions(cut_path("bc", "ef"), 2, spanning=True).listed(10) is None
