"""Who does the work: this process, a pool of processes, or a Dask cluster.

All three do the same: take items, have each worked on somewhere, yield what was made of it as it
comes back. A worker that dies takes unfinished items with it and no more; they are given out again.
"""

from __future__ import annotations

import gc
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from multiprocessing import get_context
from typing import Any, TypeVar

from pathveil.errors import MissingExtra, NoScheduler
from pathveil.files.atomic_write import interrupts_held, leave_with_parent

Given = TypeVar("Given")
Made = TypeVar("Made")
Progress = Callable[[int, int], None]
"""Called with (done, total) as work comes back."""

CONNECT_SECONDS = 20
"""How long to wait for a scheduler to answer."""

AHEAD = 32
"""Items a worker of a pool is given before what it made of them is taken: it waits in memory."""

LIVES = 5
"""How often a pool may lose a worker before we give up."""


@dataclass(frozen=True)
class Crew:
    """Who does the work, and who hears how far it is.

    Attributes
    ----------
    workers
        Processes on this machine; 1 works in this process.
    scheduler
        Address of a Dask scheduler, such as ``tcp://10.0.0.5:8786``, used instead of processes
        here. Its workers need this package.
    progress
        Called with (done, total) as work comes back.
    chunk
        How many publications of a batch a worker is given at a time.
    """

    workers: int = 1
    scheduler: str | None = None
    progress: Progress | None = None
    chunk: int | None = None


def run_all(
    work: Callable[[Given], Made],
    items: Iterable[Given],
    *,
    workers: int = 1,
    scheduler: str | None = None,
) -> Iterator[Made]:
    """Yield what ``work`` makes of each item, as it is finished, each item's once.

    All items are taken before anything is yielded. With workers the first are worked on meanwhile:
    what makes the items need not have made them all before.

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
        listed = deque(items)
        while listed:  # each is freed with what was made of it
            yield work(listed.popleft())
    else:
        yield from _with_pool(work, items, workers)


def _with_pool(
    work: Callable[[Given], Made], items: Iterable[Given], workers: int
) -> Iterator[Made]:
    """Run in a pool; if a worker dies, start another pool with what is not yet done."""
    coming, waiting, most = enumerate(items), dict[int, Given](), AHEAD * workers
    for _ in range(LIVES):
        try:
            # Spawned, not forked: a fork would copy locks and threads of the caller.
            with interrupts_held():  # or an interrupt that kills workers would find a new pool
                pool = ProcessPoolExecutor(
                    workers,
                    mp_context=get_context("spawn"),
                    initializer=leave_with_parent,
                    initargs=(os.getpid(),),
                )
            with pool:
                asked, resting = dict[Future[Made], int](), deque(waiting)
                try:
                    for place, item in coming:
                        waiting[place] = item  # before it is handed out: the pool may be dead
                        resting.append(place)
                        _hand_out(pool, work, waiting, resting=resting, asked=asked, most=most)
                    _hand_out(pool, work, waiting, resting=resting, asked=asked, most=most)
                    while asked:
                        ready, _ = wait(asked, return_when=FIRST_COMPLETED)
                        for future in ready:
                            place = asked.pop(future)
                            made = future.result()
                            del waiting[place]
                            _hand_out(pool, work, waiting, resting=resting, asked=asked, most=most)
                            yield made
                finally:
                    for future in asked:
                        future.cancel()
        except BrokenProcessPool:
            continue
        return
    raise RuntimeError(
        f"{LIVES} pools of workers died with {len(waiting)} tasks to go; is there enough memory?"
    )


def _hand_out(
    pool: ProcessPoolExecutor,
    work: Callable[[Given], Made],
    waiting: dict[int, Given],
    *,
    resting: deque[int],
    asked: dict[Future[Made], int],
    most: int,
) -> None:
    """Give items to a pool until enough are out; what they make is not taken meanwhile."""
    while resting and len(asked) < most:
        place = resting.popleft()
        with interrupts_held():
            asked[pool.submit(work, waiting[place])] = place


def _with_dask(
    work: Callable[[Given], Made], items: Iterable[Given], scheduler: str
) -> Iterator[Made]:
    """Run on a Dask cluster; its scheduler hands a lost worker's tasks to another."""
    with _client(scheduler) as client:
        as_completed: Any = import_module("distributed").as_completed
        # Not pure: two items that look alike are still two pieces of work.
        futures = [client.submit(work, item, pure=False, retries=LIVES) for item in items]
        for future in as_completed(futures):
            yield future.result()
            future.release()


@contextmanager
def _client(scheduler: str) -> Iterator[Any]:
    try:
        distributed: Any = import_module("distributed")
    except ImportError:
        raise MissingExtra("cluster", "dask distributed") from None
    try:
        client: Any = distributed.Client(scheduler, timeout=f"{CONNECT_SECONDS}s")
    except (OSError, ValueError, TypeError) as error:
        why = next(iter(str(error).splitlines()), type(error).__name__)
        client = None
    if client is None:
        # The client that came to nothing must go now: collected later, while another one starts, it
        # waits for that one's lock for ever.
        gc.collect()
        raise NoScheduler(
            f"--scheduler {scheduler}: no Dask scheduler answers there ({why}); check the address "
            "(tcp://host:port) and that `dask scheduler` runs, or work without: --workers 2"
        )
    with client:
        yield client
