"""Which vertices are cut in two so that the rest can be layered, and the layers' arcs.

Theory of operation
-------------------
*Two pieces suffice*: draw each edge uv once, from an upper piece of u to a lower piece of v; paths
have one edge and nothing has to be transitive. More than two pieces of a vertex never help: all its
upper ends can be put together in one piece that nothing lies above, all its lower ends in one that
nothing lies below. So pieces = vertices + cut vertices.

*The order form*: point every edge from its earlier to its later end in some linear order. A vertex
with a neighbour before it and one after it that are not adjacent is *bad*. Cut exactly the bad
vertices: piece 0 keeps the earlier neighbours and is a lower end, piece 1 keeps the later ones and
is an upper end. A path leads only through whole vertices, which are not bad, so every path's ends
are adjacent; and every edge is drawn once. A graph without bad vertices in some order is exactly a
comparability graph.

*The arc form*: point every edge one way or, between two cut vertices, both ways, so that paths
through whole vertices lead to neighbours (``kernels.small_graphs``). Every way to cut is of this
form. Some graphs, about one small one in five thousand, can be cut less by drawing an edge both
ways than any order can; such parts are drawn with arcs *against* the order.

To find few cuts:

1. If the graph has a transitive orientation, that is the order.
2. Otherwise take it apart: components, and components of the complement, are independent, for
   they can be drawn one after the other. Parts with a transitive orientation cost nothing.
3. A part of up to 16 vertices, and one of up to 62 that needs few cuts, is solved by a search for
   the fewest (``minimum``): the number of its cuts is proved.
4. A larger part is annealed, with work bounded by size (``minimum``): its cuts are few, and
   nothing is proved about them. The same graph with its vertices numbered otherwise may get a piece
   more or less (378 or 379 for one random graph of 200 vertices).

The result is a function of the numbered graph alone: pseudo-random choices are keyed by it.

*Privacy*: post-processing of the bits, hence free.

A split: which vertices are cut in two, and along which order the edges are drawn.

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

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from pathveil.layering.adjacency import Adjacency, Int32Array, Int64Array
from pathveil.layering.kernels.linear_orders import co_components, components, longest_branches
from pathveil.layering.kernels.running import run
from pathveil.layering.minimum import (
    NO_ARCS,
    Split,
    annealed_order,
    bad_vertices,
    proved_split,
    ranks,
)
from pathveil.layering.orientation import reduce_order, transitive_order


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
    rank = ranks(split.order)
    pairs = graph.pairs()
    along = split.order[np.sort(rank[pairs], axis=1)].astype(np.int64)
    against = split.against.astype(np.int64)
    if np.any(rank[against[:, 0]] <= rank[against[:, 1]]):
        raise ValueError("an arc listed as against the order goes along it; omit it")
    both = split.bad[against].all(axis=1)
    only = {tuple(arc) for arc in against[~both].tolist()}
    kept = np.array([(b, a) not in only for a, b in along.tolist()], dtype=np.bool_)
    return np.concatenate([along[kept], against])


def _not_cut(upper: int, middle: int, lower: int) -> ValueError:
    return ValueError(
        f"vertex {middle} is whole and lies between {upper} and {lower}, which are not "
        "joined; mark it bad or choose another order"
    )


EXACT_UP_TO = 16  # vertices: the search for the fewest cuts always comes to its end
_EVERY_TRY = 1 << 40
_TRIES = 10_000  # sets of cuts to try in a larger part before giving up: some milliseconds
_HOPE = 5  # chains without a common vertex: where there are more, that many tries never suffice
_DRAWN_AT_ONCE = 2_000  # vertices
USUAL_WORK = 200_000_000  # elementary steps, some 200 million a second once compiled


def split_order(graph: Adjacency, *, work: int = USUAL_WORK) -> Split:
    """Return an order with few bad vertices: none if the graph can be oriented transitively.

    Parameters
    ----------
    graph
        Any graph.
    work
        Elementary steps that may be spent on a part too large to be solved exactly.

    Examples
    --------
    >>> pentagon = Adjacency.from_pairs(5, [(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)])
    >>> split_order(pentagon).pieces
    6
    """
    parts = [
        (vertices, free_split(order) if order is not None else split_part(part, work=work))
        for vertices, part, order in take_apart(graph)
    ]
    return joined(graph, parts)


def take_apart(graph: Adjacency) -> Iterator[tuple[Int32Array, Adjacency, Int32Array | None]]:
    """Yield independent parts: their vertices, the graph on them, and an order if it costs nothing.

    Parts are components, and components of the complement, taken apart as long as there is no
    transitive orientation. Orders of the parts put one after the other make no vertex bad that is
    not bad in its part, and a drawing of the graph restricted to a part cuts no vertex that was
    whole, so the fewest cuts of the graph are the sum of those of its parts.
    """
    waiting = [np.arange(graph.size, dtype=np.int32)]
    while waiting:
        vertices = waiting.pop()
        part = graph if len(vertices) == graph.size else graph.induced(vertices)
        order = transitive_order(part)
        pieces = [] if order is not None else _independent_parts(part)
        if len(pieces) > 1:
            waiting.extend(vertices[piece] for piece in reversed(pieces))
        else:
            yield vertices, part, order


def _independent_parts(graph: Adjacency) -> list[Int64Array]:
    """Return the components, or the components of the complement if it is connected itself."""
    work = 4 * (graph.size + len(graph.indices))
    label = run(components, work, graph.indptr, graph.indices)
    if label.max() == 0:
        label = run(co_components, work, graph.indptr, graph.indices)
    by_label = np.argsort(label, kind="stable")
    return np.split(by_label, np.flatnonzero(np.diff(label[by_label])) + 1)


def split_part(part: Adjacency, *, work: int) -> Split:
    """Return a split of a connected part with few pieces; with the fewest if it is small."""
    if part.size <= EXACT_UP_TO:
        found = proved_split(part, tries=_EVERY_TRY)
    else:
        found = proved_split(part, tries=_TRIES, hope=_HOPE)
    if found is not None:
        return found
    order = annealed_order(part, work=_worth(part.size, work))
    return Split(order, bad_vertices(part, order))


def _worth(size: int, work: int) -> int:
    """Return how much of the work allowed is worth spending on a part that is annealed.

    More finds next to nothing: 125 steps for each pair of vertices in a small part, five hundred at
    two hundred vertices, two hundred in a large part, and half of what is allowed where the drawing
    itself takes its time. (Eight times the work saves one piece in 3,000 below a hundred vertices,
    and would make the first drawing on a machine wait for the compiler.) Who allows more than
    usual gets more in proportion.
    """
    more = max(1, work // USUAL_WORK)
    pairs = size * size
    most = work if size <= _DRAWN_AT_ONCE else work // 2
    small = max(125, 5 * size // 2) * pairs * more
    return min(most, small, max(20_000_000, 200 * pairs) * more)
