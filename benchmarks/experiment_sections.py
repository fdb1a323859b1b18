"""The whole reproduction: runs a second, and the time of the thousand runs of the paper."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.rows import Row, sized, within
from pathveil.batching.worker_pool import Crew
from pathveil.lab.reproduction.figures import FIGURES
from pathveil.lab.reproduction.sweep import ENGINES, Engine, Sweep
from pathveil.lab.reproduction.sweep_store import run_sweeps

RUNS = 20
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


SECTIONS = [
    ("The whole reproduction", reproduction),
]
