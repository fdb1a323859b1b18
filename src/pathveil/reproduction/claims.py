"""The claims the paper prints about its evaluation, each held against the result tables.

A claim is judged by a 95 % interval where it states a number, and by all points it speaks of where
it states a trend. "Cannot be compared" is said of what only the missing images show. A claim is
about the paper's engine; our engine's number stands beside it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from pathveil.intervals import (
    Interval,
    average,
    count_below,
    difference,
    rank_correlation,
    ratio,
)
from pathveil.reproduction.figures import (
    ALL_VERTICES,
    BASE,
    BUDGETS,
    CYCLIC_EDGE_BUDGETS,
    FIGURES,
    RUN_TIME_PANELS,
    SAME_VISITS,
    SIZES,
    WORST,
)
from pathveil.reproduction.measures import Tally
from pathveil.reproduction.store import Row
from pathveil.reproduction.sweep import ENGINES, Cell, Engine

Verdict = Literal["agrees", "disagrees", "cannot be compared", "not run"]
Tables = Mapping[str, Sequence[Row]]
"""Rows of the sweeps that were run, by figure name."""


@dataclass(frozen=True)
class JudgedClaim:
    """A printed claim beside what was found.

    Attributes
    ----------
    figure
        The figure of the paper it belongs to.
    claim
        What the paper says.
    printed
        The number it prints, if any.
    found, ours
        What the paper's engine shows here, and what ours does.
    """

    figure: int
    claim: str
    printed: str
    found: str
    ours: str
    verdict: Verdict
    note: str = ""


Judged = tuple[str, bool | None, str]
"""What was found, whether the claim holds (None: no verdict), and a note."""
Judge = Callable[[Sequence[Row]], Judged]


def judge_claims(tables: Tables) -> tuple[JudgedClaim, ...]:
    """Return every claim of the paper's evaluation with its verdict, figure by figure."""
    findings = []
    for figure in FIGURES:
        rows = tables.get(figure.name, ())
        for claim, printed, judge in CLAIMS[figure.name]:
            findings.append(_judge(figure.number, claim, printed, judge, rows))
        if not figure.drawn:
            continue
        findings.append(
            JudgedClaim(
                figure.number,
                f"The curves of Figure {figure.number} themselves",
                "image missing",
                "drawn from our tables",
                "drawn from our tables",
                "cannot be compared",
                "the paper's source names an empty image file",
            )
        )
    return tuple(findings)


def _judge(figure: int, claim: str, printed: str, judge: Judge, rows: Sequence[Row]) -> JudgedClaim:
    said: dict[Engine, Judged] = {}
    for engine in ENGINES:
        part = [row for row in rows if row.cell.engine == engine]
        if part:
            said[engine] = judge(part)
    found, holds, note = said.get("backtracking", ("not run", None, ""))
    ours = said["exact"][0] if "exact" in said else "not run"
    verdict: Verdict = "not run"
    if holds is not None:
        verdict = "agrees" if holds else "disagrees"
    return JudgedClaim(figure, claim, printed, found, ours, verdict, note)


# -- picking ------------------------------------------------------------------------------------


def _total(rows: Iterable[Row]) -> Tally:
    return sum((row.tally for row in rows), Tally())


def _at(rows: Sequence[Row], **wanted: object) -> list[Row]:
    return [row for row in rows if all(getattr(row.cell, k) == v for k, v in wanted.items())]


def _pooled(rows: Sequence[Row], measure: Callable[[Tally], Interval]) -> Interval:
    """Return the mean of a measure over cells of equal weight."""
    return average([measure(row.tally) for row in rows])


def _order(tally: Tally) -> Interval:
    return tally.order_share()


# -- Figure 7 -----------------------------------------------------------------------------------


def _panel(rows: Sequence[Row], panel: tuple[str | None, str | None]) -> list[Row]:
    return _at(rows, vertex_budget=panel[0], edge_budget=panel[1])


def _grows_with_vertices(rows: Sequence[Row]) -> Judged:
    factors, rising = [], True
    for panel in RUN_TIME_PANELS:
        part = _panel(rows, panel)
        means = [_pooled(_at(part, vertices=v), Tally.mean_steps).value for v in WORST]
        rising = rising and means == sorted(means)
        factors.append(means[-1] / means[0])
    shown = ", ".join(f"{factor:,.0f}" for factor in factors)
    return f"steps at |V| = 10 over |V| = 5: {shown} times", rising, "panels (a) to (d)"


