from __future__ import annotations

from itertools import combinations

import networkx as nx
import numpy as np
import pytest

from pathveil.layering.kernels.linear_orders import find_bad, reduce_lists
from pathveil.layering.kernels.partition import relabelled
from pathveil.layering.kernels.running import compiled
from pathveil.layering.orientation import Reduction
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
    starts, later = relabelled(lists.indptr, lists.indices, ranks, True)
    flags = np.isin(ranks, cut)
    covers, counts = np.zeros(len(later), np.int32), np.zeros(size, np.int32)
    reduce = compiled(reduce_lists) if fast else reduce_lists
    u, v, w = reduce(starts, later, flags, covers, counts)
    same = np.arange(size, dtype=np.int32)
    arcs = Reduction(covers, counts, None).arcs(same, same, size)
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
