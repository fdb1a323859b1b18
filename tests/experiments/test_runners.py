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

from pathveil.errors import MissingExtra
from pathveil.experiments.figures import WORST
from pathveil.experiments.runners import run_all, run_sweep, run_sweeps
from pathveil.experiments.store import write_table
from pathveil.experiments.sweep import Cell, Sweep

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
from tests.experiments.test_runners import SWEEP
from pathveil.experiments.runners import run_sweep
run_sweep(SWEEP, sys.argv[2], chunk=50)
"""


def test_killed_at_any_moment_it_goes_on_where_it_was(serial: bytes, tmp_path: Path) -> None:
    root, path = Path(__file__).parents[2], tmp_path / "x.journal"
    sizes = [0]
    for moment in (1, 5, 11, 12):
        worker = subprocess.Popen([sys.executable, "-c", SCRIPT, str(root), str(path)])
        until = time.monotonic() + 60
        while _lines(path) < 2 + moment and worker.poll() is None and time.monotonic() < until:
            time.sleep(0.002)
        worker.send_signal(signal.SIGKILL)
        worker.wait()
        sizes.append(_lines(path))
    assert sizes == sorted(sizes)
    assert sizes[-1] > sizes[1]
    before = path.read_bytes()
    rows = run_sweep(SWEEP, path, chunk=50)
    assert table(rows, tmp_path / "x.csv") == serial
    # Nothing recorded was run again: what stood in the journal still stands, as it was.
    assert path.read_bytes().startswith(before[: before.rfind(b"\n") + 1])
    assert _lines(path) == 2 + 24


def _lines(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


# -- a pool that loses a worker -----------------------------------------------------------------


def die_once(mark: str) -> str:
    """Kill the process that runs this, the first time; answer the second time."""
    path = Path(mark)
    if path.exists():
        return path.name
    path.touch()
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


def die(_: int) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_pool_that_loses_a_worker_is_started_again(tmp_path: Path) -> None:
    marks = [str(tmp_path / name) for name in "abc"]
    Path(marks[1]).touch()
    Path(marks[2]).touch()
    assert sorted(run_all(die_once, marks, workers=2)) == ["a", "b", "c"]


def test_it_gives_up_when_workers_keep_dying(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pathveil.experiments.runners.LIVES", 1)
    with pytest.raises(RuntimeError, match="tasks to go"):
        list(run_all(die, [1, 2], workers=2))
    with pytest.raises(ValueError, match="at least one"):
        list(run_all(abs, [1], workers=0))


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
        root = str(Path(__file__).parents[2])
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


def test_without_dask_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MissingExtra, match=r"pathveil\[cluster\]"):
        list(run_all(abs, [1], scheduler="tcp://127.0.0.1:1"))
