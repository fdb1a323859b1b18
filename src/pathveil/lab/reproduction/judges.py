"""What every judge works with: rows picked out of a result table, and what a judge says of them.

One rule for every trend the paper states: a count of the curves that surely go that way.

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

Judges of Figures 9 and 10: good output under both budgets, acyclic and cyclic.

Judges of Figure 8: which maps are usable, and how often the order is told.

Judges of Figure 7, run time: measured in search steps, which no machine changes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import Literal

from pathveil.chance.intervals import Z95, Interval, average, count_below, difference, ratio
from pathveil.lab.reproduction.figures import (
    ALL_VERTICES,
    BASE,
    BUDGETS,
    CYCLIC_EDGE_BUDGETS,
    RUN_TIME_PANELS,
    SIZES,
    WORST,
)
from pathveil.lab.reproduction.measures import Tally
from pathveil.lab.reproduction.sweep import Cell
from pathveil.lab.reproduction.sweep_store import Row

Verdict = Literal["agrees", "in part", "disagrees", "cannot be compared", "not run"]
VERDICTS: tuple[Verdict, ...] = ("agrees", "in part", "disagrees", "cannot be compared", "not run")


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
        """Return the opinion on a claim that holds or does not, with nothing between."""
        return cls(found, "agrees" if holds else "disagrees", note)


Judge = Callable[[Sequence[Row]], Opinion]


def sum_tallies(rows: Iterable[Row]) -> Tally:
    """Return the sum of the rows' tallies."""
    return sum((row.tally for row in rows), Tally())


def rows_at(rows: Sequence[Row], **wanted: object) -> list[Row]:
    """Return the rows whose cell has these values."""
    return [row for row in rows if all(getattr(row.cell, k) == v for k, v in wanted.items())]


def pooled(rows: Sequence[Row], measure: Callable[[Tally], Interval]) -> Interval:
    """Return the mean of a measure over cells of equal weight."""
    return average([measure(row.tally) for row in rows])


def by_knob(rows: Sequence[Row], knob: str) -> dict[Cell, list[Row]]:
    """Return the rows of each curve over a knob: cells that differ in nothing else, in its order.

    A cell that has the knob switched off is on no curve.
    """
    curves: dict[Cell, list[Row]] = {}
    for row in rows:
        if getattr(row.cell, knob) is not None:
            key = replace(row.cell, **{knob: None})  # type: ignore[arg-type]
            curves.setdefault(key, []).append(row)
    for part in curves.values():
        part.sort(key=lambda row: float(getattr(row.cell, knob)))
    return curves


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


def always_output(rows: Sequence[Row]) -> Opinion:
    """Judge "we always produce the graph-based path from any map with 100 % guarantee"."""
    tally = sum_tallies(rows)
    shown = f"{tally.outputs:,} of {tally.runs:,} runs"
    holds = tally.outputs == tally.runs and tally.read == tally.runs
    return Opinion.plain(shown, holds, "all walks read back")


def rises(knob: str, **wanted: object) -> Judge:
    """Return the judge of "with an increasing budget an increasing percentage of good output"."""

    def judge(rows: Sequence[Row]) -> Opinion:
        curves: dict[str, Curve] = {}
        gains = []
        for cell, part in by_knob(rows_at(rows, **wanted), knob).items():
            points = [(float(getattr(r.cell, knob)), r.tally.order_share()) for r in part]
            curves[cell.draw_name] = points
            gains.append(difference(points[-1][1], points[0][1]))
        if all(gain.value == 0 for gain in gains):
            return Opinion("constant at 1.000", None)
        shown = f"mean gain from the least to the largest budget {average(gains)}"
        return judge_trend(curves, "rises").opinion(shown)

    return judge


def fewer_copies(rows: Sequence[Row]) -> Opinion:
    """Judge "with an increasing vertex budget, less fake vertices are added"."""
    rows = [row for row in rows if row.cell.vertex_budget]
    curves = {
        f"|V| = {v}": [
            (float(r.cell.vertex_budget or 0), r.tally.mean_copies())
            for r in rows_at(rows, vertices=v)
        ]
        for v in WORST
    }
    ends = [pooled(rows_at(rows, vertex_budget=b), Tally.mean_copies).value for b in BUDGETS]
    shown = f"{ends[0]:.2f} copies at {BUDGETS[0]}, {ends[-1]:.2f} at {BUDGETS[-1]}"
    return judge_trend(curves, "falls").opinion(shown, "one curve for each |V|")


