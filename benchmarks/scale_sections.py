"""Publishing at scale: links 10^3 .. 10^7 sketched, 10^2 .. 10^4 vertices packed.

Each size is measured in a process of its own (:mod:`benchmarks.scale_tasks`) against its limit in
the same process: reading the network from its file, drawing and writing as many coins, one bit for
each link, the entropy of the coins. ``python -m benchmarks.scale_sections`` writes the table that
is committed beside this module.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.rows import Row, seconds, within

LINKS = (1_000, 10_000, 100_000, 1_000_000, 3_000_000, 10_000_000)
GOAL = 3_000_000
VERTICES = (100, 1_000, 10_000)
TABLE = Path(__file__).with_name("scale.md")


def measure(task: str, size: int) -> dict[str, Any]:
    """Return what one process measured."""
    command = [sys.executable, "-m", "benchmarks.scale_tasks", task, str(size)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def exponent(sizes: Sequence[float], costs: Sequence[float]) -> float:
    """Return the slope of a straight line through the logarithms."""
    return float(np.polyfit(np.log(sizes), np.log(costs), 1)[0])


def sketches() -> list[Row]:
    """Time, memory and bytes of sketches, and how they grow."""
    found = [measure("sketch", links) for links in LINKS]
    return [*(row for one in found for row in _sketch_rows(one)), *_growth(found)]


def _sketch_rows(one: dict[str, Any]) -> list[Row]:
    name = f"{one['links']:,} links"
    rows = [
        _ratio(f"{name}: publish and save / reading the CSV", one["publish"], one["read"]),
        within(f"{name}: open and reconstruct", one["open"] + one["reconstruct"], 3.0),
        within(f"{name}: ten links of one participant", one["ten_links"], 1e-3),
        within(f"{name}: bits a link", 8 * one["bytes"] / one["links"], 1.10, unit="bits"),
        within(f"{name}: memory above the network", one["peak_mb"], 500, unit="MB"),
    ]
    # The goals are stated for three million links; at other sizes the same limits only measure.
    if one["links"] == GOAL:
        return rows
    return [replace(row, goal="", met=None) for row in rows]


def _ratio(name: str, ours: float, limit: float) -> Row:
    ratio = ours / limit
    return Row(name, seconds(ours), seconds(limit), f"{ratio:.2f}", "< 1", ratio < 1)


def _growth(found: list[dict[str, Any]]) -> list[Row]:
    large = [one for one in found if one["links"] >= 100_000]
    links = [one["links"] for one in large]
    rows = []
    for key in ("publish", "reconstruct", "bytes", "read"):
        slope = exponent(links, [one[key] for one in large])
        name = f"growth of {key} in links, from 100,000"
        met = abs(slope - 1) <= 0.1 if key != "read" else None
        rows.append(Row(name, f"{slope:.3f}", "1", f"{slope:.3f}", "1.0 +- 0.1", met))
    return rows


def packings() -> list[Row]:
    """Time, memory and bytes of packed publications."""
    rows = []
    for vertices in VERTICES:
        one = measure("packed", vertices)
        name, large = f"{vertices:,} vertices", vertices == VERTICES[-1]
        times = one["publish"] / one["coins"] if one["coins"] else float("inf")
        rows.append(
            Row(
                f"{name}: publish and save / drawing and writing the coins",
                seconds(one["publish"]),
                seconds(one["coins"]),
                f"{times:.1f}",
                "<= 10" if large else "",
                times <= 10 if large else None,
            )
        )
        if large:
            rows += [
                within(f"{name}: memory", one["peak_mb"], 6 * one["packed_mb"], unit="MB"),
                within(f"{name}: open and reconstruct", one["open"] + one["reconstruct"], 0.5),
            ]
            goals = {"1/2": 1.02, ".378": 1.05, ".076": 1.05}
            rows += [
                within(f"{name}: bytes over entropy, rate {rate}", size, goals[rate], unit="x")
                for rate, size in one["over_entropy"].items()
            ]
    return rows


def small() -> list[Row]:
    """One call over ten vertices, cold and warm, and the import."""
    code = (
        "import time; a = time.process_time(); import pathveil as pv; b = time.process_time()\n"
        "n = pv.Network.from_edges([(i, i + 1) for i in range(9)]); w = pv.Walk(range(10))\n"
        "def go(**o):\n"
        "    s = time.process_time(); p = pv.publish(n, w, **o); pv.reconstruct(p, n)\n"
        "    return time.process_time() - s\n"
        "o = dict(form='sketch', capacity=20)\n"
        "print(b - a, go(), min(go() for _ in range(9)), go(**o), min(go(**o) for _ in range(9)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    names = (
        "import pathveil",
        "publish and reconstruct ten vertices, packed, first call",
        "the same, warm",
        "as a sketch, first call",
        "as a sketch, warm",
    )
    limits = (0.5, 0.5, 0.01, 0.5, 0.05)
    return [
        within(name, float(took), limit)
        for name, took, limit in zip(names, done.stdout.split(), limits, strict=True)
    ]


SECTIONS = [
    ("Sketches: a bit for each link", sketches),
    ("Packed: a bit for each pair", packings),
    ("Small publishes", small),
]


def _circumstances() -> str:
    day, load = time.strftime("%Y-%m-%d"), os.getloadavg()[0]
    return (
        f"{day}, {platform.machine()}, {os.cpu_count()} cores shared with other work (load "
        f"{load:.0f}), Python {platform.python_version()}. Processor seconds, except where a "
        "participant waits; each size in a process of its own, each limit measured in the same "
        "process. `python -m benchmarks.scale_sections` writes this file."
    )


def main() -> None:
    """Write the committed table."""
    lines = [
        "# Publishing at scale",
        "",
        _circumstances(),
    ]
    for title, section in SECTIONS:
        lines += ["", f"## {title}", "", "| what | ours | limit | ratio | goal | |"]
        lines += ["|---|---|---|---|---|---|"]
        for row in section():
            mark = {None: "", True: "met", False: "**not met**"}[row.met]
            cells = (row.name, row.ours, row.peer, row.ratio, row.goal, mark)
            lines.append(f"| {' | '.join(cells)} |")
    TABLE.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
