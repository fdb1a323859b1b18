from __future__ import annotations

import pytest
from scipy.stats import binomtest

from pathveil.chance.intervals import (
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
