"""Many walks over one network: a batch against as many single releases, and what it holds.

The gate is left out of the race (its effort is set to nothing but counting): how hard it tries is a
choice, not a speed. Memory is that of a process of its own.
"""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from benchmarks.experiment_sections import run_batch
from benchmarks.rows import Row, best_of, faster, sized
from pathveil.lab.maps import random_map, random_route
from pathveil.model.network import Network
from pathveil.model.walk import Walk
from pathveil.publishing.release import publish, publish_series


def _series(vertices: int, links: int, walks: int) -> tuple[Network, list[Walk]]:
    random = np.random.default_rng(11)
    network, _ = random_map(vertices, links, random)
    return network, [random_route(network, 8, random)[1] for _ in range(walks)]


def per_walk() -> list[Row]:
    """A walk of a batch beside a plain single release that is written to a file."""
    rows = []
    cases = sized(((10, 20, 30), (100, 200, 6), (200, 400, 3)), ((10, 20, 3),))
    for vertices, links, many in cases:
        network, walks = _series(vertices, links, many)
        with TemporaryDirectory() as name:
            folder, names = Path(name), count()

            def single() -> None:
                for number, walk in enumerate(walks):
                    made = publish(network, walk)
                    made.save(folder / f"{number}.veil.json", overwrite=True)

            def together() -> None:
                # A new name each time: a batch refuses what an earlier one left under its own.
                run_batch(network, walks, folder / f"{next(names)}.jsonl")

            together()  # layers and coins are compiled once on a machine
            ours, peer = best_of(together, times=2) / many, best_of(single, times=2) / many
        title = f"a walk of a batch of {many} over {vertices} vertices, vs a plain release"
        rows.append(faster(title, ours, peer, at_least=0.8))
    return rows


def memory() -> list[Row]:
    """Peaks over 200 vertices, each in a process of its own: whole batches, and 1,000 walks drawn.

    Laying out takes half a second a walk there and holds one chunk at a time; what a batch keeps of
    all its walks are the series, so that is what a thousand are measured by.
    """
    rows = []
    cases = sized((("batch", 10, 60), ("series", 10, 1000)), (("batch", 1, 2),))
    for what, few, many in cases:
        less, more = _peak(what, few), _peak(what, many)
        done = "laid out and written" if what == "batch" else "drawn and kept"
        name, ratio = f"peak of {many:,} walks {done}, vs {few}", more / less
        told = (f"{more:.0f} MB", f"{less:.0f} MB", f"{ratio:.2f}x", "<= 1.5x")
        rows.append(Row(name, *told, ratio <= 1.5))
    return rows


def _peak(what: str, walks: int) -> float:
    """Return the peak of resident memory in megabytes."""
    command = [sys.executable, "-m", "benchmarks.series_sections", what, str(walks)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return float(json.loads(done.stdout)["peak_mb"])


def _measure(what: str, many: int) -> None:
    network, walks = _series(*sized((200, 400), (12, 20)), many)
    kept = []
    with TemporaryDirectory() as name:
        if what == "series":
            kept = list(publish_series(network, walks, policy="remembering:on=1/2,off=1/2"))
        else:
            run_batch(network, walks, Path(name) / "out.jsonl")
    # Of this process, from the kernel: getrusage would inherit the parent's.
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    peak = next(line for line in status.splitlines() if line.startswith("VmHWM"))
    print(json.dumps({"peak_mb": int(peak.split()[1]) / 1024, "kept": len(kept)}))


SECTIONS = (
    ("Many walks: a batch beside single releases", per_walk),
    ("Many walks: memory", memory),
)

if __name__ == "__main__":
    _measure(sys.argv[1], int(sys.argv[2]))
