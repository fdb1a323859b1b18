"""Rates and their intervals."""

from __future__ import annotations

import pytest
from scipy.stats import binomtest

from pathveil.attacks.success_rates import clopper_pearson
from tests.attacks.known_answers import success_rate


@pytest.mark.parametrize(("hits", "trials"), [(0, 10), (3, 10), (10, 10), (512, 1000)])
def test_intervals_are_clopper_pearson(hits: int, trials: int) -> None:
    rate = success_rate([True] * hits + [False] * (trials - hits))
    wanted = binomtest(hits, trials).proportion_ci(0.999, method="exact")
    assert (rate.low, rate.high) == pytest.approx((wanted.low, wanted.high), abs=1e-9)
    assert rate.low <= rate.value == hits / trials <= rate.high


def test_no_rate_without_trials() -> None:
    with pytest.raises(ValueError, match="no rate"):
        clopper_pearson(1, 0, below=0.1, above=0.1)
    with pytest.raises(ValueError, match="no rate"):
        clopper_pearson(5, 4, below=0.1, above=0.1)
