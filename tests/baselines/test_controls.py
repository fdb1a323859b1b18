from __future__ import annotations

import numpy as np

from pathveil.baselines.controls import candidate_guess, pair_guess, placebo
from pathveil.baselines.release import Instance
from pathveil.baselines.view import observe
from pathveil.maps import cyclic_walk


def test_guesses(instance: Instance) -> None:
    view = observe(instance, ("c", "d"))
    assert pair_guess(view) == 1 / (15 - 5)
    assert candidate_guess(view) == 1 / 3  # a-d, c-d, c-f; a-f is on the map


def test_a_placebo_shares_the_scene_and_forgets_the_walk(instance: Instance) -> None:
    walks = set()
    for seed in range(200):
        other = placebo(instance, np.random.default_rng(seed))
        assert other.scene is instance.scene
        assert other.walk.is_simple
        assert len(other.walk) == 6
        other.walk.require_in(other.network)
        walks.add(other.walk.vertices)
    assert len(walks) > 150


def test_a_placebo_keeps_the_revisits() -> None:
    network, walk = cyclic_walk(5, 8, np.random.default_rng(0), visits=8)
    instance = Instance.of(network, walk)
    other = placebo(instance, np.random.default_rng(1))
    assert sorted(other.walk.visits.values()) == sorted(walk.visits.values())
