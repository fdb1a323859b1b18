"""Rates and their intervals."""

from __future__ import annotations

import pytest
from scipy.stats import binomtest

from pathveil.attacks.success_rates import clopper_pearson


@pytest.mark.parametrize(("hits", "trials"), [(0, 10), (3, 10), (10, 10), (512, 1000)])
def test_intervals_are_clopper_pearson(hits: int, trials: int) -> None:
    low, high = clopper_pearson(hits, trials, below=0.0005, above=0.0005)
    wanted = binomtest(hits, trials).proportion_ci(0.999, method="exact")
    assert (low, high) == pytest.approx((wanted.low, wanted.high), abs=1e-9)
    assert low <= hits / trials <= high


def test_no_rate_without_trials() -> None:
    with pytest.raises(ValueError, match="no rate"):
        clopper_pearson(1, 0, below=0.1, above=0.1)
    with pytest.raises(ValueError, match="no rate"):
        clopper_pearson(5, 4, below=0.1, above=0.1)
