"""Transitive orientation of a graph, or a proof that it has none.

Theory of operation
-------------------
An orientation is *transitive* if a -> b -> c always comes with a -> c. Two edges ``ab`` and ``ac``
with ``b`` and ``c`` not adjacent must both point away from ``a`` or both towards it: one arc
*forces* the other. A graph has a transitive orientation, that is, it is a comparability graph, if
and only if no arc forces its own reverse through a chain of such steps (Ghouila-Houri; Gilmore and
Hoffman).

1. A lexicographic search of the complement puts the vertices in an order whose last vertex, in the
   graph and in each module, may be taken for a source (``kernels.partition``).
2. Ordered vertex partitioning turns it into a linear order of which every edge's direction can be
   read off, *if* there is any transitive orientation.
3. The order is checked along its cover arcs, which yields the Hasse diagram on the way
   (``kernels.linear_orders``). Only here is it settled whether the answer is yes.
   A graph of more than some hundred vertices is sampled first: if a few of its vertices cannot be
   oriented, it cannot, and what proves the one proves the other.
4. If it is no, a breadth-first search over forced arcs, begun at the arc where the check failed,
   finds a chain from an arc to its reverse: an :class:`Obstruction`, which can be checked by hand.

Nothing here draws a random number: the result is a function of the numbered graph.

*Paper*: replaces the backtracking search (Algorithms 4 to 6) where no vertex has to be cut; the
paper's Theorem 2 says only that a layered graph exists when one does.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pathveil.layering.adjacency import Adjacency, Int32Array
from pathveil.layering.kernels.forcing import chain_of, forced_chain, opposite_entries
from pathveil.layering.kernels.linear_orders import reduce_lists
from pathveil.layering.kernels.partition import co_lexbfs, relabelled, vertex_partition
from pathveil.layering.kernels.running import run

Arc = tuple[int, int]

_SAMPLED_ABOVE = 200  # vertices: a smaller graph is oriented nearly as fast as sampled
_SAMPLE = 64


@dataclass(frozen=True)
class Obstruction:
    """A proof that a graph has no transitive orientation: arcs that force each other in a circle.

    Attributes
    ----------
    arcs
        Each arc forces the next, and the last is the reverse of the first. Two arcs force each
        other if they leave the same vertex for two vertices that are not adjacent, or enter it
        from two such.

    Examples
    --------
    >>> pentagon = Adjacency.from_pairs(5, [(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)])
    >>> orient(pentagon).arcs
    ((1, 2), (1, 0), (4, 0), (4, 3), (2, 3), (2, 1))
    """

    arcs: tuple[Arc, ...]


@dataclass(frozen=True, eq=False)
class Reduction:
    """The cover arcs of an order, or the triple of ranks at which it breaks.

    Attributes
    ----------
    broken
        Ranks u, v, w with u -> v -> w through a whole vertex, though u and w are not joined.
    """

    covers: Int32Array
    cover_count: Int32Array
    broken: tuple[int, int, int] | None

    def arcs(self, upper: Int32Array, lower: Int32Array, nodes: int) -> Int32Array:
        """Return the cover arcs as rows (upper, lower) of nodes, sorted.

        Parameters
        ----------
        upper, lower
            For each rank the node that stands for it as the upper and as the lower end of an arc.
        nodes
            How many nodes there are.
        """
        count = self.cover_count[::-1]  # covers are listed from the last rank up
        keys = np.repeat(upper[::-1] * np.int64(nodes), count)
        keys += lower[self.covers[: len(keys)]]
        keys.sort()
        arcs = np.empty((len(keys), 2), dtype=np.int32)
        np.divmod(keys, max(nodes, 1), out=(arcs[:, 0], arcs[:, 1]), casting="same_kind")
        return arcs


def orient(graph: Adjacency) -> Int32Array | Obstruction:
    """Return a transitive orientation, or a proof that there is none.

    The orientation is the rank of each vertex: every edge points from the smaller to the larger.

    *Cost*: O(n + m log n) for the order; the check reads the later neighbours of every cover arc.
    A proof costs at most O(degree) for each edge.

    Examples
    --------
    >>> path = orient(Adjacency.from_pairs(4, [(0, 1), (1, 2), (2, 3)]))
    >>> path.argsort().tolist()
    [1, 3, 0, 2]
    """
    few = _sample(graph)
    if few is not None:
        found = orient(graph.induced(few))
        if isinstance(found, Obstruction):
            return Obstruction(tuple((int(few[a]), int(few[b])) for a, b in found.arcs))
    order, broken = _tried(graph)
    if broken is None:
        position = np.empty(graph.size, dtype=np.int32)
        position[order] = np.arange(graph.size, dtype=np.int32)
        return position
    upper, middle, _ = broken
    return _obstruction(graph, int(order[upper]), int(order[middle]))


def candidate_order(graph: Adjacency) -> Int32Array:
    """Return an order that is a transitive orientation of the graph if there is any at all."""
    work = 40 * (graph.size + graph.edge_count)
    sigma = run(co_lexbfs, work, graph.indptr, graph.indices)
    indptr, indices = run(relabelled, work, graph.indptr, graph.indices, sigma, False)
    position = run(vertex_partition, work, indptr, indices)
    order = np.empty(graph.size, dtype=np.int32)
    order[position] = sigma
    return order


def transitive_order(graph: Adjacency) -> Int32Array | None:
    """Return the vertices in an order that orients the graph transitively, or None.

    The same answer as :func:`orient` without the search for a proof.
    """
    few = _sample(graph)
    if few is not None and transitive_order(graph.induced(few)) is None:
        return None
    order, broken = _tried(graph)
    return order if broken is None else None


def _tried(graph: Adjacency) -> tuple[Int32Array, tuple[int, int, int] | None]:
    """Return the order that is an orientation if there is any, and where it breaks."""
    order = candidate_order(graph)
    return order, reduce_order(graph, order, np.zeros(graph.size, dtype=np.bool_)).broken


def _sample(graph: Adjacency) -> Int32Array | None:
    """Return a few vertices, evenly spread, if the graph is large; None if it is not.

    Part of a graph that can be oriented transitively can be so too. So a few vertices that cannot
    settle the matter, at a cost that does not grow with the graph; nearly any few of a random
    graph will do unless it is very sparse, and then it is oriented fast enough.
    """
    if graph.size <= _SAMPLED_ABOVE:
        return None
    return (np.arange(_SAMPLE, dtype=np.int64) * graph.size // _SAMPLE).astype(np.int32)


def reduce_order(graph: Adjacency, order: Int32Array, cut: npt.NDArray[np.bool_]) -> Reduction:
    """Return the cover arcs of an order in which some vertices are cut in two.

    Parameters
    ----------
    order
        The vertex at each rank; edges point to the larger rank.
    cut
        For each vertex whether it is cut: paths do not lead through it.
    """
    work = 4 * (graph.size + graph.edge_count)
    starts, later = run(relabelled, work, graph.indptr, graph.indices, order, True)
    cut_ranks = cut[order]
    covers = np.empty(len(later), dtype=np.int32)
    cover_count = np.zeros(graph.size, dtype=np.int32)
    u, v, w = run(reduce_lists, work, starts, later, cut_ranks, covers, cover_count)
    broken = None if u < 0 else (int(u), int(v), int(w))
    return Reduction(covers, cover_count, broken)


def _obstruction(graph: Adjacency, tail: int, head: int) -> Obstruction:
    """Find an arc that forces its own reverse; one exists, for the graph cannot be oriented."""
    entries = len(graph.indices)
    opposite = run(opposite_entries, entries, graph.indptr, graph.indices)
    first = int(graph.indptr[tail] + np.searchsorted(graph.neighbours(tail), head))
    roots = np.concatenate([[first], np.arange(entries, dtype=np.int64)])
    work = 4 * int((np.diff(graph.indptr) ** 2).sum())
    found = run(forced_chain, work, graph.indptr, graph.indices, opposite, roots)
    return Obstruction(tuple(chain_of(found)))
