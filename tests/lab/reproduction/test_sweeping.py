"""However a sweep is run, and whoever dies on the way, the table is the serial runner's."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pathveil.lab.reproduction.figures import WORST
from pathveil.lab.reproduction.sweep import Cell, Sweep
from pathveil.lab.reproduction.sweep_store import Row, run_sweeps, write_table

# Slow enough to be interrupted (about 5 ms a run), small enough to be done in seconds.
SWEEP = Sweep(
    "runners",
    (
        Cell("backtracking", 9, 13, vertex_budget="0.5", step_limit=20_000),
        Cell("exact", 9, 13, vertex_budget="0.5"),
        Cell("backtracking", 10, 14, vertex_budget="0.5", step_limit=20_000),
    ),
    runs=400,
)


def run_sweep(sweep: Sweep, journal: Path, **how: Any) -> tuple[Row, ...]:
    (rows,) = run_sweeps([(sweep, journal)], **how)
    return rows


def table(rows: object, path: Path) -> bytes:
    write_table(path, rows)  # type: ignore[arg-type]
    return path.read_bytes()


@pytest.fixture(scope="module")
def serial(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    folder = tmp_path_factory.mktemp("serial")
    return table(run_sweep(SWEEP, folder / "x.journal"), folder / "x.csv")


def test_a_pool_gives_the_same_table(serial: bytes, tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    rows = run_sweep(
        SWEEP, tmp_path / "x.journal", workers=2, chunk=50, progress=lambda *at: seen.append(at)
    )
    assert table(rows, tmp_path / "x.csv") == serial
    assert seen[0] == (0, 24)
    assert seen[-1] == (24, 24)
    assert seen == sorted(seen)


def test_several_sweeps_share_their_workers(tmp_path: Path) -> None:
    sweeps = [
        (Sweep(f"shared {v}", (Cell("exact", v, e),), runs=60), tmp_path / f"{v}.journal")
        for v, e in list(WORST.items())[:3]
    ]
    both = run_sweeps(sweeps)
    assert [rows[0].cell.vertices for rows in both] == [5, 6, 7]
    assert both[0] == run_sweep(sweeps[0][0], sweeps[0][1])


SCRIPT = """
import sys
sys.path.insert(0, sys.argv[1])
from tests.lab.reproduction.test_sweeping import SWEEP, run_sweep

def wait_to_be_killed(done, total):
    if done >= int(sys.argv[3]):
        print("ready", flush=True)
        sys.stdin.read()

run_sweep(SWEEP, sys.argv[2], chunk=50, progress=wait_to_be_killed)
"""


def test_killed_at_any_moment_it_goes_on_where_it_was(serial: bytes, tmp_path: Path) -> None:
    root, path = Path(__file__).parents[3], tmp_path / "x.journal"
    for moment in (1, 5, 11):
        worker = subprocess.Popen(
            [sys.executable, "-c", SCRIPT, str(root), str(path), str(moment)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        assert worker.stdout is not None
        # It waits for us, however fast it is.
        assert worker.stdout.readline() == b"ready\n"
        worker.send_signal(signal.SIGKILL)
        worker.communicate()
        assert _lines(path) == 1 + moment
    before = path.read_bytes()
    rows = run_sweep(SWEEP, path, chunk=50)
    assert table(rows, tmp_path / "x.csv") == serial
    # Nothing recorded was run again: what stood in the journal still stands, as it was.
    assert path.read_bytes().startswith(before)
    assert _lines(path) == 1 + 24


def _lines(path: Path) -> int:
    return path.read_bytes().count(b"\n")


# -- Dask ---------------------------------------------------------------------------------------


class Cluster:
    """A real scheduler and real workers, each a process of its own on the loopback."""

    def __init__(self, folder: Path, workers: int) -> None:
        self.file = folder / "scheduler.json"
        self.processes = [
            self._start(
                "distributed.cli.dask_scheduler",
                "--host=127.0.0.1",
                "--port=0",
                "--no-dashboard",
                f"--scheduler-file={self.file}",
            )
        ]
        until = time.monotonic() + 60
        while not self.file.exists() and time.monotonic() < until:
            time.sleep(0.05)
        for _ in range(workers):
            self.processes.append(
                self._start(
                    "distributed.cli.dask_worker",
                    "--no-nanny",
                    "--nthreads=1",
                    "--no-dashboard",
                    f"--local-directory={folder}",
                    f"--scheduler-file={self.file}",
                )
            )

    def _start(self, module: str, *options: str) -> subprocess.Popen[bytes]:
        root = str(Path(__file__).parents[3])
        return subprocess.Popen(
            [sys.executable, "-m", module, *options],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": root},
        )

    @property
    def address(self) -> str:
        import json

        address: str = json.loads(self.file.read_text())["address"]
        return address

    def stop(self) -> None:
        for process in reversed(self.processes):
            process.kill()
            process.wait()


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    pytest.importorskip("distributed")
    started = Cluster(tmp_path, workers=2)
    try:
        yield started
    finally:
        started.stop()


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
def test_a_dask_worker_killed_on_the_way_changes_nothing(
    cluster: Cluster, serial: bytes, tmp_path: Path
) -> None:
    from distributed import Client

    with Client(cluster.address, timeout="60s") as client:  # type: ignore[no-untyped-call]
        client.wait_for_workers(2, timeout=60)
    victim = cluster.processes[-1]

    def kill_midway(done: int, total: int) -> None:
        if 5 <= done < total and victim.poll() is None:
            victim.kill()
            victim.wait()

    rows = run_sweep(
        SWEEP,
        tmp_path / "x.journal",
        scheduler=cluster.address,
        chunk=50,
        progress=kill_midway,
    )
    assert victim.poll() == -signal.SIGKILL
    assert table(rows, tmp_path / "x.csv") == serial
