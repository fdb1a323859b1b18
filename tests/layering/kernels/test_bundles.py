from __future__ import annotations

import networkx as nx

from pathveil.layering.kernels.bundles import neighbour_bundles
from tests.layering.graphs import adjacency


def test_bundles_are_the_co_components_of_neighbourhoods() -> None:
    graph = nx.gnp_random_graph(25, 0.5, seed=3)
    lists = adjacency(graph)
    bundle, first = neighbour_bundles(lists.indptr, lists.indices, 1 << 40)
    for v in range(25):
        own = bundle[lists.indptr[v] : lists.indptr[v + 1]]
        found = {frozenset(lists.neighbours(v)[own == b].tolist()) for b in own.tolist()}
        around = nx.complement(graph.subgraph(graph[v]))
        assert found == {frozenset(c) for c in nx.connected_components(around)}
        assert set(own.tolist()) == set(range(first[v], first[v + 1]))
    coarse, bounds = neighbour_bundles(lists.indptr, lists.indices, -1)
    assert bounds[-1] == len(set(coarse.tolist())) == 25
