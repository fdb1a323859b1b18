"""Kernels that settle a linear order: fewer bad vertices and, at equal, fewer cover arcs.

Theory of operation
-------------------
The state is a linear order, kept as keys. A move takes a vertex v out and puts it back somewhere
between its neighbours. All deg(v) + 1 gaps are weighed at once: for each neighbour w it is known
whether w is bad with v before it and with v after it, and the pairs of non-adjacent neighbours of v
that a gap separates follow by one sweep. ``violations[w]`` is the number of pairs of non-adjacent
neighbours that w separates: w is bad while it is positive. Keys of two adjacent vertices always
differ; ties between others go by number and mean nothing.
"""

from __future__ import annotations

import numpy as np

from pathveil.layering.adjacency import Int32Array, Int64Array
from pathveil.layering.kernels.running import kernel

SPACING = 1 << 40  # between neighbouring keys of a fresh numbering: room for 40 halvings
STEP_OUT = 1 << 30  # how far a vertex is put beyond its outermost neighbour


@kernel
def renumber(key: Int64Array) -> None:
    """Space the keys evenly again without changing their order; ties go by number.

    A merge sort by hand: it compiles in a tenth of the time that the library's takes.
    """
    size = len(key)
    order = np.arange(size).astype(np.int32)
    other = order.copy()
    run = 1
    while run < size:
        for start in range(0, size, 2 * run):
            middle, stop = min(start + run, size), min(start + 2 * run, size)
            i, j = start, middle
            for at in range(start, stop):
                if j >= stop or (i < middle and key[order[i]] <= key[order[j]]):
                    other[at] = order[i]
                    i += 1
                else:
                    other[at] = order[j]
                    j += 1
        order, other = other, order
        run *= 2
    for r in range(size):
        key[order[r]] = r * SPACING


@kernel
def sorted_neighbours(
    indptr: Int64Array, indices: Int32Array, key: Int64Array, v: int, nearby: Int32Array
) -> int:
    """Fill in the neighbours of v by key; return how many there are."""
    begin = indptr[v]
    many = int(indptr[v + 1] - begin)
    for t in range(many):
        w = indices[begin + t]
        at = t
        while at > 0 and key[nearby[at - 1]] > key[w]:
            nearby[at] = nearby[at - 1]
            at -= 1
        nearby[at] = w
    return many


@kernel
def weigh_gaps(
    indptr: Int64Array,
    indices: Int32Array,
    key: Int64Array,
    violations: Int64Array,
    v: int,
    nearby: Int32Array,
    many: int,
    mark: Int32Array,
    weights: Int64Array,
) -> int:
    """Price every gap between the neighbours of v; return the work done.

    Fills the columns of ``weights``: 0 bad vertices among v and its neighbours if v is put after
    the first g of them, 1 violations of v then, 2 and 3 violations of the g-th neighbour with v
    before and after it, 4 and 5 the triangles whose middle it is, if good, and 6 all triangles with
    a good middle among v and its neighbours, for the gap.
    """
    for t in range(many):
        mark[nearby[t]] = v  # whose neighbour it was last seen to be
    bad = 0  # neighbours that are bad, first while v is before all of them
    triangles = 0
    crossing = 0  # edges between neighbours of v on different sides of the gap
    spent = many
    for t in range(many):
        w = nearby[t]
        own = key[w]
        open_before, open_after = 0, 0
        shared_before, shared_after = 0, 0
        # v and w are adjacent, so w separates v from x exactly if x is no neighbour of v and on the
        # other side of w than v: count such x on either side, for v to come.
        for k in range(indptr[w], indptr[w + 1]):
            x = indices[k]
            if x == v:
                continue
            if key[x] < own:
                if mark[x] == v:
                    shared_before += 1
                else:
                    open_before += 1
            elif mark[x] == v:
                shared_after += 1
            else:
                open_after += 1
        spent += indptr[w + 1] - indptr[w]
        # Moving the gap past w: its edges to later neighbours of v now cross it, those to earlier
        # ones no longer do. All other pairs across the gap are strangers that v separates.
        crossing += shared_after - shared_before
        # What w separates without v; v's share now depends on the side it stands on.
        rest = violations[w] - (open_after if key[v] < own else open_before)
        weights[t, 2] = rest + open_after
        weights[t, 3] = rest + open_before
        weights[t + 1, 1] = (t + 1) * (many - t - 1) - crossing
        before, after = open_before + shared_before, open_after + shared_after
        weights[t, 4] = (before + 1) * after if weights[t, 2] == 0 else 0
        weights[t, 5] = before * (after + 1) if weights[t, 3] == 0 else 0
        triangles += weights[t, 4]
        if weights[t, 2] > 0:
            bad += 1
    weights[0, 1] = 0
    for g in range(many + 1):
        if g > 0:
            bad += (1 if weights[g - 1, 3] > 0 else 0) - (1 if weights[g - 1, 2] > 0 else 0)
            triangles += weights[g - 1, 5] - weights[g - 1, 4]
        weights[g, 0] = bad + (1 if weights[g, 1] > 0 else 0)
        weights[g, 6] = triangles + (g * (many - g) if weights[g, 1] == 0 else 0)
    return spent


