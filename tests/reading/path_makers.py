"""Tasks of a noisy reading, small enough to try every path."""

from __future__ import annotations

import random
from itertools import combinations, pairwise, permutations

import numpy as np

from pathveil.reading.most_likely import PathTask


def random_task(seed: int, *, size: int = 6, spanning: bool = False) -> PathTask:
    """A connected handful of pairs with scores of every kind, each a link of its own."""
    rng = random.Random(seed)
    every = list(combinations(range(size), 2))
    path = set(pairwise(range(size)))
    pairs = sorted(path | set(rng.sample(every, size)))
    score = [rng.choice((-1, 0, 1)) for _ in pairs]
    return PathTask(
        size=size,
        pairs=np.array(pairs, dtype=np.int64),
        score=np.array(score, dtype=np.int8),
        spanning=spanning,
    )


def best_by_trying(task: PathTask) -> tuple[int, int]:
    """The largest score of any path, and how many paths have it, ends in either order once."""
    worth = {
        frozenset(pair): score
        for pair, score in zip(task.pairs.tolist(), task.score.tolist(), strict=True)
    }
    found = [
        sum(worth[frozenset(step)] for step in pairwise(visits))
        for length in range(task.size if task.spanning else 2, task.size + 1)
        for visits in permutations(range(task.size), length)
        if visits[0] < visits[-1] and all(frozenset(s) in worth for s in pairwise(visits))
    ]
    return max(found), found.count(max(found))
