"""Weighing worlds: sums over links off the walk, against all sets listed."""

from __future__ import annotations

from itertools import combinations
from math import prod

import networkx as nx
import numpy as np
import pytest

from pathveil.attacks.one_file.likelihood import Parts, _without_each, connecting_sum, likeliest_set


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


@pytest.mark.parametrize(
    "weights",
    [[1.0, 2.0, 3.0, 4.0, 5.0], [1e12, 1.0, 1e-12, 2.0, 3.0], [1e15, 1e15, 1.0, 1.0, 1.0]],
    ids=["plain", "far apart", "two that drown the others"],
)
@pytest.mark.parametrize("order", [1, 2, 3, 4])
def test_sums_without_one_pair_lose_no_digits(weights: list[float], order: int) -> None:
    """Taken from the sum of all by subtraction they would, where one weight drowns the others."""
    odds = {(0, place): weight for place, weight in enumerate(weights, start=1)}
    found = _without_each(odds, order)
    for pair in odds:
        others = [weight for other, weight in odds.items() if other != pair]
        exact = sum(map(prod, combinations(others, order - 1)))
        assert found[pair] == pytest.approx(exact, rel=1e-12)
