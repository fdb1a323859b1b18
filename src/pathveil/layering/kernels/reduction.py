"""Kernels that check an order and reduce it to cover arcs, and that follow forced arcs.

Theory of operation
-------------------
Given an order, point every edge from its earlier end (upper) to its later end (lower). A vertex
may be *cut*: its upper piece keeps the arcs out of it, its lower piece the arcs into it, and
no path leads through it. Walking the vertices from last to first, and the later neighbours ``v`` of
``u`` from first to last: if no earlier step has shown ``v`` to be below ``u`` by a path, ``uv`` is
a cover arc; and if ``v`` is whole, all later neighbours of ``v`` are below ``u`` too, so they must
be neighbours of ``u``, or the order is no transitive orientation. Looking at cover arcs alone is
enough because the later neighbours of ``v`` have been checked before.

The later neighbours of ``v`` are read as a list, or as a row of bits where lists would be longer.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pathveil.layering.adjacency import Int32Array, Int64Array, WordArray
from pathveil.layering.kernels.running import kernel

Flags = npt.NDArray[np.bool_]

DONE, BROKEN, COSTLY = 0, 1, 2


@kernel
def later_lists(
    indptr: Int64Array, indices: Int32Array, order: Int32Array
) -> tuple[Int64Array, Int32Array]:
    """Return for each rank the ranks of its later neighbours, ascending."""
    size = len(order)
    rank = np.empty(size, np.int32)
    for r in range(size):
        rank[order[r]] = r
    starts = np.zeros(size + 1, np.int64)
    for r in range(size):
        v = order[r]
        count = 0
        for k in range(indptr[v], indptr[v + 1]):
            if rank[indices[k]] > r:
                count += 1
        starts[r + 1] = starts[r] + count
    cursor = starts.copy()
    later = np.empty(len(indices) // 2, np.int32)
    for r in range(size):
        v = order[r]
        for k in range(indptr[v], indptr[v + 1]):
            q = rank[indices[k]]
            if q < r:
                later[cursor[q]] = r
                cursor[q] += 1
    return starts, later


@kernel
def reduce_by_lists(
    starts: Int64Array,
    later: Int32Array,
    cut: Flags,
    limit: int,
    covers: Int32Array,
    cover_count: Int32Array,
) -> tuple[int, int, int, int]:
    """Fill in the cover arcs of each rank; return how it ended and where.

    ``covers`` is as long as ``later``; the lower ends of the cover arcs of rank ``u`` are put at
    ``starts[u]``, ``cover_count[u]`` of them. The answer is (DONE, -1, -1, -1), or
    (BROKEN, u, v, w) with u -> v -> w but no edge uw, or (COSTLY, u, -1, -1) when more than
    ``limit`` steps would be taken, with all ranks above ``u`` done.
    """
    size = len(cut)
    state = np.full(size, size + size, np.int32)  # above all stamps
    steps = 0
    for u in range(size - 2, -1, -1):  # the last has no later neighbours
        # Two stamps for each vertex, falling, so that nothing has to be wiped in between.
        below, covered = 2 * u + 1, 2 * u
        begin, finish = starts[u], starts[u + 1]
        for k in range(begin, finish):
            state[later[k]] = below
        found = 0
        for k in range(begin, finish):
            v = later[k]
            if state[v] == covered:
                continue
            covers[begin + found] = v
            found += 1
            if cut[v]:
                continue  # its lower piece ends here: nothing follows by a path
            steps += starts[v + 1] - starts[v]
            if steps > limit:
                return COSTLY, u, -1, -1
            for q in range(starts[v], starts[v + 1]):
                w = later[q]
                if state[w] > below:
                    return BROKEN, u, v, w
                state[w] = covered
        cover_count[u] = found
    return DONE, -1, -1, -1


@kernel
def later_rows(starts: Int64Array, later: Int32Array) -> WordArray:
    """Return the later neighbours of each rank as a row of bits."""
    size = len(starts) - 1
    rows = np.zeros((size, (size + 63) // 64), np.uint64)
    for u in range(size):
        for k in range(starts[u], starts[u + 1]):
            v = later[k]
            rows[u, v >> 6] |= np.uint64(1) << np.uint64(v & 63)
    return rows


@kernel
def reduce_by_rows(
    starts: Int64Array,
    later: Int32Array,
    cut: Flags,
    last: int,
    covers: Int32Array,
    cover_count: Int32Array,
) -> tuple[int, int, int, int]:
    """Go on where :func:`reduce_by_lists` found the lists too long, at rank ``last``, with rows."""
    one = np.uint64(1)
    none = np.uint64(0)
    rows = later_rows(starts, later)
    words = rows.shape[1]
    covered = np.zeros(words, np.uint64)
    for u in range(last, -1, -1):
        covered[:] = none
        begin = starts[u]
        found = 0
        for k in range(begin, starts[u + 1]):
            v = later[k]
            if (covered[v >> 6] >> np.uint64(v & 63)) & one != none:
                continue
            covers[begin + found] = v
            found += 1
            if cut[v]:
                continue
            wrong = none
            for word in range(v >> 6, words):
                below = rows[v, word]
                wrong |= below & ~rows[u, word]
                covered[word] |= below
            if wrong != none:
                for q in range(starts[v], starts[v + 1]):
                    w = later[q]
                    if (rows[u, w >> 6] >> np.uint64(w & 63)) & one == none:
                        return BROKEN, u, v, w
        cover_count[u] = found
    return DONE, -1, -1, -1


@kernel
def collect_covers(
    starts: Int64Array,
    covers: Int32Array,
    cover_count: Int32Array,
    upper: Int32Array,
    lower: Int32Array,
    nodes: int,
) -> Int32Array:
    """Return the cover arcs as rows (upper node, lower node), sorted by both.

    ``upper`` and ``lower`` name, for each rank, the node that stands for it at either end of an
    arc. Two counting sorts, the minor end first, the first of them on the way out of the lists: a
    comparison sort of millions of arcs would take longer than all the rest of the drawing.
    """
    cursor = np.zeros(nodes + 1, np.int64)
    begin = np.zeros(nodes + 1, np.int64)
    for u in range(len(cover_count)):
        begin[upper[u] + 1] += cover_count[u]
        for k in range(starts[u], starts[u] + cover_count[u]):
            cursor[lower[covers[k]] + 1] += 1
    for v in range(nodes):
        cursor[v + 1] += cursor[v]
        begin[v + 1] += begin[v]
    by_lower = np.empty((begin[nodes], 2), np.int32)
    for u in range(len(cover_count)):
        for k in range(starts[u], starts[u] + cover_count[u]):
            node = lower[covers[k]]
            by_lower[cursor[node], 0] = upper[u]
            by_lower[cursor[node], 1] = node
            cursor[node] += 1
    arcs = np.empty((begin[nodes], 2), np.int32)
    for k in range(len(by_lower)):
        node = by_lower[k, 0]
        arcs[begin[node], 0] = node
        arcs[begin[node], 1] = by_lower[k, 1]
        begin[node] += 1
    return arcs
