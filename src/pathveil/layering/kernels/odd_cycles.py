"""Kernels that find odd closed walks through bundles of neighbours: what no solution leaves whole.

Join two bundles, one of v and one of w, by each edge vw (see ``kernels.signs``): whole vertices
must give joined bundles different signs. A closed walk of odd length through bundles is therefore a
proof that one of the vertices it passes has to be cut. Such walks are found as shortest paths from
a bundle to itself in the double cover, where each step changes the side.
"""

from __future__ import annotations

import numpy as np

from pathveil.layering.adjacency import Int32Array, Int64Array
from pathveil.layering.kernels.running import kernel


@kernel
def odd_walks(
    starts: Int64Array,
    joined: Int32Array,
    owner: Int32Array,
    weight: Int64Array,
    limit: int,
    disjoint: int,
    room: int,
    first: int,
    work: int,
) -> tuple[Int64Array, Int32Array]:
    """Return for each bundle the vertices of its lightest odd closed walk lighter than ``limit``.

    Parameters
    ----------
    starts, joined
        The bundles that each bundle is joined to, as neighbour lists.
    owner
        The vertex of each bundle.
    weight
        Of each vertex, positive, paid whenever one of its bundles is entered. Changed if
        ``disjoint``: the vertices of a walk found are then forbidden to all later walks.
    room
        How many vertices may be returned in all.
    first
        The bundle to begin with; the others follow in a circle.
    work
        Steps after which no further bundle is looked at.

    Returns
    -------
    tuple
        Where each walk starts, with one entry more for the end, and the vertices of all walks.
    """
    bundles = len(owner)
    distance = np.full(2 * bundles, limit, np.int64)
    parent = np.empty(2 * bundles, np.int32)
    queued = np.zeros(2 * bundles, np.int8)
    queue = np.empty(2 * bundles, np.int32)
    touched = np.empty(2 * bundles, np.int32)
    seen = np.full(len(weight), bundles, np.int32)
    begins = np.zeros(bundles + 1, np.int64)
    members = np.empty(room, np.int32)
    found = 0
    used = 0
    steps = 0
    for turn in range(bundles):
        root = (first + turn) % bundles
        if weight[owner[root]] >= limit:
            continue
        if steps > work:
            break
        # Node 2b is bundle b reached by an even number of steps, 2b + 1 by an odd one: the walk is
        # closed and odd when it comes from the one copy of the root to the other.
        goal = 2 * root + 1
        distance[2 * root] = 0
        touched[0] = 2 * root
        queue[0] = 2 * root
        many = 1
        at, waiting = 0, 1
        while waiting > 0:
            node = queue[at]
            at = (at + 1) % (2 * bundles)
            waiting -= 1
            queued[node] = 0
            b = node >> 1
            steps += starts[b + 1] - starts[b]
            for k in range(starts[b], starts[b + 1]):
                other = 2 * joined[k] + 1 - (node & 1)
                longer = distance[node] + weight[owner[joined[k]]]
                if longer >= min(distance[other], distance[goal]):
                    continue  # weights are positive: no way on from here beats the goal's
                if distance[other] == limit:
                    touched[many] = other
                    many += 1
                distance[other] = longer
                parent[other] = node
                # The goal is never searched on: what lies beyond it closes no shorter walk. A node
                # waits at most once, so the ring of the queue never overflows.
                if queued[other] == 0 and other != goal:
                    queued[other] = 1
                    queue[(at + waiting) % (2 * bundles)] = other
                    waiting += 1
        if distance[goal] < limit:
            node = goal
            begin = used
            while True:
                v = owner[node >> 1]
                if seen[v] != root:
                    if used == room:
                        break
                    seen[v] = root
                    members[used] = v
                    used += 1
                    if disjoint == 1:
                        weight[v] = limit
                node = parent[node]
                if node == 2 * root:
                    break
            if used == room:
                used = begin  # half a walk proves nothing: it is not returned
                break
            found += 1
            begins[found] = used
        # Only what was touched is wiped: most searches stay near their root.
        for t in range(many):
            distance[touched[t]] = limit
    return begins[: found + 1].copy(), members[:used].copy()
