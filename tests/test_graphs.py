"""Comparability graphs in NetworkX's conventions, on every small graph."""

from __future__ import annotations

from itertools import pairwise, permutations
from typing import Any

import networkx as nx
import pytest

from pathveil import graphs


def _is_transitive(directed: nx.DiGraph[Any]) -> bool:
    return all(directed.has_edge(u, w) for u, v in directed.edges for w in directed.successors(v))


SMALL = [graph for graph in nx.graph_atlas_g() if 1 <= len(graph) <= 6]


def test_every_answer_comes_with_its_proof() -> None:
    """An orientation, or a chain of arcs each forced by the one before that ends turned round."""
    for graph in SMALL:
        proof = graphs.obstruction(graph)
        assert graphs.is_comparability_graph(graph) == (proof is None)
        if proof is None:
            directed = graphs.transitive_orientation(graph)
            assert _is_transitive(directed)
            assert {frozenset(arc) for arc in directed.edges} == {
                frozenset(edge) for edge in graph.edges
            }
        else:
            assert proof[0] == proof[-1][::-1]
            for (a, b), (c, d) in pairwise(proof):
                assert (a == c and not graph.has_edge(b, d)) or (
                    b == d and not graph.has_edge(a, c)
                )


def test_permutation_graphs_are_those_of_permutations() -> None:
    def graph_of(order: tuple[int, ...]) -> nx.Graph[Any]:
        graph: nx.Graph[Any] = nx.empty_graph(len(order))
        graph.add_edges_from(
            (i, j) for i in range(len(order)) for j in range(i) if order[i] < order[j]
        )
        return graph

    made = [graph_of(order) for order in permutations(range(5))]
    for graph in SMALL:
        if len(graph) == 5:
            expected = any(nx.faster_could_be_isomorphic(graph, one) for one in made) and any(
                nx.is_isomorphic(graph, one) for one in made
            )
            assert graphs.is_permutation_graph(graph) == expected


def test_cuts_leave_a_comparability_graph_and_are_few() -> None:
    for graph in SMALL:
        cuts, proved = graphs.fewest_cuts(graph)
        assert proved
        assert (not cuts) == graphs.is_comparability_graph(graph)
        assert graphs.is_comparability_graph(graph.subgraph(set(graph) - cuts))


def test_attributes_are_kept_and_wrong_kinds_refused() -> None:
    graph: nx.Graph[Any] = nx.Graph([("a", "b", {"weight": 7})])
    directed = graphs.transitive_orientation(graph)
    assert [data for _, _, data in directed.edges(data=True)] == [{"weight": 7}]
    wrong: Any
    for wrong in (nx.DiGraph([(0, 1)]), nx.MultiGraph([(0, 1), (0, 1)])):
        with pytest.raises(nx.NetworkXNotImplemented):
            graphs.is_comparability_graph(wrong)
    with pytest.raises(nx.NetworkXError):
        graphs.obstruction(nx.Graph([(0, 0)]))
    with pytest.raises(nx.NetworkXUnfeasible):
        graphs.transitive_orientation(nx.cycle_graph(5))
