"""Walks a second: many walks over one network, in one process, in a pool of two, by two of Dask.

What is timed is the walks, not the starting of workers: each number is the difference between a
long batch and a short one, and the long one takes some seconds, more than a start varies by. A
second worker is worth at most what the machine has idle, so these numbers mean something on an idle
machine only.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from importlib import import_module
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import numpy as np

from benchmarks.rows import Row, compile_kernels, sized
from pathveil import Network, Walk
from pathveil.batching.batch_run import batch
from pathveil.batching.worker_pool import Crew
from pathveil.lab.maps import random_map, random_route
from pathveil.publishing.terms import ReleaseTerms

CASES = {100: (300, 20, 800), 1_000: (3_000, 100, 24)}
"""By vertices: links, visits of a walk, walks of the long batch."""

SHORT = 4
"""The long batch has so many times the walks of the short one."""

Work = Callable[[int, int, str | None], None]
"""Publishes so many walks with so many workers, or with those of a scheduler."""


def throughput() -> list[Row]:
    """Walks a second, and what the second worker brings."""
    compile_kernels()
    rows: list[Row] = []
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        address, names = None, count()  # a batch has a new name each time
        if sized(full=True, quick=False):
            address = stack.enter_context(dask_cluster(folder / "cluster", 2))
        for vertices, (links, visits, walks) in sized(CASES, {10: (20, 5, 4)}).items():
            work = _batches(*_walks(vertices, links, visits, walks), folder, names)
            rows += _race(f"batch, {vertices:,} vertices", work, walks, address)
    return rows


def _walks(vertices: int, links: int, visits: int, walks: int) -> tuple[Network, list[Walk]]:
    network, _ = random_map(vertices, links, np.random.default_rng(4))
    rng = np.random.default_rng(5)
    return network, [random_route(network, visits, rng)[1] for _ in range(walks)]


def _race(name: str, work: Work, walks: int, address: str | None) -> list[Row]:
    if address is None:  # a quick look
        return [Row(f"{name}: one process", _rate(_each(work, walks, 1, None)), "", "")]
    work(2 * SHORT, 1, None)  # compile, or load what was compiled
    work(2 * SHORT, 2, address)
    alone = _each(work, walks, 1, None)
    rows = [Row(f"{name}: one process", _rate(alone), "", "")]
    for title, scheduler in (("a pool of two", None), ("two workers of Dask", address)):
        each = _each(work, walks, 2, scheduler)
        times = alone / each
        rows.append(
            Row(
                f"{name}: {title}",
                _rate(each),
                _rate(alone),
                f"{times:.2f}x",
                ">= 1.8x",
                times >= 1.8,
            )
        )
    return rows


def _each(work: Work, walks: int, workers: int, scheduler: str | None) -> float:
    """Return the seconds a walk takes by the clock: a long batch less a short one."""
    times = []
    for number in (max(walks // SHORT, 1), walks):
        start = time.perf_counter()
        work(number, workers, scheduler)
        times.append(time.perf_counter() - start)
    return max(times[1] - times[0], times[1] / 20) / (walks - max(walks // SHORT, 1))


def _rate(each: float) -> str:
    return f"{1 / each:.3g} walks a second"


def _batches(network: Network, walks: list[Walk], folder: Path, names: count[int]) -> Work:
    def work(number: int, workers: int, scheduler: str | None) -> None:
        out = folder / f"{next(names)}.jsonl"
        run_batch(network, walks[:number], out, workers=workers, scheduler=scheduler)

    return work


def run_batch(
    network: Network,
    walks: Sequence[Walk],
    out: Path,
    *,
    workers: int = 1,
    scheduler: str | None = None,
) -> None:
    """Publish many walks into a new file, more than fit: the gate has a section of its own."""
    crew = Crew(workers, scheduler, chunk=None if scheduler is None else 10)
    with patch("pathveil.batching.batch_run.require_open"):
        batch(network, walks, out, ReleaseTerms(), crew=crew)


@contextmanager
def dask_cluster(folder: Path, workers: int) -> Iterator[str]:
    """Start a scheduler and workers on the loopback; yield the address; end them."""
    folder.mkdir()
    file = folder / "scheduler.json"
    with ExitStack() as stack:
        stack.enter_context(_process("dask_scheduler", file, "--host=127.0.0.1", "--port=0"))
        while not file.exists():
            time.sleep(0.05)
        for _ in range(workers):
            stack.enter_context(
                _process(
                    "dask_worker", file, "--no-nanny", "--nthreads=1", f"--local-directory={folder}"
                )
            )
        address = str(json.loads(file.read_text())["address"])
        client: Any = import_module("distributed").Client(address, timeout="60s")
        with client:
            client.wait_for_workers(workers, timeout=60)
        yield address


@contextmanager
def _process(module: str, file: Path, *options: str) -> Iterator[None]:
    command = [sys.executable, "-m", f"distributed.cli.{module}", "--no-dashboard"]
    process = subprocess.Popen(
        [*command, f"--scheduler-file={file}", *options],
        # Sampling its own stack takes a worker several per cent of its time.
        env={**os.environ, "DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "False"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield
    finally:
        process.kill()
        process.wait()


SECTIONS = [("Walks a second", throughput)]
