"""Walks a second: many walks over one network, in one process, in a pool of two, by two of Dask.

What is timed is the walks, not the starting of workers: each number is the difference between a
long batch and a short one. A second worker is worth at most what the machine has idle, so these
numbers mean something on an idle machine only.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import ExitStack
from functools import cache, partial
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from benchmarks.experiment_sections import dask_cluster, run_batch
from benchmarks.rows import Row, compile_kernels, sized
from benchmarks.scale_tasks import write_map
from pathveil import Network, Walk, publish
from pathveil.batching.worker_pool import run_all
from pathveil.files.networks.network_reader import read_network
from pathveil.lab.maps import random_map, random_route

CASES = {10: (20, 5, 600), 100: (300, 20, 80), 1_000: (3_000, 100, 24)}
"""By vertices: links, visits of a walk, walks of the long batch."""

LINKS, SKETCHES = 1_000_000, 24
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
            work = partial(_batch, *_walks(vertices, links, visits, walks), folder, names)
            rows += _race(f"batch, {vertices:,} vertices", work, walks, address)
        links = sized(LINKS, 300)
        write_map(folder, links // 3, links)
        work = partial(_sketches, folder, names)
        rows += _race(f"sketches of {links:,} links", work, sized(SKETCHES, 4), address)
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


def _batch(
    network: Network,
    walks: list[Walk],
    folder: Path,
    names: count[int],
    number: int,
    workers: int,
    scheduler: str | None,
) -> None:
    out = folder / f"{next(names)}.jsonl"
    run_batch(network, walks[:number], out, workers=workers, scheduler=scheduler)


def _sketches(
    folder: Path, names: count[int], number: int, workers: int, scheduler: str | None
) -> None:
    """Publish sketches: each worker reads the network once, from its file."""
    files = [(str(folder / "map.csv"), str(folder / f"{next(names)}.veil")) for _ in range(number)]
    for _ in run_all(_sketch, files, workers=workers, scheduler=scheduler):
        pass


def _sketch(files: tuple[str, str]) -> None:
    network = _known(files[0])
    i, j = network.pairs[len(network.pairs) // 2].tolist()
    walk = Walk([network.vertices[i], network.vertices[j]])
    made = publish(network, walk, form="sketch", capacity=len(network.pairs))
    made.save(files[1], overwrite=True)


@cache
def _known(path: str) -> Network:
    return read_network(path)


SECTIONS = [("Walks a second", throughput)]
