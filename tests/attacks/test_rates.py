"""Rates and their intervals."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binomtest

from pathveil import Seeded
from pathveil.attacks.success_rates import AttackOutcome, Rate, clopper_pearson, generator


@pytest.mark.parametrize(("hits", "trials"), [(0, 10), (3, 10), (10, 10), (512, 1000)])
def test_intervals_are_clopper_pearson(hits: int, trials: int) -> None:
    rate = Rate(hits, trials)
    wanted = binomtest(hits, trials).proportion_ci(0.999, method="exact")
    assert rate.interval == pytest.approx((wanted.low, wanted.high), abs=1e-9)
    assert rate.holds(rate.value)


def test_no_rate_without_trials() -> None:
    with pytest.raises(ValueError, match="no rate"):
        clopper_pearson(1, 0, below=0.1, above=0.1)
    with pytest.raises(ValueError, match="no rate"):
        clopper_pearson(5, 4, below=0.1, above=0.1)


def test_an_outcome_compares_its_three_rates() -> None:
    won = AttackOutcome("x", Rate(90, 100), Rate(30, 100), Rate(31, 100))
    assert won.beats_control
    assert won.sound
    cheat = AttackOutcome("x", Rate(90, 100), Rate(30, 100), Rate(90, 100))
    assert not cheat.sound
    assert str(won).startswith("x: 0.900 [")


def test_guesses_are_replayed_by_their_source() -> None:
    first, again = generator(Seeded(1)), generator(Seeded(1))
    assert np.array_equal(first.random(5), again.random(5))
