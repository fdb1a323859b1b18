"""Kernels that find a linear order by refining partitions: co-LexBFS and vertex partitioning.

Theory of operation
-------------------
*co-LexBFS* is a lexicographic breadth-first search of the complement, run on the graph itself.
Ordered classes partition the vertices; the first vertex of the first class is the next in the
order, and every class behind is cut into its non-neighbours, then its neighbours. Only neighbours
are moved, hence O(n + m). The last vertex of the order, and the last within any module, may be
made a source of it in some transitive orientation, if there is one (Habib, McConnell, Paul and
Viennot 2000).

*Ordered vertex partitioning* (McConnell and Spinrad 2000) keeps ordered classes with the invariant
that some transitive orientation, if there is any, points every edge between two classes from the
left one to the right one. Let ``p`` be left of a class, ``a`` in the class adjacent to ``p`` and
``b`` not: then an edge ``ab`` must point to ``a``, else p -> a -> b would want the edge ``pb``. So
the class may be cut, non-neighbours nearer to ``p``. When no class can cut another, each class is
a module; the last vertex of the co-LexBFS order within a module is split off as its source.

It ends because each cut makes one class more, at most n. A vertex is scanned again only after its
class has at least halved (of the two parts of a class that was done with, only the smaller is
looked at again), hence O(n + m log n).

Classes are doubly linked lists in co-LexBFS order and know their size and the position at which
they start, so that "left of" is one comparison.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pathveil.layering.adjacency import Int32Array, Int64Array
from pathveil.layering.kernels.running import kernel

Places = npt.NDArray[np.uint32]


@kernel
def co_lexbfs(indptr: Int64Array, indices: Int32Array) -> Int32Array:
    """Return the vertices in the order of a lexicographic search of the complement."""
    near = indices.view(np.uint32)
    size = len(indptr) - 1
    order = np.arange(size).astype(np.int32)
    place = order.copy()
    label = np.zeros(size, np.uint32)
    start = np.zeros(size, np.int32)
    end = np.full(size, size, np.int32)
    moved = np.zeros(size, np.int32)
    touched = np.zeros(size, np.int32)
    classes, over = 1, 0
    for rank in range(size):
        if classes - over == size - rank:
            break  # a class for each vertex that is left: nothing can change any more
        pivot = order[rank]
        over += end[label[pivot]] == rank + 1
        count = 0
        for k in range(indptr[pivot], indptr[pivot + 1]):
            vertex = near[k]
            here = place[vertex]
            if here <= rank:
                continue  # in the order already
            c = label[vertex]
            if end[c] - start[c] == 1:
                continue  # it is alone
            if moved[c] == 0:
                touched[count] = c
                count += 1
            # Neighbours gather at the end of their class, so that it is cut by a number.
            moved[c] += 1
            there = end[c] - moved[c]
            other = order[there]
            order[there] = vertex
            place[vertex] = there
            order[here] = other
            place[other] = here
        for t in range(count):
            c = touched[t]
            first = end[c] - moved[c]
            moved[c] = 0
            # A class of which all moved stays whole: its members still cannot be told apart. The
            # pivot itself still counts in the first class, hence its rank.
            if first > max(start[c], rank + 1):
                # A boundary between classes never goes away, so there are at most n - 1 cuts.
                start[classes] = first
                end[classes] = end[c]
                end[c] = first
                for k in range(first, end[classes]):
                    label[order[k]] = classes
                classes += 1
    return order


@kernel
def relabelled(
    indptr: Int64Array,
    indices: Int32Array,
    order: Int32Array,
    later: bool,  # noqa: FBT001 - kernels take positional arguments only
) -> tuple[Int64Array, Int32Array]:
    """Return the neighbour lists after renaming each vertex to its rank, ascending again.

    If ``later``, each list holds the later neighbours alone.
    """
    near = indices.view(np.uint32)
    size = len(order)
    rank = np.empty(size, np.uint32)
    for r in range(size):
        rank[order[r]] = r
    starts = np.zeros(size + 1, np.int64)
    for r in range(size):
        v = order[r]
        count = indptr[v + 1] - indptr[v]
        for k in range(indptr[v], indptr[v + 1] if later else indptr[v]):
            if rank[near[k]] < r:
                count -= 1
        starts[r + 1] = starts[r] + count
    cursor = starts.copy()
    lists = np.empty(starts[size], np.int32)
    for r in range(size):
        v = order[r]
        for k in range(indptr[v], indptr[v + 1]):
            w = rank[near[k]]
            if w < r or not later:
                lists[cursor[w]] = r
                cursor[w] += 1
    return starts, lists


class Partition(NamedTuple):
    """The ordered classes, and which of them are still to be looked at."""

    label: Places  # the class of each vertex
    links: Int32Array  # for each vertex (previous, next) in its class
    classes: Int32Array  # for each class (head, tail, size, start, hits, part, pending)
    touched: Places  # scratch room
    stacks: Places  # the pending and the divisible classes, one row each
    counts: Int64Array  # how many classes there are, how many are pending, how many divisible


@kernel
def push(found: int, stack: int, partition: Partition) -> None:
    """Put a class on the stack of the pending, 0, or of the divisible, 1."""
    partition.stacks[stack, partition.counts[stack + 1]] = found
    partition.counts[stack + 1] += 1


@kernel
def refine(pivot: int, members: Places, begin: int, finish: int, partition: Partition) -> None:
    """Cut every class that ``members[begin:finish]`` cuts properly, members away from the pivot."""
    label, links, classes, touched, _, counts = partition
    home = label[pivot]
    found = 0
    for k in range(begin, finish):
        c = label[members[k]]
        if c != home and classes[c, 2] > 1:
            if classes[c, 4] == 0:
                touched[found] = c
                found += 1
            classes[c, 4] += 1
    cut = 0
    for t in range(found):
        c = touched[t]
        hits = classes[c, 4]
        classes[c, 4] = 0
        rest = classes[c, 2] - hits
        if rest == 0:
            continue
        new = counts[0]
        counts[0] += 1
        classes[c, 5] = new
        touched[cut] = c
        cut += 1
        classes[new, 1] = -1  # nobody is last yet; whoever comes first becomes its head
        classes[new, 2] = hits
        classes[c, 2] = rest
        # Neighbours away from the pivot: behind the rest if the class is to its right, else before.
        if classes[c, 3] > classes[home, 3]:
            classes[new, 3] = classes[c, 3] + rest
        else:
            classes[new, 3] = classes[c, 3]
            classes[c, 3] += hits
        push(new, 1, partition)
        # A pending class leaves two pending parts. Of one that was done with, one part suffices,
        # for the other cuts no class that this one and the whole together do not: the smaller.
        woken = new if classes[c, 6] == 1 or hits <= rest else c
        classes[woken, 6] = 1
        push(woken, 0, partition)
    if cut == 0:
        return
    for k in range(begin, finish):
        v = members[k]
        c = label[v]
        new = classes[c, 5]
        if c == home or new == -1:
            continue
        # Out of the one list, to the end of the other: both stay in co-LexBFS order.
        before, after = links[v, 0], links[v, 1]
        if before >= 0:
            links[before, 1] = after
        else:
            classes[c, 0] = after
        if after >= 0:
            links[after, 0] = before
        else:
            classes[c, 1] = before
        last = classes[new, 1]
        links[v, 0] = last
        links[v, 1] = -1
        if last >= 0:
            links[last, 1] = v
        else:
            classes[new, 0] = v
        classes[new, 1] = v
        label[v] = new
    for t in range(cut):
        classes[touched[t], 5] = -1


@kernel
def vertex_partition(indptr: Int64Array, indices: Int32Array) -> Int32Array:
    """Return the position of each vertex after ordered vertex partitioning.

    The vertices must be numbered in co-LexBFS order. If the graph has a transitive orientation,
    pointing each edge to the larger position is one.
    """
    size = len(indptr) - 1
    near = indices.view(np.uint32)
    label = np.zeros(size, np.uint32)
    links = np.empty((size, 2), np.int32)
    classes = np.zeros((size, 7), np.int32)
    # A class is touched once by each pivot, and waits at most once in each stack.
    touched = np.empty(size, np.uint32)
    stacks = np.zeros((2, size), np.uint32)
    counts = np.zeros(3, np.int64)
    partition = Partition(label, links, classes, touched, stacks, counts)
    hits = np.zeros(size, np.int32)
    offset = np.zeros(size, np.int64)
    members = np.empty(size, np.uint32)
    outside = np.empty(size, np.uint32)
    shared = np.empty(len(indices), np.uint32)
    # One class of all at first, in co-LexBFS order, for vertices are numbered in it.
    for v in range(size):
        links[v, 0] = v - 1
        links[v, 1] = v + 1
        classes[v, 5] = -1
    if size > 0:
        links[size - 1, 1] = -1
        classes[0, 1] = size - 1
        classes[0, 2] = size
        counts[0] = 1
        counts[2] = 1
    while counts[0] < size:
        if counts[1] > 0:
            counts[1] -= 1
            c = stacks[0, counts[1]]
            classes[c, 6] = 0
            many = 0
            v = classes[c, 0]
            while v >= 0:
                members[many] = v
                many += 1
                v = links[v, 1]
            for t in range(many):
                v = members[t]
                refine(v, near, indptr[v], indptr[v + 1], partition)
            if many == 1:
                continue
            # Now the other way round: each vertex outside cuts this class by its share of it.
            found = 0
            for t in range(many):
                for k in range(indptr[members[t]], indptr[members[t] + 1]):
                    y = near[k]
                    if label[y] != c:
                        if hits[y] == 0:
                            outside[found] = y
                            found += 1
                        hits[y] += 1
            total = 0
            for t in range(found):
                offset[outside[t]] = total
                total += hits[outside[t]]
            for t in range(many):
                for k in range(indptr[members[t]], indptr[members[t] + 1]):
                    y = near[k]
                    if label[y] != c:
                        shared[offset[y]] = members[t]
                        offset[y] += 1
            for t in range(found):
                y = outside[t]
                if hits[y] < many:  # who is adjacent to all of the class does not cut it
                    refine(y, shared, offset[y] - hits[y], offset[y], partition)
                hits[y] = 0
        else:
            c = stacks[1, counts[2] - 1]
            if classes[c, 2] <= 1:
                counts[2] -= 1
                continue
            # Nothing is pending, so the class is a module; its last vertex becomes its source.
            v = classes[c, 1]
            classes[c, 1] = links[v, 0]
            links[links[v, 0], 1] = -1
            new = counts[0]
            counts[0] += 1
            label[v] = new
            classes[new, 0] = v
            classes[new, 1] = v
            classes[new, 2] = 1
            classes[new, 3] = classes[c, 3]
            classes[c, 3] += 1
            classes[c, 2] -= 1
            push(new, 0, partition)
    position = np.empty(size, np.int32)
    for v in range(size):
        position[v] = classes[label[v], 3]
    return position
