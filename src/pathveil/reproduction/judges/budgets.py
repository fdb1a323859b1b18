"""Judges of Figures 9 and 10: good output under both budgets, acyclic and cyclic."""

from __future__ import annotations

from collections.abc import Sequence

from pathveil.intervals import average, difference
from pathveil.reproduction.figures import ALL_VERTICES, BUDGETS, CYCLIC_EDGE_BUDGETS, WORST
from pathveil.reproduction.judges.picking import (
    Judge,
    Opinion,
    by_knob,
    pooled,
    rows_at,
    sum_tallies,
)
from pathveil.reproduction.judges.trends import Curve, judge_trend
from pathveil.reproduction.measures import Tally
from pathveil.reproduction.store import Row


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
