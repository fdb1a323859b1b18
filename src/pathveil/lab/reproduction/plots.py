"""The paper's figures drawn from result tables: same panels, same axes, both engines.

Colours are Okabe and Ito's, which stay apart for colour-blind readers; curves differ by marker as
well, so that print in grey can be read. The legend stands below the panels and hides nothing. Bars
are 95 % intervals. The files hold no date: the same table gives the same picture.
"""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pathveil.chance.intervals import Interval
from pathveil.errors import MissingExtra
from pathveil.files.atomic_write import write_aside
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

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

FORMATS = ("svg", "png", "pdf")
ENGINE_NAMES: dict[Engine, str] = {"backtracking": "the paper's engine", "exact": "our engine"}
COLOURS = ("#000000", "#D55E00", "#0072B2", "#009E73", "#CC79A7", "#56B4E9")
MARKERS = ("o", "s", "^", "D", "v", "P")
OURS = "#E69F00"
WIDTH = 7.2

_STYLE: dict[Any, Any] = {
    "font.size": 8,
    "axes.titlesize": 8,
    "axes.labelsize": 8,
    "legend.fontsize": 7.5,
    "xtick.labelsize": 7,
    "ytick.labelsize": 7,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.linewidth": 0.4,
    "grid.color": "#D0D0D0",
    "lines.linewidth": 1.0,
    "lines.markersize": 3.2,
    "svg.hashsalt": "pathveil",
    "pdf.fonttype": 42,
}

Curve = list[tuple[float, Interval]]
Measure = Callable[[Row], Interval]


def draw_figure(
    figure: Figure,
    rows: Sequence[Row],
    folder: str | Path,
    *,
    formats: Sequence[str] = FORMATS,
) -> tuple[Path, ...]:
    """Return the files of a figure drawn from the rows of its sweep.

    *Paper*: the layout of the figure with that number; a second row of panels, or one more curve,
    shows our engine.
    """
    try:
        import matplotlib as mpl
    except ImportError:
        raise MissingExtra("plot", "matplotlib") from None
    painters = {7: _run_time, 8: _quality, 9: _budgets, 10: _cyclic}
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    with mpl.rc_context(_STYLE):
        canvas = painters[figure.number](rows)
        files = []
        for kind in formats:
            path = folder / f"figure{figure.number:02d}-{figure.name}.{kind}"
            stamp: dict[str, Any] = {
                "svg": {"Date": None},
                "pdf": {"CreationDate": None, "ModDate": None},
            }
            made = io.BytesIO()
            canvas.savefig(made, format=kind, dpi=200, metadata=stamp.get(kind, {}))
            write_aside(path, made.getvalue())
            files.append(path)
    return tuple(files)


def _canvas(rows: int, columns: int, height: float) -> tuple[Canvas, list[list[Axes]]]:
    from matplotlib.figure import Figure as Canvas

    canvas = Canvas(figsize=(WIDTH, height), layout="constrained")
    grid = canvas.subplots(rows, columns, squeeze=False, sharex="col", sharey="row")
    return canvas, [list(line) for line in grid]


def _engines(rows: Sequence[Row]) -> list[Engine]:
    here = {row.cell.engine for row in rows}
    return [engine for engine in ENGINES if engine in here]


def _draw(axes: Axes, curve: Curve, *, place: int, label: str, colour: str | None = None) -> None:
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
        color=colour or COLOURS[place],
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


def _legend(canvas: Canvas, axes: Axes, columns: int) -> None:
    handles, labels = axes.get_legend_handles_labels()
    # Error bars come last of themselves; the paper's curves are to come first.
    ours = [place for place, label in enumerate(labels) if label.startswith("our engine")]
    listed = [place for place in range(len(labels)) if place not in ours] + ours
    handles, labels = [handles[k] for k in listed], [labels[k] for k in listed]
    canvas.legend(handles, labels, loc="outside lower center", ncols=columns, frameon=False)


def _panel_title(place: int, text: str) -> str:
    return f"({'abcdefgh'[place]}) {text}"