def _falls_with_edges(rows: Sequence[Row]) -> Judged:
    found = {}
    for panel in RUN_TIME_PANELS[2:]:
        for v in WORST:
            part = _at(_panel(rows, panel), vertices=v)
            found[panel[1], v] = rank_correlation(
                [(row.cell.edges, row.tally.mean_steps().value) for row in part]
            )
    rising = sorted({v for (_, v), rho in found.items() if rho >= 0})
    middle = sum(found.values()) / len(found)
    shown = (
        f"rank correlation of |E| and steps {min(found.values()):.2f} to "
        f"{max(found.values()):.2f}, mean {middle:.2f}"
    )
    note = f"not at |V| = {', '.join(map(str, rising))}" if rising else ""
    # The claim has no exception in it: one curve that does not fall is one against it.
    return shown, not rising, note


def _slower(top: int, bottom: int) -> Judge:
    def judge(rows: Sequence[Row]) -> Judged:
        first = _pooled(_panel(rows, RUN_TIME_PANELS[top]), Tally.mean_steps)
        second = _pooled(_panel(rows, RUN_TIME_PANELS[bottom]), Tally.mean_steps)
        found = ratio(first, second)
        note = "higher, if not much"
        if any(row.tally.struck for row in rows):
            note += "; the step limit cuts the longest searches short"
        return f"steps {_short(found)} times", found.low > 1, note if found.value < 2 else ""

    return judge


# -- Figure 8 -----------------------------------------------------------------------------------


def _sizes(rows: Sequence[Row]) -> Judged:
    return f"{len(rows)} sizes", len(rows) == 122, ""


def _under_half(rows: Sequence[Row]) -> Judged:
    shares = [(row.tally.usable, row.tally.runs) for row in rows]
    found, other = count_below(shares, 0.5), count_below(shares, 0.5, again=1000)
    shown = f"{found.value} of {len(rows)} [{found.low}, {found.high}]"
    note = f"another 1000 runs, such as the paper's, would give {other.low} to {other.high}"
    return shown, other.low <= 52 <= other.high, note


def _large_maps_under_half(rows: Sequence[Row]) -> Judged:
    large = [row for row in rows if row.cell.vertices > 7]
    found = count_below(((row.tally.usable, row.tally.runs) for row in large), 0.5)
    return f"{found.value} of {len(large)}", found.low > len(large) / 2, ""


def _always(rows: Sequence[Row]) -> list[tuple[int, int]]:
    return [
        (row.cell.vertices, row.cell.edges) for row in rows if row.tally.usable == row.tally.runs
    ]


def _always_share(rows: Sequence[Row]) -> Judged:
    share = len(_always(rows)) / len(rows)
    return f"{len(_always(rows))} of {len(rows)}: {share:.1%}", round(share, 1) == 0.3, ""


def _always_count(rows: Sequence[Row]) -> Judged:
    always = set(_always(rows))
    sure, found = len(always & described_sizes()), len(always)
    note = "the sizes the paper describes are 36, and for these no unusable map can exist" + (
        "; each other size showed one" if found == sure else "; more runs would tell the rest"
    )
    return f"{found} [{sure}, {found}]", sure <= 30 <= found, note