def vertices_hurt_more(rows: Sequence[Row]) -> Opinion:
    """Judge "DP on vertices impacts the performance more significantly than DP on edges"."""
    kinds = (
        [row for row in rows if row.cell.vertex_budget],
        [row for row in rows if row.cell.edge_budget],
    )
    curves = {
        f"|V| = {v}": [
            (float(x), pooled(rows_at(part, vertices=v), Tally.order_share))
            for x, part in enumerate(kinds)
        ]
        for v in WORST
    }
    on_vertices, on_edges = (pooled(part, Tally.order_share) for part in kinds)
    gap = difference(on_edges, on_vertices)
    if gap.value == 0:
        return Opinion("constant at 1.000", None)
    shown = f"edges {on_edges.value:.3f}, vertices {on_vertices.value:.3f}: {gap}"
    note = "from DP on vertices to DP on edges, by |V|, mean over budgets"
    return judge_trend(curves, "rises").opinion(shown, note)


def _straight_and_curled(rows: Sequence[Row], visits: int) -> dict[str, tuple[Row, Row]]:
    """Return the acyclic and the cyclic row at each pair of budgets."""
    pairs = {}
    for edge in CYCLIC_EDGE_BUDGETS:
        for vertex in BUDGETS:
            here = rows_at(rows, edge_budget=edge, vertex_budget=vertex)
            straight = rows_at(here, walk="acyclic")[0]
            curled = rows_at(here, walk="cyclic", visits=visits)[0]
            pairs[f"budgets {vertex} and {edge}"] = straight, curled
    return pairs


def acyclic_better(visits: int) -> Judge:
    """Return the judge of "with given budgets ... better performance on acyclic paths"."""

    def judge(rows: Sequence[Row]) -> Opinion:
        curves: dict[str, Curve] = {}
        gaps = []
        for name, (straight, curled) in _straight_and_curled(rows, visits).items():
            before, after = curled.tally.order_share(), straight.tally.order_share()
            curves[name] = [(0.0, before), (1.0, after)]
            gaps.append(difference(after, before))
        if all(gap.value == 0 for gap in gaps):
            return Opinion("no difference", None)
        note = "from cyclic to acyclic, one curve for each pair of budgets"
        return judge_trend(curves, "rises").opinion(f"mean difference {average(gaps)}", note)

    return judge


def cyclic_copies(rows: Sequence[Row]) -> Opinion:
    """Judge "our pre-processing would create more vertices for cyclic paths"."""
    curves: dict[str, Curve] = {
        name: [(0.0, straight.tally.mean_copies()), (1.0, curled.tally.mean_copies())]
        for name, (straight, curled) in _straight_and_curled(rows, ALL_VERTICES).items()
    }
    more = pooled(rows_at(rows, walk="cyclic", visits=ALL_VERTICES), Tally.mean_copies)
    less = pooled(rows_at(rows, walk="acyclic"), Tally.mean_copies)
    shown = f"{more.value:.2f} against {less.value:.2f} copies"
    note = "from acyclic to cyclic, one curve for each pair of budgets"
    return judge_trend(curves, "rises").opinion(shown, note)


Size = tuple[int, int]


