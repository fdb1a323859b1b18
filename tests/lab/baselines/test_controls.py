from __future__ import annotations

from collections.abc import Hashable
from itertools import pairwise

import numpy as np
import pytest

from pathveil.lab.baselines.baseline_release import Instance
from pathveil.lab.baselines.controls import (
    CONTROLS,
    candidate_guess,
    learn_length_weights,
    length_logits,
    likely_length,
    longest,
    pair_guess,
    placebo,
    shortest,
    straightest,
)
from pathveil.lab.baselines.figure1 import completion, endpoints, likelihood, plausible
from pathveil.lab.baselines.location_sets import LocationSets
from pathveil.lab.baselines.sdd import SDD
from pathveil.lab.baselines.view import View, observe, sorted_pair
from pathveil.lab.comparison.games import Settings, make_trial
from pathveil.model.network import Network
from pathveil.model.walk import Walk


def street(missing: tuple[str, str] = ("b", "c")) -> View:
    """Four places in a row and a detour: a-b missing b-c c-d, so a-c, a-d, b-c, b-d may join."""
    places: dict[Hashable, tuple[float, float]] = {
        "a": (0, 0),
        "b": (1, 0),
        "c": (2, 0.1),
        "d": (3, 0),
    }
    network = Network.from_links([("a", "b"), ("b", "c"), ("c", "d")], coordinates=places)
    instance = Instance.of(network, Walk("abcd"), known=network.without(missing))
    return observe(instance, missing)


def test_guesses(instance: Instance) -> None:
    view = observe(instance, ("c", "d"))
    assert pair_guess(view) == 1 / (15 - 5)
    assert candidate_guess(view) == 1 / 3  # a-d, c-d, c-f; a-f is on the map


def test_controls_answer_by_what_their_names_say() -> None:
    view = street()
    assert view.candidates == ((0, 2), (0, 3), (1, 2), (1, 3))
    assert shortest(view) == ((1, 2),)
    assert longest(view) == ((0, 3),)
    assert straightest(view) == ((1, 2),)
    # b-d runs below c and crosses no edge; nothing crosses here, so all are alike
    assert set(CONTROLS) >= {"any candidate", "shortest", "straightest", "likely length"}


def test_controls_see_no_truth() -> None:
    """Where all candidates are alike no control beats G1: 5 standard errors, 1e-6."""
    settings = Settings(seed=11).studied(100)
    trials = [make_trial(number, settings) for number in range(400)]
    guess = np.array([candidate_guess(t.view) for t in trials])
    for name, answer in CONTROLS.items():
        earned = np.array([(t.truth in answer(t.view)) / len(answer(t.view)) for t in trials])
        assert (earned - guess).mean() < 5 * 0.5 / np.sqrt(400), name


def test_lengths_are_learned_where_they_tell_and_only_there() -> None:
    settings = Settings(seed=2)
    lessons = [(t.view, t.truth) for t in (make_trial(i, settings) for i in range(150))]
    nothing = learn_length_weights(lessons)
    assert np.abs(nothing).max() < 1.5
    told = [(view, shortest(view)[0]) for view, _ in lessons]
    weights = learn_length_weights(told)
    view = street()
    studied = View(view.scene, view.pieces, length_weights=weights)
    assert likely_length(studied) == ((1, 2),)
    assert length_logits(view).tolist() == [0.0] * 4  # who has studied nothing
    assert learn_length_weights([]) == (0.0, 0.0)


def test_a_placebo_fits_the_view_and_tells_of_a_uniform_candidate(instance: Instance) -> None:
    view = observe(instance, ("c", "d"))
    seen: dict[tuple[int, int], int] = {}
    for seed in range(600):
        other = placebo(instance, view, np.random.default_rng(seed))
        assert other.scene is instance.scene
        other.walk.require_in(other.network)
        index = other.network.index
        steps = {sorted_pair(index(u), index(v)) for u, v in other.walk.steps}
        (edge,) = steps - {sorted_pair(*p) for piece in view.pieces for p in pairwise(piece)}
        seen[edge] = seen.get(edge, 0) + 1
    assert set(seen) == set(view.candidates)
    # chi-square with two degrees of freedom above 27.6 has probability 1e-6
    assert sum((n - 200) ** 2 / 200 for n in seen.values()) < 27.6


@pytest.mark.parametrize("mechanism", [SDD(1.0), LocationSets(5.0)])
def test_no_attack_abstains_on_a_placebo(mechanism: SDD | LocationSets) -> None:
    """An attack that abstains there shows nothing: one that reads the truth would go unseen."""
    for number in range(25):
        trial = make_trial(number, Settings(seed=8))
        blank = mechanism.publish(trial.placebo, np.random.default_rng(number))
        for attack in (completion, likelihood, plausible):
            assert attack(trial.view, blank, mechanism)
        if isinstance(mechanism, SDD):
            assert endpoints(trial.view, blank, mechanism)
