"""The default engine: layers and covers from the bits, the public names and one direction bit.

Theory of operation. A layered graph without split vertices exists exactly when the same-branch
graph is a comparability graph, and then a transitive orientation is one; otherwise some vertices
are cut in two. Both are found by :func:`split_order`, deterministically from the bits. A node's
layer is the length of the longest branch that ends in it from above: the flattest drawing there is.
The drawing stands upright or upside down by the direction bit *alone*.

*How few pieces*: the fewest there can be where the graph falls into parts of at most 16 copies, or
into larger ones that need few cuts; there it is proved, but for about one graph in a thousand that
gets a piece more. Elsewhere few, with bounded effort, and nothing is proved: the same graph under
other names may get a piece more or less (378 or 379 for one random graph of 200 copies). Never more
than two for a copy.

*Privacy*: post-processing of what is published anyway, hence free. It must not look at the ends of
the walk to choose a flip, a source or a sink: each possible join of two fragments has other ends,
so such a choice would tell joins apart.

*Paper*: replaces Alg. 4 to 6, which search exponentially and lay the secret's order into the page.

Which vertices are cut
----------------------
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

To find few cuts:

1. If the graph has a transitive orientation, that is the order.
2. Otherwise take it apart: components, and components of the complement, are independent, for
   they can be drawn one after the other. Parts with a transitive orientation cost nothing.
3. A part of up to 16 vertices, and one of up to 62 that needs few cuts, is solved by a search for
   the fewest on machine words (``kernels.small_graphs``). It is exponential in the number of cuts,
   so it is given a number of sets to try; graphs of 16 vertices take at most some thousands, a few
   milliseconds compiled. The number of cuts is proved, but for one graph in thousands: some graphs
   can be cut less by drawing an edge between two cut vertices both ways, which no order says, and
   where the search meets such a set it goes on with orders and proves nothing.
4. A larger part is annealed: which vertices stay whole is annealed by the sign of each bundle of
   their neighbours (``kernels.bundle_annealing``); on a triangle-free graph this is the search for
   a largest two-sided subgraph. The work is counted in elementary steps, not in moves, so that the
   time depends on the work allowed and hardly on the graph. Its cuts are few, and nothing is proved
   about them: the same graph with its vertices numbered otherwise may get a piece more or less
   (378 or 379 for one random graph of 200 vertices).

The result is a function of the numbered graph alone: pseudo-random choices are keyed by it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from pathveil.layering.adjacency import Adjacency, Int32Array, Int64Array
from pathveil.layering.kernels.bundle_annealing import (
    Bundled,
    anneal_bundles,
    forced_order,
    neighbour_bundles,
)
from pathveil.layering.kernels.forcing import opposite_entries
from pathveil.layering.kernels.linear_orders import find_bad, longest_branches
from pathveil.layering.kernels.running import run
from pathveil.layering.kernels.small_graphs import disjoint_chains, everyone, search_cuts
from pathveil.layering.orientation import reduce_order, transitive_order
from pathveil.model.bits import PairBits
from pathveil.model.layered import LayeredGraph
from pathveil.model.positions import Positions

BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Split:
    """A linear order and the vertices that are cut in two.

    Attributes
    ----------
    order
        The vertex at each rank; earlier is upper.
    bad
        For each vertex whether it is cut in two.
    proved
        Whether no way to cut the graph has fewer pieces. Where it is False there may be one.
    """

    order: Int32Array
    bad: BoolArray
    proved: bool = False

    @property
    def pieces(self) -> int:
        """The number of nodes after cutting."""
        return len(self.order) + int(self.bad.sum())


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
    orders = [np.empty(0, dtype=np.int32)]
    bad = np.zeros(graph.size, dtype=np.bool_)
    proved = True
    for vertices, part, order in take_apart(graph):
        if order is None:
            split = split_part(part, work=work)
            bad[vertices] = split.bad
            proved = proved and split.proved
            order = split.order
        orders.append(vertices[order])
    return Split(np.concatenate(orders), bad, proved)


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
    label = component_labels(graph)
    if not label.any():
        label = component_labels(graph, complement=True)
    by_label = np.argsort(label, kind="stable")
    return np.split(by_label, np.flatnonzero(np.diff(label[by_label])) + 1)


def component_labels(graph: Adjacency, *, complement: bool = False) -> Int64Array:
    """Return for each vertex the number of its component, by smallest vertex.

    *Cost*: O(n + m), in the complement too, though that may have n^2 edges: each vertex is looked
    at once for every neighbour of it, and once when it is reached. It ends when all are reached: a
    dense graph is not read to its end.
    """
    label = np.full(graph.size, -1, dtype=np.int64)
    unreached = np.arange(graph.size, dtype=np.int32)
    near = np.zeros(graph.size, dtype=np.bool_)
    components, left = 0, graph.size
    for root in range(graph.size):
        if label[root] >= 0:
            continue
        label[root] = components
        left -= 1
        queue = [root]
        while queue and left:
            neighbours = graph.neighbours(queue.pop())
            if complement:
                near[neighbours] = True
                unreached = unreached[label[unreached] < 0]
                reached = unreached[~near[unreached]]
                near[neighbours] = False
            else:
                reached = neighbours[label[neighbours] < 0]
            label[reached] = components
            left -= len(reached)
            queue.extend(reached.tolist())
        components += 1
    return label


def split_part(part: Adjacency, *, work: int) -> Split:
    """Return a split of a connected part with few pieces; with the fewest if it is small."""
    tries, hope = (_EVERY_TRY, LARGEST) if part.size <= EXACT_UP_TO else (_TRIES, _HOPE)
    found = searched_split(part, tries=tries, hope=hope)
    if found is not None:
        return found
    order = annealed_order(part, work=_worth(part.size, work))
    return Split(order, bad_vertices(part, order))


def _worth(size: int, work: int) -> int:
    """Return how much of the work allowed is worth spending on a part that is annealed.

    More finds next to nothing: 125 steps for each pair of vertices in a small part, five hundred at
    two hundred vertices, two hundred in a large part, and half of what is allowed where the drawing
    itself takes its time. (Eight times the work saves one piece in 3,000 below a hundred vertices,
    and would make the first drawing on a machine wait for the compiler.)
    """
    pairs = size * size
    most = work if size <= _DRAWN_AT_ONCE else work // 2
    return min(most, max(125, 5 * size // 2) * pairs, max(20_000_000, 200 * pairs))


def bad_vertices(graph: Adjacency, order: Int32Array) -> BoolArray:
    """Return for each vertex whether it separates two of its neighbours that are not adjacent.

    Examples
    --------
    >>> path = Adjacency.from_pairs(3, [(0, 1), (1, 2)])
    >>> bad_vertices(path, np.array([0, 1, 2], dtype=np.int32)).tolist()
    [False, True, False]
    """
    rank = np.empty(graph.size, dtype=np.int32)
    rank[order] = np.arange(graph.size, dtype=np.int32)
    return run(find_bad, 4 * len(graph.indices), graph.indptr, graph.indices, rank)


_SHORT = 200
_LONGER = 4  # times the sets that were not enough

LARGEST = 62  # vertices whose neighbours, and one bit beyond, fit a signed machine word


def searched_split(graph: Adjacency, *, tries: int, hope: int = LARGEST) -> Split | None:
    """Return a split of the fewest pieces there can be, or None if the tries do not suffice.

    About one in thousands may have a piece too many; it does not call itself proved.

    Parameters
    ----------
    graph
        At most 62 vertices; more give None.
    tries
        How many sets of cuts may be looked at, some microseconds each once compiled.
    hope
        Nothing is tried where more cuts than this are seen to be needed at once.

    Examples
    --------
    >>> pentagon = Adjacency.from_pairs(5, [(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)])
    >>> searched_split(pentagon, tries=100).pieces
    6
    """
    if graph.size > LARGEST:
        return None
    near = np.zeros(graph.size, dtype=np.int64)
    for low, high in graph.pairs():
        near[low] |= 1 << high
        near[high] |= 1 << low
    order = np.zeros(graph.size, dtype=np.int64)
    scratch = np.zeros((6, graph.size * graph.size), dtype=np.int64)
    steps = 2 * graph.edge_count  # for one set of cuts
    if hope < LARGEST:
        chains = run(disjoint_chains, 30 * steps, everyone(graph.size), near, scratch)
        if chains > hope:
            return None
    # Most searches are short. One that is not is begun again with four times the tries: so what it
    # costs is known beforehand, a short one is not compiled, nor a long one run uncompiled.
    most, used = _SHORT, -1
    while used < 0:
        most = min(tries, most)
        cut, used, proved = run(search_cuts, steps * most, near, most, order, scratch)
        if used < 0 and most == tries:
            return None
        most *= _LONGER
    bad = np.array([bool(cut >> v & 1) for v in range(graph.size)], dtype=np.bool_)
    return Split(order.astype(np.int32), bad, bool(proved))


_LEVELS = 64
_WIDTH = 16
_ONE = 1 << 20
_COOLING = (_ONE * 3 // 8, 48)  # chances at the first and the last level
_SHARE = 50  # steps for each pair of vertices: more of it in one go finds nothing new
_STRIDE = 7919  # between the seeds of attempts begun afresh


@cache
def cooling(first: int, last: int) -> Int64Array:
    """Return chances b^c, out of 2^20, for c = 0, 1, ... as b falls level by level.

    Parameters
    ----------
    first, last
        The chance b, out of 2^20, at the first and at the last level; between them log b is even.
    """
    low, high = 0, _ONE
    while low < high:  # the largest integer ratio that does not fall below the last chance
        middle = (low + high + 1) // 2
        chance = first << 20
        for _ in range(_LEVELS - 1):
            chance = chance * middle >> 20
        low, high = (low, middle - 1) if chance >> 20 > last else (middle, high)
    ladder = np.zeros((_LEVELS, _WIDTH), dtype=np.int64)
    chance = first << 20
    for level in range(_LEVELS):
        weight = _ONE
        for excess in range(_WIDTH):
            ladder[level, excess] = weight
            weight = weight * (chance >> 20) >> 20
        chance = chance * low >> 20
    ladder.setflags(write=False)
    return ladder


def annealed_order(graph: Adjacency, *, work: int) -> Int32Array:
    """Return the vertices in an order that makes few of them bad.

    Parameters
    ----------
    graph
        Any graph; the pseudo-random choices are keyed by :attr:`Adjacency.key`.
    work
        Elementary steps that may be spent, about 4 ns each once compiled.
    """
    opposite = run(opposite_entries, 2 * len(graph.indices), graph.indptr, graph.indices)
    whole = _annealed_signs(graph, opposite, work)
    steps = 8 * len(graph.indices)
    return run(forced_order, steps, graph.indptr, graph.indices, opposite, whole)


def _annealed_signs(graph: Adjacency, opposite: Int64Array, work: int) -> Int32Array:
    """Return 1 for each vertex that may stay whole and 0 for each that is cut; few are cut.

    Half the work at most anneals the whole graph, in one go; the rest mends it here and there until
    that has been in vain for a while. A small graph is then begun afresh as long as there is work
    left: several short attempts find more than a long one.
    """
    indptr, indices, size = graph.indptr, graph.indices, graph.size
    scan = min(work, 4 * len(indices) * (1 + len(indices) // max(size, 1)))
    bundles = run(neighbour_bundles, scan, indptr, indices, work)
    bundled = Bundled(indptr, indices, opposite, *bundles)
    share = min(work // 2, _SHARE * size * size)
    patience = 8 + size // 8
    best: Int32Array = np.zeros(size, dtype=np.int32)
    left, fresh, expected = work, 0, 4 * share
    while True:
        seed = (graph.key + fresh * _STRIDE) % (1 << 31)
        whole, spent = run(
            anneal_bundles, min(left, expected),
            bundled, seed, share, patience, left, cooling(*_COOLING),
        )  # fmt: skip
        if whole.sum() > best.sum():
            best = whole
        left, expected = left - int(spent), int(spent)
        fresh += 1
        if left < int(spent) or best.all():
            return best


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
