from __future__ import annotations

import networkx as nx
import numpy as np

from pathveil.layering.adjacency import Adjacency
from pathveil.layering.kernels.partition import co_lexbfs, relabelled, vertex_partition
from pathveil.layering.kernels.running import compiled
from tests.layering.graphs import adjacency, fixed_graphs, networkx_of, told


def by_definition(graph: nx.Graph[int]) -> bool:
    """Whether the order that co-LexBFS gives is a lexicographic search of the complement."""
    lists = adjacency(graph)
    order = co_lexbfs(lists.indptr, lists.indices).tolist()
    assert sorted(order) == list(range(len(graph)))
    other = nx.complement(graph)
    for rank in range(1, len(order)):
        # Labels: which of the vertices visited are neighbours in the complement, earliest first.
        labels = {v: [other.has_edge(v, u) for u in order[:rank]] for v in order[rank:]}
        if labels[order[rank]] < max(labels.values()):
            return False
    return True


def test_the_order_is_a_lexicographic_search_of_the_complement() -> None:
    for seed in range(20):
        assert by_definition(nx.gnp_random_graph(9, (0.2, 0.5, 0.8)[seed % 3], seed=seed))


def test_plain_and_compiled_agree() -> None:
    points = np.random.default_rng(2).random((40, 2))
    below = (points[:, None] < points[None, :]).all(axis=2)
    graphs = [adjacency(nx.gnp_random_graph(30, 0.3, seed=3))]
    graphs.append(Adjacency.from_pairs(40, np.argwhere(below | below.T)))
    for graph in graphs:
        assert networkx_of(graph).number_of_edges() == graph.edge_count
        sigma = co_lexbfs(graph.indptr, graph.indices)
        assert (sigma == compiled(co_lexbfs)(graph.indptr, graph.indices)).all()
        lists = relabelled(graph.indptr, graph.indices, sigma, False)
        assert (vertex_partition(*lists) == compiled(vertex_partition)(*lists)).all()


PLACED = [
    "841ea0878719",
    "3d471ab8894e",
    "96d8ebf2ea04",
    "aa13eef3f99c",
    "d16139d7e085",
    "6d212ba0d556",
    "d049a10cb409",
]


def test_the_same_graph_is_searched_alike_on_every_machine_and_in_every_version() -> None:
    """Drawings are canonical: whoever changes these names redraws every file handed out before."""
    found = []
    for lists in fixed_graphs():
        sigma = co_lexbfs(lists.indptr, lists.indices)
        position = vertex_partition(*relabelled(lists.indptr, lists.indices, sigma, False))
        bare = vertex_partition(lists.indptr, lists.indices)
        found.append(told(sigma, position, bare))
    assert found == PLACED
