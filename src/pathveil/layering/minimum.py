"""The fewest cuts of a small graph, proved: of all ways to cut it, not only those an order makes.

The search is ``kernels.cuts``, on machine words; here its arcs become a :class:`Split`. Nearly
always they make a linear order, which is then settled for few cover arcs. Where every order would
cut more, the edges that have to be drawn both ways come out as arcs against the order.

*Cost*: exponential in the number of cuts, so it is given a number of sets to try. Graphs of 16
vertices take at most some thousands, a few milliseconds compiled.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from pathveil.layering.adjacency import Adjacency, Int64Array
from pathveil.layering.annealing import settled_order
from pathveil.layering.kernels.arcs import needed_arcs, order_of_arcs
from pathveil.layering.kernels.cuts import chains_needed, fewest_cuts
from pathveil.layering.kernels.running import run
from pathveil.layering.pieces import Split, bad_vertices

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
    # costs is known beforehand, a short one is not taken for dear, nor a long one run uncompiled.
    most, used = min(tries, _SHORT), -1
    while used < 0:
        cut, used = run(fewest_cuts, steps * most, size, near, most, below, above, scratch)
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
