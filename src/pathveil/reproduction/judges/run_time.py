"""Judges of Figure 7, run time: measured in search steps, which no machine changes."""

from __future__ import annotations

from collections.abc import Sequence

from pathveil.intervals import Interval, ratio
from pathveil.reproduction.figures import RUN_TIME_PANELS, WORST
from pathveil.reproduction.judges.picking import Judge, Opinion, pooled, rows_at
from pathveil.reproduction.judges.trends import judge_trend
from pathveil.reproduction.measures import Tally
from pathveil.reproduction.store import Row

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
