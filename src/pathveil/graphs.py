"""Comparability graphs, in NetworkX's conventions: takes and returns networkx graphs.

A graph is a *comparability graph* if its edges can be directed so that u -> v -> w always comes
with u -> w. Recognising one, directing it, and proving that it cannot be done take polynomial time
(:mod:`pathveil.layering.orientation` has the theory); half of a thousand vertices take
milliseconds once compiled.

>>> import networkx as nx
>>> is_comparability_graph(nx.cycle_graph(4)), is_comparability_graph(nx.cycle_graph(5))
(True, False)
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import networkx as nx
import numpy as np
from networkx.utils import not_implemented_for

from pathveil.layering.adjacency import Adjacency, Int32Array
from pathveil.layering.exact import split_order
from pathveil.layering.orientation import Obstruction, orient

__all__ = [
    "fewest_cuts",
    "is_comparability_graph",
    "is_permutation_graph",
    "obstruction",
    "transitive_orientation",
]


def is_comparability_graph(G: nx.Graph[Any]) -> bool:  # noqa: N803 - NetworkX's convention
    """Return True if G has a transitive orientation.

    Parameters
    ----------
    G : networkx.Graph
        An undirected simple graph.

    Returns
    -------
    bool

    Raises
    ------
    NetworkXNotImplemented
        If G is directed or has parallel edges.
    NetworkXError
        If G has a self-loop.

    Examples
    --------
    >>> is_comparability_graph(nx.complete_bipartite_graph(3, 4))
    True
    """
    return not isinstance(_oriented(G)[1], Obstruction)


def transitive_orientation(G: nx.Graph[Any]) -> nx.DiGraph[Any]:  # noqa: N803
    """Return G with every edge directed, so that u -> v -> w always comes with u -> w.

    Node attributes and edge attributes are kept.

    Raises
    ------
    NetworkXUnfeasible
        If there is none; :func:`obstruction` proves it.

    Examples
    --------
    >>> sorted(transitive_orientation(nx.path_graph(4)).edges)
    [(1, 0), (1, 2), (3, 2)]
    """
    nodes, answer = _oriented(G)
    if isinstance(answer, Obstruction):
        raise nx.NetworkXUnfeasible(
            "the graph is not a comparability graph; obstruction(G) returns the proof"
        )
    rank = dict(zip(nodes, answer.tolist(), strict=True))
    directed: nx.DiGraph[Any] = nx.DiGraph()
    directed.add_nodes_from(G.nodes(data=True))
    directed.add_edges_from(
        (u, v, data) if rank[u] < rank[v] else (v, u, data) for u, v, data in G.edges(data=True)
    )
    return directed


def obstruction(G: nx.Graph[Any]) -> list[tuple[Hashable, Hashable]] | None:  # noqa: N803
    """Return a proof that G has no transitive orientation, or None if it has one.

    The proof is a list of arcs, each of which forces the next, and the last is the reverse of the
    first. Two arcs force each other if they leave one node for two that are not adjacent, or enter
    one node from two such.

    Examples
    --------
    >>> proof = obstruction(nx.cycle_graph(5))
    >>> proof[0] == proof[-1][::-1]
    True
    >>> obstruction(nx.path_graph(5)) is None
    True
    """
    nodes, answer = _oriented(G)
    if not isinstance(answer, Obstruction):
        return None
    return [(nodes[tail], nodes[head]) for tail, head in answer.arcs]


def is_permutation_graph(G: nx.Graph[Any]) -> bool:  # noqa: N803
    """Return True if G and its complement are comparability graphs.

    Such a graph shows which pairs of a permutation are out of order (Pnueli, Lempel and Even 1971).

    Examples
    --------
    >>> is_permutation_graph(nx.path_graph(6)), is_permutation_graph(nx.cycle_graph(6))
    (True, False)
    """
    return is_comparability_graph(G) and is_comparability_graph(nx.complement(G))


def fewest_cuts(G: nx.Graph[Any]) -> tuple[set[Hashable], bool]:  # noqa: N803
    """Return nodes that, cut in two, leave a comparability graph, and whether fewer never do.

    A cut node becomes two copies, and each of its edges is drawn at one of them; two copies of a
    node always suffice. For random graphs with half of all possible edges, nearly all answers are
    proved up to sixteen nodes, about half at twenty, few at thirty.

    Returns
    -------
    cuts : set of nodes
        Cutting these always suffices.
    proved : bool
        If True, no smaller set does. If False, a search found few cuts, and fewer may suffice.

    Examples
    --------
    >>> cuts, proved = fewest_cuts(nx.cycle_graph(5))
    >>> len(cuts), proved
    (1, True)
    """
    nodes, graph = _indexed(G)
    split = split_order(graph)
    cut = {nodes[place] for place in np.flatnonzero(split.bad)}
    return cut, not cut or split.proved


def _oriented(given: nx.Graph[Any]) -> tuple[list[Any], Int32Array | Obstruction]:
    nodes, graph = _indexed(given)
    return nodes, orient(graph)


@not_implemented_for("directed")
@not_implemented_for("multigraph")
def _indexed(given: nx.Graph[Any]) -> tuple[list[Any], Adjacency]:
    """Return the nodes in their order, and the graph on their numbers."""
    nodes = list(given)
    place = {node: number for number, node in enumerate(nodes)}
    loop = next(iter(nx.nodes_with_selfloops(given)), None)
    if loop is not None:
        raise nx.NetworkXError(f"node {loop!r} has a self-loop; remove it first")
    pairs = np.array([(place[u], place[v]) for u, v in given.edges], dtype=np.int64)
    return nodes, Adjacency.from_pairs(len(nodes), pairs.reshape(-1, 2))
