"""One rule for every trend the paper states: a count of the curves that surely go that way.

Theory of operation
-------------------
A trend ("good output increases with the budget") is a statement about curves. The paper prints no
numbers with its trends and its images are missing, so only the *direction* can be judged, never how
steep it is. A curve is a row of estimates with intervals. Its trend is the contrast

    sum over points of (rank of x - mean rank) * y,

which uses every point, is the difference of the two values where there are two, and has an interval
because the points are independent. A curve goes *surely* one way if that interval leaves out zero.
The intervals are 95 % for all curves of a claim at once (Bonferroni): a claim of many curves is not
refuted, or borne out, by the one in forty that chance gives away.

====================================================  ========================  =========
curves that surely go the claimed way                 surely against it         verdict
====================================================  ========================  =========
all                                                   none                      agrees
most (more than half)                                 none                      agrees
most                                                  some                      in part
some                                                  none                      in part
some                                                  some                      disagrees
none                                                  any                       disagrees
====================================================  ========================  =========

A curve in which the step limit ended a search is *cut short*: its values are too small by nobody
knows how much. Such curves are named and not counted.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Literal

from pathveil.intervals import Z95, Interval
from pathveil.reproduction.judges.picking import Opinion, Verdict

Curve = Sequence[tuple[float, Interval]]
Direction = Literal["rises", "falls"]
Extent = Literal["all", "most", "some", "no"]

LEVEL = 0.95
"""Confidence that no curve of a claim is said to go a way it does not."""


@dataclass(frozen=True)
class Trend:
    """In how many curves a claimed trend is there.

    Attributes
    ----------
    direction
        The claimed way.
    curves, along, against
        How many curves were counted, and how many of them surely go that way, or surely the other.
    cut
        Names of the curves that were not counted because the step limit cut them short.

    Examples
    --------
    >>> print(Trend("rises", curves=6, along=5, against=0))
    rises in most curves (surely in 5 of 6, surely falls in 0); direction only
    """

    direction: Direction
    curves: int
    along: int
    against: int
    cut: tuple[str, ...] = ()

    @property
    def extent(self) -> Extent:
        """Whether all, most, some or no curves surely go the claimed way."""
        if self.along == 0:
            return "no"
        if self.along == self.curves:
            return "all"
        return "most" if 2 * self.along > self.curves else "some"

    @property
    def verdict(self) -> Verdict | None:
        """What the rule says of the claim; None without any curve to count."""
        if self.curves == 0:
            return None
        if self.extent in ("all", "most"):
            return "in part" if self.against else "agrees"
        return "in part" if self.extent == "some" and not self.against else "disagrees"

    @property
    def note(self) -> str:
        """The curves that are left out, and why."""
        if not self.cut:
            return ""
        return f"not counted, as the step limit cut searches short: {', '.join(self.cut)}"

    def __str__(self) -> str:
        other = "falls" if self.direction == "rises" else "rises"
        return (
            f"{self.direction} in {self.extent} curves (surely in {self.along} of {self.curves}, "
            f"surely {other} in {self.against}); direction only"
        )

    def opinion(self, shown: str = "", note: str = "") -> Opinion:
        """Return the trend as a judge says it, with what else there is to show."""
        return Opinion(
            "; ".join(filter(None, (str(self), shown))),
            self.verdict,
            "; ".join(filter(None, (note, self.note))),
        )


def judge_trend(
    curves: Mapping[str, Curve], direction: Direction, *, cut: Sequence[str] = ()
) -> Trend:
    """Return in how many of the named curves a trend goes the claimed way.

    Parameters
    ----------
    cut
        Names of curves that are not to be counted.

    Examples
    --------
    >>> up = [(1.0, Interval(0.1, 0.0, 0.2)), (2.0, Interval(0.9, 0.8, 1.0))]
    >>> judge_trend({"one": up, "other": up}, "rises").extent
    'all'
    """
    counted = {name: curve for name, curve in curves.items() if name not in cut}
    sign = 1 if direction == "rises" else -1
    along = against = 0
    for curve in counted.values():
        found = contrast(curve, of=len(counted))
        low, high = sorted((sign * found.low, sign * found.high))
        along += low > 0
        against += high < 0
    left_out = tuple(name for name in curves if name in cut)
    return Trend(direction, len(counted), along, against, left_out)


def contrast(curve: Curve, *, of: int = 1) -> Interval:
    """Return how far a curve rises, with an interval that holds for ``of`` curves at once.

    Examples
    --------
    >>> flat = [(float(x), Interval(0.5, 0.4, 0.6)) for x in range(5)]
    >>> contrast(flat).value
    0.0
    """
    points = sorted(curve, key=lambda point: point[0])
    middle = (len(points) - 1) / 2
    widen = NormalDist().inv_cdf(1 - (1 - LEVEL) / 2 / of) / Z95
    value = math.fsum((rank - middle) * y.value for rank, (_, y) in enumerate(points))
    width = widen * math.hypot(
        *((rank - middle) * (y.high - y.low) / 2 for rank, (_, y) in enumerate(points))
    )
    return Interval(value, value - width, value + width)
