"""Running sweeps: ask the record what is missing, have each task run somewhere, record it.

A task is a function of its streams, so one that was lost with its worker is run again and gives
the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from zlib import crc32

from pathveil.batching.worker_pool import Progress, run_all
from pathveil.lab.reproduction.measures import Clock, Tally
from pathveil.lab.reproduction.run_chunks import run_task
from pathveil.lab.reproduction.sweep import STINT, Sweep, Task
from pathveil.lab.reproduction.sweep_store import Row, SweepRecord


def run_sweep(
    sweep: Sweep,
    journal: str | Path,
    *,
    workers: int = 1,
    scheduler: str | None = None,
    progress: Progress | None = None,
    chunk: int | None = None,
) -> tuple[Row, ...]:
    """Return the results of a sweep, one row for each cell, recorded in the journal on the way.

    Parameters
    ----------
    journal
        Where finished tasks are recorded; an interrupted sweep goes on from it.
    workers
        Processes on this machine; 1 runs the sweep in this process.
    scheduler
        Address of a Dask scheduler, such as ``tcp://10.0.0.5:8786``, used instead of processes
        here. Its workers need this package.
    chunk
        Runs a task has at least; by default a quarter of a cell's, and 50 or more.

    *Cost*: a task costs about 2 ms besides its runs, with a pool or with Dask.
    """
    (rows,) = run_sweeps(
        [(sweep, journal)], workers=workers, scheduler=scheduler, progress=progress, chunk=chunk
    )
    return rows


def run_sweeps(
    sweeps: Sequence[tuple[Sweep, str | Path]],
    *,
    workers: int = 1,
    scheduler: str | None = None,
    progress: Progress | None = None,
    chunk: int | None = None,
) -> list[tuple[Row, ...]]:
    """Return the results of several sweeps, each with its journal, run by the same workers.

    Starting workers and reading their compiled kernels takes seconds: it is done once.
    """
    with ExitStack() as stack:
        records = [stack.enter_context(SweepRecord(path, sweep)) for sweep, path in sweeps]
        tasks = [
            (place, task)
            for place, record in enumerate(records)
            for task in record.missing(stints=_stints(record.sweep, chunk))
        ]
        # Slow and fast cells mixed, always in the same way: the time left can be told by the share
        # of stints done, and no worker is left with all the slow ones.
        tasks.sort(key=lambda item: crc32(f"{item[0]} {item[1].number} {item[1].first}".encode()))
        total = sum(record.sweep.stints * len(record.sweep.cells) for record in records)
        done = sum(record.done for record in records)
        if progress is not None:
            progress(done, total)
        for place, task, tally, clock in run_all(
            _run_placed, tasks, workers=workers, scheduler=scheduler
        ):
            before = records[place].done
            records[place].append(task, tally, clock)
            done += records[place].done - before
            if progress is not None:
                progress(done, total)
        return [record.rows() for record in records]


def _stints(sweep: Sweep, chunk: int | None) -> int:
    return max(1, (chunk or sweep.runs // 4) // STINT)


def _run_placed(placed: tuple[int, Task]) -> tuple[int, Task, Tally, Clock]:
    place, task = placed
    return (place, *run_task(task))
