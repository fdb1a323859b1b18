"""The claims the paper prints about its evaluation, each held against the result tables.

A claim is about the paper's engine; our engine's number is beside it. How a verdict is reached, and
when there is none, is in :mod:`~pathveil.lab.reproduction.verdicts`. "Cannot be compared" is said
of what only the missing images show.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from pathveil.chance.intervals import Interval, average, difference, log_ratio, proportion
from pathveil.lab.reproduction.figures import (
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
from pathveil.lab.reproduction.measures import Tally
from pathveil.lab.reproduction.sweep import ENGINES, Cell, Engine
from pathveil.lab.reproduction.sweep_store import Row
from pathveil.lab.reproduction.verdicts import (
    Curve,
    Opinion,
    Verdict,
    judge_bound,
    judge_count,
    judge_size,
    judge_trend,
    opinion,
    shrunk,
)

Tables = Mapping[str, Sequence[Row]]
"""Rows of the sweeps that were run, by figure name."""
Judge = Callable[[Sequence[Row]], Opinion]
Size = tuple[int, int]

PRINTED_RUNS = 1000
"""Runs behind each number the paper prints: its counts have noise of their own."""
DOMINANT = 0.1
"""A mean of which one run makes up this share or more is not settled."""
NEAR = 0.005
"""Good output of two sizes that differ by less is level, where a local minimum is claimed."""
ALWAYS_PRINTED, DESCRIBED = 30, 36
"""Sizes the paper prints as always usable, and as many as its own description has."""


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


def judge_claims(tables: Tables) -> tuple[JudgedClaim, ...]:
    """Return every claim of the paper's evaluation with its verdict, figure by figure.

    Examples
    --------
    >>> {finding.verdict for finding in judge_claims({})} == {"not run", "cannot be compared"}
    True
    """
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
    said: dict[Engine, Opinion] = {}
    for engine in ENGINES:
        part = [row for row in rows if row.cell.engine == engine]
        if part:
            said[engine] = judge(part)
    paper = said.get("backtracking", Opinion("not run", None))
    ours = said["exact"].found if "exact" in said else "not run"
    return JudgedClaim(
        figure, claim, printed, paper.found, ours, paper.verdict or "not run", paper.note
    )


# -- picking rows ----------------------------------------------------------------------------------


def sum_tallies(rows: Iterable[Row]) -> Tally:
    """Return the sum of the rows' tallies."""
    return sum((row.tally for row in rows), Tally())


def rows_at(rows: Sequence[Row], **wanted: object) -> list[Row]:
    """Return the rows whose cell has these values."""
    return [row for row in rows if all(getattr(row.cell, k) == v for k, v in wanted.items())]


def pooled(rows: Sequence[Row], measure: Callable[[Tally], Interval]) -> Interval:
    """Return the mean of a measure over cells of equal weight."""
    return average([measure(row.tally) for row in rows])


def _runs(rows: Sequence[Row]) -> int:
    return max(row.tally.runs for row in rows)


def _curves_over(rows: Sequence[Row], knob: str) -> dict[Cell, list[Row]]:
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


def _constant(curves: Mapping[str, Curve]) -> bool:
    return len({y.value for curve in curves.values() for _, y in curve}) == 1


# -- Figures 9 and 10: good output under both budgets ----------------------------------------------


def always_output(rows: Sequence[Row]) -> Opinion:
    """Judge "we always produce the graph-based path from any map with 100 % guarantee"."""
    tally = sum_tallies(rows)
    shown = f"{tally.outputs:,} of {tally.runs:,} runs"
    holds = tally.outputs == tally.runs and tally.read == tally.runs
    return Opinion.plain(shown, holds, "all walks read back")


def rises(knob: str, **wanted: object) -> Judge:
    """Return the judge of "with an increasing budget an increasing percentage of good output"."""

    def judge(rows: Sequence[Row]) -> Opinion:
        curves: dict[str, Curve] = {
            cell.draw_name: [(float(getattr(r.cell, knob)), r.tally.order_share()) for r in part]
            for cell, part in _curves_over(rows_at(rows, **wanted), knob).items()
        }
        if _constant(curves):
            return Opinion("constant at 1.000", None)
        gain = average([difference(curve[-1][1], curve[0][1]) for curve in curves.values()])
        shown = f"mean gain from the least to the largest budget {gain}"
        return judge_trend(curves, "rises", runs=_runs(rows), shown=shown)

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
    note = "one curve for each |V|"
    return judge_trend(curves, "falls", runs=_runs(rows), shown=shown, note=note, relative=True)