def described_sizes() -> set[Size]:
    """Return the sizes the paper says are always usable."""
    return {(v, e) for v, e in SIZES if e <= v + 3 or e == v * (v - 1) // 2}


def sizes(rows: Sequence[Row]) -> Opinion:
    """Judge "overall 122 different sizes of maps"."""
    return Opinion.plain(f"{len(rows)} sizes", len(rows) == 122)


def under_half(rows: Sequence[Row]) -> Opinion:
    """Judge "52/122 of the maps cannot produce the graph-based path with over 50 %"."""
    shares = [(row.tally.usable, row.tally.runs) for row in rows]
    found, other = count_below(shares, 0.5), count_below(shares, 0.5, again=1000)
    shown = f"{found.value} of {len(rows)} [{found.low}, {found.high}]"
    note = f"another 1000 runs, such as the paper's, would give {other.low} to {other.high}"
    return Opinion.plain(shown, other.low <= 52 <= other.high, note)


def large_maps_under_half(rows: Sequence[Row]) -> Opinion:
    """Judge "especially for most of the maps with more than 7 vertices"."""
    large = [row for row in rows if row.cell.vertices > 7]
    found = count_below(((row.tally.usable, row.tally.runs) for row in large), 0.5)
    return Opinion.plain(f"{found.value} of {len(large)}", found.low > len(large) / 2)


def _always(rows: Sequence[Row]) -> list[Size]:
    return [
        (row.cell.vertices, row.cell.edges) for row in rows if row.tally.usable == row.tally.runs
    ]


def always_share(rows: Sequence[Row]) -> Opinion:
    """Judge "only about 30 % ... with 100 % guarantee"."""
    share = len(_always(rows)) / len(rows)
    shown = f"{len(_always(rows))} of {len(rows)}: {share:.1%}"
    return Opinion.plain(shown, round(share, 1) == 0.3)


def always_count(rows: Sequence[Row]) -> Opinion:
    """Judge "(30/122) maps ... with 100 % guarantee"."""
    always = set(_always(rows))
    sure, found = len(always & described_sizes()), len(always)
    note = "the sizes the paper describes are 36, and for these no unusable map can exist" + (
        "; each other size showed one" if found == sure else "; more runs would tell the rest"
    )
    return Opinion.plain(f"{found} [{sure}, {found}]", sure <= 30 <= found, note)


def always_which(rows: Sequence[Row]) -> Opinion:
    """Judge "such maps are the complete graph and |E| in [|V| - 1, |V| + 3]"."""
    here = {(row.cell.vertices, row.cell.edges) for row in rows}
    found, wanted = set(_always(rows)), described_sizes() & here
    if wanted - found:
        return Opinion.plain(f"{len(wanted - found)} of those are not", holds=False)
    if found == wanted:
        return Opinion.plain("exactly those", holds=True)
    runs = max(row.tally.runs for row in rows)
    note = f"in {runs} runs; more would tell them"
    return Opinion.plain(f"those, and {len(found - wanted)} more", holds=True, note=note)


def at_least_half(rows: Sequence[Row]) -> Opinion:
    """Judge "with at least 50 % probability, our graph-based path confirms the visiting order"."""
    shares = {(row.cell.vertices, row.cell.edges): row.tally.order_share() for row in rows}
    shares = {size: one for size, one in shares.items() if not math.isnan(one.value)}
    lowest = min(shares, key=lambda size: shares[size].value)
    below = [size for size, one in shares.items() if one.high < 0.5]
    return Opinion.plain(f"smallest {shares[lowest]} at {lowest}", not below)


def at_least_two_thirds(rows: Sequence[Row]) -> Opinion:
    """Judge "which is at least 2/3" in Proposition 1's proof: every map but the bare paths."""
    shares = {
        (row.cell.vertices, row.cell.edges): row.tally.order_share()
        for row in rows
        if row.tally.outputs and row.cell.edges >= row.cell.vertices
    }
    below = {size: one.value for size, one in shares.items() if one.high < 2 / 3}
    shown = f"surely below at {len(below)} of {len(shares)} sizes"
    if below:
        shown += ": " + ", ".join(f"{value:.3f} at {size}" for size, value in below.items())
    return Opinion.plain(shown, not below, "every size but |E| = |V| - 1, which the proof excepts")


def trees_half(rows: Sequence[Row]) -> Opinion:
    """Judge the one half of a map that is just the path."""
    tally = sum_tallies(row for row in rows if row.cell.edges == row.cell.vertices - 1)
    note = "follows from Proposition 1's proof"
    return Opinion.plain(f"{tally.order_share()}", tally.tied == tally.runs, note)


def complete_told(rows: Sequence[Row]) -> Opinion:
    """Judge that the order is certain on complete maps."""
    tally = sum_tallies(
        r for r in rows if 2 * r.cell.edges == r.cell.vertices * (r.cell.vertices - 1)
    )
    return Opinion.plain(f"{tally.order_share()}", tally.told == tally.runs)


def more_edges_better(rows: Sequence[Row]) -> Opinion:
    """Judge "the number of edges and the percentage of good outputs are positively correlated"."""
    curves = {
        f"|V| = {v}": [
            (float(row.cell.edges), row.tally.order_share())
            for row in rows_at(rows, vertices=v)
            if row.tally.outputs
        ]
        for v in WORST
    }
    if len({y.value for curve in curves.values() for _, y in curve}) == 1:
        return Opinion("constant", None)
    return judge_trend(curves, "rises").opinion("", "one curve for each |V|")


def local_minimum(*, splitting: bool) -> Judge:
    """Judge whether (6, 10) lies below its neighbours: surely on one side, and not above any."""

    def judge(rows: Sequence[Row]) -> Opinion:
        part = rows_at(rows, splitting=splitting)
        shares = {row.cell.edges: row.tally.order_share() for row in part}
        here = shares[BASE[1]]
        gaps = [difference(shares[BASE[1] + step], here) for step in (-1, 1)]
        if all(gap.value == 0 for gap in gaps):
            return Opinion("constant at 1.000", None)
        shown = ", ".join(f"{edges}: {share.value:.4f}" for edges, share in shares.items())
        holds = max(gap.low for gap in gaps) > 0 and min(gap.high for gap in gaps) >= 0
        level = not (gaps[0].low > 0 and gaps[1].low > 0)
        note = f"each within {(here.high - here.low) / 2:.4f}"
        if holds and level:
            note += "; level with a neighbour within the interval"
        return Opinion.plain(f"by edges {shown}", holds, note)

    return judge


def product(rows: Sequence[Row]) -> Opinion:
    """Judge "the Hadamard product" of the first two panels."""
    off = max(
        abs(
            row.tally.usable_share().value * row.tally.order_share().value
            - row.tally.overall_order().value
        )
        for row in rows
        if row.tally.outputs
    )
    return Opinion.plain(f"largest deviation {off:.0e}", off < 1e-9)


Panel = tuple[str | None, str | None]


def _panel(rows: Sequence[Row], panel: Panel) -> list[Row]:
    return rows_at(rows, vertex_budget=panel[0], edge_budget=panel[1])


def _steps_at(rows: Sequence[Row], panel: Panel, vertices: int) -> Interval:
    """Return the mean steps over the sizes with so many vertices, each size counting alike."""
    return pooled(rows_at(_panel(rows, panel), vertices=vertices), Tally.mean_steps)


def grows_with_vertices(rows: Sequence[Row]) -> Opinion:
    """Judge "when increasing the number of vertices, the running time increases"."""
    curves = {
        f"panel ({letter})": [(float(v), _steps_at(rows, panel, v)) for v in WORST]
        for letter, panel in zip("abcd", RUN_TIME_PANELS, strict=True)
    }
    factors = [curve[-1][1].value / curve[0][1].value for curve in curves.values()]
    shown = ", ".join(f"{factor:,.0f}" for factor in factors)
    # Cut searches make the larger maps look cheaper: what rises all the same rises without a limit.
    note = "panels (a) to (d)"
    if any(row.tally.struck for row in rows):
        note += "; the step limit cuts searches short on the largest maps, where steps rise more"
    trend = judge_trend(curves, "rises")
    return trend.opinion(f"steps at |V| = 10 over |V| = 5: {shown} times", note)


def falls_with_edges(rows: Sequence[Row]) -> Opinion:
    """Judge "the increasing number of edges results in a decreasing run time", DP on edges."""
    curves, cut = {}, []
    for panel in RUN_TIME_PANELS[2:]:
        for v in WORST:
            part, name = rows_at(_panel(rows, panel), vertices=v), f"|V| = {v} at {panel[1]}"
            curves[name] = [(float(row.cell.edges), row.tally.mean_steps()) for row in part]
            if any(row.tally.struck for row in part):
                cut.append(name)
    return judge_trend(curves, "falls", cut=cut).opinion("", "one curve for each |V| and budget")


def slower(top: int, bottom: int) -> Judge:
    """Return the judge of "the run time in panel ``top`` is much higher than in ``bottom``"."""

    def judge(rows: Sequence[Row]) -> Opinion:
        panels = RUN_TIME_PANELS[top], RUN_TIME_PANELS[bottom]
        curves, cut, factors = {}, [], []
        for v in WORST:
            first, second = (_steps_at(rows, panel, v) for panel in panels)
            curves[f"|V| = {v}"] = [(0.0, first), (1.0, second)]
            if any(
                row.tally.struck for p in panels for row in rows_at(_panel(rows, p), vertices=v)
            ):
                cut.append(f"|V| = {v}")
            else:
                factors.append(f"{ratio(first, second).value:.2f} ({v})")
        shown = f"steps {', '.join(factors)} times (|V|)" if factors else ""
        return judge_trend(curves, "falls", cut=cut).opinion(shown, "by |V|, budget 0.5 to 1")

    return judge
