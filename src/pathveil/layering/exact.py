"""The default engine: layers and covers from the bits, the public names and one direction bit.

Theory of operation. A layered graph without split vertices exists exactly when the same-branch
graph is a comparability graph (THEORY L1), and then a transitive orientation is one; otherwise the
fewest vertices are cut in two along a linear order (ALGORITHMS 3). Both are found by
:func:`~pathveil.layering.splitting.split_order`, deterministically from the bits. A node's layer is
the length of the longest branch that ends in it from above: the flattest drawing there is. The
drawing stands upright or upside down by the direction bit *alone*.

*Privacy*: post-processing of what is published anyway, hence free (THEORY L6). It must not look at
the ends of the walk to choose a flip, a source or a sink: each possible join of two fragments has
other ends, so such a choice would tell joins apart (THEORY L4).

*Paper*: replaces Alg. 4 to 6, which search exponentially and lay the secret's order into the page.
"""

from __future__ import annotations

import numpy as np

from pathveil.layering.adjacency import Adjacency, Int32Array, Int64Array
from pathveil.layering.kernels.running import kernel, run
from pathveil.layering.splitting import layered_arcs, split_order
from pathveil.model.bits import PairBits
from pathveil.model.layered import LayeredGraph
from pathveil.model.positions import Positions


def layer_exactly(bits: PairBits, positions: Positions, *, upright: bool) -> LayeredGraph:
    """Return the canonical layered graph of the bits, upright or upside down.

    *Cost*: polynomial: orientation in O(n + m log n), splitting as the size of the graph allows.

    Examples
    --------
    >>> five_cycle = PairBits.from_pairs(5, [(0, 2), (1, 2), (1, 3), (3, 4), (4, 0)])
    >>> layer_exactly(five_cycle, Positions.uniform(tuple("abcde"), 1), upright=True)
    <LayeredGraph: 5 copies in 6 pieces on 2 layers, 5 cover edges>
    """
    graph = Adjacency.from_bits(bits)
    owner, piece, arcs = layered_arcs(graph, split_order(graph))
    layer = _longest_branches(len(owner), arcs)
    layered = LayeredGraph.build(positions, owner, layer, arcs, piece=piece)
    return layered if upright else layered.upside_down()


def _longest_branches(nodes: int, arcs: Int32Array) -> Int32Array:
    """Return for each node the number of nodes above it on the longest branch."""
    by_tail = arcs[np.argsort(arcs[:, 0], kind="stable")]
    starts = np.zeros(nodes + 1, dtype=np.int64)
    np.cumsum(np.bincount(by_tail[:, 0], minlength=nodes), out=starts[1:])
    waiting = np.bincount(arcs[:, 1], minlength=nodes).astype(np.int32)
    heads = np.ascontiguousarray(by_tail[:, 1])
    return run(longest_branches, nodes + len(arcs), starts, heads, waiting)


@kernel
def longest_branches(starts: Int64Array, heads: Int32Array, waiting: Int32Array) -> Int32Array:
    """Return the layer of each node, taking nodes as soon as all above them are done."""
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
