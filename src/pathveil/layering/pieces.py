"""A split: which vertices are cut in two, and along which order the edges are drawn.

Theory of operation
-------------------
Nodes are pieces. A whole vertex is one node; a cut vertex is two: piece 0, a lower end that nothing
lies below, and piece 1, an upper end that nothing lies above. Every edge is drawn from the earlier
vertex of the order to the later one; the few edges listed as *against* the order are drawn the
other way, or both ways if both ends are cut. What may be cut how is told in ``splitting``.

A drawing is checked while its cover arcs are collected: a path that leads to a stranger is found
whatever the split says.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from pathveil.layering.adjacency import Adjacency, Int32Array, Int64Array
from pathveil.layering.kernels.branches import longest_branches
from pathveil.layering.kernels.running import run
from pathveil.layering.kernels.splitting import bad_by_lists, bad_by_rows
from pathveil.layering.orientation import reduce_order

BoolArray = npt.NDArray[np.bool_]

NO_ARCS: Int32Array = np.empty((0, 2), dtype=np.int32)
NO_ARCS.setflags(write=False)


@dataclass(frozen=True, eq=False)
class Split:
    """A linear order, the vertices that are cut in two, and the arcs drawn against the order.

    Attributes
    ----------
    order
        The vertex at each rank; earlier is upper.
    bad
        For each vertex whether it is cut in two.
    against
        Rows (upper, lower) of vertices in which the lower comes first in the order. An edge of two
        cut vertices is then drawn both ways, any other only this way. Nearly always empty.
    proved
        Whether no way to cut the graph has fewer pieces. Where it is False there may be one.
    """

    order: Int32Array
    bad: BoolArray
    against: Int32Array = field(default_factory=lambda: NO_ARCS)
    proved: bool = False

    @property
    def pieces(self) -> int:
        """The number of nodes after cutting."""
        return len(self.order) + int(self.bad.sum())


def free_split(order: Int32Array) -> Split:
    """Return the split of a part that an order lays out without a cut."""
    return Split(order, np.zeros(len(order), dtype=np.bool_), proved=True)


def joined(graph: Adjacency, parts: Sequence[tuple[Int32Array, Split]]) -> Split:
    """Return the split of a graph from independent parts, drawn one after the other.

    Parameters
    ----------
    graph
        The graph that was taken apart.
    parts
        The vertices of each part, and the split of the graph on them.
    """
    order = np.concatenate([NO_ARCS[:, 0], *(vertices[split.order] for vertices, split in parts)])
    against = np.concatenate([NO_ARCS, *(vertices[split.against] for vertices, split in parts)])
    bad = np.zeros(graph.size, dtype=np.bool_)
    for vertices, split in parts:
        bad[vertices] = split.bad
    return Split(order, bad, against, all(split.proved for _, split in parts))


def bad_vertices(graph: Adjacency, order: Int32Array) -> BoolArray:
    """Return for each vertex whether it separates two of its neighbours that are not adjacent.

    Examples
    --------
    >>> path = Adjacency.from_pairs(3, [(0, 1), (1, 2)])
    >>> bad_vertices(path, np.array([0, 1, 2], dtype=np.int32)).tolist()
    [False, True, False]
    """
    steps = len(graph.indices)
    if graph.size > 64 and graph.is_dense:
        work = steps * (1 + graph.size // 64)
        return run(bad_by_rows, work, graph.indptr, graph.indices, graph.rows, order)
    return run(bad_by_lists, 4 * steps, graph.indptr, graph.indices, _ranks(order))


def layered_arcs(
    graph: Adjacency, split: Split
) -> tuple[Int32Array, npt.NDArray[np.int8], Int32Array]:
    """Return the nodes of a split, vertex and piece of each, and its cover arcs.

    Nodes are numbered by vertex, then piece: piece 0 of a cut vertex is the lower end of what is
    drawn above it, piece 1 the upper end of what is drawn below; a whole vertex has piece 0 only.
    Arcs are rows (upper node, lower node), sorted; no path replaces one of them.

    Raises
    ------
    ValueError
        If a vertex is whole that has to be cut.

    Examples
    --------
    >>> square = Adjacency.from_pairs(4, [(0, 1), (1, 2), (2, 3), (3, 0)])
    >>> order = np.array([0, 2, 1, 3], dtype=np.int32)
    >>> vertex, piece, arcs = layered_arcs(square, Split(order, bad_vertices(square, order)))
    >>> vertex.tolist(), piece.tolist(), len(arcs)
    ([0, 1, 2, 3], [0, 0, 0, 0], 4)
    """
    node = np.cumsum(1 + split.bad, dtype=np.int64) - 1 - split.bad
    vertex = np.repeat(np.arange(graph.size, dtype=np.int32), 1 + split.bad)
    piece = np.zeros(len(vertex), dtype=np.int8)
    piece[node[split.bad] + 1] = 1
    upper = (node + split.bad).astype(np.int32)
    if len(split.against):
        arcs = _covers_of_arcs(graph, split, upper, node.astype(np.int32), vertex)
    else:
        arcs = _covers_of_order(graph, split, upper, node.astype(np.int32))
    return vertex, piece, arcs


def _covers_of_order(
    graph: Adjacency, split: Split, upper: Int32Array, lower: Int32Array
) -> Int32Array:
    """Return the cover arcs of an order, as nodes, given each vertex's upper and lower end."""
    reduction = reduce_order(graph, split.order, split.bad)
    if reduction.broken is not None:
        raise _not_cut(*(int(split.order[rank]) for rank in reduction.broken))
    return reduction.arcs(upper[split.order], lower[split.order], split.pieces)