@kernel
def gap_of(key: Int64Array, v: int, nearby: Int32Array, many: int) -> int:
    """Return in which gap v stands: how many of its neighbours come before it."""
    gap = 0
    while gap < many and key[nearby[gap]] < key[v]:
        gap += 1
    return gap


@kernel
def place_between(key: Int64Array, v: int, nearby: Int32Array, many: int, gap: int) -> None:
    """Give v a key in the gap after its first ``gap`` neighbours."""
    # Keys are halved between neighbours until there is no room; then all are spaced anew, once.
    for _ in range(2):
        if gap == 0:
            fresh = key[nearby[0]] - STEP_OUT
            room = fresh > -(1 << 61)
        elif gap == many:
            fresh = key[nearby[many - 1]] + STEP_OUT
            room = fresh < 1 << 61
        else:
            low, high = key[nearby[gap - 1]], key[nearby[gap]]
            fresh = low + ((high - low) >> 1)
            room = fresh > low
        if room:
            break
        renumber(key)
    key[v] = fresh


@kernel
def count_violations(indptr: Int64Array, indices: Int32Array, key: Int64Array) -> Int64Array:
    """Return for each vertex the number of its non-adjacent neighbours it separates."""
    size = len(key)
    violations = np.zeros(size, np.int64)
    mark = np.full(size, size, np.int32)  # after whom of its neighbours a vertex was last found
    for v in range(size):
        after = 0
        for k in range(indptr[v], indptr[v + 1]):
            w = indices[k]
            if key[w] > key[v]:
                mark[w] = v
                after += 1
        total = after * (indptr[v + 1] - indptr[v] - after)
        for k in range(indptr[v], indptr[v + 1]):
            w = indices[k]
            if key[w] < key[v]:
                for q in range(indptr[w], indptr[w + 1]):
                    if mark[indices[q]] == v:
                        total -= 1
        violations[v] = total
    return violations


@kernel
def settle(indptr: Int64Array, indices: Int32Array, key: Int64Array, work: int) -> None:
    """Move vertices for fewer bad ones and, at equal, more triangles with a good middle.

    The first and last vertex of such a triangle need no cover arc between them. Each move lowers
    the pair (bad vertices, minus triangles), so the sweeps come to an end.
    """
    size = len(key)
    mark = np.full(size, size, np.int32)
    violations = count_violations(indptr, indices, key)
    nearby = np.empty(size, np.int32)
    weights = np.zeros((size, 7), np.int64)
    spent = 0
    idle = 0
    v = 0
    while idle < size and spent < work:
        many = sorted_neighbours(indptr, indices, key, v, nearby)
        spent += 8 + weigh_gaps(indptr, indices, key, violations, v, nearby, many, mark, weights)
        here = gap_of(key, v, nearby, many)
        best = here
        for g in range(many + 1):
            fewer = weights[best, 0] - weights[g, 0]
            if fewer > 0 or (fewer == 0 and weights[g, 6] > weights[best, 6]):
                best = g
        idle += 1
        if best != here:
            idle = 0
            place_between(key, v, nearby, many, best)
            violations[v] = weights[best, 1]
            for t in range(many):
                violations[nearby[t]] = weights[t, 3] if t < best else weights[t, 2]
        v = (v + 1) % size
