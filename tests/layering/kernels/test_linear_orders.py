from __future__ import annotations

from itertools import combinations

import networkx as nx
import numpy as np

from pathveil.layering.kernels.linear_orders import (
    bad_by_lists,
    bad_by_rows,
    co_components,
    components,
    longest_branches,
    two_sides,
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


def arcs_of(diagram: nx.DiGraph[int]) -> np.ndarray[tuple[int, int], np.dtype[np.int32]]:
    return np.array(sorted(diagram.edges), dtype=np.int32).reshape(-1, 2)


def test_a_layer_is_the_length_of_the_longest_branch_from_above() -> None:
    for seed in range(10):
        source = nx.gnp_random_graph(12, 0.25, seed=seed)
        diagram: nx.DiGraph[int] = nx.DiGraph()
        diagram.add_nodes_from(range(12))
        # Downwards by numbers, or upwards: the numbers of nodes say nothing of who is above.
        ends = (min, max) if seed % 2 else (max, min)
        diagram.add_edges_from((ends[0](e), ends[1](e)) for e in source.edges)
        expected = [0] * 12
        for node in nx.topological_sort(diagram):
            for above in diagram.predecessors(node):
                expected[node] = max(expected[node], expected[above] + 1)
        assert longest_branches(12, arcs_of(diagram)).tolist() == expected
        assert compiled(longest_branches)(12, arcs_of(diagram)).tolist() == expected


def test_a_circle_is_left_alone_and_ends() -> None:
    circle: nx.DiGraph[int] = nx.DiGraph([(0, 1), (1, 2), (2, 0), (3, 4)])
    assert longest_branches(5, arcs_of(circle)).tolist()[3:] == [0, 1]


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
