"""Many walks over one network: a batch against as many single releases, and what it holds.

The gate is left out of the race (its effort is set to nothing but counting): how hard it tries is a
choice, not a speed. Memory is that of a process of its own.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from benchmarks.rows import Row, best_of, faster
from pathveil.batching import batch
from pathveil.gate import Effort
from pathveil.maps import random_map, random_route
from pathveil.model.network import Network
from pathveil.model.walk import Walk
from pathveil.publishing import publish

UNTRIED = Effort(bits=1, restarts=0)


def _series(vertices: int, links: int, count: int) -> tuple[Network, list[Walk]]:
    random = np.random.default_rng(11)
    network, _ = random_map(vertices, links, random)
    return network, [random_route(network, 8, random)[1] for _ in range(count)]


def per_walk() -> list[Row]:
    """A walk of a batch beside a plain single release that is written to a file."""
    rows = []
    for vertices, links, count in ((20, 32, 200), (100, 200, 100), (200, 400, 60)):
        network, walks = _series(vertices, links, count)
        with TemporaryDirectory() as name:
            folder = Path(name)

            def single() -> None:
                for number, walk in enumerate(walks):
                    publish(network, walk).save(folder / f"{number}.veil.json")

            def together() -> None:
                out = folder / "out.jsonl"
                batch(network, walks, out, workers=1, accept_outsider=True, effort=UNTRIED)
                out.unlink()

            together()  # layers and coins are compiled once on a machine
            ours, peer = best_of(together) / count, best_of(single) / count
        title = f"a walk of a batch of {count} over {vertices} vertices, vs a plain release"
        rows.append(faster(title, ours, peer, at_least=0.8))
    return rows


def memory() -> list[Row]:
    """The peak of a batch of 250 and of 1,000 walks over 200 vertices, each in its own process."""
    few, many = (_peak(count) for count in (250, 1000))
    name = "peak of 1,000 walks over 200 vertices, vs 250 walks"
    ratio = many / few
    return [Row(name, f"{many:.0f} MB", f"{few:.0f} MB", f"{ratio:.2f}x", "<= 1.5x", ratio <= 1.5)]


def _peak(count: int) -> float:
    """Return the peak of resident memory of one batch in megabytes."""
    command = [sys.executable, "-m", "benchmarks.series_sections", str(count)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return float(json.loads(done.stdout)["peak_mb"])


def _measure(count: int) -> None:
    network, walks = _series(200, 400, count)
    with TemporaryDirectory() as name:
        out = Path(name) / "out.jsonl"
        batch(network, walks, out, workers=1, accept_outsider=True, effort=UNTRIED)
    # Of this process, from the kernel: getrusage would inherit the parent's.
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    peak = next(line for line in status.splitlines() if line.startswith("VmHWM"))
    print(json.dumps({"peak_mb": int(peak.split()[1]) / 1024}))


SECTIONS = (
    ("Many walks: a batch beside single releases", per_walk),
    ("Many walks: memory", memory),
)

if __name__ == "__main__":
    _measure(int(sys.argv[1]))
