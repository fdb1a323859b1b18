"""The fewest cuts of a part of a graph: proved where it is small, few by annealing where it is not.

*Proved.* The search is ``kernels.small_graphs``, on machine words; here its arcs become a
:class:`Split`. Nearly always they make a linear order, which is then settled for few cover arcs.
Where every order would cut more, the edges that have to be drawn both ways come out as arcs against
the order. *Cost*: exponential in the number of cuts, so it is given a number of sets to try. Graphs
of 16 vertices take at most some thousands, a few milliseconds compiled.

*Annealed.* Which vertices stay whole is annealed by the sign of each bundle of their neighbours
(``kernels.bundle_annealing``): on a triangle-free graph this is the search for a largest two-sided
subgraph. The order that follows is settled. The amount of work is counted in elementary steps, not
in moves, so that the time depends on the work allowed and hardly on the graph.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from itertools import combinations

import numpy as np
import numpy.typing as npt

from pathveil.layering.adjacency import Adjacency, Int32Array, Int64Array
from pathveil.layering.kernels.bundle_annealing import anneal_bundles, forced_order
from pathveil.layering.kernels.forcing import neighbour_bundles, opposite_entries
from pathveil.layering.kernels.linear_orders import bad_by_lists, bad_by_rows
from pathveil.layering.kernels.running import run
from pathveil.layering.kernels.settling import SPACING, settle
from pathveil.layering.kernels.small_graphs import (
    chains_needed,
    needed_arcs,
    order_of_arcs,
    search_cuts,
)

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
    return run(bad_by_lists, 4 * steps, graph.indptr, graph.indices, ranks(order))


def ranks(order: Int32Array) -> Int32Array:
    """Return the rank of each vertex in an order."""
    rank = np.empty(len(order), dtype=np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    return rank


_SHORT = 200
_LONGER = 4  # times the sets that were not enough

LARGEST = 62  # vertices whose neighbours, and one bit beyond, fit a signed machine word


def proved_split(graph: Adjacency, *, tries: int, hope: int = LARGEST) -> Split | None:
    """Return a split of the fewest pieces there can be, or None if the tries do not suffice.

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
    >>> proved_split(pentagon, tries=100).pieces
    6
    """
    if graph.size > LARGEST:
        return None
    size = graph.size
    near = graph.rows[:, 0].view(np.int64)
    below, above = np.zeros((2, size), dtype=np.int64)
    scratch = np.zeros((6, size * size), dtype=np.int64)
    steps = 2 * graph.edge_count  # for one set of cuts
    if hope < LARGEST and run(chains_needed, 30 * steps, size, near, scratch) > hope:
        return None
    # Most searches are short. One that is not is begun again with four times the tries: so what it
    # costs is known beforehand, a short one is not compiled, nor a long one run uncompiled.
    most, used = min(tries, _SHORT), -1
    while used < 0:
        cut, used = run(search_cuts, steps * most, size, near, most, below, above, scratch)
        if most == tries:
            break
        most = min(tries, _LONGER * most)
    if used < 0:
        return None
    order = run(order_of_arcs, size * size, size, below, 0)
    if (order < 0).any():
        return _split_of_arcs(graph, int(cut), below)
    settled = settled_order(graph, order.astype(np.int32))
    return Split(settled, bad_vertices(graph, settled), proved=True)


def _split_of_arcs(graph: Adjacency, cut: int, below: Int64Array) -> Split:
    """Return the split of arcs that make a circle, with as few as may be against the order."""
    size = graph.size
    bad = np.array([cut >> v & 1 for v in range(size)], dtype=np.bool_)
    whole = int(sum(1 << int(v) for v in np.flatnonzero(~bad)))
    needed = run(needed_arcs, size * size, size, whole, below)
    order = run(order_of_arcs, size * size, size, needed, ~whole).astype(np.int32)
    against = sorted(
        (upper, lower)
        for lower, upper in combinations(order.tolist(), 2)
        if int(needed[upper]) >> lower & 1
    )
    rows = np.array(against, dtype=np.int32).reshape(-1, 2)
    return Split(order, bad, rows, proved=True)


_LEVELS = 64
_WIDTH = 16
_ONE = 1 << 20
_COOLING = (_ONE * 3 // 8, 48)  # chances at the first and the last level
_SHARE = 50  # steps for each pair of vertices: more of it in one go finds nothing new
_STRIDE = 7919  # between the seeds of attempts begun afresh
_SETTLING = 40  # steps for each path of two edges


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
    indptr, indices = graph.indptr, graph.indices
    opposite = run(opposite_entries, 2 * len(indices), indptr, indices)
    whole = _annealed_signs(graph, opposite, work)
    order = run(forced_order, 8 * len(indices), indptr, indices, opposite, whole)
    degrees = np.diff(indptr)
    if int((degrees * degrees).sum()) > work:
        return order  # even to look at every vertex once costs more than is allowed
    return settled_order(graph, order)


def _annealed_signs(graph: Adjacency, opposite: Int64Array, work: int) -> Int32Array:
    """Return 1 for each vertex that may stay whole and 0 for each that is cut; few are cut.

    Half the work at most anneals the whole graph, in one go; the rest mends it here and there until
    that has been in vain for a while. A small graph is then begun afresh as long as there is work
    left: several short attempts find more than a long one.
    """
    indptr, indices, size = graph.indptr, graph.indices, graph.size
    scan = min(work, 4 * len(indices) * (1 + len(indices) // max(size, 1)))
    bundle, first = run(neighbour_bundles, scan, indptr, indices, work)
    share = min(work // 2, _SHARE * size * size)
    patience = 8 + size // 8
    best: Int32Array = np.zeros(size, dtype=np.int32)
    left, fresh, expected = work, 0, 4 * share
    while True:
        whole, spent = run(
            anneal_bundles, min(left, expected),
            indptr, indices, opposite, bundle, first,
            (graph.key + fresh * _STRIDE) % (1 << 31), share, patience, left, cooling(*_COOLING),
        )  # fmt: skip
        if fresh == 0 or whole.sum() > best.sum():
            best = whole
        left, expected = left - int(spent), int(spent)
        fresh += 1
        if left < int(spent) or best.all():
            return best


def settled_order(graph: Adjacency, order: Int32Array) -> Int32Array:
    """Return an order with no more bad vertices than the given one and, if it can, fewer covers."""
    key = np.empty(graph.size, dtype=np.int64)
    key[order] = np.arange(graph.size, dtype=np.int64) * SPACING
    degrees = np.diff(graph.indptr)
    paths = int((degrees * degrees).sum())
    run(settle, 8 * paths, graph.indptr, graph.indices, key, _SETTLING * paths)
    return np.argsort(key, kind="stable").astype(np.int32)
