"""The paper's figures drawn from result tables: same panels, same axes, both engines.

Colours are Okabe and Ito's, which stay apart for colour-blind readers; curves differ by marker as
well, so that print in grey can be read. The legend stands below the panels and hides nothing. Bars
are 95 % intervals. The files hold no date: the same table gives the same picture.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pathveil.chance.intervals import Interval
from pathveil.lab.reproduction.figures import (
    ALL_VERTICES,
    CYCLIC_EDGE_BUDGETS,
    RUN_TIME_PANELS,
    SAME_VISITS,
    WORST,
    Figure,
)
from pathveil.lab.reproduction.sweep import ENGINES, Engine
from pathveil.lab.reproduction.sweep_store import Row
from pathveil.lab.svg_figures import svg_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    Grid = list[list[Axes]]

OURS = "our engine"
ENGINE_NAMES: dict[Engine, str] = {"backtracking": "the paper's engine", "exact": OURS}
COLOURS = ("#000000", "#D55E00", "#0072B2", "#009E73", "#CC79A7", "#56B4E9")
MARKERS = ("o", "s", "^", "D", "v", "P")
OUR_COLOUR = "#E69F00"
WIDTH = 7.2

Curve = list[tuple[float, Interval]]
Measure = Callable[[Row], Interval]


def draw_figure(
    figure: Figure, rows: Sequence[Row], folder: Path, *, replacing: bool = True
) -> Path:
    """Return the file of a figure drawn from the rows of its sweep.

    *Paper*: the layout of the figure with that number; a second row of panels, or one more curve,
    shows our engine.
    """
    painter, lines, columns, height, legend = _PAINTERS[figure.number]
    path = folder / f"figure{figure.number:02d}-{figure.name}.svg"
    with svg_figure(path, WIDTH, height, replacing=replacing) as canvas:
        grid = canvas.subplots(lines, columns, squeeze=False, sharex="col", sharey="row").tolist()
        painter(grid, rows)
        handles, labels = grid[0][0].get_legend_handles_labels()
        # Error bars come last of themselves; the paper's curves are to come first.
        order = sorted(range(len(labels)), key=lambda place: labels[place].startswith(OURS))
        canvas.legend(
            [handles[place] for place in order],
            [labels[place] for place in order],
            loc="outside lower center",
            ncols=legend,
            frameon=False,
        )
    return path


def _draw(axes: Axes, curve: Curve, *, place: int, label: str) -> None:
    """Draw one curve with its intervals."""
    curve = sorted(curve, key=lambda point: point[0])
    x = [point[0] for point in curve]
    y = [point[1].value for point in curve]
    down = [max(0.0, point[1].value - point[1].low) for point in curve]
    up = [max(0.0, point[1].high - point[1].value) for point in curve]
    axes.errorbar(
        x,
        y,
        yerr=(down, up),
        color=COLOURS[place],
        marker=MARKERS[place],
        elinewidth=0.6,
        label=label,
    )


def _by_vertices(axes: Axes, rows: Sequence[Row], measure: Measure) -> None:
    """Draw one curve for each number of vertices, over the number of edges."""
    for place, vertices in enumerate(WORST):
        curve = [
            (float(row.cell.edges), measure(row)) for row in rows if row.cell.vertices == vertices
        ]
        if curve:
            _draw(axes, curve, place=place, label=f"|V| = {vertices}")


def _panel_title(place: int, text: str) -> str:
    return f"({'abcdefgh'[place]}) {text}"


def _run_time(grid: Grid, rows: Sequence[Row]) -> None:
    for line, engine in zip(grid, ENGINES, strict=True):
        for place, (vertex, edge) in enumerate(RUN_TIME_PANELS):
            axes = line[place]
            part = [
                row
                for row in rows
                if (row.cell.engine, row.cell.vertex_budget, row.cell.edge_budget)
                == (engine, vertex, edge)
            ]
            _by_vertices(axes, part, _seconds)
            _say_limits(axes, part)
            axes.set_yscale("log")
            if line is grid[0]:
                what = (
                    f"vertex, $\\epsilon_v$ = {vertex}"
                    if vertex
                    else f"edge, $\\epsilon_e$ = {edge}"
                )
                axes.set_title(_panel_title(place, f"DP on {what}"))
            if line is grid[-1]:
                axes.set_xlabel("number of edges |E|")
        line[0].set_ylabel(f"{ENGINE_NAMES[engine]}\nrun time (s), scale of its own")


def _say_limits(axes: Axes, rows: Sequence[Row]) -> None:
    """Write in a panel where searches were cut short, and which had a higher limit."""
    struck = sorted({row.cell.vertices for row in rows if row.tally.struck})
    if not struck:
        return
    limits = {row.cell.vertices: row.cell.step_limit for row in rows}
    high = [v for v in limits if limits[v] > limits[struck[0]]]
    listed = ", ".join(map(str, struck))
    said = f"cut at {limits[struck[0]]:,} steps: |V| = {listed}"
    if high:
        said += f"\nlimit {limits[high[0]]:,}: |V| = {', '.join(map(str, high))}"
    axes.text(0.97, 0.03, said, transform=axes.transAxes, fontsize=5.5, ha="right", color="#444444")


def _seconds(row: Row) -> Interval:
    found = row.clock.seconds(row.tally.runs)
    # A logarithmic axis has no room for an interval that reaches zero.
    return Interval(found.value, max(found.low, found.value / 10), found.high)


def _quality(grid: Grid, rows: Sequence[Row]) -> None:
    panels: tuple[tuple[str, Measure], ...] = (
        ("usable maps", lambda row: row.tally.usable_share()),
        ("good output with usable map", lambda row: row.tally.order_share()),
        ("overall good output", lambda row: row.tally.overall_order()),
    )
    for line, engine in zip(grid, ENGINES, strict=True):
        part = [row for row in rows if row.cell.engine == engine]
        for place, (title, measure) in enumerate(panels):
            axes = line[place]
            _by_vertices(axes, [row for row in part if _has(measure(row))], _percent(measure))
            if line is grid[0]:
                axes.set_title(_panel_title(place, title))
            if line is grid[-1]:
                axes.set_xlabel("number of edges |E|")
        line[0].set_ylabel(f"{ENGINE_NAMES[engine]}\nper cent of maps")
        line[0].set_ylim(-4, 104)


def _has(interval: Interval) -> bool:
    return not math.isnan(interval.value)


def _percent(measure: Measure) -> Measure:
    def scaled(row: Row) -> Interval:
        found = measure(row)
        return Interval(100 * found.value, 100 * max(0.0, found.low), 100 * min(1.0, found.high))

    return scaled


def _budget_panel(axes: Axes, curves: Sequence[tuple[str, list[Row]]], knob: str) -> None:
    """Draw good output over a budget; ours, where all are alike, is one curve."""
    order = _percent(lambda row: row.tally.order_share())
    worst: dict[float, float] = {}
    for place, (label, rows) in enumerate(curves):
        points = [(row.cell.engine, float(getattr(row.cell, knob)), order(row)) for row in rows]
        paper = [(budget, found) for engine, budget, found in points if engine == "backtracking"]
        _draw(axes, paper, place=place, label=label)
        for engine, budget, found in points:
            if engine == "exact":
                worst[budget] = min(worst.get(budget, math.inf), found.value)
    # On top of all: where a curve of the paper's engine reaches 100 % both can be seen.
    axes.plot(
        sorted(worst),
        [worst[budget] for budget in sorted(worst)],
        color=OUR_COLOUR,
        linestyle="--",
        linewidth=1.6,
        zorder=5,
        label=f"{OURS}, every curve",
    )


def _budgets(grid: Grid, rows: Sequence[Row]) -> None:
    panels = (
        ("vertex_budget", "DP on vertices", "vertex budget $\\epsilon_v$"),
        ("edge_budget", "DP on edges", "edge budget $\\epsilon_e$"),
    )
    for place, (knob, title, label) in enumerate(panels):
        axes = grid[0][place]
        part = [row for row in rows if getattr(row.cell, knob) is not None]
        curves = [
            (f"|V| = {v}, |E| = {e}", [row for row in part if row.cell.vertices == v])
            for v, e in WORST.items()
        ]
        _budget_panel(axes, curves, knob)
        axes.set_title(_panel_title(place, title))
        axes.set_xlabel(label)
    grid[0][0].set_ylabel("good output (%)")


def _cyclic(grid: Grid, rows: Sequence[Row]) -> None:
    kinds = (
        ("acyclic path, 6 visits to 6 vertices", ("acyclic", SAME_VISITS)),
        ("cyclic walk, 6 visits to 5 vertices", ("cyclic", SAME_VISITS)),
        ("cyclic walk, 8 visits to 6 vertices", ("cyclic", ALL_VERTICES)),
    )
    for place, edge in enumerate(CYCLIC_EDGE_BUDGETS):
        axes = grid[0][place]
        part = [row for row in rows if row.cell.edge_budget == edge]
        curves = [
            (label, [row for row in part if (row.cell.walk, row.cell.visits) == kind])
            for label, kind in kinds
        ]
        _budget_panel(axes, curves, "vertex_budget")
        axes.set_title(_panel_title(place, f"edge budget $\\epsilon_e$ = {edge}"))
        axes.set_xlabel("vertex budget $\\epsilon_v$")
    grid[0][0].set_ylabel("good output (%)")


_PAINTERS: dict[int, tuple[Callable[[Grid, Sequence[Row]], None], int, int, float, int]] = {
    7: (_run_time, 2, 4, 4.5, 6),
    8: (_quality, 2, 3, 5.0, 6),
    9: (_budgets, 1, 2, 3.3, 4),
    10: (_cyclic, 1, 3, 3.1, 2),
}
"""By figure: who draws it, rows and columns of panels, height, columns of the legend."""
