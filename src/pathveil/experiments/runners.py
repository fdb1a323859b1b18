"""Who runs a sweep: this process, a pool of processes, or a Dask cluster.

All runners do the same: ask the journal what is missing, have each task run somewhere, record it
as it comes back. A worker that dies takes unrecorded tasks with it and no more; they are run again,
and give the same, for a task is a function of its streams.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, contextmanager
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from typing import Any, TypeVar
from zlib import crc32

from pathveil.errors import MissingExtra
from pathveil.experiments.blocks import run_task
from pathveil.experiments.measures import Clock, Tally
from pathveil.experiments.store import Journal, Row
from pathveil.experiments.sweep import BLOCK, Sweep, Task

Given = TypeVar("Given")
Made = TypeVar("Made")
Progress = Callable[[int, int], None]
"""Called with (done, total) as work comes back."""

LIVES = 5
"""How often a pool may lose a worker before we give up."""


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
        records = [stack.enter_context(Journal(path, sweep)) for sweep, path in sweeps]
        tasks = [
            (place, task)
            for place, record in enumerate(records)
            for task in record.missing(blocks=_blocks(record.sweep, chunk))
        ]
        # Slow and fast cells mixed, always in the same way: the time left can be told by the share
        # of blocks done, and no worker is left with all the slow ones.
        tasks.sort(key=lambda item: crc32(f"{item[0]} {item[1].number} {item[1].first}".encode()))
        total = sum(record.sweep.blocks * len(record.sweep.cells) for record in records)
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


def _blocks(sweep: Sweep, chunk: int | None) -> int:
    return max(1, (chunk or sweep.runs // 4) // BLOCK)


def _run_placed(placed: tuple[int, Task]) -> tuple[int, Task, Tally, Clock]:
    place, task = placed
    return (place, *run_task(task))


def run_all(
    work: Callable[[Given], Made],
    items: Iterable[Given],
    *,
    workers: int = 1,
    scheduler: str | None = None,
) -> Iterator[Made]:
    """Yield what ``work`` makes of each item, as it is finished, each item's once.

    Examples
    --------
    >>> list(run_all(abs, [-3, 4]))
    [3, 4]
    """
    if workers < 1:
        raise ValueError(f"{workers} workers; at least one is needed")
    if scheduler is not None:
        yield from _with_dask(work, items, scheduler)
    elif workers == 1:
        yield from map(work, items)
    else:
        yield from _with_pool(work, items, workers)


def _with_pool(
    work: Callable[[Given], Made], items: Iterable[Given], workers: int
) -> Iterator[Made]:
    """Run in a pool; if a worker dies, start another pool with what is not yet done."""
    waiting = dict(enumerate(items))
    for _ in range(LIVES):
        try:
            # Spawned, not forked: a fork would copy locks and threads of the caller.
            with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
                asked = {pool.submit(work, item): place for place, item in waiting.items()}
                try:
                    while asked:
                        ready, _ = wait(asked, return_when=FIRST_COMPLETED)
                        for future in ready:
                            place = asked.pop(future)
                            made = future.result()
                            del waiting[place]
                            yield made
                finally:
                    _cancel(asked)
        except BrokenProcessPool:
            continue
        return
    raise RuntimeError(
        f"{LIVES} pools of workers died with {len(waiting)} tasks to go; is there enough memory?"
    )


def _cancel(asked: Iterable[Future[Made]]) -> None:
    for future in asked:
        future.cancel()


def _with_dask(
    work: Callable[[Given], Made], items: Iterable[Given], scheduler: str
) -> Iterator[Made]:
    """Run on a Dask cluster; its scheduler hands a lost worker's tasks to another."""
    with _client(scheduler) as client:
        as_completed: Any = import_module("distributed").as_completed
        # Not pure: two items that look alike are still two pieces of work.
        futures = client.map(work, list(items), pure=False, retries=LIVES)
        for future in as_completed(futures):
            yield future.result()
            future.release()


@contextmanager
def _client(scheduler: str) -> Iterator[Any]:
    try:
        distributed: Any = import_module("distributed")
    except ImportError:
        raise MissingExtra("cluster", "dask distributed") from None
    with distributed.Client(scheduler, timeout="20s") as client:
        yield client
