from __future__ import annotations

from math import inf, isnan

import pytest
from scipy.stats import binomtest

from pathveil.chance.intervals import Interval, mean, wilson
from pathveil.errors import BadBudget


@pytest.mark.parametrize(("hits", "trials"), [(0, 10), (3, 10), (10, 10), (371, 1000)])
def test_wilson_agrees_with_scipy(hits: int, trials: int) -> None:
    want = binomtest(hits, trials).proportion_ci(0.9, method="wilson")
    low, high = wilson(hits / trials, trials, confidence=0.9)
    assert (low, high) == pytest.approx((want.low, want.high))
    with pytest.raises(BadBudget):
        wilson(0.5, 0)


def test_one_run_says_nothing_of_a_mean_and_two_do() -> None:
    assert isnan(mean(0, 0, 0).value)
    assert mean(5, 25, 1) == Interval(5.0, -inf, inf)
    assert mean(10, 50, 2) == Interval(5.0, 5.0, 5.0)
    wide = mean(4, 16, 2)
    assert (wide.low, wide.high) == pytest.approx((2 - 3.92, 2 + 3.92), abs=1e-3)
