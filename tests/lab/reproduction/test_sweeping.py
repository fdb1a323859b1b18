"""However a sweep is run, and whoever dies on the way, the table is the serial runner's."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from pathveil.batching.worker_pool import Crew
from pathveil.errors import BadFile
from pathveil.lab.reproduction.measures import Clock
from pathveil.lab.reproduction.sweep import Cell, Sweep
from pathveil.lab.reproduction.sweep_store import read_table, run_sweeps, write_clock, write_table

# Whoever is killed waits for it, so that the runs may be quick.
SWEEP = Sweep(
    "runners",
    (
        Cell("backtracking", 6, 8, vertex_budget="0.5", step_limit=2_000),
        Cell("exact", 6, 8, vertex_budget="0.5"),
        Cell("backtracking", 7, 9, vertex_budget="0.5", step_limit=2_000),
    ),
    runs=400,
)


def table(path: Path, crew: Crew | None = None) -> bytes:
    """Run the sweep and return its table."""
    (rows,) = run_sweeps([(SWEEP, path)], crew)
    write_table(path.with_suffix(".csv"), rows)
    return path.with_suffix(".csv").read_bytes()


@pytest.fixture(scope="module")
def serial(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return table(tmp_path_factory.mktemp("serial") / "x")


def test_a_pool_gives_the_same_table_and_it_is_read_back(serial: bytes, tmp_path: Path) -> None:
    assert table(tmp_path / "x", Crew(workers=2)) == serial
    (rows,) = run_sweeps([(SWEEP, tmp_path / "x")])
    write_clock(tmp_path / "clock.csv", rows)
    path = tmp_path / "x.csv"
    assert read_table(path, clock=tmp_path / "clock.csv") == rows
    assert read_table(path)[0].clock == Clock()
    path.write_text(path.read_text().replace("backtracking,6", "backtracking,six"))
    with pytest.raises(BadFile, match="line 2"):
        read_table(path)


SCRIPT = """
import sys
sys.path.insert(0, sys.argv[1])
from pathlib import Path
from pathveil.batching.worker_pool import Crew
from tests.lab.reproduction.test_sweeping import table

def wait_to_be_killed(done, total):
    if done >= int(sys.argv[3]):
        print("ready", flush=True)
        sys.stdin.read()

table(Path(sys.argv[2]), Crew(1, progress=wait_to_be_killed))
"""


def test_killed_at_any_moment_it_goes_on_where_it_was(serial: bytes, tmp_path: Path) -> None:
    root, path = Path(__file__).parents[3], tmp_path / "x.journal"
    for moment in (1, 5, 9):
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
    assert table(path) == serial
    # Nothing recorded was run again: what stood in the journal still stands, as it was.
    assert path.read_bytes().startswith(before)
    assert _lines(path) == 1 + 12


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
        root = Path(__file__).parents[3]
        return subprocess.Popen(
            [sys.executable, "-m", module, *options],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": f"{root}{os.pathsep}{root / 'src'}"},
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
        if 3 <= done < total and victim.poll() is None:
            victim.kill()
            victim.wait()

    crew = Crew(1, scheduler=cluster.address, progress=kill_midway)
    assert table(tmp_path / "x.journal", crew) == serial
    assert victim.poll() == -signal.SIGKILL
