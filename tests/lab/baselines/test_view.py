from __future__ import annotations

from collections import Counter
from itertools import pairwise, permutations, product

import numpy as np
import pytest

from pathveil.errors import BadNetwork
from pathveil.lab.baselines.baseline_release import Instance
from pathveil.lab.baselines.view import View, observe, sorted_pair
from pathveil.lab.maps import cyclic_walk, random_map
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
        known = {sorted_pair(*p) for p in view.used}
        found: dict[tuple[int, int], set[tuple[int, ...]]] = {}
        for order in permutations(range(6)):
            steps = {sorted_pair(u, v) for u, v in pairwise(order)}
            if known < steps and (pair := next(iter(steps - known))) in view.absent:
                found.setdefault(pair, set()).add(order)
        assert set(view.candidates) == set(found)
        assert truth in view.candidates
        for pair, rows in view.completions.items():
            assert {tuple(row) for row in rows.tolist()} == found[pair]


@pytest.mark.parametrize("seed", range(4))
def test_candidates_of_a_walk_with_repeats_equal_enumeration(seed: int) -> None:
    network, walk = cyclic_walk(4, 5, np.random.default_rng(seed), visits=6)
    for place in range(len(walk.links)):
        view, truth = view_of(network, walk, place)
        found: dict[tuple[int, int], set[tuple[int, ...]]] = {}
        for order in product(range(4), repeat=6):
            if set(order) != set(view.visited) or any(u == v for u, v in pairwise(order)):
                continue
            steps = Counter(sorted_pair(u, v) for u, v in pairwise(order))
            rest = set(steps) - set(view.used)
            if len(rest) == 1 and all(steps[p] == t for p, t in view.used.items()):
                found.setdefault(rest.pop(), set()).add(order)
        found = {pair: rows for pair, rows in found.items() if pair in view.absent}
        assert set(view.candidates) == set(found)
        assert truth in view.candidates
        for pair, rows in view.completions.items():
            assert {tuple(row) for row in rows.tolist()} == found[pair]


def test_unknown_multiplicities_leave_all_absent_pairs() -> None:
    network, walk = cyclic_walk(5, 7, np.random.default_rng(0), visits=8)
    missing = min(walk.links)
    instance = Instance.of(network, walk, known=network.without(missing))
    view = observe(instance, missing, counted=False)
    assert view.candidates == view.absent
    assert len(view.absent) == 10 - 6
    assert view.completions == {}


def test_a_walk_need_not_visit_every_vertex() -> None:
    places = {v: (float(i), 0.0) for i, v in enumerate("abcde")}
    network = Network.parse("ab bc cd de")
    network = Network(network.vertices, network.pairs, places)
    view, truth = view_of(network, Walk("abcd"), 1)
    assert view.visited == {0, 1, 2, 3}
    assert truth in view.candidates
    assert all(4 not in pair for pair in view.candidates)


def test_many_traversals_are_listed_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pathveil.lab.baselines.view.TRAILS", 5)
    network, walk = cyclic_walk(5, 10, np.random.default_rng(0), visits=12)
    view, _ = view_of(network, walk, 0)
    assert {len(rows) for rows in view.completions.values()} == {5}


def test_a_view_is_made_of_what_is_public(instance: Instance) -> None:
    assert repr(observe(instance, ("c", "d"))) == "<View: 6 vertices, 3 candidates>"
    with pytest.raises(BadNetwork, match="public edges"):
        observe(instance, ("a", "b"))
    with pytest.raises(BadNetwork, match="no edge of the walk"):
        observe(instance, ("a", "f"))
    with pytest.raises(BadNetwork, match="public edges"):
        observe(Instance.of(instance.network, instance.walk), ("c", "d"))