def _covers_of_arcs(
    graph: Adjacency, split: Split, upper: Int32Array, lower: Int32Array, vertex: Int32Array
) -> Int32Array:
    """Return the same where some arcs go against the order.

    The pieces themselves can always be ordered: no circle leads through a cut vertex. So all arcs
    are written down between pieces and reduced along an order of the pieces, none of which is cut.
    """
    drawn = _drawn_arcs(graph, split)
    ends = np.stack([upper[drawn[:, 0]], lower[drawn[:, 1]]], axis=1)
    ends = ends[np.lexsort((ends[:, 1], ends[:, 0]))]
    layer = run(longest_branches, 4 * (len(ends) + len(vertex)), len(vertex), ends)
    order = np.argsort(layer, kind="stable").astype(np.int32)
    pieces = Adjacency.from_pairs(len(vertex), ends.astype(np.int64))
    reduction = reduce_order(pieces, order, np.zeros(len(vertex), dtype=np.bool_))
    if reduction.broken is not None:
        raise _not_cut(*(int(vertex[order[rank]]) for rank in reduction.broken))
    return reduction.arcs(order, order, len(vertex))


def _drawn_arcs(graph: Adjacency, split: Split) -> Int64Array:
    """Return every arc as rows (upper vertex, lower vertex)."""
    rank = _ranks(split.order)
    pairs = graph.pairs()
    along = split.order[np.sort(rank[pairs], axis=1)].astype(np.int64)
    against = split.against.astype(np.int64)
    if np.any(rank[against[:, 0]] <= rank[against[:, 1]]):
        raise ValueError("an arc listed as against the order goes along it; leave it out")
    both = split.bad[against].all(axis=1)
    only = {tuple(arc) for arc in against[~both].tolist()}
    kept = np.array([(b, a) not in only for a, b in along.tolist()], dtype=np.bool_)
    return np.concatenate([along[kept], against])


def _ranks(order: Int32Array) -> Int32Array:
    rank = np.empty(len(order), dtype=np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    return rank


def _not_cut(upper: int, middle: int, lower: int) -> ValueError:
    return ValueError(
        f"vertex {middle} is whole and lies between {upper} and {lower}, which are not "
        "joined; mark it bad or choose another order"
    )