def _run_time(rows: Sequence[Row]) -> Canvas:
    engines = _engines(rows)
    canvas, grid = _canvas(len(engines), 4, 1.0 + 1.75 * len(engines))
    for line, engine in zip(grid, engines, strict=True):
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
        scale = ", scale of its own" if len(engines) > 1 else ""
        line[0].set_ylabel(f"{ENGINE_NAMES[engine]}\nrun time (s){scale}")
    _legend(canvas, grid[0][0], 6)
    return canvas


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


def _quality(rows: Sequence[Row]) -> Canvas:
    panels: tuple[tuple[str, Measure], ...] = (
        ("usable maps", lambda row: row.tally.usable_share()),
        ("good output with usable map", lambda row: row.tally.order_share()),
        ("overall good output", lambda row: row.tally.overall_order()),
    )
    engines = _engines(rows)
    canvas, grid = _canvas(len(engines), 3, 1.0 + 2.0 * len(engines))
    for line, engine in zip(grid, engines, strict=True):
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
    _legend(canvas, grid[0][0], 6)
    return canvas


def _has(interval: Interval) -> bool:
    return not math.isnan(interval.value)


def _percent(measure: Measure) -> Measure:
    def scaled(row: Row) -> Interval:
        found = measure(row)
        return Interval(100 * found.value, 100 * max(0.0, found.low), 100 * min(1.0, found.high))

    return scaled


def _budget_panel(
    axes: Axes, curves: Sequence[tuple[str, list[Row]]], knob: str, engines: Sequence[Engine]
) -> None:
    """Draw good output over a budget; ours, where all are alike, is one curve."""
    order = _percent(lambda row: row.tally.order_share())
    for place, (label, rows) in enumerate(curves):
        points = [
            (float(getattr(row.cell, knob)), order(row))
            for row in rows
            if row.cell.engine == "backtracking"
        ]
        if points:
            _draw(axes, points, place=place, label=label)
    if "exact" in engines:
        everything = [row for _, rows in curves for row in rows if row.cell.engine == "exact"]
        worst: dict[float, Interval] = {}
        for row in everything:
            budget, found = float(getattr(row.cell, knob)), order(row)
            if budget not in worst or found.value < worst[budget].value:
                worst[budget] = found
        # On top of all: where a curve of the paper's engine reaches 100 % both can be seen.
        axes.plot(
            sorted(worst),
            [worst[budget].value for budget in sorted(worst)],
            color=OURS,
            linestyle="--",
            linewidth=1.6,
            zorder=5,
            label="our engine, every curve",
        )


def _budgets(rows: Sequence[Row]) -> Canvas:
    canvas, grid = _canvas(1, 2, 3.3)
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
        _budget_panel(axes, curves, knob, _engines(rows))
        axes.set_title(_panel_title(place, title))
        axes.set_xlabel(label)
    grid[0][0].set_ylabel("good output (%)")
    _legend(canvas, grid[0][0], 4)
    return canvas


def _cyclic(rows: Sequence[Row]) -> Canvas:
    canvas, grid = _canvas(1, 3, 3.1)
    kinds = (
        ("acyclic path, 6 visits to 6 vertices", ("acyclic", SAME_VISITS)),
        ("cyclic walk, 6 visits to 5 vertices", ("cyclic", SAME_VISITS)),
        ("cyclic walk, 8 visits to 6 vertices", ("cyclic", ALL_VERTICES)),
    )
    for place, edge in enumerate(CYCLIC_EDGE_BUDGETS):
        axes = grid[0][place]
        part = [row for row in rows if row.cell.edge_budget == edge]
        curves = [
            (
                label,
                [row for row in part if (row.cell.walk, row.cell.visits) == kind],
            )
            for label, kind in kinds
        ]
        _budget_panel(axes, curves, "vertex_budget", _engines(rows))
        axes.set_title(_panel_title(place, f"edge budget $\\epsilon_e$ = {edge}"))
        axes.set_xlabel("vertex budget $\\epsilon_v$")
    grid[0][0].set_ylabel("good output (%)")
    _legend(canvas, grid[0][0], 2)
    return canvas
