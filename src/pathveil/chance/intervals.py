"""Estimates with 95 % intervals, from counts and sums."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

from pathveil.errors import BadBudget

Z95 = 1.959963984540054
"""Half the width of a 95 % interval in standard errors."""


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate and its interval, of 95 % unless another level is said.

    >>> print(proportion(1, 2))
    0.500 [0.095, 0.905]
    """

    value: float
    low: float
    high: float

    def halved(self) -> Interval:
        """Return half of it."""
        return Interval(self.value / 2, self.low / 2, self.high / 2)

    def __str__(self) -> str:
        return f"{self.value:.3f} [{self.low:.3f}, {self.high:.3f}]"


def wilson(mean: float, trials: int, *, confidence: float = 0.95) -> tuple[float, float]:
    """Return Wilson's interval for a proportion.

    >>> low, high = wilson(0.5, 100)
    >>> round(low, 4), round(high, 4)
    (0.4038, 0.5962)
    """
    if trials < 1 or not 0 < confidence < 1:
        raise BadBudget(
            f"an interval needs trials and a confidence between 0 and 1, not {trials} "
            f"and {confidence}"
        )
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    centre = (mean + z * z / (2 * trials)) / (1 + z * z / trials)
    spread = mean * (1 - mean) / trials + z * z / (4 * trials * trials)
    half = z * math.sqrt(max(spread, 0.0)) / (1 + z * z / trials)
    # At a mean of 0 or 1 rounding must not push the mean out of its own interval.
    return max(0.0, min(centre - half, mean)), min(1.0, max(centre + half, mean))


def proportion(hits: int, runs: int) -> Interval:
    """Return a share with Wilson's interval."""
    if runs == 0:
        return Interval(math.nan, math.nan, math.nan)
    return Interval(hits / runs, *wilson(hits / runs, runs))


def mean(total: int, squares: int, runs: int) -> Interval:
    """Return a mean with the normal interval, from the sum and the sum of squares."""
    if runs == 0:
        return Interval(math.nan, math.nan, math.nan)
    value = total / runs
    if runs == 1:
        return Interval(value, -math.inf, math.inf)
    # Exact in whole numbers before the one division: no cancellation.
    variance = (runs * squares - total * total) / (runs * (runs - 1))
    width = Z95 * math.sqrt(max(variance, 0.0) / runs)
    return Interval(value, value - width, value + width)


def bounded_mean(total: int, squares: int, runs: int, *, most: int) -> Interval:
    """Return the mean of values from 0 to ``most``, with an interval that never has zero width.

    The variance is drawn towards the largest one a law with this mean can have, by as many
    pseudo-runs as Wilson's interval has: three ties in three runs do not prove that all are ties.

    >>> print(bounded_mean(3, 3, 3, most=2))
    1.000 [0.152, 1.848]
    """
    if runs == 0:
        return Interval(math.nan, math.nan, math.nan)
    value, weight = total / runs, Z95 * Z95
    centre = (total + weight * most / 2) / (runs + weight)
    seen = squares / runs - value * value
    variance = (runs * seen + weight * centre * (most - centre)) / (runs + weight)
    width = Z95 * math.sqrt(max(variance, 0.0) / runs)
    return Interval(value, max(0.0, value - width), min(float(most), value + width))


def difference(high: Interval, low: Interval) -> Interval:
    """Return the difference of two independent estimates."""
    width = math.hypot((high.high - high.low) / 2, (low.high - low.low) / 2)
    value = high.value - low.value
    return Interval(value, value - width, value + width)


def log_ratio(top: Interval, bottom: Interval) -> Interval:
    """Return the logarithm of the ratio of two independent positive estimates.

    >>> print(log_ratio(Interval(2.0, 2.0, 2.0), Interval(1.0, 0.5, 1.5)))
    0.693 [0.193, 1.193]
    """
    value = math.log(top.value / bottom.value)
    width = math.hypot(
        (top.high - top.low) / 2 / top.value, (bottom.high - bottom.low) / 2 / bottom.value
    )
    return Interval(value, value - width, value + width)


def average(found: Sequence[Interval]) -> Interval:
    """Return the mean of independent estimates."""
    width = math.sqrt(sum(((one.high - one.low) / 2) ** 2 for one in found)) / len(found)
    value = sum(one.value for one in found) / len(found)
    return Interval(value, value - width, value + width)
