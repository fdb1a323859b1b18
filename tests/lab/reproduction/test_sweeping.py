"""However a sweep is run, and whoever dies on the way, the table is the serial runner's."""

from __future__ import annotations

import os
import signal
from dataclasses import replace
from pathlib import Path

import pytest

from pathveil.batching.worker_pool import Crew
from pathveil.errors import BadFile
from pathveil.lab.reproduction import run_chunks
from pathveil.lab.reproduction.measures import Clock
from pathveil.lab.reproduction.sweep import Cell, Sweep
from pathveil.lab.reproduction.sweep_store import read_table, run_sweeps, write_clock, write_table
from tests.batches import kill_when_ready

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


@pytest.mark.regression("one run of a figure compiled for twenty seconds")
def test_a_few_runs_are_done_in_plain_python_and_come_out_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    few = replace(SWEEP, runs=3)
    (wanted,) = run_sweeps([(few, None)])
    monkeypatch.setattr(run_chunks, "compiled", lambda _kernel: pytest.fail("is compiled"))
    monkeypatch.setattr(run_chunks, "chosen", lambda kernel, _work: kernel)
    (rows,) = run_sweeps([(replace(few, timed=False), None)], Crew(workers=2))
    assert [(row.cell, row.tally) for row in rows] == [(row.cell, row.tally) for row in wanted]
    assert {row.clock for row in rows} == {Clock()}


def test_a_search_that_is_long_is_begun_anew_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    cell = Cell("backtracking", 8, 14, vertex_budget="0.5", step_limit=2_000)
    sweeps = [(Sweep("long", (cell,), runs=20, timed=timed), None) for timed in (True, False)]
    monkeypatch.setattr(run_chunks, "PLAIN_PLACEMENTS", 50)
    monkeypatch.setattr(run_chunks, "chosen", lambda kernel, _work: kernel)
    (timed,), (few,) = run_sweeps(sweeps)
    assert timed.tally == few.tally


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
    for moment in (1, 7):
        kill_when_ready(SCRIPT, str(root), str(path), str(moment))
        assert _lines(path) == 1 + moment
    before = path.read_bytes()
    assert table(path) == serial
    # Nothing recorded was run again: what stood in the journal still stands, as it was.
    assert path.read_bytes().startswith(before)
    assert _lines(path) == 1 + 8


def _lines(path: Path) -> int:
    return path.read_bytes().count(b"\n")


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
def test_a_dask_worker_killed_on_the_way_changes_nothing(serial: bytes, tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=":0", local_directory=tmp_path
    ) as cluster:
        killed: list[int] = []

        def kill_midway(done: int, total: int) -> None:
            if 3 <= done < total and not killed:
                killed.append(cluster.workers[1].pid)
                os.kill(killed[0], signal.SIGKILL)

        crew = Crew(1, scheduler=cluster.scheduler_address, progress=kill_midway)
        assert table(tmp_path / "x.journal", crew) == serial
        assert killed
