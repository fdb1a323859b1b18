"""Reading networks: a table of links against pyarrow's own parsing and dictionary encoding."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from benchmarks.rows import Row, sized
from benchmarks.scale_tasks import write_map

LINKS, FILES = 10_000_000, 8
SKETCHED = 1_000_000
MOST_TIMES, MOST_MEMORY = 2.5, 495
"""Of pyarrow's seconds of computing; megabytes, half of what version 2 took."""

_PEER = """
from pyarrow import csv, parquet
def work(path):
    table = csv.read_csv(path) if path.endswith(".csv") else parquet.read_table(path)
    return [column.dictionary_encode() for column in table.columns]
"""
_OURS = """
from pyarrow import csv, parquet
from pathveil.files.networks.network_reader import read_network
def work(path):
    return read_network(path, simplify=True, largest_component=True)
"""
_MEASURE = """
import pyarrow.compute  # each reader imports it, and it takes as long as a million lines
import json, pathlib, sys, time
start = time.process_time()
kept = work(sys.argv[1])
# Not ru_maxrss, which a child inherits from whoever starts it.
status = pathlib.Path("/proc/self/status").read_text().split()
peak = int(status[status.index("VmHWM:") + 1]) // 1024
print(json.dumps([time.process_time() - start, peak]))
"""


def reading() -> list[Row]:
    """Seconds of computing and memory for ten million links, each in a process of its own."""
    rows: list[Row] = []
    links = sized(LINKS, 1_000)
    with TemporaryDirectory() as place:
        folder = Path(place)
        _write(folder, links)
        for name, path in (("CSV", folder / "map.csv"), ("a folder of Parquet", folder / "map")):
            ours, memory = _measured(_OURS, path)
            peer, _ = _measured(_PEER, path)
            ratio = ours / peer
            title = f"read {links:,} links, {name}"
            goal, met = f"<= {MOST_TIMES}x", ratio <= MOST_TIMES
            rows.append(Row(title, f"{ours:.1f} s", f"{peer:.1f} s", f"{ratio:.2f}x", goal, met))
            fits = memory <= MOST_MEMORY
            limit = f"{MOST_MEMORY} MB"
            rows.append(
                Row(
                    f"{title}: memory",
                    f"{memory} MB",
                    limit,
                    f"{memory / MOST_MEMORY:.2f}x",
                    f"<= {limit}",
                    fits,
                )
            )
    return rows


def _write(folder: Path, links: int) -> None:
    """Write a random table as CSV, and as a folder of Parquet files."""
    from pyarrow import array, csv, parquet, table

    rng = np.random.default_rng(1)
    sides = [np.char.add("v", rng.integers(0, links // 10, links).astype(str)) for _ in range(2)]
    whole = table({"source": array(sides[0]), "target": array(sides[1])})
    csv.write_csv(whole, folder / "map.csv")
    (folder / "map").mkdir()
    each = -(-links // FILES)
    for number in range(FILES):
        part = whole.slice(number * each, each)
        parquet.write_table(part, folder / "map" / f"{number}.parquet")


def _measured(work: str, path: Path) -> tuple[float, int]:
    done = subprocess.run(
        [sys.executable, "-c", work + _MEASURE, str(path)],
        check=True,
        capture_output=True,
        text=True,
    )
    seconds, peak = json.loads(done.stdout)
    return float(seconds), int(peak)


def from_table_to_sketch() -> list[Row]:
    """Processor seconds of two whole processes in turn, the least of five each."""
    links = sized(SKETCHED, 1_000)
    with TemporaryDirectory() as place:
        folder = Path(place)
        write_map(folder, links // 3, links)
        table, walk, veil = (str(folder / name) for name in ("map.csv", "walk.txt", "x.veil"))
        form = ("--form", "sketch", "--capacity", str(links))
        commands = (
            ("-m", "pathveil", "publish", table, walk, "-o", veil, "--force", *form),
            ("-c", _PEER + "import sys; work(sys.argv[1])", table),
        )
        installed = as_installed(folder)
        rounds = [
            [processor_seconds(*words, environment=installed) for words in commands]
            for _ in range(sized(5, 1))
        ]
    ours, peer = map(min, zip(*rounds, strict=True))
    title, ratio = f"pathveil publish of {links:,} links, CSV to sketch", ours / peer
    goal = f"<= {MOST_TIMES}x"
    return [
        Row(title, f"{ours:.2f} s", f"{peer:.2f} s", f"{ratio:.2f}x", goal, ratio <= MOST_TIMES)
    ]


def as_installed(folder: Path) -> dict[str, str]:
    """Return an environment in which a first round writes the bytecode, as an installer does."""
    kept = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPYCACHEPREFIX": str(folder / "bytecode")}


def processor_seconds(*words: str, environment: dict[str, str] | None = None) -> float:
    """Return what one Python process takes, from its start to its end."""
    before = os.times()
    subprocess.run([sys.executable, *words], capture_output=True, check=True, env=environment)
    after = os.times()
    spent = after.children_user - before.children_user
    return spent + after.children_system - before.children_system


SECTIONS = [
    ("Reading networks", reading),
    ("From a table of links to a sketch", from_table_to_sketch),
]
