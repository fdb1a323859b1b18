"""Kernels that read a linear order: its bad vertices, its cover arcs, and the longest branches.

Given a linear order, a vertex is *bad* if it has a neighbour before it and one after it that are
not adjacent: a path through it would promise an edge that is not there, so it must be cut in two.

Theory of operation
-------------------
Given an order, point every edge from its earlier end (upper) to its later end (lower). A vertex
may be *cut*: its upper piece keeps the arcs out of it, its lower piece the arcs into it, and
no path leads through it. Walking the vertices from last to first, and the later neighbours ``v`` of
``u`` from first to last: if no earlier step has shown ``v`` to be below ``u`` by a path, ``uv`` is
a cover arc; and if ``v`` is whole, all later neighbours of ``v`` are below ``u`` too, so they must
be neighbours of ``u``, or the order is no transitive orientation. Looking at cover arcs alone is
enough because the later neighbours of ``v`` have been checked before.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pathveil.layering.adjacency import Int32Array, Int64Array
from pathveil.layering.kernels.running import kernel

Flags = npt.NDArray[np.bool_]


@kernel
def find_bad(indptr: Int64Array, indices: Int32Array, rank: Int32Array) -> Flags:
    """Return for each vertex whether the order makes it bad.

    *Cost*: the degrees of the earlier neighbours of each vertex, up to the first that misses one.
    """
    size = len(rank)
    bad = np.zeros(size, np.bool_)
    # Marked by the vertex that looks, so that nothing is wiped between vertices.
    mark = np.full(size, size, np.int32)
    for v in range(size):
        after = 0
        for k in range(indptr[v], indptr[v + 1]):
            w = indices[k]
            if rank[w] > rank[v]:
                mark[w] = v
                after += 1
        if after == 0:
            continue
        for k in range(indptr[v], indptr[v + 1]):
            w = indices[k]
            if rank[w] > rank[v]:
                continue
            shared = 0
            for q in range(indptr[w], indptr[w + 1]):
                if mark[indices[q]] == v:
                    shared += 1
            # An earlier neighbour that lacks one of the later ones: a path through v joins the two.
            if shared < after:
                bad[v] = True
                break
    return bad


@kernel
def reduce_lists(
    starts: Int64Array, later: Int32Array, cut: Flags, covers: Int32Array, cover_count: Int32Array
) -> tuple[int, int, int]:
    """Fill in the cover arcs, from the last rank up; return where the order breaks, or -1 thrice.

    ``covers`` is as long as ``later``; the lower ends of the cover arcs of rank ``u`` follow those
    of the ranks after it, ``cover_count[u]`` of them. The order breaks at (u, v, w) if u -> v -> w
    but there is no edge uw.
    """
    near = later.view(np.uint32)
    size = len(cut)
    state = np.full(size, size + size, np.int32)  # above all stamps
    end = 0
    for u in range(size - 2, -1, -1):  # the last has no later neighbours
        # Two stamps for each vertex, falling, so that nothing has to be wiped in between.
        below, covered = 2 * u + 1, 2 * u
        begin, finish = starts[u], starts[u + 1]
        for k in range(begin, finish):
            state[near[k]] = below
        first = end
        for k in range(begin, finish):
            v = near[k]
            if state[v] == covered:
                continue
            covers[end] = v
            end += 1
            if cut[v]:
                continue  # its lower piece ends here: nothing follows by a path
            for q in range(starts[v], starts[v + 1]):
                w = near[q]
                if state[w] > below:
                    return u, v, w
                state[w] = covered
        cover_count[u] = end - first
    return -1, -1, -1


@kernel
def longest_branches(nodes: int, arcs: Int32Array) -> Int32Array:
    """Return for each node the number of nodes above it on the longest branch.

    Arcs are rows (upper, lower) sorted by upper node. A node is taken as soon as all above it are
    done. Nodes on a circle, or below one, are never ready: they keep a number that
    means nothing, and whoever checks the arcs finds out.
    """
    layer = np.zeros(nodes, np.int32)
    waiting = np.zeros(nodes, np.int32)
    ready = np.empty(nodes, np.int32)
    starts = np.zeros(nodes + 1, np.int64)
    for k in range(len(arcs)):
        starts[arcs[k, 0] + 1] += 1
        waiting[arcs[k, 1]] += 1
    # Arcs are sorted by upper node, so where a node's own begin is a running sum of counts.
    for v in range(nodes):
        starts[v + 1] += starts[v]
    first, last = 0, 0
    for node in range(nodes):
        if waiting[node] == 0:
            ready[last] = node
            last += 1
    while first < last:
        node = ready[first]
        first += 1
        for k in range(starts[node], starts[node + 1]):
            lower = arcs[k, 1]
            # Final when the last of those above is done, and it is not looked at before.
            layer[lower] = max(layer[lower], layer[node] + 1)
            waiting[lower] -= 1
            if waiting[lower] == 0:
                ready[last] = lower
                last += 1
    return layer
