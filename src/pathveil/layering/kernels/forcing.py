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

The search ends because every arc is entered once: with lists in O(degree) each, with bit rows in
O(n / 64) each.

The kernel that finds bundles: which neighbours of a vertex must lie on one side of it.

A vertex v is good in an order exactly if no two non-adjacent neighbours of it lie on different
sides of it. So its neighbours fall into *bundles*, the components of the complement of the graph on
them, and v is good exactly if each bundle lies wholly after v or wholly before it.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pathveil.layering.adjacency import Int32Array, Int64Array, WordArray
from pathveil.layering.kernels.running import kernel

Flags = npt.NDArray[np.bool_]


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
def forced_chain_by_lists(
    indptr: Int64Array,
    indices: Int32Array,
    opposite: Int64Array,
    whole: Flags,
    roots: Int64Array,
) -> Int32Array:
    """Return a chain of forced arcs from an arc to its reverse, turning at whole vertices only.

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
                if not whole[centre]:
                    continue  # its two pieces do not meet, so nothing is forced round it
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


@kernel
def forced_chain_by_rows(
    rows: WordArray, edges: int, first_tail: int, first_head: int
) -> Int32Array:
    """Return the same from bit rows, for dense graphs."""
    size, words = rows.shape
    one = np.uint64(1)
    none = np.uint64(0)
    seen = np.zeros((2, size, words), np.uint64)  # by tail, and by head
    # Each edge one way; the first arc whose reverse is there is the last.
    tail = np.empty(edges + 1, np.int32)
    head = np.empty(edges + 1, np.int32)
    parent = np.empty(edges + 1, np.int64)
    end = 0
    for attempt in range(-1, size * size):
        a = first_tail if attempt < 0 else attempt // size
        b = first_head if attempt < 0 else attempt % size
        # Every pair is gone through as (a, b). Those that are no arc fall out at once, as do those
        # that have been searched and found clean, this way round or the other.
        bit = one << np.uint64(b & 63)
        if rows[a, b >> 6] & ~seen[0, a, b >> 6] & ~seen[1, a, b >> 6] & bit == none:
            continue
        at = end
        tail[end], head[end], parent[end] = a, b, -1
        end += 1
        seen[0, a, b >> 6] |= bit
        seen[1, b, a >> 6] |= one << np.uint64(a & 63)
        while at < end:
            for turn in range(2):
                centre, far = tail[at], head[at]
                if turn == 1:
                    centre, far = far, centre
                for word in range(words):
                    fresh = rows[centre, word] & ~rows[far, word] & ~seen[turn, centre, word]
                    if fresh == none:
                        continue
                    seen[turn, centre, word] |= fresh
                    for low in range(64):
                        if (fresh >> np.uint64(low)) & one == none:
                            continue
                        c = 64 * word + low
                        seen[1 - turn, c, centre >> 6] |= one << np.uint64(centre & 63)
                        tail[end] = centre if turn == 0 else c
                        head[end] = c if turn == 0 else centre
                        parent[end] = at
                        end += 1
                        # The same two, seen from the centre the other way: the reverse is there.
                        if (seen[1 - turn, centre, word] >> np.uint64(low)) & one != none:
                            other = 0
                            while tail[other] != head[end - 1] or head[other] != tail[end - 1]:
                                other += 1
                            return chain_through(tail, head, parent, end - 1, other)
            at += 1
    return np.empty((0, 2), np.int32)


@kernel
def neighbour_bundles(
    indptr: Int64Array, indices: Int32Array, work: int
) -> tuple[Int32Array, Int32Array]:
    """Return the bundle of each list entry, and the first bundle of each vertex, with the end.

    Once ``work`` steps are spent, the neighbours of each vertex left are taken for one bundle,
    which asks for more than it need and is never wrong.
    """
    size = len(indptr) - 1
    bundle = np.empty(len(indices), np.int32)
    first = np.zeros(size + 1, np.int32)
    mark = np.full(size, size, np.int32)  # whose neighbour a vertex was last seen to be
    spent = 0
    queue = np.empty(size, np.int64)
    unreached = np.empty(size, np.int64)
    for v in range(size):
        begin, finish = indptr[v], indptr[v + 1]
        found = first[v]
        left = finish - begin
        for t in range(left):
            unreached[t] = begin + t
        while left > 0:
            root = unreached[left - 1]
            left -= 1
            bundle[root] = found
            queue[0] = root
            at, end = 0, 1
            while at < end and left > 0:
                w = indices[queue[at]]
                at += 1
                if spent > work:
                    # Too much work: take the rest for one bundle.
                    for t in range(left):
                        bundle[unreached[t]] = found
                    left = 0
                    break
                for k in range(indptr[w], indptr[w + 1]):
                    mark[indices[k]] = w
                spent += indptr[w + 1] - indptr[w] + left
                kept = 0
                for t in range(left):
                    place = unreached[t]
                    if mark[indices[place]] == w:
                        unreached[kept] = place
                        kept += 1
                    else:
                        bundle[place] = found
                        queue[end] = place
                        end += 1
                left = kept
            found += 1
        first[v + 1] = found
    return bundle, first
