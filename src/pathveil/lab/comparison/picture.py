"""The comparison as a picture, drawn from its table alone: one row of panels for each map."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pathveil.errors import BadFile, MissingExtra
from pathveil.files.atomic_write import write_aside
from pathveil.lab.comparison.result_tables import Record, rounded, share, strongest

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Okabe and Ito's colours, by family; forms of one family differ in dash and marker
COLOURS = {
    "SDD": "#0072B2",
    "PIM": "#D55E00",
    "PriSTE presence": "#009E73",
    "PriSTE edge": "#56B4E9",
    "DPT": "#7f7f7f",
    "PTCS": "#CC79A7",
    "pathveil": "#000000",
}
OTHER = "#E69F00"
MARKERS = "osD^vPX*"
DASHES = ("-", "--", ":", "-.", (0, (5, 1, 1, 1, 1, 1)))


@dataclass(frozen=True)
class Panel:
    """What one column of panels shows."""

    title: str
    value: str
    low: str | None
    high: str | None
    attack: str | None
    label: str


PANELS = (
    Panel("A1 as drawn in Figure 1,\nover the guess among absent pairs", "over_g0", "over_g0_low",
          None, "nearest", "success − G0"),
    Panel("A1 among the possible joins,\nover the best control", "difference", "difference_low",
          "difference_high", "joins", "success − control"),
    Panel("the best attack,\nover the best control", "difference", "difference_low",
          "difference_high", None, "success − control"),
    Panel("exact walk read\nby a participant", "recovered", "recovered_low", "recovered_high",
          None, "share of trials"),
)  # fmt: skip


def draw_table(table: Sequence[Record], path: Path | str) -> None:
    """Draw a table of one or more maps; the ending of the path chooses the form: png, svg, pdf."""
    try:
        import matplotlib as mpl
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingExtra("plot", "matplotlib") from None
    if not table:
        raise BadFile("the comparison has no rows, so there is nothing to draw; run some trials")
    maps = list(dict.fromkeys(r["map"] for r in table))
    styles = _styles(list(dict.fromkeys(r["system"] for r in table)))
    figure = Figure(figsize=(14.4, 3.0 * len(maps) + 1.8), layout="constrained")
    FigureCanvasAgg(figure)
    grid = figure.subplots(len(maps), len(PANELS), squeeze=False)
    for row, name in enumerate(maps):
        mine = [r for r in table if r["map"] == name]
        for axis, panel in zip(grid[row], PANELS, strict=True):
            _draw_panel(axis, panel, mine, styles)
            if row == 0:
                axis.set_title(panel.title, fontsize=9)
            if row < len(maps) - 1:
                axis.set_xlabel("")
        _caption(grid[row][0], name, mine[0])
    lines = {line.get_label(): line for axis in grid.ravel() for line in axis.containers}
    named = [name for name in styles if name in lines]
    handles = [lines[name] for name in named]
    figure.legend(handles, named, loc="outside lower center", ncols=5, fontsize=8)
    figure.suptitle(
        "Guessing the missing edge, and reading the walk. Grey line: without a release; dotted: "
        "always right. Intervals: 95 % for all attacks on a system at a budget together",
        fontsize=10,
    )
    # a fixed salt and no date: the same table gives the same bytes
    with mpl.rc_context({"svg.hashsalt": "pathveil"}):
        kind = Path(path).suffix.removeprefix(".")
        made = io.BytesIO()
        figure.savefig(
            made, format=kind, dpi=130, metadata={"Date": None} if kind == "svg" else None
        )
    write_aside(path, made.getvalue())


def _caption(axis: Any, name: str, record: Record) -> None:
    """Write on the first panel of a map what is guessed there without a release."""
    said = (
        f"{name}\n{record['trials']} trials; G0 {rounded(record['g0'], 3)}, "
        f"G1 {share(record['g1'])}\n"
        f"best control: {record['control']} {share(record['control_success'])}"
    )
    axis.text(0.03, 0.88, said, fontsize=7, va="top", color="0.25", transform=axis.transAxes)


def _draw_panel(
    axis: Axes, panel: Panel, records: Sequence[Record], styles: Mapping[str, Any]
) -> None:
    chosen: Sequence[Record] = (
        strongest(records)
        if panel.attack is None
        else [r for r in records if r["attack"] == panel.attack]
    )
    _lines(axis, chosen, panel, styles)
    axis.set_ylabel(panel.label, fontsize=8)
    if panel.value == "recovered":
        axis.set_ylim(-0.05, 1.05)
        axis.axhline(float(records[0]["read_without"]), color="0.35", linewidth=1)
        return
    base = float(records[0]["g0" if panel.value == "over_g0" else "control_success"])
    axis.axhline(0, color="0.35", linewidth=1)
    axis.axhline(1 - base, color="0.35", linewidth=1, linestyle=(0, (1, 2)))
    axis.set_ylim(min(-0.1, -base - 0.06), 1 - base + 0.1)


def _styles(systems: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Return colour, marker and dash for each system; no two share all three."""
    seen: dict[str, int] = {}
    styles = {}
    for name in systems:
        family = next((head for head in COLOURS if name.startswith(head)), "")
        place = seen[family] = seen.get(family, -1) + 1
        styles[name] = {
            "color": COLOURS.get(family, OTHER),
            "marker": MARKERS[place % len(MARKERS)],
            "linestyle": DASHES[place % len(DASHES)],
        }
    return styles


def _lines(axis: Axes, records: Sequence[Record], panel: Panel, styles: Mapping[str, Any]) -> None:
    """Draw one line for each system, moved a little sideways so that bars do not hide others."""
    names = [name for name in styles if any(r["system"] == name for r in records)]
    for place, name in enumerate(names):
        mine = sorted((r for r in records if r["system"] == name), key=lambda r: float(r["budget"]))
        x = np.array([r["budget"] for r in mine]) * 1.02 ** (place - (len(names) - 1) / 2)
        y = np.array([r[panel.value] for r in mine], dtype=np.float64)
        low = y if panel.low is None else np.array([r[panel.low] for r in mine])
        high = y if panel.high is None else np.array([r[panel.high] for r in mine])
        reach = np.maximum(np.nan_to_num(np.array([y - low, high - y])), 0.0)
        axis.errorbar(
            x, y, yerr=reach, elinewidth=0.5, linewidth=1.0, markersize=3.5, capsize=0, label=name,
            **styles[name],
        )  # fmt: skip
    budgets = sorted({float(r["budget"]) for r in records})
    axis.set_xscale("log")
    axis.set_xticks(budgets, [f"{b:g}" for b in budgets])
    axis.minorticks_off()
    axis.set_xlabel("budget ε (each for its own unit)", fontsize=8)
    axis.tick_params(labelsize=7)
    axis.grid(visible=True, linewidth=0.3, color="0.85")
