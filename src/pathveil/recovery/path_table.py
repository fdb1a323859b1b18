"""The most likely path by a table over subsets of positions: exact, and it counts the rivals."""

from __future__ import annotations

import numpy as np

from pathveil.errors import SearchExhausted
from pathveil.layering.kernels.running import compiled, kernel
from pathveil.model.bits import BoolArray, IndexArray
from pathveil.recovery.path_tasks import LikelyPath, PathTask, Scores, sorted_ends

LARGEST_TABLE = 18
"""Positions up to which the table over subsets is used: 2^18 x 18 entries."""


def path_by_table(task: PathTask) -> LikelyPath | None:
    """Return the best path; None if it uses an edge twice, which the table cannot forbid."""
    scores = np.zeros((task.size, task.size), dtype=np.int8)
    linked = np.zeros((task.size, task.size), dtype=np.bool_)
    first, second = task.pairs[:, 0], task.pairs[:, 1]
    scores[first, second] = scores[second, first] = task.score
    linked[first, second] = linked[second, first] = True
    best, ways, path = compiled(best_path)(scores, linked, task.fewest)
    if best == _NO_PATH:
        raise SearchExhausted("the network has no path through all its vertices", steps=0)
    visits = path.tolist()
    if task.once:
        edges = task.edges_along(visits)
        if len(set(edges)) != len(edges):
            return None
    # With several copies paths that use an edge twice were counted too.
    rivals = None if task.once else int(ways) // 2 - 1
    return LikelyPath(sorted_ends(visits), task.base + int(best), 0, rivals)


_NO_PATH = -128


@kernel
def best_path(scores: Scores, linked: BoolArray, fewest: int) -> tuple[int, int, IndexArray]:
    """Return largest score, number of directed paths that have it, and one of them.

    ``best[s, v]`` is the largest score of a path that visits exactly the set s and ends at v.
    Sets grow with their number, so one pass in numerical order sees every set after its subsets.
    """
    size = len(scores)
    sets = 1 << size
    best = np.full((sets, size), _NO_PATH, dtype=np.int8)
    ways = np.zeros((sets, size), dtype=np.int64)
    for v in range(size):
        best[1 << v, v] = 0
        ways[1 << v, v] = 1
    top, total, top_set, top_end = _NO_PATH, 0, 0, 0
    for s in range(1, sets):
        visited = 0
        for v in range(size):
            visited += s >> v & 1
        for v in range(size):
            here = best[s, v]
            if here == _NO_PATH:
                continue
            if here >= top and visited >= fewest:
                if here > top:
                    top, total, top_set, top_end = here, 0, s, v
                total += ways[s, v]
            for w in range(size):
                if not linked[v, w] or s >> w & 1:
                    continue
                onward, there = s | 1 << w, here + scores[v, w]
                if there > best[onward, w]:
                    best[onward, w] = there
                    ways[onward, w] = 0
                if there == best[onward, w]:
                    ways[onward, w] += ways[s, v]
    return top, total, path_back(best, scores, linked, top_set, top_end)


@kernel
def path_back(
    best: Scores, scores: Scores, linked: BoolArray, visited: int, end: int
) -> IndexArray:
    """Return a best path through a set of positions, from its end back to its beginning."""
    size = len(scores)
    path = np.empty(size, dtype=np.int64)
    count = 0
    while visited:
        path[count] = end
        count += 1
        before = visited & ~(1 << end)
        for w in range(size):
            if (
                before >> w & 1
                and linked[w, end]
                and best[before, w] != _NO_PATH
                and best[before, w] + scores[w, end] == best[visited, end]
            ):
                end = w
                break
        visited = before
    return path[:count]
