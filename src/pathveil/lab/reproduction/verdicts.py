"""Verdicts with power: a claim is judged only where the runs can tell, else it is undecided.

Theory of operation
-------------------
The paper prints no numbers with its trends and its images are missing, so a trend ("good output
increases with the budget") can be judged by its direction only. A curve is a row of estimates with
intervals. Its *effect* is the change from its first to its last point along the fitted line, signed
so that the claimed way is positive; where there are two points, it is their difference. A curve

- goes surely *along* or *against* the claim if the interval of its effect leaves out zero, at 95 %
  for all curves of the claim at once (Bonferroni);
- is surely *level* if its own 95 % interval is inside a stated margin: smaller than what matters;
- is *open* otherwise: the runs cannot tell.

======================================================  ===========
curves                                                  verdict
======================================================  ===========
more than half along, none against                      agrees
more than half along, some against                      in part
open ones could still bring more than half along        undecided
else: the mean effect is surely along                   in part
else: the mean effect is surely less than the margin    disagrees
anything else                                           undecided
======================================================  ===========

So lack of data is never taken for disagreement. For an undecided claim the same rule is asked again
with all intervals shrunk as more runs would shrink them, the estimates being what they are: the
first number of runs that decides is given with the verdict.

Words of size are judged as such: "much higher" is at least :data:`MUCH` times; surely higher and
surely less than that is *in part*. "About 43 %" is within five points.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Literal, get_args

from pathveil.chance.intervals import Z95, Interval, average

Verdict = Literal["agrees", "in part", "disagrees", "undecided", "cannot be compared", "not run"]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)

MUCH = 2.0
"""From how many times on something is much higher, or has increased significantly."""
ABOUT = 0.05
"""How far a share may be off and still be "about" the printed one: five points."""
LEVEL = 0.05
"""A change of good output, or a relative change of anything else, that is too small to matter."""
MOST_GROWTH = 64  # doublings of half: factors up to 2 ** 32 are tried


@dataclass(frozen=True)
class Opinion:
    """What a judge found in the rows of one engine.

    Attributes
    ----------
    found
        The numbers, in words.
    verdict
        Whether they bear the claim out; None where there is nothing to judge by.
    note
        What a reader must know to take the verdict rightly.
    """

    found: str
    verdict: Verdict | None
    note: str = ""

    @classmethod
    def plain(cls, found: str, holds: bool, note: str = "") -> Opinion:  # noqa: FBT001
        """Return the opinion on a claim that one run can refute and that needs no interval."""
        return cls(found, "agrees" if holds else "disagrees", note)


Curve = Sequence[tuple[float, Interval]]
Direction = Literal["rises", "falls"]
Rule = Callable[[float], Verdict]
"""From a factor by which all intervals are shrunk to the verdict they then allow."""


def shrunk(interval: Interval, factor: float) -> Interval:
    """Return an interval as narrow as ``factor`` squared times the runs would make it.

    >>> shrunk(Interval(0.5, 0.4, 0.6), 2.0)
    Interval(value=0.5, low=0.45, high=0.55)
    """
    value = interval.value
    return Interval(
        value, value - (value - interval.low) / factor, value + (interval.high - value) / factor
    )


def opinion(rule: Rule, found: str, note: str = "", *, runs: int) -> Opinion:
    """Return the verdict of a rule; if it is undecided, with the runs that would decide it."""
    verdict = rule(1.0)
    if verdict == "undecided":
        factors = (2 ** (k / 2) for k in range(1, MOST_GROWTH))
        enough = next((f for f in factors if rule(math.sqrt(f)) != "undecided"), None)
        needed = "more runs than can be told" if enough is None else f"about {_few(runs * enough)}"
        note = "; ".join(filter(None, (f"{needed} runs would decide" if enough else needed, note)))
    return Opinion(found, verdict, note)


def _few(runs: float) -> str:
    """Return a number with two digits that count.

    >>> _few(11314), _few(57)
    ('11,000', '57')
    """
    unit = 10 ** max(0, math.floor(math.log10(runs)) - 1)
    return f"{round(runs / unit) * unit:,}"


def fitted_change(curve: Curve) -> Interval:
    """Return the change along the fitted line from a curve's first to its last point.

    Examples
    --------
    >>> flat = [(float(x), Interval(0.5, 0.4, 0.6)) for x in range(5)]
    >>> fitted_change(flat).value
    0.0
    """
    points = sorted(curve, key=lambda point: point[0])
    middle = (len(points) - 1) / 2
    scale = (len(points) - 1) / sum((rank - middle) ** 2 for rank in range(len(points)))
    value = scale * math.fsum((rank - middle) * y.value for rank, (_, y) in enumerate(points))
    width = scale * math.hypot(
        *((rank - middle) * (y.high - y.low) / 2 for rank, (_, y) in enumerate(points))
    )
    return Interval(value, value - width, value + width)


def relative_change(curve: Curve) -> Interval:
    """Return the same as a share of the curve's mean value."""
    change, mean = fitted_change(curve), math.fsum(y.value for _, y in curve) / len(curve)
    return Interval(change.value / mean, change.low / mean, change.high / mean)


