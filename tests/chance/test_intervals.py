from __future__ import annotations

import math

import pytest
from scipy.stats import binomtest

from pathveil.chance.intervals import (
    average,
    count_below,
    difference,
    mean,
    proportion,
    ratio,
    wilson,
)
from pathveil.errors import BadBudget


@pytest.mark.parametrize(("hits", "trials"), [(0, 10), (3, 10), (10, 10), (371, 1000)])
def test_wilson_agrees_with_scipy(hits: int, trials: int) -> None:
    want = binomtest(hits, trials).proportion_ci(0.9, method="wilson")
    low, high = wilson(hits / trials, trials, confidence=0.9)
    assert (low, high) == pytest.approx((want.low, want.high))
    with pytest.raises(BadBudget):
        wilson(0.5, 0)


def test_intervals() -> None:
    assert proportion(0, 0).value != proportion(0, 0).value
    assert proportion(1000, 1000).low == pytest.approx(0.99617, abs=1e-4)
    assert mean(0, 0, 0).value != 0
    assert mean(3, 9, 1).high == math.inf
    assert (mean(10, 20, 10).value, mean(10, 10, 10).low) == (1, 1)
    assert difference(proportion(9, 10), proportion(1, 10)).value == pytest.approx(0.8)
    assert ratio(mean(40, 200, 10), mean(20, 50, 10)).value == 2
    assert average([mean(10, 20, 10), mean(30, 200, 10)]).value == 2
    sure = count_below([(1, 1000), (999, 1000), (2, 1000)], 0.5)
    assert (sure.value, sure.low, sure.high) == (2, 2, 2)
    near = count_below([(500, 1000)] * 4, 0.5)
    assert near.low < near.high
