"""The kernel that tells the two sides of a bipartite graph apart."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pathveil.layering.adjacency import Int32Array, Int64Array
from pathveil.layering.kernels.running import kernel


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
