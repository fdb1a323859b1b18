"""Which vertices are cut in two so that the rest can be layered, and the layers' arcs.

Theory of operation
-------------------
*Two pieces suffice*: draw each edge uv once, from an upper piece of u to a lower piece of v; paths
have one edge and nothing has to be transitive. *The order form*: point every edge from its earlier
to its later end in some linear order. A vertex with a neighbour before it and one after it that are
not adjacent is *bad*. Cut exactly the bad vertices: piece 0 keeps the earlier neighbours and is a
lower end, piece 1 keeps the later ones and is an upper end. A path leads only through whole
vertices, which are not bad, so every path's ends are adjacent; and every edge is drawn once. Hence
pieces = vertices + bad vertices. No other way to cut needs fewer (conjectured; verified on all
graphs of up to seven vertices), and a graph without bad vertices in some order is exactly a
comparability graph.

To find an order with few bad vertices:

1. If the graph has a transitive orientation, that is the order.
2. Otherwise take it apart: components, and components of the complement, are independent, for
   their orders can be put one after the other. Parts with a transitive orientation cost nothing.
3. A part of up to 64 vertices that needs few cuts is solved by a search for them
   (``kernels.cuts``), one of up to 16 vertices that needs many by a path through all sets that may
   come first.
4. A larger part is annealed, with work bounded by size (``annealing``).

The result is a function of the numbered graph alone: pseudo-random choices are keyed by it.

*Privacy*: post-processing of the bits, hence free.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pathveil.layering.adjacency import Adjacency, Int32Array, Int64Array
from pathveil.layering.annealing import annealed_order, settled_order
from pathveil.layering.kernels.cuts import fewest_cuts, order_of_arcs
from pathveil.layering.kernels.running import run
from pathveil.layering.kernels.splitting import (
    bad_by_lists,
    bad_by_rows,
    best_small_order,
    co_components,
    components,
)
from pathveil.layering.orientation import reduce_order, transitive_order

EXACT_UP_TO = 16  # vertices: 2^16 sets, a few milliseconds compiled
WORD = 64  # vertices whose neighbours fit a machine word
_TRIES = 3_000  # sets of cuts to try before giving up: some milliseconds
_EFFORTS = {"quick": 5_000_000, "auto": 100_000_000, "thorough": 2_000_000_000}
_STEPS_A_PAIR = 5_000  # no more work than this for each pair of vertices: it would find nothing new

BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Split:
    """A linear order and the vertices it makes bad.

    Attributes
    ----------
    order
        The vertex at each rank; earlier is upper.
    bad
        For each vertex whether it must be cut in two.
    """

    order: Int32Array
    bad: BoolArray

    @property
    def pieces(self) -> int:
        """The number of nodes after cutting."""
        return len(self.order) + int(self.bad.sum())


def split_order(graph: Adjacency, *, effort: str | int = "auto") -> Split:
    """Return an order with few bad vertices: none if the graph can be oriented transitively.

    Parameters
    ----------
    graph
        Any graph.
    effort
        How much may be spent on a part too large to be solved exactly: ``"quick"``, ``"auto"``,
        ``"thorough"``, or a number of elementary steps (some 200 million a second, compiled).

    Examples
    --------
    >>> pentagon = Adjacency.from_pairs(5, [(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)])
    >>> split_order(pentagon).pieces
    6
    """
    work = _work(effort)
    if graph.size == 0:
        return Split(np.empty(0, dtype=np.int32), np.empty(0, dtype=np.bool_))
    parts = [
        vertices[part_order(part, work=work) if order is None else order]
        for vertices, part, order in take_apart(graph)
    ]
    order = np.concatenate(parts)
    return Split(order, bad_vertices(graph, order))


def take_apart(graph: Adjacency) -> Iterator[tuple[Int32Array, Adjacency, Int32Array | None]]:
    """Yield independent parts: their vertices, the graph on them, and an order if it costs nothing.

    Parts are components, and components of the complement, taken apart as long as there is no
    transitive orientation. Orders of the parts put one after the other make no vertex bad that is
    not bad in its part, and an order of the graph restricted to a part makes no vertex bad that was
    good, so the minimum of the graph over all orders is the sum of their minima.
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


