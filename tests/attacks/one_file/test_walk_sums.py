from __future__ import annotations

from itertools import pairwise, permutations
from math import prod

import numpy as np
import pytest

from pathveil.attacks.one_file.walk_sums import chaff_graph, count_spanning_paths, path_sums
from pathveil.model.bits import PairBits


def test_sums_over_paths_one_by_one() -> None:
    random = np.random.default_rng(2)
    weights = random.random((5, 5))
    weights += weights.T
    sums = path_sums(weights)
    for mask in range(1, 32):
        inside = [i for i in range(5) if mask >> i & 1]
        wanted = sum(prod(weights[s] for s in pairwise(order)) for order in permutations(inside))
        assert sums[mask] == pytest.approx(wanted)
    assert sums[0] == 0


def test_spanning_paths_one_by_one() -> None:
    random = np.random.default_rng(3)
    for size in range(2, 7):
        links = random.random((size, size)) < 0.6
        links = links | links.T
        np.fill_diagonal(links, val=False)
        wanted = sum(
            order[0] < order[-1] and all(links[step] for step in pairwise(order))
            for order in permutations(range(size))
        )
        assert count_spanning_paths(links) == wanted
    assert count_spanning_paths(np.zeros((1, 1), dtype=bool)) == 1


def test_too_many_positions_are_refused() -> None:
    with pytest.raises(ValueError, match="at most"):
        count_spanning_paths(np.zeros((40, 40), dtype=bool))


def test_the_walk_hides_among_pairs_in_different_branches() -> None:
    graph = chaff_graph(PairBits.from_pairs(3, [(0, 2)]))
    assert graph.tolist() == [[False, True, False], [True, False, True], [False, True, False]]
