from __future__ import annotations

from itertools import pairwise, permutations

import numpy as np
import pytest

from pathveil.errors import BadNetwork
from pathveil.lab.baselines.baseline_release import Instance
from pathveil.lab.baselines.view import View, observe, sorted_pair
from pathveil.lab.maps import random_map
from pathveil.model.network import Network
from pathveil.model.walk import Walk


def view_of(network: Network, walk: Walk, place: int) -> tuple[View, tuple[int, int]]:
    missing = sorted(walk.links)[place]
    instance = Instance.of(network, walk, known=network.without(missing))
    pair = sorted_pair(network.index(missing[0]), network.index(missing[1]))
    return observe(instance, missing), pair


@pytest.mark.parametrize("seed", range(8))
def test_candidates_of_a_path_equal_enumeration(seed: int) -> None:
    """All paths through six vertices that use the known path edges and one absent pair."""
    network, walk = random_map(6, 8, np.random.default_rng(seed))
    for place in range(5):
        view, truth = view_of(network, walk, place)
        known = {sorted_pair(*p) for piece in view.pieces for p in pairwise(piece)}
        found: dict[tuple[int, int], set[tuple[int, ...]]] = {}
        for order in permutations(range(6)):
            steps = {sorted_pair(u, v) for u, v in pairwise(order)}
            if known < steps and (pair := next(iter(steps - known))) in view.absent:
                found.setdefault(pair, set()).add(order)
        assert set(view.candidates) == set(found)
        assert truth in view.candidates
        for pair, rows in view.completions.items():
            assert {tuple(row) for row in rows.tolist()} == found[pair]


def test_a_view_is_made_of_what_is_public(instance: Instance) -> None:
    assert repr(observe(instance, ("c", "d"))) == "<View: 6 vertices, 3 candidates>"
    with pytest.raises(BadNetwork, match="public links"):
        observe(instance, ("a", "b"))
    with pytest.raises(BadNetwork, match="not a link of the walk"):
        observe(instance, ("a", "f"))
    with pytest.raises(BadNetwork, match="public links"):
        observe(Instance.of(instance.network, instance.walk), ("c", "d"))


def test_only_paths_through_all_vertices_are_played(instance: Instance) -> None:
    known = instance.network.without(("a", "b"))
    with pytest.raises(BadNetwork, match="path through all vertices"):
        observe(Instance.of(instance.network, Walk("abcde"), known=known), ("a", "b"))
