"""What an outsider has: which pairs were shown when, and what walks they could be read as."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, pairwise, product
from math import exp

import networkx as nx
import numpy as np
import pytest

from pathveil.attacks.series.observed_pairs import Sightings, pattern_chances, trace_path
from pathveil.chance.urn import Urn
from pathveil.model.bits import PairBits
from pathveil.model.positions import Positions

ABCD = Positions.uniform(tuple("abcd"), 1)
LINKS = list(combinations(range(5), 2))


def shown_bits(size: int, shown: list[tuple[int, int]]) -> PairBits:
    """Bits in which exactly these pairs are in different branches."""
    return PairBits.from_pairs(size, [p for p in combinations(range(size), 2) if p not in shown])


def test_walks_are_read_layer_by_layer() -> None:
    seen = Sightings.of(ABCD, [shown_bits(4, [(0, 1), (1, 2)]), shown_bits(4, [(0, 1), (2, 3)])])
    every = np.arange(len(seen.pairs))
    assert seen.walks(every) == ((0, 1, 2), None)
    assert seen.walks(seen.numbers_of(np.array([[0, 1]]))) == ((0, 1), (0, 1))


@pytest.mark.parametrize("law", [Fraction(1, 3), Urn(), Urn(Fraction(1, 2), Fraction(3))])
def test_patterns_of_chaff_have_the_chances_of_their_law(law: Urn | Fraction) -> None:
    """By multiplying coin after coin; all patterns together have chance one."""
    releases = 4
    told = [exp(value) for value in pattern_chances(releases, law)]
    total = 0.0
    for pattern in product([True, False], repeat=releases):
        chance, shown = 1.0, 0
        for release, on in enumerate(pattern):
            rate = float(law.rate(shown, release)) if isinstance(law, Urn) else float(law)
            chance *= rate if on else 1 - rate
            shown += on
        assert told[shown] == pytest.approx(chance)
        total += chance
    assert total == pytest.approx(1)


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_a_path_is_found_wherever_there_is_one(count: int) -> None:
    """Against every order of every set of so many links among five nodes."""
    for links in combinations(LINKS, count):
        graph: nx.Graph[int] = nx.Graph(links)
        degrees = [degree for _, degree in graph.degree()]
        is_path = nx.is_connected(graph) and nx.is_tree(graph) and max(degrees) <= 2
        path = trace_path(links)
        assert (path is not None) == is_path
        if path is not None:
            assert sorted(tuple(sorted(step)) for step in pairwise(path)) == sorted(links)
