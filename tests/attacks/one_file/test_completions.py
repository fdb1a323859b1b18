"""What known links show, and the worlds that join them."""

from __future__ import annotations

import itertools
from collections import defaultdict

import numpy as np
import pytest

from pathveil import Network, Seeded
from pathveil.attacks.one_file.completions import (
    Completions,
    Fragments,
    Pair,
    absent_pairs,
    known_places,
    read_fragments,
)
from pathveil.attacks.success_rates import generator
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


def test_worlds_need_not_span() -> None:
    """One end link misses: it joins a to b or h, or is off the walk, wherever."""
    worlds = Completions(cut_path("ab"), 1, spanning=False).listed(9999) or []
    assert sorted(world.links for world in worlds) == [(), ((0, 1),), ((0, 7),)]


def test_too_few_missing_links_leave_no_world() -> None:
    assert Completions(cut_path("bc", "ef"), 1, spanning=False).listed(9999) == []


def test_the_search_has_a_limit() -> None:
    assert Completions(cut_path("bc", "ef"), 2, spanning=True).listed(10) is None


def test_samples_are_fair_over_the_worlds() -> None:
    """Each world gets the same sum of factors, whatever the chance to be drawn."""
    read = cut_path("bc", "ef")
    sampler = Completions(read, 2, spanning=True)
    random = generator(Seeded(1))
    sums: defaultdict[frozenset[Pair], float] = defaultdict(float)
    for _ in range(4800):
        drawn = sampler.draw(random)
        assert drawn is not None
        sums[drawn[0].joins] += drawn[1]
    wanted = {world.joins for world in sampler.listed(9999) or ()}
    assert sums.keys() == wanted
    shares = np.array(list(sums.values())) / 4800
    assert shares == pytest.approx(np.full(len(wanted), 2.0), abs=0.9)  # two directions of each


def test_samples_without_a_fragment_or_with_loose_ends() -> None:
    loose = cut_path("ab")
    random = generator(Seeded(1))
    drawn = [Completions(loose, 1, spanning=False).draw(random) for _ in range(200)]
    found = {one[0].links for one in drawn if one is not None}
    assert found == {(), ((0, 1),), ((0, 7),)}
    none = [Completions(cut_path("bc", "ef"), 1, spanning=True).draw(random) for _ in range(50)]
    assert set(none) == {None}


def test_a_known_link_is_no_join() -> None:
    known = Network.parse("ab cd ac ad bc bd").without(("b", "c"))
    bits = PairBits.from_pairs(4, [(0, 2), (0, 3), (1, 3)])
    read = read_fragments(bits, Positions.uniform(tuple("abcd"), 1), known)
    sampler = Completions(read, 1, spanning=True)
    random = generator(Seeded(1))
    worlds = [sampler.draw(random) for _ in range(40)]
    assert None in worlds
    assert {world[0].links for world in worlds if world} == {((1, 2),)}


def test_only_joins_shown_apart_are_drawn() -> None:
    read = cut_path("de")
    apart_only = PairBits.from_pairs(8, [(0, 4), (0, 7), (3, 7)])
    random = generator(Seeded(1))
    sampler = Completions(read, 1, spanning=True)
    drawn = [sampler.draw(random, apart_only) for _ in range(60)]
    assert {one[0].links for one in drawn if one is not None} == {((3, 4),)}