def described_sizes() -> set[tuple[int, int]]:
    """Return the sizes the paper says are always usable."""
    return {(v, e) for v, e in SIZES if e <= v + 3 or e == v * (v - 1) // 2}


def _always_which(rows: Sequence[Row]) -> Judged:
    here = {(row.cell.vertices, row.cell.edges) for row in rows}
    found, wanted = set(_always(rows)), described_sizes() & here
    if wanted - found:
        return f"{len(wanted - found)} of those are not", False, ""
    if found == wanted:
        return "exactly those", True, ""
    runs = max(row.tally.runs for row in rows)
    return f"those, and {len(found - wanted)} more", True, f"in {runs} runs; more would tell them"


def _at_least_half(rows: Sequence[Row]) -> Judged:
    shares = {(row.cell.vertices, row.cell.edges): row.tally.order_share() for row in rows}
    shares = {size: one for size, one in shares.items() if not math.isnan(one.value)}
    lowest = min(shares, key=lambda size: shares[size].value)
    below = [size for size, one in shares.items() if one.high < 0.5]
    return f"smallest {shares[lowest]} at {lowest}", not below, ""


def _trees_half(rows: Sequence[Row]) -> Judged:
    part = [row for row in rows if row.cell.edges == row.cell.vertices - 1]
    tally = _total(part)
    return f"{tally.order_share()}", tally.tied == tally.runs, "follows from Proposition 1's proof"


def _complete_told(rows: Sequence[Row]) -> Judged:
    part = [
        row for row in rows if row.cell.edges * 2 == row.cell.vertices * (row.cell.vertices - 1)
    ]
    tally = _total(part)
    return f"{tally.order_share()}", tally.told == tally.runs, ""


def _more_edges_better(rows: Sequence[Row]) -> Judged:
    found = {}
    for v in WORST:
        pairs = [
            (float(row.cell.edges), row.tally.order_share().value)
            for row in _at(rows, vertices=v)
            if row.tally.outputs
        ]
        if len({share for _, share in pairs}) > 1:
            found[v] = rank_correlation(pairs)
    if not found:
        return "constant", None, ""
    shown = f"rank correlation {min(found.values()):.2f} to {max(found.values()):.2f}"
    return shown, min(found.values()) > 0, "for each |V|"


def _local_minimum(*, splitting: bool) -> Judge:
    """Judge whether (6, 10) lies below its neighbours: surely on one side, and not above any."""

    def judge(rows: Sequence[Row]) -> Judged:
        part = _at(rows, splitting=splitting)
        shares = [(row.cell.edges, row.tally.order_share()) for row in part]
        here = dict(shares)[BASE[1]]
        gaps = [difference(dict(shares)[BASE[1] + step], here) for step in (-1, 1)]
        shown = ", ".join(f"{edges}: {share.value:.4f}" for edges, share in shares)
        if all(gap.value == 0 for gap in gaps):
            return "constant at 1.000", None, ""
        holds = max(gap.low for gap in gaps) > 0 and min(gap.high for gap in gaps) >= 0
        level = not (gaps[0].low > 0 and gaps[1].low > 0)
        note = f"each within {(here.high - here.low) / 2:.4f}"
        if holds and level:
            note += "; level with a neighbour within the interval"
        return f"by edges {shown}", holds, note

    return judge


def _product(rows: Sequence[Row]) -> Judged:
    off = max(
        abs(
            row.tally.usable_share().value * row.tally.order_share().value
            - row.tally.overall_order().value
        )
        for row in rows
        if row.tally.outputs
    )
    return f"largest deviation {off:.0e}", off < 1e-9, ""


# -- Figures 9 and 10 ---------------------------------------------------------------------------


def _always_output(rows: Sequence[Row]) -> Judged:
    tally = _total(rows)
    shown = f"{tally.outputs:,} of {tally.runs:,} runs"
    return shown, tally.outputs == tally.runs and tally.read == tally.runs, "all walks read back"


def _rises(knob: str, **wanted: object) -> Judge:
    """Judge whether good output rises with a budget: for all curves the ends and the trend."""

    def judge(rows: Sequence[Row]) -> Judged:
        rows = [row for row in _at(rows, **wanted) if getattr(row.cell, knob) is not None]
        groups: dict[Cell, list[Row]] = {}
        for row in rows:
            key = _without(row.cell, knob)
            groups.setdefault(key, []).append(row)
        gains, rising = [], 0
        for part in groups.values():
            part.sort(key=lambda row: float(getattr(row.cell, knob)))
            gain = difference(part[-1].tally.order_share(), part[0].tally.order_share())
            gains.append(gain)
            rising += gain.low > 0
        if all(gain.value == 0 for gain in gains):
            return "constant at 1.000", None, ""
        found = average(gains)
        shown = f"mean gain from the least to the largest budget {found}"
        return f"{shown}; surely rising in {rising} of {len(gains)} curves", found.low > 0, ""

    return judge


def _without(cell: Cell, knob: str) -> Cell:
    return replace(cell, **{knob: None})  # type: ignore[arg-type]


def _vertices_hurt_more(rows: Sequence[Row]) -> Judged:
    on_edges = _pooled([row for row in rows if row.cell.edge_budget], _order)
    on_vertices = _pooled([row for row in rows if row.cell.vertex_budget], _order)
    gap = difference(on_edges, on_vertices)
    shown = f"edges {on_edges.value:.3f}, vertices {on_vertices.value:.3f}: {gap}"
    return shown, gap.low > 0 if gap.value else None, "mean over budgets and sizes"


def _fewer_copies(rows: Sequence[Row]) -> Judged:
    rows = [row for row in rows if row.cell.vertex_budget]
    counts = [_pooled(_at(rows, vertex_budget=b), Tally.mean_copies).value for b in BUDGETS]
    shown = f"{counts[0]:.2f} copies at {BUDGETS[0]}, {counts[-1]:.2f} at {BUDGETS[-1]}"
    return shown, counts == sorted(counts, reverse=True), ""


def _acyclic_better(visits: int) -> Judge:
    def judge(rows: Sequence[Row]) -> Judged:
        gaps = []
        for edge in CYCLIC_EDGE_BUDGETS:
            for vertex in BUDGETS:
                here = _at(rows, edge_budget=edge, vertex_budget=vertex)
                straight = _at(here, walk="acyclic")[0].tally.order_share()
                curled = _at(here, walk="cyclic", visits=visits)[0].tally.order_share()
                gaps.append(difference(straight, curled))
        found = average(gaps)
        if found.value == 0:
            return "no difference", None, ""
        above, below = (sum(gap.low > 0 for gap in gaps), sum(gap.high < 0 for gap in gaps))
        shown = (
            f"mean difference {found}; surely above at {above}, surely below at {below} of "
            f"{len(gaps)} points"
        )
        return shown, found.low > 0 and above > below, ""

    return judge


def _cyclic_copies(rows: Sequence[Row]) -> Judged:
    curled = _pooled(_at(rows, walk="cyclic", visits=ALL_VERTICES), Tally.mean_copies)
    straight = _pooled(_at(rows, walk="acyclic"), Tally.mean_copies)
    return (
        f"{curled.value:.2f} against {straight.value:.2f} copies",
        curled.low > straight.high,
        "",
    )


def _short(found: Interval) -> str:
    return f"{found.value:.2f} [{found.low:.2f}, {found.high:.2f}]"


CLAIMS: dict[str, tuple[tuple[str, str, Judge], ...]] = {
    "run-time": (
        ("More vertices: the running time increases significantly", "", _grows_with_vertices),
        ("DP on edges: more edges, less run time", "", _falls_with_edges),
        ("Vertex budget 0.5 takes much longer than 1", "much higher", _slower(0, 1)),
        ("Edge budget 0.5 takes much longer than 1", "much higher", _slower(2, 3)),
    ),
    "quality": (
        ("Overall 122 different sizes of maps", "122", _sizes),
        ("Sizes usable with less than 50 %", "about 43 % (52/122)", _under_half),
        (
            "... especially most of the maps with more than 7 vertices",
            "most",
            _large_maps_under_half,
        ),
        ("Share of sizes that are always usable", "about 30 %", _always_share),
        ("Number of sizes that are always usable", "30 of 122", _always_count),
        (
            "They are the complete graphs and |E| in [|V| - 1, |V| + 3]",
            "these",
            _always_which,
        ),
        ("Good output with usable map: at least 50 %", "0.5 or more", _at_least_half),
        ("... exactly one half where the map is just the path", "0.5", _trees_half),
        ("... and certain on complete maps", "1", _complete_told),
        ("Good output and |E| are roughly positively correlated", "", _more_edges_better),
        ("Overall good output is the product of the two", "", _product),
    ),
    "base-map": (
        (
            "(6, 10) is a local minimum of good output: with usable map",
            "",
            _local_minimum(splitting=False),
        ),
        ("... and with splitting", "", _local_minimum(splitting=True)),
    ),
    "budgets": (
        ("With splitting every map gives an output", "100 %", _always_output),
        ("Good output increases with the vertex budget", "", _rises("vertex_budget")),
        ("Good output increases with the edge budget", "", _rises("edge_budget")),
        ("A smaller vertex budget makes more copies", "", _fewer_copies),
        ("DP on vertices costs more good output than DP on edges", "", _vertices_hurt_more),
    ),
    "cyclic": (
        ("With splitting every map gives an output", "100 %", _always_output),
        (
            "Acyclic paths do better than cyclic ones: walks of as many visits",
            "",
            _acyclic_better(SAME_VISITS),
        ),
        ("... walks that see as many vertices", "", _acyclic_better(ALL_VERTICES)),
        ("Cyclic walks get more copies", "", _cyclic_copies),
        (
            "Cyclic: good output increases with the vertex budget",
            "",
            _rises("vertex_budget", walk="cyclic"),
        ),
        (
            "Cyclic: good output increases with the edge budget",
            "",
            _rises("edge_budget", walk="cyclic"),
        ),
    ),
}
