from __future__ import annotations

import networkx as nx

from pathveil.layering.kernels.branches import two_sides
from pathveil.layering.kernels.running import compiled
from tests.layering.graphs import adjacency


def test_sides_are_told_apart_exactly_where_there_are_two() -> None:
    yes = 0
    for seed in range(60):
        graph = nx.gnp_random_graph(12, (0.08, 0.15, 0.3)[seed % 3], seed=seed)
        lists = adjacency(graph)
        answer, side = two_sides(lists.indptr, lists.indices)
        assert answer == nx.is_bipartite(graph)
        if answer:
            yes += 1
            assert all(side[u] != side[v] for u, v in graph.edges)
            assert set(side.tolist()) <= {0, 1}
            for part in nx.connected_components(graph):
                assert side[min(part)] == 0
        fast, same = compiled(two_sides)(lists.indptr, lists.indices)
        assert (fast, same.tolist()) == (answer, side.tolist())
    assert 15 < yes < 50
