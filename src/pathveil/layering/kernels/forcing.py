"""Kernels that follow forced arcs until one of them contradicts another.

Theory of operation
-------------------
The arc (a, b) forces (a, c) for every neighbour c of a that is not adjacent to b, and (c, b) for
every neighbour c of b that is not adjacent to a. Forcing is symmetric, and if x forces y then the
reverse of x forces the reverse of y. The arcs fall into classes; the graph has a transitive
orientation if and only if no class holds an arc together with its reverse.

A class is searched breadth first from a root r. As soon as both an arc x and its reverse have been
reached, by r ... x and r ... -x, the second path reversed, x ... -r, continues the first to a chain
from r to -r. Looking for any such meeting instead of -r itself halves the depth, which on dense
graphs is the difference between thousands of arcs and millions. The chain is returned as rows
(tail, head); it is empty if every class is free of contradiction.

The search ends because every arc is entered once, in O(degree) each.
"""

from __future__ import annotations

import numpy as np

from pathveil.layering.adjacency import Int32Array, Int64Array
from pathveil.layering.kernels.running import kernel


@kernel
def opposite_entries(indptr: Int64Array, indices: Int32Array) -> Int64Array:
    """Return for each list entry (a, b) the place of the entry (b, a)."""
    cursor = indptr[:-1].copy()
    opposite = np.empty(len(indices), np.int64)
    for a in range(len(indptr) - 1):
        for k in range(indptr[a], indptr[a + 1]):
            b = indices[k]
            opposite[k] = cursor[b]
            cursor[b] += 1
    return opposite


@kernel
def chain_through(
    tail: Int32Array, head: Int32Array, parent: Int64Array, x: int, y: int
) -> Int32Array:
    """Return the chain root ... x = reverse of y ... reverse of the root, given queue places."""
    length = 0
    at = x
    while at >= 0:
        length += 1
        at = parent[at]
    there = length
    at = parent[y]
    while at >= 0:
        length += 1
        at = parent[at]
    chain = np.empty((length, 2), np.int32)
    at = x
    row = there - 1
    while at >= 0:
        chain[row, 0] = tail[at]
        chain[row, 1] = head[at]
        row -= 1
        at = parent[at]
    at = parent[y]
    row = there
    while at >= 0:
        chain[row, 0] = head[at]
        chain[row, 1] = tail[at]
        row += 1
        at = parent[at]
    return chain


@kernel
def forced_chain(
    indptr: Int64Array, indices: Int32Array, opposite: Int64Array, roots: Int64Array
) -> Int32Array:
    """Return a chain of forced arcs from an arc to its reverse.

    ``roots`` are list entries: the arcs to begin with, one after the other, in classes not yet
    searched.
    """
    size = len(indptr) - 1
    many = len(indices)
    owner = np.empty(many, np.int32)
    for a in range(size):
        for k in range(indptr[a], indptr[a + 1]):
            owner[k] = a
    seen = np.zeros(many, np.int64)  # place in the queue plus one, or -1 for a reversed clean class
    queue = np.empty(many, np.int64)
    tail = np.empty(many, np.int32)
    head = np.empty(many, np.int32)
    parent = np.empty(many, np.int64)
    mark = np.full(size, size, np.int32)  # whose neighbour a vertex was last seen to be
    end = 0
    for root in roots:
        if seen[root] != 0:
            continue
        begin = end
        at = end
        queue[end], tail[end], head[end], parent[end] = root, owner[root], indices[root], -1
        end += 1
        seen[root] = end
        while at < end:
            arc = queue[at]
            for leaving in (True, False):
                # First the arcs (a, c), c not adjacent to b; then, seen from b, the arcs (c, b).
                own = arc if leaving else opposite[arc]
                centre, far = owner[own], indices[own]
                for k in range(indptr[far], indptr[far + 1]):
                    mark[indices[k]] = far
                for k in range(indptr[centre], indptr[centre + 1]):
                    forced = k if leaving else opposite[k]
                    # An arc does not force itself: its far end is no neighbour of its own.
                    if mark[indices[k]] == far or seen[forced] != 0:
                        continue
                    queue[end], tail[end], head[end] = forced, owner[forced], indices[forced]
                    parent[end] = at
                    end += 1
                    seen[forced] = end
                    if seen[opposite[forced]] > 0:
                        return chain_through(
                            tail, head, parent, end - 1, seen[opposite[forced]] - 1
                        )
            at += 1
        # A class free of contradiction: its reverse is free of it too and need not be searched.
        for t in range(begin, end):
            seen[opposite[queue[t]]] = -1
    return np.empty((0, 2), np.int32)
