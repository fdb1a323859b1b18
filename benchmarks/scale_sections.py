"""Publishing at scale: links 10^3 to 3 * 10^6 sketched, 10^2 .. 10^4 vertices packed.

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

from benchmarks import throughput_sections
from benchmarks.rows import Row, noise, seconds, sized, within
from benchmarks.scale_tasks import TASKS

LINKS = (1_000, 10_000, 100_000, 1_000_000, 3_000_000)
GOAL = 3_000_000
VERTICES = (100, 1_000, 3_000, 10_000)
TABLE = Path(__file__).with_name("scale.md")


def measure(task: str, size: int) -> dict[str, Any]:
    """Return what one process measured; for a quick look, this one."""
    if sized(full=False, quick=True):
        return TASKS[task](size)
    command = [sys.executable, "-m", "benchmarks.scale_tasks", task, str(size)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def exponent(sizes: Sequence[float], costs: Sequence[float]) -> float:
    """Return the slope of a straight line through the logarithms."""
    return float(np.polyfit(np.log(sizes), np.log(costs), 1)[0])


def sketches() -> list[Row]:
    """Time, memory and bytes of sketches, and how they grow."""
    found = [measure("sketch", links) for links in sized(LINKS, (400, 800))]
    rows = [row for one in found for row in _sketch_rows(one)]
    large = [one for one in found if one["links"] >= sized(100_000, 1)]
    links = [one["links"] for one in large]
    rows += [
        _growth(f"{key} in links", links, [one[key] for one in large])
        for key in ("publish", "reconstruct", "bytes", "peak_mb")
    ]
    # Reading is the limit here, not what is held against one; it is shown, for it grows faster.
    read = _growth("reading the CSV in links", links, [one["read"] for one in large])
    rows.append(replace(read, goal="", met=None))
    return rows


def _sketch_rows(one: dict[str, Any]) -> list[Row]:
    links, name = one["links"], f"{one['links']:,} links"
    rows = [
        _per_link(f"{name}: publish / reading the CSV", one["publish"], one["read"], links),
        _per_link(f"{name}: save / as many coins", one["save"], one["coins"], links),
        _per_link(f"{name}: open / its bytes hashed", one["open"], one["bare_read"], links),
        _per_link(f"{name}: reconstruct / reading the CSV", one["reconstruct"], one["read"], links),
        _ratio(f"{name}: bytes / a bit a link", one["bytes"], links / 8, "B", ",.0f"),
        _ratio(f"{name}: memory / the network's", one["peak_mb"], one["network_mb"], "MB", ",.1f"),
        _ratio(
            f"{name}: memory of reading / the network's",
            one["read_peak_mb"],
            one["network_mb"],
            "MB",
            ",.1f",
        ),
        replace(
            within(f"{name}: one participant's ten links", one["ten_links"], 1e-3),
            goal="",
            met=None,
        ),
    ]
    # The goals are stated for three million links.
    return [*rows, *_goals(one, name)] if links == GOAL else rows


def _goals(one: dict[str, Any], name: str) -> list[Row]:
    whole = (one["publish"] + one["save"]) / one["read"]
    spent, limit = seconds(one["publish"] + one["save"]), seconds(one["read"])
    title = f"{name}: publish and save / reading the CSV"
    return [
        Row(title, spent, limit, f"{whole:.2f}", "< 1", whole < 1),
        within(f"{name}: bits a link", 8 * one["bytes"] / one["links"], 1.10, unit="bits"),
        within(f"{name}: memory above the network", one["peak_mb"], 500, unit="MB"),
        within(f"{name}: open and reconstruct", one["open"] + one["reconstruct"], 3.0),
        within(f"{name}: one participant's ten links", one["ten_links"], 1e-3),
    ]


def _per_link(name: str, ours: float, limit: float, links: int) -> Row:
    each = f"{seconds(ours)} ({ours / links * 1e9:.0f} ns a link)"
    return Row(name, each, seconds(limit), f"{ours / limit:.2f}")


def _ratio(name: str, ours: float, limit: float, unit: str, form: str) -> Row:
    return Row(name, f"{ours:{form}} {unit}", f"{limit:{form}} {unit}", f"{ours / limit:.2f}")


def _growth(what: str, sizes: Sequence[float], costs: Sequence[float]) -> Row:
    slope, smallest = exponent(sizes, costs), f"{min(sizes):,}"
    met = abs(slope - 1) <= 0.1
    what = what.replace("peak_mb", "memory")
    name = f"growth of {what}, from {smallest}"
    return Row(name, f"{slope:.3f}", "1", f"{slope:.3f}", "1.0 +- 0.1", met)


def packings() -> list[Row]:
    """Time, memory and bytes of packed publications, and how they grow; layers of the largest."""
    sizes = sized(VERTICES, (20, 40))
    found = [measure("packed", vertices) for vertices in sizes]
    rows = [row for one in found for row in _packed_rows(one)]
    one, name = found[-1], f"{sizes[-1]:,} vertices"
    whole = one["publish"] + one["save"]
    times = whole / one["coins"]
    title = f"{name}: publish and save / as many coins"
    rows += [
        Row(title, seconds(whole), seconds(one["coins"]), f"{times:.1f}", "<= 10", times <= 10),
        within(f"{name}: memory", one["peak_mb"], 6 * one["packed_mb"], unit="MB"),
        within(f"{name}: open and reconstruct", one["open"] + one["reconstruct"], 0.5),
    ]
    goals = {"1/2": 1.02, ".378": 1.05, ".076": 1.05}
    rows += [
        within(f"{name}: bytes over entropy, rate {rate}", size, goals[rate], unit="x")
        for rate, size in one["over_entropy"].items()
    ]
    drawn = measure("layers", sizes[-1])
    rows += [
        within(f"{name}: layers, processor", drawn["layers"], 6.0),
        replace(within(f"{name}: layers, clock", drawn["clock"], 6.0), goal="", met=None),
        _ratio(
            f"{name}: memory of layers / the bits", drawn["peak_mb"], one["packed_mb"], "MB", ",.1f"
        ),
    ]
    large = [one for one in found if one["vertices"] >= sized(1_000, 1)]
    pairs = [one["pairs"] for one in large]
    for key in ("publish", "save", "bytes"):
        costs = [one[key] for one in large]
        row = _growth(f"{key} in pairs", pairs, costs)
        rows.append(replace(row, goal="<= 1.1", met=exponent(pairs, costs) <= 1.1))
    return rows


def _packed_rows(one: dict[str, Any]) -> list[Row]:
    name = f"{one['vertices']:,} vertices"

    def row(title: str, ours: float, limit: float) -> Row:
        return Row(f"{name}: {title}", seconds(ours), seconds(limit), f"{ours / limit:.2f}")

    return [
        row("publish / as many coins", one["publish"], one["coins"]),
        row("save / as many coins", one["save"], one["coins"]),
        row("open / its bytes hashed", one["open"], one["bare_read"]),
        row("reconstruct / reading the CSV", one["reconstruct"], one["read"]),
        _ratio(f"{name}: bytes / a bit a pair", one["bytes"], one["pairs"] / 8, "B", ",.0f"),
        _ratio(f"{name}: memory / the bits", one["peak_mb"], one["packed_mb"], "MB", ",.2f"),
        replace(
            within(f"{name}: one participant's ten links", one["ten_links"], 1e-3),
            goal="",
            met=None,
        ),
    ]


def small() -> list[Row]:
    """One call over ten vertices, cold and warm, and the import, against numpy's; best of five.

    What a name of the package brings in is read when the name is first used: the second row.
    """
    code = (
        "import time; z = time.process_time(); import numpy; a = time.process_time()\n"
        "import pathveil as pv; b = time.process_time()\n"
        "pv.Network, pv.Walk, pv.publish, pv.reconstruct; c = time.process_time()\n"
        "n = pv.Network.from_links([(i, i + 1) for i in range(9)]); w = pv.Walk(range(10))\n"
        "def go(**o):\n"
        "    s = time.process_time(); p = pv.publish(n, w, **o); pv.reconstruct(p, n)\n"
        "    return time.process_time() - s\n"
        f"o, often = dict(form='sketch', capacity=20), range({sized(99, 1)})\n"
        "print(a - z, b - a, c - b, go(), min(go() for _ in often),"
        " go(**o), min(go(**o) for _ in often))"
    )
    runs = [
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        for _ in range(sized(5, 1))
    ]
    numpy, *least = map(min, zip(*(map(float, run.stdout.split()) for run in runs), strict=True))
    names = (
        "import pathveil, numpy imported before",
        "its four names used here, first asked for",
        "publish and reconstruct ten vertices, packed, first call",
        "the same, warm",
        "as a sketch, first call",
        "as a sketch, warm",
    )
    return [
        Row(f"{name} / import numpy", seconds(took), seconds(numpy), f"{took / numpy:.3f}")
        for name, took in zip(names, least, strict=True)
    ]


SECTIONS = [
    ("Sketches: a bit for each link", sketches),
    ("Packed: a bit for each pair", packings),
    ("Small publishes", small),
]


def _circumstances() -> str:
    day, load = time.strftime("%Y-%m-%d"), os.getloadavg()[0]
    return (
        f"Measured on one machine on {day}: {platform.machine()}, {os.cpu_count()} cores (load "
        f"{load:.1f} at the end), Python {platform.python_version()}; sizes in bytes hardly "
        f"differ elsewhere, times and memory do. Noise: {noise()}. `python -m "
        f"benchmarks.scale_sections` writes this file.\n\n{_READING}"
    )


_READING = """\
Times are processor seconds, the least of several (one, for reading more than 1,000,000 links), but
seconds by the clock where a row says so, for one participant's ten links and for walks a second.
Each size of a sketch or of a packed publication has a process of its own; a limit that is work
(reading the CSV, as many coins drawn and written, its bytes hashed) is measured in that process,
the others are fixed numbers. Walks a second mean something on an idle machine only.
Ratios are of figures that are not rounded.

The memory of a sketch is what publishing and writing it took above what the process held before.
That process has just read the CSV and still holds what reading freed, which publishing uses again:
by itself it takes more, and below 100,000 links the
row says nothing. The network's memory is that of its names and links. A sketch here has fair coins,
one copy of each vertex, a third as many vertices as links (300 at least), no room to spare."""


def main() -> None:
    """Write the committed table, section by section: a run that is stopped leaves those it had."""
    lines: list[str] = []
    for title, section in [*SECTIONS, *throughput_sections.SECTIONS]:
        lines += ["", f"## {title}", "", "| what | ours | limit | ratio | goal | |"]
        lines += ["|---|---|---|---|---|---|"]
        for row in section():
            mark = {None: "", True: "met", False: "**not met**"}[row.met]
            cells = (row.name, row.ours, row.peer, row.ratio, row.goal, mark)
            lines.append(f"| {' | '.join(cells)} |")
        whole = ["# Publishing at scale", "", _circumstances(), *lines]
        TABLE.write_text("\n".join(whole) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
