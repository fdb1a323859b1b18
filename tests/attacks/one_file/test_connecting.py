"""Sets of missing links that hold a network together, against all of them listed."""

from __future__ import annotations

from itertools import combinations
from math import prod

import networkx as nx
import numpy as np
import pytest

from pathveil import Network
from pathveil.attacks.one_file.connectivity_sums import (
    Parts,
    connecting_sum,
    likeliest_set,
    merge,
    partitions,
    parts_of,
)

BELL = [1, 1, 2, 5, 15, 52]


def weights_of_all(odds: dict[tuple[int, int], float], parts: Parts, order: int) -> list[float]:
    """The product of the odds of every set of so many pairs that leaves one piece."""
    found = []
    for chosen in combinations(odds, order):
        graph: nx.Graph[int] = nx.Graph((parts[u], parts[v]) for u, v in chosen)
        graph.add_nodes_from(parts)
        if nx.is_connected(graph):
            found.append(prod(odds[pair] for pair in chosen))
    return found


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("parts", [(0, 0, 1, 1, 0), (0, 1, 2, 2, 0), (0, 1, 2, 3, 3), (0,) * 5])
def test_sums_and_the_likeliest_are_those_of_all_sets(parts: Parts, seed: int) -> None:
    random = np.random.default_rng(seed)
    pairs = [pair for pair in combinations(range(5), 2) if random.random() < 0.8]
    odds = {pair: float(random.integers(1, 9)) for pair in pairs}
    for order in range(5):
        found = weights_of_all(odds, parts, order)
        assert connecting_sum(odds, parts, order) == pytest.approx(sum(found))
        assert likeliest_set(odds, parts, order) == pytest.approx(max(found, default=0.0))


def test_partitions_are_all_and_each_once() -> None:
    for count, expected in enumerate(BELL):
        found = partitions(count)
        sets = {frozenset(map(frozenset, sorted(parts))) for parts in found}
        assert len(found) == len(sets) == expected
        assert all(sorted(sum(parts, ())) == list(range(count)) for parts in found)


def test_pieces_are_numbered_as_they_appear_and_joined_by_links() -> None:
    pieces = parts_of(Network.parse("ab bc cd de").without(("a", "b"), ("c", "d")))
    assert pieces == (0, 1, 1, 2, 2)
    assert merge(pieces, [(0, 4)]) == (0, 1, 1, 0, 0)
    assert merge(pieces, [(1, 2)]) == pieces
    assert merge(pieces, [(0, 1), (2, 3)]) == (0,) * 5
