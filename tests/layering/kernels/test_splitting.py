from __future__ import annotations

from itertools import combinations

import networkx as nx
import numpy as np

from pathveil.layering.kernels.linear_orders import (
    bad_by_lists,
    bad_by_rows,
    co_components,
    components,
)
from pathveil.layering.kernels.running import compiled
from tests.layering.graphs import adjacency


def test_both_ways_to_find_bad_vertices_agree_with_the_definition() -> None:
    for seed in range(30):
        size = 20 if seed % 5 else 66
        graph = nx.gnp_random_graph(size, 0.1 + seed % 9 / 10, seed=seed)
        lists = adjacency(graph)
        order = np.random.default_rng(seed).permutation(size).astype(np.int32)
        rank = np.argsort(order).astype(np.int32)
        expected = [
            any(
                (rank[a] < rank[v]) != (rank[b] < rank[v]) and not graph.has_edge(a, b)
                for a, b in combinations(graph[v], 2)
            )
            for v in range(size)
        ]
        for by_lists in (bad_by_lists, compiled(bad_by_lists)):
            assert by_lists(lists.indptr, lists.indices, rank).tolist() == expected
        for by_rows in (bad_by_rows, compiled(bad_by_rows)):
            assert by_rows(lists.indptr, lists.indices, lists.rows, order).tolist() == expected


def test_parts_are_the_components_of_graph_and_complement() -> None:
    for seed in range(20):
        graph = nx.gnp_random_graph(15, 0.08 if seed % 2 else 0.9, seed=seed)
        lists = adjacency(graph)
        for kernel, expected in ((components, graph), (co_components, nx.complement(graph))):
            label = kernel(lists.indptr, lists.indices)
            found = {frozenset(np.flatnonzero(label == k).tolist()) for k in label.tolist()}
            assert found == {frozenset(c) for c in nx.connected_components(expected)}
            # Numbered by smallest vertex, so that the parts come in a canonical order.
            firsts = [int(np.flatnonzero(label == k)[0]) for k in range(label.max() + 1)]
            assert firsts == sorted(firsts)
            assert (label == compiled(kernel)(lists.indptr, lists.indices)).all()
