"""The kernel that measures branches: on which layer a node stands at the earliest."""

from __future__ import annotations

import numpy as np

from pathveil.layering.adjacency import Int32Array, Int64Array
from pathveil.layering.kernels.running import kernel


@kernel
def longest_branches(starts: Int64Array, heads: Int32Array, waiting: Int32Array) -> Int32Array:
    """Return the layer of each node, taking nodes as soon as all above them are done.

    ``heads[starts[v] : starts[v + 1]]`` are the nodes just below v; ``waiting`` counts the arcs
    into each node and is used up. Nodes on a circle, or below one, are never ready: they keep a
    layer that means nothing, and whoever checks the arcs finds out.
    """
    nodes = len(waiting)
    layer = np.zeros(nodes, np.int32)
    ready = np.empty(nodes, np.int32)
    first, last = 0, 0
    for node in range(nodes):
        if waiting[node] == 0:
            ready[last] = node
            last += 1
    while first < last:
        node = ready[first]
        first += 1
        for place in range(starts[node], starts[node + 1]):
            head = heads[place]
            layer[head] = max(layer[head], layer[node] + 1)
            waiting[head] -= 1
            if waiting[head] == 0:
                ready[last] = head
                last += 1
    return layer