@dataclass(frozen=True)
class Trend:
    """How many curves go the claimed way, the other, are level or cannot be told.

    ``mean`` is their mean effect, positive in the claimed direction.

    Examples
    --------
    >>> rising = Interval(0.4, 0.3, 0.5)
    >>> print(count_trend([*[rising] * 5, Interval(0.0, -0.01, 0.01)], "rises"))
    rises surely in 5 of 6 curves, falls surely in 0, level in 1; direction only
    """

    direction: Direction
    along: int
    against: int
    level: int
    open_: int
    mean: Interval

    @property
    def curves(self) -> int:
        """How many curves were counted."""
        return self.along + self.against + self.level + self.open_

    @property
    def verdict(self) -> Verdict:
        """What the rule says of the claim."""
        half = self.curves / 2
        if self.along > half:
            return "in part" if self.against else "agrees"
        if self.along + self.open_ > half:
            return "undecided"
        if self.mean.low > 0:
            return "in part"
        return "disagrees" if self.mean.high < LEVEL else "undecided"

    def __str__(self) -> str:
        other = "falls" if self.direction == "rises" else "rises"
        open_ = f", open in {self.open_}" if self.open_ else ""
        return (
            f"{self.direction} surely in {self.along} of {self.curves} curves, {other} surely in "
            f"{self.against}, level in {self.level}{open_}; direction only"
        )


def count_trend(effects: Sequence[Interval], direction: Direction, *, factor: float = 1.0) -> Trend:
    """Return how the effects of a claim's curves count, intervals shrunk by a factor."""
    widen = NormalDist().inv_cdf(1 - 0.025 / max(1, len(effects))) / Z95
    sign = 1 if direction == "rises" else -1
    counts = {"along": 0, "against": 0, "level": 0, "open_": 0}
    for effect in effects:
        own, shared = shrunk(effect, factor), shrunk(effect, factor / widen)
        low, high = sorted((sign * shared.low, sign * shared.high))
        if low > 0:
            counts["along"] += 1
        elif high < 0:
            counts["against"] += 1
        elif own.low > -LEVEL and own.high < LEVEL:
            counts["level"] += 1
        else:
            counts["open_"] += 1
    mean = shrunk(average(effects), factor)
    if direction == "falls":
        mean = Interval(-mean.value, -mean.high, -mean.low)
    return Trend(direction, **counts, mean=mean)


