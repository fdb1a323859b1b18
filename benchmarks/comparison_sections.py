"""The prior systems: PriSTE's check beside the scan it replaces, and the whole comparison."""

from __future__ import annotations

import time
from collections.abc import Iterator
from unittest.mock import patch

import numpy as np

from benchmarks.rows import Row, best_of, faster, sized, within
from pathveil.lab.baselines.baseline_release import Instance
from pathveil.lab.baselines.events import Bools, Floats
from pathveil.lab.baselines.priste import PriSTE, worst_excess
from pathveil.lab.comparison.comparison_run import Board, compare
from pathveil.lab.maps import random_map

TRIALS = 20
CORES = 2
LIMIT = 600.0
"""Seconds that 1000 trials may take on two cores."""


def _scanned(
    chance: Floats, event: Floats, release: Floats, table: Floats, *, shrink: float, slack: float
) -> Bools:
    """Return the same as the compiled check, by the scan of all pairs of states alone."""
    b = np.swapaxes(event @ table, 1, 2)
    c = np.broadcast_to((release @ table).T, b.shape)
    excess = worst_excess(chance[:, None], b, c, -float(np.log(shrink)))
    return np.asarray(excess.max(axis=0) > slack)


def priste_on_every_link() -> Iterator[Row]:
    """Yield publishing and its likelihood, aimed at every pair of 10 and of 20 vertices."""
    for size, goal in sized(((10, None), (20, 10.0)), ((6, None),)):
        network, walk = random_map(size, 3 * size // 2, np.random.default_rng(3))
        instance = Instance.of(network, walk)
        mechanism = PriSTE(0.5, event="edge")

        def work(instance: Instance = instance, mechanism: PriSTE = mechanism) -> None:
            release = mechanism.publish(instance, np.random.default_rng(1))
            mechanism.visit_logs(release, instance.scene)

        work()  # compiles, and makes the two worlds
        ours = best_of(work)
        with patch("pathveil.lab.baselines.priste.refusals", _scanned):
            peer = best_of(work, times=1)
        yield faster(f"{size} vertices, epsilon 0.5", ours, peer, at_least=goal)


def whole_comparison() -> Iterator[Row]:
    """Yield the usual systems at four budgets: seconds of a core for 1000 trials, by 20 of them."""
    small = Board.random(lessons=1)
    if sized(full=True, quick=False):
        compare(small, trials=1)
    board, trials = sized((Board.random(), TRIALS), (small, 1))
    start = time.process_time()
    compare(board, trials=trials)
    spent = (time.process_time() - start) * 1000 / trials
    yield within("pathveil compare --trials 1000, by processor time", spent, LIMIT * CORES)


SECTIONS = [
    ("PriSTE aimed at every link", priste_on_every_link),
    ("The prior systems and ours", whole_comparison),
]