def vertices_hurt_more(rows: Sequence[Row]) -> Opinion:
    """Judge "DP on vertices impacts the performance more significantly than DP on edges"."""
    kinds = (
        [row for row in rows if row.cell.vertex_budget],
        [row for row in rows if row.cell.edge_budget],
    )
    curves: dict[str, Curve] = {
        f"|V| = {v}": [
            (float(x), pooled(rows_at(part, vertices=v), Tally.order_share))
            for x, part in enumerate(kinds)
        ]
        for v in WORST
    }
    if _constant(curves):
        return Opinion("constant at 1.000", None)
    on_vertices, on_edges = (pooled(part, Tally.order_share) for part in kinds)
    gap = difference(on_edges, on_vertices)
    shown = f"edges {on_edges.value:.3f}, vertices {on_vertices.value:.3f}: {gap}"
    note = "from DP on vertices to DP on edges, by |V|, mean over budgets"
    return judge_trend(curves, "rises", runs=_runs(rows), shown=shown, note=note)


def _straight_and_curled(
    rows: Sequence[Row], visits: int, measure: Callable[[Tally], Interval]
) -> dict[str, tuple[Interval, Interval]]:
    """Return a measure of the acyclic and of the cyclic row at each pair of budgets."""
    pairs = {}
    for edge in CYCLIC_EDGE_BUDGETS:
        for vertex in BUDGETS:
            here = rows_at(rows, edge_budget=edge, vertex_budget=vertex)
            straight = rows_at(here, walk="acyclic")[0]
            curled = rows_at(here, walk="cyclic", visits=visits)[0]
            name = f"budgets {vertex} and {edge}"
            pairs[name] = measure(straight.tally), measure(curled.tally)
    return pairs


def acyclic_better(visits: int) -> Judge:
    """Return the judge of "with given budgets ... better performance on acyclic paths"."""

    def judge(rows: Sequence[Row]) -> Opinion:
        pairs = _straight_and_curled(rows, visits, Tally.order_share)
        curves: dict[str, Curve] = {
            name: [(0.0, curled), (1.0, straight)] for name, (straight, curled) in pairs.items()
        }
        if _constant(curves):
            return Opinion("no difference", None)
        gap = average([difference(straight, curled) for straight, curled in pairs.values()])
        note = "from cyclic to acyclic, one curve for each pair of budgets"
        shown = f"mean difference {gap}"
        return judge_trend(curves, "rises", runs=_runs(rows), shown=shown, note=note)

    return judge


def cyclic_copies(rows: Sequence[Row]) -> Opinion:
    """Judge "our pre-processing would create more vertices for cyclic paths"."""
    pairs = _straight_and_curled(rows, ALL_VERTICES, Tally.mean_copies)
    curves: dict[str, Curve] = {
        name: [(0.0, straight), (1.0, curled)] for name, (straight, curled) in pairs.items()
    }
    less, more = (average([pair[k] for pair in pairs.values()]) for k in (0, 1))
    shown = f"{more.value:.2f} against {less.value:.2f} copies"
    note = "from acyclic to cyclic, one curve for each pair of budgets"
    return judge_trend(curves, "rises", runs=_runs(rows), shown=shown, note=note, relative=True)


# -- Figure 8: which maps are usable, and how often the order is confirmed -------------------------


