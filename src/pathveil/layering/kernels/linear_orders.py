"""Kernels around linear orders: bad vertices, components, sides, and the longest branches.

Given a linear order, a vertex is *bad* if it has a neighbour before it and one after it that are
not adjacent: a path through it would promise an edge that is not there, so it must be cut in two.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pathveil.layering.adjacency import Int32Array, Int64Array, WordArray
from pathveil.layering.kernels.running import kernel

Flags = npt.NDArray[np.bool_]


@kernel
def bad_by_lists(indptr: Int64Array, indices: Int32Array, rank: Int32Array) -> Flags:
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
def bad_by_rows(
    indptr: Int64Array, indices: Int32Array, rows: WordArray, order: Int32Array
) -> Flags:
    """Return the same from bit rows, for dense graphs."""
    size = len(order)
    words = rows.shape[1]
    one = np.uint64(1)
    none = np.uint64(0)
    bad = np.zeros(size, np.bool_)
    passed = np.zeros(words, np.uint64)
    after = np.zeros(words, np.uint64)
    for r in range(size):
        v = order[r]
        any_after = none
        for word in range(words):
            # Whoever is not passed yet comes after v; v has no bit in its own row.
            after[word] = rows[v, word] & ~passed[word]
            any_after |= after[word]
        if any_after != none:
            for k in range(indptr[v], indptr[v + 1]):
                w = indices[k]
                if (passed[w >> 6] >> np.uint64(w & 63)) & one == none:
                    continue
                # Of those after v, who is no neighbour of w: a path through v would join them.
                missed = none
                for word in range(words):
                    missed |= after[word] & ~rows[w, word]
                if missed != none:
                    bad[v] = True
                    break
        passed[v >> 6] |= one << np.uint64(v & 63)
    return bad


@kernel
def components(indptr: Int64Array, indices: Int32Array) -> Int32Array:
    """Return for each vertex the number of its connected component, by smallest vertex."""
    return component_labels(indptr, indices, 0)


@kernel
def co_components(indptr: Int64Array, indices: Int32Array) -> Int32Array:
    """Return for each vertex the number of its component in the complement, by smallest vertex."""
    return component_labels(indptr, indices, 1)


@kernel
def component_labels(indptr: Int64Array, indices: Int32Array, complement: int) -> Int32Array:
    """Return the component of each vertex, of the graph or of its complement, breadth first."""
    size = len(indptr) - 1
    label = np.full(size, -1, np.int32)
    unreached = np.arange(size).astype(np.int32)
    left = size
    queue = np.empty(size, np.int32)
    mark = np.full(size, size, np.int32)
    found = 0
    for root in range(size):
        if label[root] >= 0:
            continue
        label[root] = found
        queue[0] = root
        at, end = 0, 1
        while at < end:
            v = queue[at]
            at += 1
            if complement:
                # Neighbours are marked, for in the complement it is the others that are reached.
                for k in range(indptr[v], indptr[v + 1]):
                    mark[indices[k]] = v
                left, end = reach_strangers(v, found, label, mark, unreached, left, queue, end)
                continue
            for k in range(indptr[v], indptr[v + 1]):
                w = indices[k]
                if label[w] < 0:
                    label[w] = found
                    queue[end] = w
                    end += 1
        found += 1
    return label


@kernel
def reach_strangers(
    v: int,
    found: int,
    label: Int32Array,
    mark: Int32Array,
    unreached: Int32Array,
    left: int,
    queue: Int32Array,
    end: int,
) -> tuple[int, int]:
    """Label and queue who was not reached yet and is not marked; return (left over, queued).

    The vertices not yet reached are kept in one array; each is looked at once for every neighbour
    that is searched before it, and once more when it is reached. Hence O(n + m) for all of them,
    though the complement may have n^2 edges.
    """
    kept = 0
    for t in range(left):
        w = unreached[t]
        if label[w] >= 0:
            continue  # the root of a component, labelled where it was begun
        if mark[w] == v:
            unreached[kept] = w
            kept += 1
        else:
            label[w] = found
            queue[end] = w
            end += 1
    return kept, end


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
