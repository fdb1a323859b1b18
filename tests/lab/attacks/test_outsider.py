"""The outsider counts walks: many in a sealed release, few where chaff is rare."""

from __future__ import annotations

from itertools import pairwise, permutations
from statistics import median

import numpy as np
import pytest

from pathveil import Network, Policy, Seeded, Walk
from pathveil.attacks.one_file.walk_sums import chaff_graph, count_spanning_paths, path_sums
from pathveil.lab.attacks.known_answers import outsiders, possible_walks
from pathveil.model.bits import PairBits
from tests.attacks.maps import bits_of, random_map


def test_counts_agree_with_enumeration() -> None:
    random = np.random.default_rng(1)
    for number in range(10):
        network, walk = random_map(random, 6, 9)
        bits = bits_of(network, walk, Policy.balanced(), Seeded(number))
        paths = sum(
            not any(bits.same_branch(i, j) for i, j in pairwise(order))
            for order in permutations(range(6))
        )
        assert possible_walks(bits) == paths // 2 > 0


def test_path_sums_weigh_every_set() -> None:
    weights = np.array([[0, 2, 3], [2, 0, 5], [3, 5, 0]], dtype=float)
    assert path_sums(weights).tolist() == [0, 1, 1, 4, 1, 6, 10, 2 * (6 + 10 + 15)]


def test_a_single_vertex_is_a_path_and_many_are_refused() -> None:
    assert count_spanning_paths(np.zeros((1, 1), dtype=bool)) == 1
    with pytest.raises(ValueError, match="too many"):
        count_spanning_paths(np.zeros((19, 19), dtype=bool))


def test_the_chaff_graph_is_the_complement() -> None:
    links = chaff_graph(PairBits.from_pairs(3, [(0, 1)]))
    assert links.tolist() == [[False, False, True], [False, False, True], [True, True, False]]


def test_the_outsider_wins_where_chaff_is_rare() -> None:
    random = np.random.default_rng(2)
    low, high = [], []
    for number in range(60):
        network, walk = random_map(random, 9, 12)
        low.append(bits_of(network, walk, Policy.paper(vertex=None, link=8), Seeded(number)))
        high.append(bits_of(network, walk, Policy.sealed(), Seeded(number)))
    won = outsiders(low, source=Seeded(1))
    assert won.beats_control
    assert won.sound
    assert median(won.counts) < 3
    lost = outsiders(high, source=Seeded(1))
    assert not lost.beats_control
    assert median(lost.counts) > 10_000


def test_a_lone_walk_is_found_for_certain() -> None:
    network = Network.parse("ab bc cd ac bd ad")
    bits = bits_of(network, Walk("abcd"), Policy.balanced(), Seeded(1))
    assert possible_walks(bits) == 1
