"""The kernel that measures branches: on which layer a node stands at the earliest.

The kernel that tells the two sides of a bipartite graph apart.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pathveil.layering.adjacency import Int32Array, Int64Array
from pathveil.layering.kernels.running import kernel


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


@kernel
def two_sides(indptr: Int64Array, indices: Int32Array) -> tuple[bool, npt.NDArray[np.int8]]:
    """Return whether no edge lies within a side, and the side of each vertex, 0 or 1.

    In each component the smallest vertex is on side 0. A graph with a triangle near its first
    vertex is given up after that vertex's neighbours.
    """
    size = len(indptr) - 1
    side = np.full(size, -1, np.int8)
    queue = np.empty(size, np.int32)
    for root in range(size):
        if side[root] >= 0:
            continue
        # Roots come in ascending order, so the smallest vertex of each component is its root.
        side[root] = 0
        queue[0] = root
        at, end = 0, 1
        while at < end:
            v = queue[at]
            at += 1
            other = 1 - side[v]
            for k in range(indptr[v], indptr[v + 1]):
                w = indices[k]
                if side[w] < 0:
                    side[w] = other
                    queue[end] = w
                    end += 1
                elif side[w] != other:
                    return False, side  # an odd circle: one is enough
    return True, side