def bad_vertices(graph: Adjacency, order: Int32Array) -> BoolArray:
    """Return for each vertex whether it separates two of its neighbours that are not adjacent."""
    steps = len(graph.indices)
    if 64 < graph.size <= 30_000 and graph.size * graph.size < 32 * steps:
        work = steps * (1 + graph.size // 64)
        return run(bad_by_rows, work, graph.indptr, graph.indices, graph.rows, order)
    rank = np.empty(graph.size, dtype=np.int32)
    rank[order] = np.arange(graph.size, dtype=np.int32)
    return run(bad_by_lists, 4 * steps, graph.indptr, graph.indices, rank)


def layered_arcs(
    graph: Adjacency, split: Split
) -> tuple[Int32Array, npt.NDArray[np.int8], Int32Array]:
    """Return the nodes of the split order, vertex and piece of each, and its cover arcs.

    Nodes are numbered by vertex, then piece: piece 0 of a bad vertex is the lower end of its
    earlier neighbours, piece 1 the upper end of its later ones; a whole vertex has piece 0 only.
    Arcs are rows (upper node, lower node), sorted by the ranks of their vertices; no path
    replaces one of them.

    Raises
    ------
    ValueError
        If a vertex is not marked bad though the order makes it so.

    Examples
    --------
    >>> square = Adjacency.from_pairs(4, [(0, 1), (1, 2), (2, 3), (3, 0)])
    >>> vertex, piece, arcs = layered_arcs(square, split_order(square))
    >>> vertex.tolist(), piece.tolist(), len(arcs)
    ([0, 1, 2, 3], [0, 0, 0, 0], 4)
    """
    reduction = reduce_order(graph, split.order, split.bad)
    if reduction.broken is not None:
        upper, middle, lower = (int(split.order[rank]) for rank in reduction.broken)
        raise ValueError(
            f"vertex {middle} is whole and lies between {upper} and {lower}, which are not "
            "joined; mark it bad or choose another order"
        )
    node = np.cumsum(1 + split.bad, dtype=np.int64) - 1 - split.bad
    vertex = np.repeat(np.arange(graph.size, dtype=np.int32), 1 + split.bad)
    piece = np.zeros(len(vertex), dtype=np.int8)
    piece[node[split.bad] + 1] = 1
    arcs = np.empty_like(reduction.arcs)
    arcs[:, 0] = (node + split.bad)[split.order][reduction.arcs[:, 0]]
    arcs[:, 1] = node[split.order][reduction.arcs[:, 1]]
    return vertex, piece, arcs


def _work(effort: str | int) -> int:
    if isinstance(effort, int):
        return effort
    if effort not in _EFFORTS:
        raise ValueError(f"effort {effort!r} is none of {', '.join(_EFFORTS)}, nor a number")
    return _EFFORTS[effort]


def _independent_parts(graph: Adjacency) -> list[Int64Array]:
    """Return the components, or the components of the complement if it is connected itself."""
    work = 4 * (graph.size + len(graph.indices))
    label = run(components, work, graph.indptr, graph.indices)
    if graph.size and label.max() == 0:
        label = run(co_components, work, graph.indptr, graph.indices)
    by_label = np.argsort(label, kind="stable")
    return np.split(by_label, np.flatnonzero(np.diff(label[by_label])) + 1)


def part_order(part: Adjacency, *, work: int) -> Int32Array:
    """Return an order with few bad vertices of a part; with the fewest if it is small."""
    if part.size <= WORD:
        masks = part.rows[:, 0].view(np.int64)
        order = _fewest_cuts_order(part, masks)
        if order is not None:
            return order
        if part.size <= EXACT_UP_TO:
            return run(best_small_order, (1 << part.size) * part.size, masks)
    return annealed_order(part, work=min(work, _STEPS_A_PAIR * part.size * part.size))


def _fewest_cuts_order(part: Adjacency, masks: Int64Array) -> Int32Array | None:
    """Return an order of the fewest cuts, or None if they are not found in a few tries.

    The cuts are the fewest of all, not only of those an order makes; a circle of arcs among cut
    vertices, which no order has, was never met in tests, and would be left to the other methods.
    """
    below, above = np.zeros((2, WORD), dtype=np.int64)
    scratch = np.zeros((6, WORD * WORD), dtype=np.int64)
    steps = 40 * part.size * len(part.indices)
    _, tries = run(fewest_cuts, steps, part.size, masks, _TRIES, below, above, scratch)
    if tries < 0:
        return None
    order = run(order_of_arcs, part.size * part.size, part.size, below)
    if order[-1] < 0:
        return None
    return settled_order(part, order.astype(np.int32))
