"""A linear order with few bad vertices for a graph too large to be solved exactly.

First a two-sided cover is annealed, cheaply; its order is then annealed itself. The amount of work
is counted in elementary steps, not in moves, so that the time depends on the effort and hardly on
the graph: on a dense graph, where nearly every vertex is cut whatever one does, few moves are made.
See ``annealing_kernels`` for the moves.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from pathveil.layering.adjacency import Adjacency, Int32Array, Int64Array
from pathveil.layering.annealing_kernels import anneal_cover, anneal_order
from pathveil.layering.kernels import run

_LEVELS = 64
_WIDTH = 16
_ONE = 1 << 20


@cache
def cooling(first: int, last: int) -> Int64Array:
    """Return chances b^c, out of 2^20, for c = 0, 1, ... as b falls level by level.

    Parameters
    ----------
    first, last
        The chance b, out of 2^20, at the first and at the last level; between them log b is even.
    """
    low, high = 0, _ONE
    while low < high:  # the largest integer ratio that does not fall below the last chance
        middle = (low + high + 1) // 2
        chance = first << 20
        for _ in range(_LEVELS - 1):
            chance = chance * middle >> 20
        low, high = (low, middle - 1) if chance >> 20 > last else (middle, high)
    ladder = np.zeros((_LEVELS, _WIDTH), dtype=np.int64)
    chance = first << 20
    for level in range(_LEVELS):
        weight = _ONE
        for excess in range(_WIDTH):
            ladder[level, excess] = weight
            weight = weight * (chance >> 20) >> 20
        chance = chance * low >> 20
    ladder.setflags(write=False)
    return ladder


def annealed_order(graph: Adjacency, *, work: int) -> Int32Array:
    """Return the vertices in an order that makes few of them bad.

    Parameters
    ----------
    graph
        Any graph; the pseudo-random choices are keyed by :attr:`Adjacency.key`.
    work
        Elementary steps that may be spent, about 3 ns each once compiled.
    """
    seed = graph.key
    side = run(
        anneal_cover, work, graph.indptr, graph.indices, seed, work // 4, cooling(_ONE * 3 // 8, 48)
    )
    order = np.argsort(np.where(side < 0, 2, 1 + 2 * side), kind="stable").astype(np.int32)
    degrees = np.diff(graph.indptr)
    if 2 * int((degrees * degrees).sum()) > work:
        return order  # even to look at the order costs more than is allowed
    return run(
        anneal_order, work, graph.indptr, graph.indices, order, seed, work, cooling(_ONE // 3, 48)
    )
