"""The kernel that finds bundles: which neighbours of a vertex must lie on one side of it.

A vertex v is good in an order exactly if no two non-adjacent neighbours of it lie on different
sides of it. So its neighbours fall into *bundles*, the components of the complement of the graph on
them, and v is good exactly if each bundle lies wholly after v or wholly before it.
"""

from __future__ import annotations

import numpy as np

from pathveil.layering.adjacency import Int32Array, Int64Array
from pathveil.layering.kernels.running import kernel


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
                    # Too dear: take the rest for one bundle.
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