def described_sizes() -> set[Size]:
    """Return the sizes the paper says are always usable."""
    return {(v, e) for v, e in SIZES if e <= v + 3 or e == v * (v - 1) // 2}


def sizes(rows: Sequence[Row]) -> Opinion:
    """Judge "overall 122 different sizes of maps"."""
    return Opinion.plain(f"{len(rows)} sizes", len(rows) == 122)


def _below_half(rows: Sequence[Row], factor: float, *, again: int | None = None) -> tuple[int, int]:
    """Return how many sizes are usable in less than half of the maps: surely, and possibly.

    With ``again`` what another study of that many runs may count, with noise of its own.
    """
    sure = possible = 0
    for row in rows:
        runs = row.tally.runs * factor**2
        if again:
            runs = 1 / (1 / runs + 1 / again)
        share = shrunk(
            proportion(row.tally.usable, row.tally.runs), math.sqrt(runs / row.tally.runs)
        )
        sure += share.high < 0.5
        possible += share.low < 0.5
    return sure, possible


def under_half(rows: Sequence[Row]) -> Opinion:
    """Judge "52/122 of the maps cannot produce the graph-based path with over 50 %"."""
    counted = sum(2 * row.tally.usable < row.tally.runs for row in rows)
    low, high = _below_half(rows, 1.0)
    near = high - low
    shown = (
        f"{counted} of {len(rows)} ({counted / len(rows):.1%}) [{low}, {high}]; {near} sizes "
        f"({near / len(rows):.1%}) are within noise of one half"
    )
    least, most = _below_half(rows, 1.0, again=PRINTED_RUNS)
    note = (
        f"52 is printed; another {PRINTED_RUNS} runs, such as the paper's, may count {least} to "
        f"{most}"
    )
    return judge_count(
        lambda factor: _below_half(rows, factor),
        52,
        of=len(rows),
        found=shown,
        note=note,
        runs=_runs(rows),
    )


def large_maps_under_half(rows: Sequence[Row]) -> Opinion:
    """Judge "especially for most of the maps with more than 7 vertices"."""
    large = [row for row in rows if row.cell.vertices > 7]
    low, high = _below_half(large, 1.0)

    def rule(factor: float) -> Verdict:
        sure, possible = _below_half(large, factor)
        if sure > len(large) / 2:
            return "agrees"
        return "disagrees" if possible <= len(large) / 2 else "undecided"

    counted = sum(2 * row.tally.usable < row.tally.runs for row in large)
    return opinion(rule, f"{counted} of {len(large)} [{low}, {high}]", runs=_runs(rows))


def _always(rows: Sequence[Row]) -> list[Size]:
    return [
        (row.cell.vertices, row.cell.edges) for row in rows if row.tally.usable == row.tally.runs
    ]


def always_share(rows: Sequence[Row]) -> Opinion:
    """Judge "only about 30 % ... with 100 % guarantee"."""
    always = set(_always(rows))
    sure = len(always & described_sizes())
    shown = f"{len(always)} of {len(rows)}: {len(always) / len(rows):.1%}"
    # More runs can only show unusable maps of sizes that have shown none yet.
    return judge_count(
        lambda factor: (sure, len(always) if factor == 1 else sure),
        0.3 * len(rows),
        of=len(rows),
        found=shown,
        note=f"at least {sure}, of which no unusable map can exist",
        runs=_runs(rows),
    )


def always_count(rows: Sequence[Row]) -> Opinion:
    """Judge "(30/122) maps ... with 100 % guarantee"."""
    always = set(_always(rows))
    sure = len(always & described_sizes())
    note = (
        f"{ALWAYS_PRINTED} is printed, but the paper's own description has {DESCRIBED} sizes, and "
        "for these no unusable map can exist"
    )
    return Opinion.plain(f"{len(always)} [{sure}, {len(always)}]", sure <= ALWAYS_PRINTED, note)


def always_which(rows: Sequence[Row]) -> Opinion:
    """Judge "such maps are the complete graph and |E| in [|V| - 1, |V| + 3]"."""
    here = {(row.cell.vertices, row.cell.edges) for row in rows}
    always, wanted = set(_always(rows)), described_sizes() & here
    if wanted - always:
        return Opinion.plain(f"{len(wanted - always)} of those are not", holds=False)
    more = len(always - wanted)
    return opinion(
        lambda factor: "agrees" if factor > 1 or not more else "undecided",
        "exactly those" if not more else f"those, and {more} more that showed no unusable map yet",
        runs=_runs(rows) if not more else PRINTED_RUNS,
    )


def _order_shares(rows: Sequence[Row]) -> dict[Size, Interval]:
    return {
        (row.cell.vertices, row.cell.edges): row.tally.order_share()
        for row in rows
        if row.tally.outputs
    }


def at_least_half(rows: Sequence[Row]) -> Opinion:
    """Judge "with at least 50 % probability, our graph-based path confirms the visiting order"."""
    return judge_bound(_order_shares(rows), 0.5, runs=_runs(rows))


def at_least_two_thirds(rows: Sequence[Row]) -> Opinion:
    """Judge "which is at least 2/3" in Proposition 1's proof: every map but the paths alone."""
    shares = {size: one for size, one in _order_shares(rows).items() if size[1] >= size[0]}
    note = "every size but |E| = |V| - 1, which the proof excepts"
    return judge_bound(shares, 2 / 3, note, runs=_runs(rows))


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
        f"|V| = {v}": [(float(e), one) for (u, e), one in _order_shares(rows).items() if u == v]
        for v in WORST
    }
    if _constant(curves):
        return Opinion("constant", None)
    return judge_trend(curves, "rises", runs=_runs(rows), note="one curve for each |V|")


