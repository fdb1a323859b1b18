"""Ways to join fragments: as many as theory says, each a walk."""

from __future__ import annotations

import itertools
from math import factorial

import numpy as np
import pytest

from pathveil import Network, Seeded
from pathveil.adversary.fragments import Fragments, read_fragments
from pathveil.adversary.rates import generator
from pathveil.adversary.worlds import TooManyWorlds, WorldSampler, enumerate_worlds
from pathveil.model.bits import PairBits
from pathveil.model.positions import Positions

NAMES = "abcdefgh"


def cut_path(*missing: str) -> Fragments:
    whole = Network.from_edges(itertools.pairwise(NAMES))
    known = whole.without(*((word[0], word[1]) for word in missing))
    return read_fragments(PairBits.from_pairs(8, []), Positions.uniform(tuple(NAMES), 1), known)


@pytest.mark.parametrize(("missing", "count"), [(("de",), 4), (("bc", "ef"), 24), (("ab",), 2)])
def test_spanning_worlds_are_counted(missing: tuple[str, ...], count: int) -> None:
    """f fragments have f! 2^(f-1) orders and orientations; a loose vertex has one orientation."""
    worlds = enumerate_worlds(cut_path(*missing), len(missing), spanning=True)
    assert len(worlds) == count
    for world in worlds:
        assert sorted(world.visits) == list(range(8))
        assert len(world.joins) == len(world.edges) == len(missing)


def test_worlds_need_not_span() -> None:
    """One end edge misses: it joins a to b or h, or is off the walk, wherever."""
    worlds = enumerate_worlds(cut_path("ab"), 1, spanning=False)
    assert sorted(world.edges for world in worlds) == [(), ((0, 1),), ((0, 7),)]


def test_too_few_missing_edges_leave_no_world() -> None:
    assert enumerate_worlds(cut_path("bc", "ef"), 1, spanning=False) == []


def test_the_search_has_a_limit() -> None:
    with pytest.raises(TooManyWorlds):
        enumerate_worlds(cut_path("bc", "ef"), 2, spanning=True, limit=10)


def test_the_sampler_knows_the_shares() -> None:
    read = cut_path("bc", "ef")
    assert WorldSampler(read, 2, spanning=True).shares() == {0: factorial(3) * 4}
    loose = cut_path("ab")
    assert WorldSampler(loose, 1, spanning=False).shares() == {0: 1, 1: 2}
    assert WorldSampler(read, 1, spanning=True).shares() == {}


def test_samples_are_uniform_over_the_worlds() -> None:
    read = cut_path("bc", "ef")
    sampler = WorldSampler(read, 2, spanning=True)
    random = generator(Seeded(1))
    drawn = [sampler.draw(random, 0) for _ in range(2400)]
    joins = [world.joins for world in drawn if world is not None]
    wanted = {world.joins for world in enumerate_worlds(read, 2, spanning=True)}
    counts = np.array([joins.count(each) for each in wanted])
    assert set(joins) == wanted
    assert counts.min() > 50


def test_a_known_edge_is_no_join() -> None:
    known = Network.parse("ab cd ac ad bc bd").without(("b", "c"))
    bits = PairBits.from_pairs(4, [(0, 2), (0, 3), (1, 3)])
    read = read_fragments(bits, Positions.uniform(tuple("abcd"), 1), known)
    sampler = WorldSampler(read, 1, spanning=True)
    random = generator(Seeded(1))
    worlds = [sampler.draw(random, 0) for _ in range(40)]
    assert None in worlds
    assert {world.edges for world in worlds if world} == {((1, 2),)}
