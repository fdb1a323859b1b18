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
through whole vertices lead to neighbours (``kernels.arcs``). Every way to cut is of this form. Some
graphs, about one small one in five thousand, can be cut less by drawing an edge both ways than any
order can; such parts are drawn with arcs *against* the order.

To find few cuts:

1. If the graph has a transitive orientation, that is the order.
2. Otherwise take it apart: components, and components of the complement, are independent, for
   they can be drawn one after the other. Parts with a transitive orientation cost nothing.
3. A part of up to 16 vertices, and one of up to 62 that needs few cuts, is solved by a search for
   the fewest (``kernels.cuts``): the number of its cuts is proved.
4. A larger part is annealed, with work bounded by size (``annealing``): its cuts are few, and
   nothing is proved about them. The same graph with its vertices numbered otherwise may get a piece
   more or less (378 or 379 for one random graph of 200 vertices).

The result is a function of the numbered graph alone: pseudo-random choices are keyed by it.

*Privacy*: post-processing of the bits, hence free.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pathveil.layering.adjacency import Adjacency, Int32Array, Int64Array
from pathveil.layering.annealing import annealed_order
from pathveil.layering.kernels.running import run
from pathveil.layering.kernels.splitting import co_components, components
from pathveil.layering.minimum import proved_split
from pathveil.layering.orientation import transitive_order
from pathveil.layering.pieces import Split, bad_vertices, free_split, joined

EXACT_UP_TO = 16  # vertices: the search for the fewest cuts always comes to its end
_EVERY_TRY = 1 << 40
_TRIES = 10_000  # sets of cuts to try in a larger part before giving up: some milliseconds
_HOPE = 5  # chains without a common vertex: where there are more, that many tries never suffice
_DRAWN_AT_ONCE = 2_000  # vertices
_EFFORTS = {"quick": 5_000_000, "auto": 200_000_000, "thorough": 2_000_000_000}


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

    More finds next to nothing: about a thousand steps for each pair of vertices in a small part,
    two thousand at a hundred vertices, two hundred in a large part, and half of what is allowed
    where the drawing itself takes its time. Who allows more than usual gets more in proportion.
    """
    more = max(1, work // _EFFORTS["auto"])
    pairs = size * size
    most = work if size <= _DRAWN_AT_ONCE else work // 2
    small = max(1_000, 20 * size) * pairs * more
    return min(most, small, max(20_000_000, 200 * pairs) * more)
