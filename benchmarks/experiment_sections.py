"""Whole sweeps and batches: runs a second, time of a reproduction, one Dask worker against two."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from importlib import import_module
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import numpy as np

from benchmarks.rows import Row, faster, sized, within
from pathveil.batching.batch_run import batch
from pathveil.batching.worker_pool import Crew
from pathveil.lab.maps import random_map, random_route
from pathveil.lab.reproduction.figures import FIGURES
from pathveil.lab.reproduction.sweep import ENGINES, Cell, Engine, Sweep
from pathveil.lab.reproduction.sweep_store import run_sweeps
from pathveil.model.network import Network
from pathveil.model.walk import Walk
from pathveil.publishing.terms import ReleaseTerms

RUNS = 50
"""Runs a cell that are timed; the reproduction has 1000."""


def _runs() -> int:
    return sized(RUNS, 1)


def _few(sweep: Sweep) -> Sweep:
    """Return a sweep, or the first of its cells for a quick look."""
    return replace(sweep, cells=sized(sweep.cells, sweep.cells[:2]))


def reproduction() -> list[Row]:
    """All figures with fewer runs, in two processes, scaled to the 1000 of the paper."""
    rows = []
    for engine in reversed(ENGINES):
        limit = 180.0 if engine == "exact" else 3600.0
        total, spent = _all_figures(engine)
        rows.append(
            within(
                f"all figures, {engine}, 1000 runs a cell "
                f"(from {_runs()}: {total:,} runs, {total / spent:,.0f} a second)",
                spent * 1000 / _runs(),
                limit,
            )
        )
    return rows


def _all_figures(engine: Engine) -> tuple[int, float]:
    """Return the runs of all figures and the seconds they took, workers started before."""
    figures, workers = sized((FIGURES, 2), (FIGURES[:1], 1))
    sweeps = [_few(figure.sweep(engine, runs=_runs())) for figure in figures]
    with TemporaryDirectory() as folder:
        # The same once with hardly any runs: what starting the workers costs is not scaled up.
        small = [_few(figure.sweep(engine, runs=1)) for figure in figures]
        start = time.perf_counter()
        run_sweeps([(sweep, None) for sweep in small], Crew(workers))
        idle = time.perf_counter() - start
        start = time.perf_counter()
        named = [(sweep, Path(folder) / str(k)) for k, sweep in enumerate(sweeps)]
        run_sweeps(named, Crew(workers))
        spent = time.perf_counter() - start
    return sum(sweep.runs * len(sweep.cells) for sweep in sweeps), max(spent - idle, spent / 20)


def dask_workers() -> list[Row]:
    """The same work by one Dask worker and by two, each a process of its own."""
    network, _ = random_map(40, 100, np.random.default_rng(4))
    rng = np.random.default_rng(5)
    walks = [random_route(network, 12, rng)[1] for _ in range(sized(400, 4))]
    cells = tuple(
        Cell("backtracking", 10, e, vertex_budget="0.5", step_limit=50_000)
        for e in range(13, sized(19, 14))
    )
    spent: dict[tuple[str, int], float] = {}
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        names = count()
        for workers in sized((1, 2), (1,)):
            address = stack.enter_context(dask_cluster(folder / f"cluster{workers}", workers))
            for timed in sized((False, True), (True,)):
                # The first round lets every worker import and compile.
                runs = sized(800 if timed else 100, 2)
                start = time.perf_counter()
                sweep = Sweep(f"dask {timed}", cells, runs=runs)
                run_sweeps([(sweep, None)], Crew(scheduler=address))
                spent["sweep", workers] = time.perf_counter() - start
                start = time.perf_counter()
                some = walks if timed else walks[:40]
                run_batch(network, some, folder / f"{next(names)}.jsonl", scheduler=address)
                spent["batch", workers] = time.perf_counter() - start
    if sized(full=False, quick=True):
        return [Row("one worker", f"{sum(spent.values()):.1f} s", "", "")]
    return [
        faster(
            "sweep, the paper's engine: two workers against one",
            spent["sweep", 2],
            spent["sweep", 1],
            at_least=1.8,
        ),
        faster(
            "batch, 400 walks over 40 vertices: two workers against one",
            spent["batch", 2],
            spent["batch", 1],
            at_least=1.8,
        ),
    ]


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


SECTIONS = [
    ("The whole reproduction", reproduction),
    ("Dask, one worker against two", dask_workers),
]
