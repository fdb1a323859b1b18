"""The comparison as pictures, drawn from its table alone: one for a glance, one to look up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pathveil.errors import BadFile
from pathveil.lab.comparison.comparison_tables import Record, share, strongest
from pathveil.lab.comparison.report import budgets_of, maps_of
from pathveil.lab.svg_figures import svg_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Okabe and Ito's colours, by family; forms of one family differ in dash and marker
COLOURS = {
    "SDD": "#0072B2",
    "PIM": "#D55E00",
    "PriSTE presence": "#009E73",
    "PriSTE link": "#56B4E9",
    "DPT": "#7f7f7f",
    "PTCS": "#CC79A7",
    "the paper": "#E69F00",
    "pathveil": "#000000",
}
Style = dict[str, Any]
MARKERS = "osD^vPX*"
DASHES = ("-", "--", ":", "-.", (0, (5, 1, 1, 1, 1, 1)))

GLANCE = {
    "the paper, its copies and layering": "the paper, its copies and layering",
    "PIM": "PIM, delta 0.01",
    "PriSTE link, alpha 5": "PriSTE, link event, alpha 5",
    "SDD, noisy ends": "SDD with noisy ends",
    "pathveil balanced": "pathveil balanced",
}
"""The five lines of the picture that is to be read at a glance, and what they are called there."""


def draw_glance(table: Sequence[Record], path: Path, *, replacing: bool = True) -> None:
    """Draw five systems on the first map: how often the best attack names the missing link."""
    records = [r for r in table if r["map"] == maps_of(table)[0]]
    styles = _styles(list(dict.fromkeys(r["system"] for r in table)))
    budgets, base = budgets_of(records), float(records[0]["control_success"])
    with svg_figure(path, 6.4, 3.8, replacing=replacing) as figure:
        axis = figure.subplots()
        _glance_lines(axis, records, styles)
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


def _glance_lines(axis: Axes, records: Sequence[Record], styles: Mapping[str, Style]) -> None:
    """Draw the lines, and write each one's name at its end, moved down where names would touch."""
    ends = []
    for system, name in GLANCE.items():
        mine = _of(strongest(records), system)
        if mine:
            _line(axis, mine, ("success", "low", "high"), styles[system], label=name)
            ends.append((float(mine[-1]["success"]), name, styles[system]["color"]))
    below = 2.0
    for y, name, colour in sorted(ends, reverse=True):
        below = min(y, below - 0.06)
        _beside(axis, budgets_of(records), below, name, colour)


def _beside(axis: Axes, budgets: Sequence[float], y: float, words: str, colour: str) -> None:
    """Write at the right of the lines; what runs behind it is hidden."""
    box = {"facecolor": "white", "edgecolor": "none", "pad": 1}
    axis.text(budgets[-1] * 1.12, y, words, fontsize=8, color=colour, va="center", bbox=box)


def draw_all(table: Sequence[Record], path: Path, *, replacing: bool = True) -> None:
    """Draw all systems on all maps: the best attack's gain, and how often the walk is read."""
    maps = maps_of(table)
    styles = _styles(list(dict.fromkeys(r["system"] for r in table)))
    with svg_figure(path, 10.0, 3.0 * len(maps) + 2.4, replacing=replacing) as figure:
        grid = figure.subplots(len(maps), 2, squeeze=False, sharey="col")
        for (left, right), name in zip(grid, maps, strict=True):
            mine = strongest([r for r in table if r["map"] == name])
            for system, style in styles.items():
                records = _of(mine, system)
                if records:
                    _line(left, records, ("success", "low", "high"), style, label=system)
                    read = ("recovered", "recovered_low", "recovered_high")
                    _line(right, records, read, style, label=system)
            left.axhline(float(mine[0]["control_success"]), color="0.35", linewidth=1)
            right.axhline(float(mine[0]["read_without"]), color="0.35", linewidth=1)
            left.set_title(f"{name}: the best attack names the link")
            right.set_title("a participant reads walk and order")
            for axis in (left, right):
                _budget_axis(axis, budgets_of(mine))
                axis.set_ylim(-0.05, 1.05)
            left.set_ylabel("share of trials")
        handles, labels = grid[0][0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower center", ncols=4, fontsize=7)
        figure.suptitle("Grey line: without a release. Intervals: 95 % for all attacks", fontsize=9)


def _of(records: Sequence[Record], system: str) -> list[Record]:
    mine = (r for r in records if r["system"] == system)
    return sorted(mine, key=lambda r: float(r["budget"]))


def _styles(systems: Sequence[str]) -> dict[str, Style]:
    """Return colour, marker and dash for each system; no two share all three."""
    if not systems:
        raise BadFile("the comparison has no rows, so there is nothing to draw; run some trials")
    seen: dict[str, int] = {}
    styles = {}
    for name in systems:
        family = next(head for head in COLOURS if name.startswith(head))
        place = seen[family] = seen.get(family, -1) + 1
        styles[name] = {
            "color": COLOURS[family],
            "marker": MARKERS[place % len(MARKERS)],
            "linestyle": DASHES[place % len(DASHES)],
        }
    return styles


def _line(
    axis: Axes,
    records: Sequence[Record],
    columns: tuple[str, str, str],
    style: Style,
    *,
    label: str,
) -> None:
    """Draw one system over the budgets, with its intervals."""
    y, low, high = (np.array([r[name] for r in records], dtype=np.float64) for name in columns)
    reach = np.maximum(np.nan_to_num(np.array([y - low, high - y])), 0.0)
    axis.errorbar(
        [r["budget"] for r in records], y, yerr=reach, elinewidth=0.5, linewidth=1.2,
        markersize=3.5, capsize=0, label=label, **style,
    )  # fmt: skip


def _budget_axis(axis: Axes, budgets: Sequence[float]) -> None:
    axis.set_xscale("log")
    axis.set_xticks(budgets, [f"{b:g}" for b in budgets])
    axis.minorticks_off()
    axis.set_xlabel("budget ε (each for its own unit)")
