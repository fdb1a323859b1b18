"""A linear order with few bad vertices for a graph too large to be solved exactly.

First it is annealed which vertices stay whole, by the signs of bundles of their neighbours
(``kernels.signs``): on a triangle-free graph this is the search for a largest two-sided subgraph.
Then an order is made of it and annealed in its turn, begun cold (``kernels.annealing``).

The amount of work is counted in elementary steps, not in moves, so that the time depends on the
effort and hardly on the graph: on a dense graph, where nearly every vertex is cut whatever one
does, few moves are made.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from pathveil.layering.adjacency import Adjacency, Int32Array, Int64Array
from pathveil.layering.kernels.bundle_annealing import anneal_bundles, forced_order
from pathveil.layering.kernels.forcing import neighbour_bundles, opposite_entries
from pathveil.layering.kernels.order_annealing import SPACING, anneal_order, settle
from pathveil.layering.kernels.running import run

_LEVELS = 64
_WIDTH = 16
_ONE = 1 << 20
_BUNDLES = (_ONE * 3 // 8, 48)  # chances at the first and the last level
_SHARE = 50  # steps for each pair of vertices: more of it in one go finds nothing new
_STRIDE = 7919  # between the seeds of attempts begun afresh
_ORDER = (_ONE // 300, 48)  # begun cold: it only mends what the signs left undone


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
        Elementary steps that may be spent, about 4 ns each once compiled.
    """
    opposite = run(opposite_entries, 2 * len(graph.indices), graph.indptr, graph.indices)
    whole = _annealed_signs(graph, opposite, work)
    return mended_order(graph, opposite, whole, work=work // 6)


def _annealed_signs(graph: Adjacency, opposite: Int64Array, work: int) -> Int32Array:
    """Return 1 for each vertex that may stay whole and 0 for each that is cut; few are cut.

    Half the work at most anneals the whole graph, in one go; the rest mends it here and there until
    that has been in vain for a while. A small graph is then begun afresh as long as there is work
    left: several short attempts find more than a long one.
    """
    indptr, indices, size = graph.indptr, graph.indices, graph.size
    scan = min(work, 4 * len(indices) * (1 + len(indices) // max(size, 1)))
    bundle, first = run(neighbour_bundles, scan, indptr, indices, work)
    share = min(work // 2, _SHARE * size * size)
    patience = 8 + size // 8
    best: Int32Array = np.zeros(size, dtype=np.int32)
    left, fresh, expected = work, 0, 4 * share
    while True:
        whole, spent = run(
            anneal_bundles, min(left, expected),
            indptr, indices, opposite, bundle, first,
            (graph.key + fresh * _STRIDE) % (1 << 31), share, patience, left, cooling(*_BUNDLES),
        )  # fmt: skip
        if fresh == 0 or whole.sum() > best.sum():
            best = whole
        left, expected = left - int(spent), int(spent)
        fresh += 1
        if left < int(spent) or best.all():
            return best


def mended_order(
    graph: Adjacency, opposite: Int64Array, whole: Int32Array, *, work: int
) -> Int32Array:
    """Return an order in which, if it can be, none of the vertices marked whole is bad.

    The order is made of what the whole vertices force, then annealed itself, begun cold.
    """
    indptr, indices = graph.indptr, graph.indices
    order = run(forced_order, 8 * len(indices), indptr, indices, opposite, whole)
    degrees = np.diff(indptr)
    if int((degrees * degrees).sum()) > work:
        return order  # even to look at every vertex once costs more than is allowed
    key = run(anneal_order, work, indptr, indices, order, graph.key, work, cooling(*_ORDER))
    return _settled(graph, key, work)


def settled_order(graph: Adjacency, order: Int32Array) -> Int32Array:
    """Return an order with no more bad vertices than the given one and, if it can, fewer covers."""
    key = np.empty(graph.size, dtype=np.int64)
    key[order] = np.arange(graph.size, dtype=np.int64) * SPACING
    degrees = np.diff(graph.indptr)
    return _settled(graph, key, 40 * int((degrees * degrees).sum()))


def _settled(graph: Adjacency, key: Int64Array, work: int) -> Int32Array:
    degrees = np.diff(graph.indptr)
    expected = min(work, 8 * int((degrees * degrees).sum()))
    run(settle, expected, graph.indptr, graph.indices, key, work)
    return np.argsort(key, kind="stable").astype(np.int32)
