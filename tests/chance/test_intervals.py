from __future__ import annotations

from math import inf, isnan

import pytest
from scipy.stats import binomtest

from pathveil.chance.intervals import Interval, average, difference, log_ratio, mean, wilson
from pathveil.errors import BadBudget


@pytest.mark.parametrize(("hits", "trials"), [(1, 1), (0, 10), (3, 10), (10, 10), (371, 1000)])
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


def test_what_two_estimates_differ_by_is_as_sure_as_both_are() -> None:
    one, other = Interval(9.0, 5.0, 13.0), Interval(4.0, 1.0, 7.0)
    assert difference(one, other) == Interval(5.0, 0.0, 10.0), "3, 4, 5"
    assert average([one, other]) == Interval(6.5, 4.0, 9.0)


@pytest.mark.regression("one run of each cell ended the reproduction in a math domain error")
def test_a_ratio_with_a_single_run_is_known_no_better_than_not_at_all() -> None:
    found = log_ratio(mean(5, 25, 1), mean(5, 25, 1))
    assert found == Interval(0.0, -inf, inf)
