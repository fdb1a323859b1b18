"""The outsider counts walks: many in a sealed release, few where chaff is rare."""

from __future__ import annotations

from itertools import pairwise, permutations
from statistics import median

import numpy as np
import pytest

from pathveil import Policy, Seeded
from pathveil.model.bits import PairBits
from tests.attacks.known_answers import possible_walks
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


def test_a_single_vertex_is_a_path_and_many_are_refused() -> None:
    assert possible_walks(PairBits.from_pairs(1, [])) == 1
    with pytest.raises(ValueError, match="too many"):
        possible_walks(PairBits.from_pairs(19, []))


def test_the_outsider_wins_where_chaff_is_rare() -> None:
    random = np.random.default_rng(2)
    low, high = [], []
    for number in range(60):
        network, walk = random_map(random, 9, 12)
        low.append(bits_of(network, walk, Policy.paper(vertex=None, link=8), Seeded(number)))
        high.append(bits_of(network, walk, Policy.sealed(), Seeded(number)))
    assert median(map(possible_walks, low)) < 3
    assert median(map(possible_walks, high)) > 10_000
