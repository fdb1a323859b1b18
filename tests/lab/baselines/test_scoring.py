from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pathveil.chance.intervals import Interval, wilson
from pathveil.lab.baselines.scoring import (
    CERTAIN,
    FEWEST_TRIALS,
    G1,
    baseline_control,
    certainty_trials,
    paired_difference,
    shared_level,
    word_verdict,
)


def test_one_trial_tells_nothing() -> None:
    """It once said "leaks", with an interval of no width."""
    gap = paired_difference(np.ones(1), np.array([0.25]))
    assert (gap.low, gap.high) == (-1, 1)
    same = paired_difference(np.ones(5), np.full(5, 0.25))
    assert same.low < 0 < same.high


@settings(deadline=None, max_examples=50)
@given(st.integers(1, 60), st.integers(0, 10**6))
def test_the_interval_holds_the_mean_and_turns_with_its_sign(trials: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    first, second = rng.random(trials), rng.random(trials)
    one, two = paired_difference(first, second), paired_difference(second, first)
    assert -1 <= one.low <= one.value <= one.high <= 1
    assert one.low == pytest.approx(-two.high, abs=1e-6)


@pytest.mark.parametrize("trials", [1, 2, 5, 100])
def test_null_attacks_are_seldom_called_a_leak(trials: int) -> None:
    """Five guesses at a time, 150 times: wrong at most in 5 %, for any number of trials.

    By Hoeffding a share above .05 + .215 has probability below 1e-6 if the level is kept. The
    broken twin, twice the standard error, is wrong far more often at one and two trials.
    """
    rng = np.random.default_rng(trials)
    level, alarms, twin = shared_level(5), 0, 0
    for _ in range(150):
        guess = rng.choice([0.25, 1 / 3, 0.5], size=trials)
        gaps = [(rng.random(trials) < guess).astype(float) for _ in range(5)]
        alarms += any(paired_difference(g, guess, confidence=level).low > 0 for g in gaps)
        twin += any((g - guess).mean() > 2 * (g - guess).std() / np.sqrt(trials) for g in gaps)
    assert alarms / 150 <= 0.265
    if trials <= 2:
        assert twin / 150 > 0.3


def test_the_baseline_is_the_best_control_shown_to_beat_the_guess() -> None:
    rng = np.random.default_rng(0)
    guess = np.full(300, 0.3)
    lucky = (rng.random(300) < 0.33).astype(float)
    good, better = (rng.random(300) < 0.6).astype(float), (rng.random(300) < 0.95).astype(float)
    assert baseline_control({G1: guess, "lucky": lucky}) == G1
    assert baseline_control({G1: guess, "good": good, "better": better}) == "better"
    assert baseline_control({G1: guess}) == G1
    few = {G1: guess[:5], "better": np.ones(5)}
    assert baseline_control(few) == G1


def test_certainty_can_be_reached_and_needs_its_trials() -> None:
    needed = certainty_trials(8)
    assert FEWEST_TRIALS < needed <= 1000
    assert wilson(1.0, needed, confidence=shared_level(8))[0] > CERTAIN
    assert wilson(1.0, needed - 1, confidence=shared_level(8))[0] <= CERTAIN


@pytest.mark.parametrize(
    ("trials", "low", "success_low", "placebo_low", "said"),
    [
        (1, 0.5, 1.0, 0.0, "too few trials: 1 of 100"),
        (99, 0.5, 1.0, 0.0, "too few trials: 99 of 100"),
        (1000, 0.1, 0.5, 0.5, "attack unsound: it finds the edge in a placebo"),
        (1000, 0.0, 0.5, 0.3, "no leak shown"),
        (1000, 0.1, 0.99, 0.3, "leaks"),
        (1000, 0.1, 0.995, 0.3, "definitely"),
        (1000, -0.1, 0.995, 0.3, "no leak shown"),  # certain, but so it is without a release
    ],
)
def test_verdicts(
    trials: int, low: float, success_low: float, placebo_low: float, said: str
) -> None:
    found = word_verdict(
        Interval(0.2, low, 0.6),
        trials=trials,
        success_low=success_low,
        placebo_low=placebo_low,
        control=0.36,
    )
    assert found == said
