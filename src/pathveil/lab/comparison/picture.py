"""The comparison as a picture for a glance, drawn from its table alone."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pathveil.errors import BadFile
from pathveil.lab.comparison.comparison_tables import Record, share, strongest
from pathveil.lab.comparison.report import budgets_of, maps_of
from pathveil.lab.svg_figures import svg_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Style = dict[str, Any]

GLANCE: dict[str, tuple[str, Style]] = {
    "the paper, its copies and layering": (
        "the paper, its copies and layering",
        {"color": "#E69F00", "marker": "o", "linestyle": "-"},
    ),
    "PIM": ("PIM, delta 0.01", {"color": "#D55E00", "marker": "o", "linestyle": "-"}),
    "PriSTE link, alpha 5": (
        "PriSTE, link event, alpha 5",
        {"color": "#56B4E9", "marker": "s", "linestyle": "--"},
    ),
    "SDD, noisy ends": (
        "SDD with noisy ends",
        {"color": "#0072B2", "marker": "s", "linestyle": "--"},
    ),
    "pathveil balanced": (
        "pathveil balanced",
        {"color": "#000000", "marker": "o", "linestyle": "-"},
    ),
}
"""The five lines of the picture, what they are called there, and Okabe and Ito's colours."""


def draw_glance(table: Sequence[Record], path: Path, *, replacing: bool = True) -> None:
    """Draw five systems on the first map: how often the best attack names the missing link."""
    if not table:
        raise BadFile("the comparison has no rows, so there is nothing to draw; run some trials")
    records = [r for r in table if r["map"] == maps_of(table)[0]]
    budgets, base = budgets_of(records), float(records[0]["control_success"])
    with svg_figure(path, 6.4, 3.8, replacing=replacing) as figure:
        axis = figure.subplots()
        _glance_lines(axis, records)
        axis.axhline(base, color="0.35", linewidth=1, linestyle=(0, (1, 2)))
        _beside(axis, budgets, base, f"no release: {share(base)}", "0.35")
        axis.set_ylim(0, 1.05)
        axis.set_xlim(budgets[0] / 1.2, budgets[-1] * 9)
        axis.set_title(
            "How often the best attack names the one missing link of the walk\n"
            f"({records[0]['map']}; {records[0]['trials']} trials)",
            fontsize=9,
            loc="left",
        )
        axis.set_ylabel("share of trials")
        _budget_axis(axis, budgets)


def _glance_lines(axis: Axes, records: Sequence[Record]) -> None:
    """Draw the lines, and write each one's name at its end, moved down where names would touch."""
    ends = []
    best = sorted(strongest(records), key=lambda r: float(r["budget"]))
    for system, (name, style) in GLANCE.items():
        if mine := [r for r in best if r["system"] == system]:
            _line(axis, mine, style)
            ends.append((float(mine[-1]["success"]), name, style["color"]))
    below = 2.0
    for y, name, colour in sorted(ends, reverse=True):
        below = min(y, below - 0.06)
        _beside(axis, budgets_of(records), below, name, colour)


def _beside(axis: Axes, budgets: Sequence[float], y: float, words: str, colour: str) -> None:
    """Write at the right of the lines; what runs behind it is hidden."""
    box = {"facecolor": "white", "edgecolor": "none", "pad": 1}
    axis.text(budgets[-1] * 1.12, y, words, fontsize=8, color=colour, va="center", bbox=box)


def _line(axis: Axes, records: Sequence[Record], style: Style) -> None:
    """Draw one system over the budgets, with its intervals."""
    names = ("success", "low", "high")
    y, low, high = (np.array([r[name] for r in records], dtype=np.float64) for name in names)
    reach = np.maximum(np.nan_to_num(np.array([y - low, high - y])), 0.0)
    budgets = [r["budget"] for r in records]
    axis.errorbar(
        budgets, y, yerr=reach, elinewidth=0.5, linewidth=1.2, markersize=3.5, capsize=0, **style
    )


def _budget_axis(axis: Axes, budgets: Sequence[float]) -> None:
    axis.set_xscale("log")
    axis.set_xticks(budgets, [f"{b:g}" for b in budgets])
    axis.minorticks_off()
    axis.set_xlabel("budget ε (each for its own unit)")
