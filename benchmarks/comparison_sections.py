"""The prior systems: the whole comparison."""

from __future__ import annotations

import time
from collections.abc import Iterator

from benchmarks.rows import Row, sized, within
from pathveil.lab.comparison.comparison_run import Board, compare

TRIALS = 20
CORES = 2
LIMIT = 600.0
"""Seconds that 1000 trials may take on two cores."""


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
    ("The prior systems and ours", whole_comparison),
]