def more_vertices_worse(rows: Sequence[Row]) -> Opinion:
    """Judge "more vertices damage the performance", as read off Figure 8(b)."""
    shares = _order_shares(rows)
    curves: dict[str, Curve] = {
        f"{more} more than the path": [
            (float(v), shares[v, v - 1 + more]) for v in WORST if (v, v - 1 + more) in shares
        ]
        for more in range(1, 7)
    }
    if _constant(curves):
        return Opinion("constant", None)
    note = "over |V|, one curve for each number of edges beyond the path's, 1 to 6"
    return judge_trend(curves, "falls", runs=_runs(rows), note=note)


def local_minimum(measure: Callable[[Tally], Interval], *, splitting: bool) -> Judge:
    """Return the judge of "(6, 10) achieves a local minimum": surely below both neighbours.

    Surely below one and level with the other is in part; surely above one disagrees.
    """

    def judge(rows: Sequence[Row]) -> Opinion:
        part = rows_at(rows, splitting=splitting)
        shares = {row.cell.edges: measure(row.tally) for row in part}
        gaps = [difference(shares[BASE[1] + step], shares[BASE[1]]) for step in (-1, 1)]
        if all(gap.value == 0 for gap in gaps):
            return Opinion("constant at 1.000", None)

        def rule(factor: float) -> Verdict:
            here = [shrunk(gap, factor) for gap in gaps]
            above = [gap.low > 0 for gap in here]
            level = [gap.low > -NEAR and gap.high < NEAR for gap in here]
            if all(above):
                return "agrees"
            if any(gap.high < 0 for gap in here) or all(level):
                return "disagrees"
            return "in part" if any(above) and any(level) else "undecided"

        shown = ", ".join(f"{edges}: {share.value:.4f}" for edges, share in shares.items())
        half = (shares[BASE[1]].high - shares[BASE[1]].low) / 2
        runs = _runs(part) // BASE_MAP.more
        return opinion(rule, f"by edges {shown}", f"each within {half:.4f}", runs=runs)

    return judge


BASE_MAP = next(figure for figure in FIGURES if figure.name == "base-map")


def product(rows: Sequence[Row]) -> Opinion:
    """Judge "the Hadamard product" of the first two panels."""
    off = max(
        abs(
            row.tally.usable / row.tally.runs * row.tally.order_share().value
            - row.tally.overall_order().value
        )
        for row in rows
        if row.tally.outputs
    )
    return Opinion.plain(f"largest deviation {off:.0e}", off < 1e-9)


# -- Figure 7: run time in search steps, which no machine changes ----------------------------------

Panel = tuple[str | None, str | None]


def _panel(rows: Sequence[Row], panel: Panel) -> list[Row]:
    return rows_at(rows, vertex_budget=panel[0], edge_budget=panel[1])


def _steps_at(rows: Sequence[Row], panel: Panel, vertices: int) -> Interval:
    """Return the mean steps over the sizes with this number of vertices, each alike."""
    return pooled(rows_at(_panel(rows, panel), vertices=vertices), Tally.mean_steps)


def _unsettled(rows: Iterable[Row]) -> bool:
    """Return whether the step limit cut searches short, or one run makes up much of the mean."""
    tally = sum_tallies(rows)
    return tally.struck > 0 or tally.steps_most >= DOMINANT * tally.steps


def grows_with_vertices(rows: Sequence[Row]) -> Opinion:
    """Judge "when increasing the number of vertices, the running time increases significantly"."""
    ends = [[_steps_at(rows, panel, v) for v in (5, 10)] for panel in RUN_TIME_PANELS]
    shown = ", ".join(f"{large.value / small.value:,.0f}" for small, large in ends)
    # Cut searches make the larger maps look cheaper: what rises all the same rises without a limit.
    note = "panels (a) to (d)"
    if any(row.tally.struck for row in rows):
        note += "; the step limit cuts searches short on the largest maps, where steps rise more"
    logs = [log_ratio(large, small) for small, large in ends]
    shown = f"steps at |V| = 10 over |V| = 5: {shown} times"
    return judge_size(logs, shown, note, runs=_runs(rows))


def falls_with_edges(rows: Sequence[Row]) -> Opinion:
    """Judge "the increasing number of edges results in a decreasing run time", DP on edges."""
    curves, cut = {}, []
    for panel in RUN_TIME_PANELS[2:]:
        for v in WORST:
            part, name = rows_at(_panel(rows, panel), vertices=v), f"|V| = {v} at {panel[1]}"
            curves[name] = [(float(row.cell.edges), row.tally.mean_steps()) for row in part]
            if _unsettled(part):
                cut.append(name)
    note = "one curve for each |V| and budget"
    return judge_trend(curves, "falls", runs=_runs(rows), note=note, relative=True, left_out=cut)


