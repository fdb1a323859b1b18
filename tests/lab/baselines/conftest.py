"""Judges shared by the statistical tests of the prior systems.

Every such test runs on fixed seeds and raises a false alarm with probability at most 1e-6 over the
choice of seed; each has a broken twin beside it that must be caught.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable

import numpy as np
import numpy.typing as npt
import pytest
from scipy import stats

from pathveil.lab.baselines.baseline_release import Instance
from pathveil.model.network import Network
from pathveil.model.walk import Walk

FALSE_ALARM = 1e-6

Floats = npt.NDArray[np.float64]


def same_law(sample: Floats, cdf: Callable[[Floats], Floats]) -> bool:
    """Whether a sample may come from a distribution function (Kolmogorov and Smirnov)."""
    return bool(stats.kstest(cdf(sample), stats.uniform.cdf).pvalue > FALSE_ALARM)


def alike(one: Floats, two: Floats) -> bool:
    """Whether two samples may come from one law."""
    return bool(stats.ks_2samp(one, two).pvalue > FALSE_ALARM)


def audit(left: Callable[[int], bool], right: Callable[[int], bool], runs: int) -> float:
    """A lower bound on epsilon, exceeded by a true epsilon but for one case in a million.

    Takes two experiments on neighbouring inputs, each from a seed to whether an event happened.
    """
    more = sum(left(seed) for seed in range(runs))
    less = sum(right(seed) for seed in range(runs, 2 * runs))
    low = stats.beta.ppf(FALSE_ALARM / 2, more, runs - more + 1) if more else 0.0
    high = stats.beta.ppf(1 - FALSE_ALARM / 2, less + 1, runs - less) if less < runs else 1.0
    return float(np.log(low / high)) if low > 0 else -np.inf


@pytest.fixture
def instance() -> Instance:
    """Six vertices in general position, a path through all, one edge more, cd not public."""
    places: dict[Hashable, tuple[float, float]] = {
        "a": (0.0, 0.1),
        "b": (0.9, 0.0),
        "c": (1.0, 0.7),
        "d": (0.3, 0.4),
        "e": (0.1, 0.95),
        "f": (0.6, 1.0),
    }
    edges = ["ab", "bc", "cd", "de", "ef", "af"]
    network = Network.from_links([(e[0], e[1]) for e in edges], coordinates=places)
    return Instance.of(network, Walk("abcdef"), known=network.without(("c", "d")))
