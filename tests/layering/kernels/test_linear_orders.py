from __future__ import annotations

from itertools import combinations

import networkx as nx
import numpy as np
import pytest

from pathveil.layering.kernels.linear_orders import (
    collect_covers,
    find_bad,
    later_lists,
    longest_branches,
    reduce_lists,
)
from pathveil.layering.kernels.running import compiled
from tests.layering.graphs import adjacency


def test_bad_is_who_separates_two_strangers() -> None:
    for seed in range(20):
        graph = nx.gnp_random_graph(20, 0.1 + seed % 9 / 10, seed=seed)
        lists = adjacency(graph)
        rank = np.random.default_rng(seed).permutation(20).astype(np.int32)
        expected = [
            any(
                (rank[a] < rank[v]) != (rank[b] < rank[v]) and not graph.has_edge(a, b)
                for a, b in combinations(graph[v], 2)
            )
            for v in range(20)
        ]
        for find in (find_bad, compiled(find_bad)):
            assert find(lists.indptr, lists.indices, rank).tolist() == expected


def reduced(
    graph: nx.Graph[int], order: list[int], cut: list[int], *, fast: bool
) -> tuple[tuple[int, int, int], list[list[int]]]:
    """Where it broke, and the cover arcs as ranks."""
    lists = adjacency(graph)
    size = len(graph)
    ranks = np.array(order, dtype=np.int32)
    starts, later = later_lists(lists.indptr, lists.indices, ranks)
    flags = np.isin(ranks, cut)
    covers, counts = np.zeros(len(later), np.int32), np.zeros(size, np.int32)
    reduce = compiled(reduce_lists) if fast else reduce_lists
    u, v, w = reduce(starts, later, flags, covers, counts)
    same = np.arange(size, dtype=np.int32)
    arcs = collect_covers(starts, covers, counts, same, same, size)
    return (int(u), int(v), int(w)), arcs.tolist()


@pytest.mark.parametrize("fast", [False, True])
def test_covers_are_the_transitive_reduction_or_a_path_to_a_stranger_is_found(
    fast: bool,  # noqa: FBT001
) -> None:
    ends = []
    for seed in range(60):
        graph = nx.gnp_random_graph(7, (0.3, 0.6, 0.9)[seed % 3], seed=seed)
        order = np.random.default_rng(seed).permutation(7).tolist()
        cut = [v for v in range(7) if seed % 4 and (v * 7 + seed) % 3 == 0]
        rank = {v: r for r, v in enumerate(order)}
        (u, v, w), arcs = reduced(graph, order, cut, fast=fast)
        broken = u >= 0
        ends.append(broken)
        bad = [
            m
            for m in set(graph) - set(cut)
            for a in graph[m]
            for b in graph[m]
            if rank[a] < rank[m] < rank[b] and not graph.has_edge(a, b)
        ]
        assert broken == bool(bad)
        if broken:
            assert graph.has_edge(order[u], order[v])
            assert graph.has_edge(order[v], order[w])
            assert not graph.has_edge(order[u], order[w])
            assert u < v < w
            assert order[v] not in cut
        else:
            diagram: nx.DiGraph[tuple[int, str]] = nx.DiGraph()
            for x, y in graph.edges:
                a, b = sorted((rank[x], rank[y]))
                upper = (a, "up") if order[a] in cut else (a, "")
                lower = (b, "low") if order[b] in cut else (b, "")
                diagram.add_edge(upper, lower)
            expected = sorted([a, b] for (a, _), (b, _) in nx.transitive_reduction(diagram).edges)
            assert arcs == expected
    assert set(ends) == {True, False}


def test_later_lists_are_the_later_neighbours_by_rank() -> None:
    graph = nx.gnp_random_graph(9, 0.5, seed=2)
    lists = adjacency(graph)
    order = np.random.default_rng(3).permutation(9).astype(np.int32)
    rank = {int(v): r for r, v in enumerate(order)}
    starts, later = later_lists(lists.indptr, lists.indices, order)
    for r in range(9):
        expected = sorted(rank[v] for v in graph[int(order[r])] if rank[v] > r)
        assert later[starts[r] : starts[r + 1]].tolist() == expected


def test_covers_are_renamed_to_nodes_and_sorted_by_both_ends() -> None:
    starts = np.array([0, 2, 3, 3])
    covers, counts = np.array([1, 2, 2], np.int32), np.array([2, 1, 0], np.int32)
    upper, lower = np.array([4, 1, 0], np.int32), np.array([3, 5, 2], np.int32)
    for collect in (collect_covers, compiled(collect_covers)):
        arcs = collect(starts, covers, counts, upper, lower, 6)
        assert arcs.tolist() == [[1, 2], [4, 2], [4, 5]]


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
