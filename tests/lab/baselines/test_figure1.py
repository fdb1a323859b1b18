from __future__ import annotations

from collections.abc import Hashable

import numpy as np
import pytest

from pathveil.lab.baselines.baseline_release import Instance, Release
from pathveil.lab.baselines.dpt import DPT
from pathveil.lab.baselines.figure1 import (
    closeness,
    completion,
    endpoints,
    interior,
    joins,
    likelihood,
    nearest,
)
from pathveil.lab.baselines.location_sets import LocationSets
from pathveil.lab.baselines.sdd import SDD
from pathveil.lab.baselines.view import View, observe
from pathveil.lab.comparison.games import Settings, make_trial
from pathveil.model.network import Network
from pathveil.model.walk import Walk


def released(points: object, **more: object) -> Release:
    places = np.asarray(points, dtype=np.float64)
    return Release(places, None, **more)  # type: ignore[arg-type]


@pytest.fixture
def golden() -> tuple[View, Release]:
    """The paper's Figure 1: ab and cd are known, the release links b's and c's neighbourhoods."""
    places: dict[Hashable, tuple[float, float]] = {
        "a": (-5, 0),
        "b": (-2, 1),
        "c": (1, -1),
        "d": (1, 2),
    }
    network = Network.from_links([("a", "b"), ("b", "c"), ("c", "d")], coordinates=places)
    instance = Instance.of(network, Walk("abcd"), known=network.without(("b", "c")))
    return observe(instance, ("b", "c")), released([[-4, 1], [-2, 0], [0, 0], [2, 2]])


def test_the_figure(golden: tuple[View, Release]) -> None:
    view, release = golden
    assert view.scene.nearest(release.points).tolist() == [0, 1, 2, 3]
    gaps = np.hypot(*(release.points - view.scene.positions).T)
    assert gaps.round(2).tolist() == [1.41, 1.0, 1.41, 1.0]
    assert nearest(view, release) == ((1, 2),)
    assert closeness(view, release) == ((1, 2),)
    assert completion(view, release) == ((1, 2),)
    assert len(view.candidates) == 4


def test_the_figure_needs_no_alignment_for_closeness(golden: tuple[View, Release]) -> None:
    view, release = golden
    longer = released(np.repeat(release.points, 2, axis=0), aligned=False)
    assert completion(view, longer) is None
    assert closeness(view, longer) == ((1, 2),)
    apart = released(release.points, aligned=False, starts=(0, 2))
    assert nearest(view, apart) == ()


def test_a_release_of_the_true_points_gives_the_edge_away() -> None:
    for number in range(30):
        trial = make_trial(number, Settings(seed=6))
        release = released(trial.instance.points)
        for attack in (nearest, joins, closeness, completion, interior):
            assert attack(trial.view, release) == (trial.truth,)


@pytest.mark.parametrize("mechanism", [SDD(0.01), SDD(1.0)])
def test_exact_ends_give_the_edge_away_at_every_budget(mechanism: SDD) -> None:
    for number in range(30):
        trial = make_trial(number, Settings(seed=7))
        release = mechanism.publish(trial.instance, np.random.default_rng(number))
        assert endpoints(trial.view, release) == (trial.truth,)
        assert likelihood(trial.view, release, mechanism) == (trial.truth,)


def test_attacks_that_do_not_apply_say_so(instance: Instance) -> None:
    view = observe(instance, ("c", "d"))
    synthetic = DPT(1.0).publish(instance, np.random.default_rng(0))
    assert completion(view, synthetic) is None
    assert likelihood(view, synthetic, DPT(1.0)) is None
    noisy = LocationSets(1.0).publish(instance, np.random.default_rng(0))
    assert endpoints(view, noisy) is None
    assert likelihood(view, released(np.zeros((3, 2))), LocationSets(1.0)) is None


def test_an_impossible_release_makes_the_posterior_abstain(instance: Instance) -> None:
    view = observe(instance, ("c", "d"))
    strange = released(instance.points + 0.5)
    assert likelihood(view, strange, SDD(1.0)) == ()


def test_exactly_published_points_are_left_out_on_request(instance: Instance) -> None:
    view = observe(instance, ("c", "d"))
    every = Release(instance.points, None, tuple(range(6)))
    assert interior(view, every) == view.candidates
    assert completion(view, every) == ((2, 3),)


def test_the_literal_attack_among_the_joins(golden: tuple[View, Release]) -> None:
    """What the figure finds among the joins; if it finds none there, any of them."""
    view, release = golden
    assert joins(view, release) == ((1, 2),)
    far = released([[-5, 0], [-5, 0.1]])
    assert nearest(view, far) == ()
    assert joins(view, far) == view.candidates
