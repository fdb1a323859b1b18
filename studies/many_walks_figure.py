"""The figure of many_walks.py: walks read exactly, against uses per link.

python studies/many_walks_figure.py studies/results
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("svg")
from matplotlib import pyplot as plt

COLOURS = {"0": "#0072B2", "one": "#56B4E9", "tenth": "#009E73", "half": "#D55E00"}
CHAFF_COLOURS = {
    "fair coins": "#000000",
    "remembering": "#CC79A7",
    "remembering, centred": "#0072B2",
}


def read(folder: Path) -> list[dict[str, str]]:
    """Return the rows of every part there is."""
    found = []
    for part in ("small", "large", "huge", "real"):
        path = folder / f"many_walks_{part}.csv"
        if path.exists():
            with path.open(encoding="utf-8", newline="") as file:
                found += list(csv.DictReader(file))
    return found


def curve(rows: list[dict[str, str]], **wanted: str) -> tuple[list[float], list[float]]:
    """Return uses per link as they came out, and the share of walks read by structure."""
    points = []
    for row in rows:
        if all(row[key] == value for key, value in wanted.items()) and row["structure_walks"]:
            uses = float(row["steps"]) / float(row["links"]) / float(row["runs"])
            points.append((uses, float(row["structure_walks"]) / float(row["releases"])))
    return [x for x, _ in sorted(points)], [y for _, y in sorted(points)]


def main() -> None:
    """Draw one panel for each size."""
    folder = Path(sys.argv[1])
    rows = read(folder)
    sizes = sorted({int(row["vertices"]) for row in rows if row["topology"] == "random"})
    style: dict[Any, Any] = {"svg.hashsalt": "pathveil", "font.size": 8, "axes.grid": True}
    with plt.rc_context(style):
        figure, panels = plt.subplots(
            2, len(sizes), figsize=(2.4 * len(sizes), 4.4), sharey=True, squeeze=False
        )
        for place, size in enumerate(sizes):
            for chaff, colour in CHAFF_COLOURS.items():
                x, y = curve(rows, topology="random", vertices=str(size), chaff=chaff, known="0")
                if x:
                    panels[0][place].plot(x, y, marker="o", ms=3, color=colour, label=chaff)
            for known, colour in COLOURS.items():
                x, y = curve(
                    rows,
                    topology="random",
                    vertices=str(size),
                    chaff="remembering, centred",
                    known=known,
                )
                if x:
                    label = f"knows {known}" if known != "0" else "knows no link"
                    panels[1][place].plot(x, y, marker="s", ms=3, color=colour, label=label)
            panels[0][place].set_title(f"{size} vertices")
            panels[1][place].set_xlabel("uses per link")
        panels[0][0].set_ylabel("walks read, no link known")
        panels[1][0].set_ylabel("walks read, centred chaff")
        for row in panels:
            row[0].legend(fontsize=6, loc="lower right")
        figure.tight_layout()
        target = folder / "figures" / "many_walks.svg"
        target.parent.mkdir(exist_ok=True)
        figure.savefig(target, format="svg", metadata={"Date": None})


if __name__ == "__main__":
    main()