def judge_trend(
    curves: Mapping[str, Curve],
    direction: Direction,
    *,
    runs: int,
    shown: str = "",
    note: str = "",
    relative: bool = False,
    left_out: Sequence[str] = (),
) -> Opinion:
    """Return the opinion on a trend that is claimed of curves.

    Parameters
    ----------
    relative
        Whether an effect is measured against the curve's mean value.
    left_out
        Names of curves that are not to be counted, as searches in them were cut short.
    """
    measure = relative_change if relative else fitted_change
    effects = [measure(curve) for name, curve in curves.items() if name not in left_out]
    if left_out:
        cut = f"not counted, as searches were cut short or one run decides: {', '.join(left_out)}"
        note = "; ".join(filter(None, (note, cut)))
    if not effects:
        return Opinion("no curve can be counted", "undecided", note)
    found = "; ".join(filter(None, (str(count_trend(effects, direction)), shown)))
    return opinion(
        lambda factor: count_trend(effects, direction, factor=factor).verdict,
        found,
        note,
        runs=runs,
    )


def judge_size(logs: Sequence[Interval], found: str, note: str = "", *, runs: int) -> Opinion:
    """Return the opinion on "much higher", from logarithms of ratios, by their mean.

    At least :data:`MUCH` times agrees; surely higher but less than that is in part; no more than a
    twentieth higher disagrees.
    """
    if not logs:
        return Opinion(found or "nothing can be counted", "undecided", note)
    mean = average(logs)
    times = Interval(*(math.exp(x) for x in (mean.value, mean.low, mean.high)))
    shown = f"{times.value:.2f} [{times.low:.2f}, {times.high:.2f}] times on average"

    def rule(factor: float) -> Verdict:
        here = shrunk(mean, factor)
        if here.low >= math.log(MUCH):
            return "agrees"
        if here.high < math.log1p(LEVEL):
            return "disagrees"
        return "in part" if here.low > 0 and here.high < math.log(MUCH) else "undecided"

    return opinion(rule, "; ".join(filter(None, (shown, found))), note, runs=runs)


def judge_count(
    interval: Callable[[float], tuple[int, int]],
    printed: float,
    *,
    of: int,
    found: str,
    note: str,
    runs: int,
) -> Opinion:
    """Return the opinion on "about" a printed count, from an interval that shrinks with a factor.

    It agrees if all of the interval is within :data:`ABOUT` of all things counted, and disagrees if
    all of it is further off.
    """
    least, most = printed - ABOUT * of, printed + ABOUT * of

    def rule(factor: float) -> Verdict:
        low, high = interval(factor)
        if least <= low and high <= most:
            return "agrees"
        return "disagrees" if high < least or low > most else "undecided"

    return opinion(rule, found, note, runs=runs)


def judge_bound(
    shares: Mapping[tuple[int, int], Interval], bound: float, note: str = "", *, runs: int
) -> Opinion:
    """Return the opinion on "at least ``bound``" at every size.

    One size that is surely below (at 95 % for all sizes at once) refutes it. It agrees if none is
    and nine sizes in ten are surely not below it by more than :data:`LEVEL`.
    """
    widen = NormalDist().inv_cdf(1 - 0.05 / max(1, len(shares))) / Z95

    def sort(factor: float) -> tuple[list[tuple[int, int]], int]:
        below = [size for size, one in shares.items() if shrunk(one, factor / widen).high < bound]
        sure = sum(shrunk(one, factor).low > bound - LEVEL for one in shares.values())
        return below, sure

    def rule(factor: float) -> Verdict:
        below, sure = sort(factor)
        if below:
            return "disagrees"
        return "agrees" if sure >= 0.9 * len(shares) else "undecided"

    below, sure = sort(1.0)
    found = f"surely below at {len(below)} of {len(shares)} sizes"
    if below:
        found += ": " + ", ".join(f"{shares[size].value:.3f} at {size}" for size in below)
    else:
        lowest = min(shares, key=lambda size: shares[size].value)
        found += f", surely not at {sure}; smallest {shares[lowest]} at {lowest}"
    return opinion(rule, found, note, runs=runs)
