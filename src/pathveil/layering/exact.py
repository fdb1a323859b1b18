"""The default engine: layers and covers from the bits, the public names and one direction bit.

Theory of operation. A layered graph without split vertices exists exactly when the same-branch
graph is a comparability graph, and then a transitive orientation is one; otherwise some vertices
are cut in two. Both are found by :func:`~pathveil.layering.splitting.split_order`,
deterministically from the bits. A node's layer is the length of the longest branch that ends in it
from above: the flattest drawing there is. The drawing stands upright or upside down by the
direction bit *alone*.

*How few pieces*: the fewest there can be where the graph falls into parts of at most 16 copies, or
into larger ones that need few cuts; there it is proved, but for about one graph in a thousand that
gets a piece more. Elsewhere few, with bounded effort, and nothing is proved: the same graph under
other names may get a piece more or less (378 or 379 for one random graph of 200 copies). Never more
than two for a copy.

*Privacy*: post-processing of what is published anyway, hence free. It must not look at the ends of
the walk to choose a flip, a source or a sink: each possible join of two fragments has other ends,
so such a choice would tell joins apart.

*Paper*: replaces Alg. 4 to 6, which search exponentially and lay the secret's order into the page.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pathveil.layering.adjacency import Adjacency, Int32Array
from pathveil.layering.kernels.linear_orders import longest_branches
from pathveil.layering.kernels.running import run
from pathveil.layering.orientation import reduce_order
from pathveil.layering.splitting import Split, split_order
from pathveil.model.bits import PairBits
from pathveil.model.layered import LayeredGraph
from pathveil.model.positions import Positions


def layer_exactly(bits: PairBits, positions: Positions, *, upright: bool) -> LayeredGraph:
    """Return the canonical layered graph of the bits, upright or upside down.

    *Cost*: polynomial: orientation in O(n + m log n); splitting with work bounded by size, at most
    200 million elementary steps, some 0.7 s. Ten thousand copies with half the pairs in the same
    branch take some seconds, most of it to write down 25 million arcs.

    Examples
    --------
    >>> five_cycle = PairBits.from_pairs(5, [(0, 2), (1, 2), (1, 3), (3, 4), (4, 0)])
    >>> layer_exactly(five_cycle, Positions.uniform(tuple("abcde"), 1), upright=True)
    <LayeredGraph: 5 copies in 6 pieces on 2 layers, 5 arcs>
    """
    graph = Adjacency.from_bits(bits)
    vertex, piece, arcs = layered_arcs(graph, split_order(graph))
    layer = run(longest_branches, 4 * (len(vertex) + len(arcs)), len(vertex), arcs)
    layered = LayeredGraph(positions, vertex, piece.astype(np.int32), layer, arcs)
    return layered if upright else layered.upside_down()


def layered_arcs(
    graph: Adjacency, split: Split
) -> tuple[Int32Array, npt.NDArray[np.int8], Int32Array]:
    """Return the nodes of a split, vertex and piece of each, and its cover arcs.

    Nodes are numbered by vertex, then piece: piece 0 of a cut vertex is the lower end of what is
    drawn above it, piece 1 the upper end of what is drawn below; a whole vertex has piece 0 only.
    The drawing is checked on the way, whatever the split says.
    Arcs are rows (upper node, lower node), sorted; no path replaces one of them.

    Raises
    ------
    ValueError
        If a vertex is whole that has to be cut.

    Examples
    --------
    >>> square = Adjacency.from_pairs(4, [(0, 1), (1, 2), (2, 3), (3, 0)])
    >>> order = np.array([0, 2, 1, 3], dtype=np.int32)
    >>> vertex, piece, arcs = layered_arcs(square, Split(order, np.zeros(4, dtype=np.bool_)))
    >>> vertex.tolist(), piece.tolist(), len(arcs)
    ([0, 1, 2, 3], [0, 0, 0, 0], 4)
    """
    node = np.cumsum(1 + split.bad, dtype=np.int64) - 1 - split.bad
    vertex = np.repeat(np.arange(graph.size, dtype=np.int32), 1 + split.bad)
    piece = np.zeros(len(vertex), dtype=np.int8)
    piece[node[split.bad] + 1] = 1
    upper, lower = (node + split.bad).astype(np.int32), node.astype(np.int32)
    order = split.order
    reduction = reduce_order(graph, order, split.bad)
    if reduction.broken is not None:
        above, middle, below = order[list(reduction.broken)].tolist()
        raise ValueError(
            f"vertex {middle} is whole and lies between {above} and {below}, which are not "
            "joined; mark it bad or choose another order"
        )
    return vertex, piece, reduction.arcs(upper[order], lower[order], split.pieces)