def slower(top: int, bottom: int) -> Judge:
    """Return the judge of "the run time in panel ``top`` is much higher than in ``bottom``"."""

    def judge(rows: Sequence[Row]) -> Opinion:
        panels = RUN_TIME_PANELS[top], RUN_TIME_PANELS[bottom]
        logs, shown, cut = [], [], []
        for v in WORST:
            parts = [rows_at(_panel(rows, panel), vertices=v) for panel in panels]
            if any(map(_unsettled, parts)):
                cut.append(str(v))
                continue
            first, second = (_steps_at(rows, panel, v) for panel in panels)
            logs.append(log_ratio(first, second))
            shown.append(f"{first.value / second.value:.2f} ({v})")
        note = "budget 0.5 over budget 1; much is twice or more"
        if cut:
            note += "; not counted, as searches were cut short or one run decides: |V| = "
            note += ", ".join(cut)
        steps = f"steps by |V| {', '.join(shown)} times" if shown else ""
        return judge_size(logs, steps, note, runs=_runs(rows))

    return judge


# -- all of them -----------------------------------------------------------------------------------

CLAIMS: dict[str, tuple[tuple[str, str, Judge], ...]] = {
    "run-time": (
        ("More vertices: the running time increases significantly", "", grows_with_vertices),
        ("DP on edges: more edges, less run time", "", falls_with_edges),
        ("Vertex budget 0.5 takes much longer than 1", "much higher", slower(0, 1)),
        ("Edge budget 0.5 takes much longer than 1", "much higher", slower(2, 3)),
    ),
    "quality": (
        ("Overall 122 different sizes of maps", "122", sizes),
        ("Sizes usable with less than 50 %", "about 43 % (52/122)", under_half),
        (
            "... especially most of the maps with more than 7 vertices",
            "most",
            large_maps_under_half,
        ),
        ("Share of sizes that are always usable", "about 30 %", always_share),
        ("Number of sizes that are always usable", "30 of 122", always_count),
        ("They are the complete graphs and |E| in [|V| - 1, |V| + 3]", "these", always_which),
        ("Good output with usable map: at least 50 %", "0.5 or more", at_least_half),
        ("... exactly one half where the map is just the path", "0.5", trees_half),
        (
            "Good output, the path alone aside: at least 2/3 (proof of Proposition 1)",
            "2/3 or more",
            at_least_two_thirds,
        ),
        ("... and certain on complete maps", "1", complete_told),
        ("Good output and |E| are roughly positively correlated", "", more_edges_better),
        (
            "More vertices damage the performance (said of Figure 10, from Figure 8(b))",
            "",
            more_vertices_worse,
        ),
        ("Overall good output is the product of the two", "", product),
    ),
    "base-map": (
        (
            "(6, 10) is a local minimum of good output: with usable map, Figure 8(b)",
            "",
            local_minimum(Tally.order_share, splitting=False),
        ),
        (
            "... of overall good output, Figure 8(c)",
            "",
            local_minimum(Tally.overall_order, splitting=False),
        ),
        ("... with splitting", "", local_minimum(Tally.order_share, splitting=True)),
    ),
    "budgets": (
        ("With splitting every map gives an output", "100 %", always_output),
        ("Good output increases with the vertex budget", "", rises("vertex_budget")),
        ("Good output increases with the edge budget", "", rises("edge_budget")),
        ("A smaller vertex budget makes more copies", "", fewer_copies),
        ("DP on vertices costs more good output than DP on edges", "", vertices_hurt_more),
    ),
    "cyclic": (
        ("With splitting every map gives an output", "100 %", always_output),
        (
            "Acyclic paths do better than cyclic ones: walks of as many visits",
            "",
            acyclic_better(SAME_VISITS),
        ),
        (
            "Acyclic paths do better than cyclic ones that visit as many different vertices",
            "",
            acyclic_better(ALL_VERTICES),
        ),
        ("Cyclic walks get more copies", "", cyclic_copies),
        (
            "Cyclic: good output increases with the vertex budget",
            "",
            rises("vertex_budget", walk="cyclic"),
        ),
        (
            "Cyclic: good output increases with the edge budget",
            "",
            rises("edge_budget", walk="cyclic"),
        ),
    ),
}
"""By figure name: what the paper says, what number it prints, its judge."""
