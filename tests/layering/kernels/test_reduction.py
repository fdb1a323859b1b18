from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

from pathveil.layering.kernels.reduction import (
    BROKEN,
    COSTLY,
    DONE,
    collect_covers,
    later_lists,
    later_rows,
    reduce_by_lists,
    reduce_by_rows,
)
from pathveil.layering.kernels.running import compiled
from tests.layering.graphs import adjacency

Result = tuple[int, list[list[int]]]


def reduced(
    graph: nx.Graph[int], order: list[int], cut: list[int], *, rows: bool, fast: bool
) -> tuple[tuple[int, int, int, int], list[list[int]]]:
    """How it ended, and the cover arcs as ranks."""
    lists = adjacency(graph)
    size = len(graph)
    ranks = np.array(order, dtype=np.int32)
    starts, later = later_lists(lists.indptr, lists.indices, ranks)
    flags = np.isin(ranks, cut)
    covers, counts = np.zeros(len(later), np.int32), np.zeros(size, np.int32)
    kernel = reduce_by_rows if rows else reduce_by_lists
    limit = size - 1 if rows else 1 << 40
    ended = (compiled(kernel) if fast else kernel)(starts, later, flags, limit, covers, counts)
    same = np.arange(size, dtype=np.int32)
    arcs = collect_covers(starts, covers, counts, same, same, size)
    a, b, c, d = map(int, ended)
    return (a, b, c, d), arcs.tolist()


@pytest.mark.parametrize("rows", [False, True])
@pytest.mark.parametrize("fast", [False, True])
def test_covers_are_the_transitive_reduction_or_a_path_to_a_stranger_is_found(
    rows: bool,  # noqa: FBT001
    fast: bool,  # noqa: FBT001
) -> None:
    ends = []
    for seed in range(60):
        graph = nx.gnp_random_graph(7, (0.3, 0.6, 0.9)[seed % 3], seed=seed)
        order = np.random.default_rng(seed).permutation(7).tolist()
        if seed % 2:  # behind lonely ones, on either side of the end of a word
            graph.add_nodes_from(range(7, 67))
            order = [*range(7, 67), *order]
        cut = [v for v in range(7) if seed % 4 and (v * 7 + seed) % 3 == 0]
        rank = {v: r for r, v in enumerate(order)}
        (ended, u, v, w), arcs = reduced(graph, order, cut, rows=rows, fast=fast)
        ends.append(ended)
        assert ended != DONE or (u, v, w) == (-1, -1, -1)
        bad = [
            m
            for m in set(graph) - set(cut)
            for a in graph[m]
            for b in graph[m]
            if rank[a] < rank[m] < rank[b] and not graph.has_edge(a, b)
        ]
        assert (ended == BROKEN) == bool(bad)
        if ended == BROKEN:
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
    assert DONE in ends
    assert BROKEN in ends


def test_later_lists_are_the_later_neighbours_by_rank() -> None:
    graph = nx.gnp_random_graph(9, 0.5, seed=2)
    lists = adjacency(graph)
    order = np.random.default_rng(3).permutation(9).astype(np.int32)
    rank = {int(v): r for r, v in enumerate(order)}
    starts, later = later_lists(lists.indptr, lists.indices, order)
    for r in range(9):
        expected = sorted(rank[v] for v in graph[int(order[r])] if rank[v] > r)
        assert later[starts[r] : starts[r + 1]].tolist() == expected


def test_too_long_lists_are_left_to_the_rows() -> None:
    graph = nx.complete_graph(8)
    lists = adjacency(graph)
    order = np.arange(8, dtype=np.int32)
    starts, later = later_lists(lists.indptr, lists.indices, order)
    none = np.zeros(8, dtype=np.bool_)
    covers, counts = np.zeros(len(later), np.int32), np.zeros(8, np.int32)
    # Rank 7 has no list and rank 6 one of nothing: 1 + 2 steps for ranks 5 and 4, 3 more for 3.
    last = 3
    assert COSTLY not in {DONE, BROKEN}
    assert reduce_by_lists(starts, later, none, 5, covers, counts) == (COSTLY, last, -1, -1)
    assert counts.tolist() == [0, 0, 0, 0, 1, 1, 1, 0]
    ended, *_ = reduce_by_rows(starts, later, none, last, covers, counts)
    assert ended == DONE
    arcs = collect_covers(starts, covers, counts, order, order, 8)
    assert arcs.tolist() == [[v, v + 1] for v in range(7)]


def test_covers_are_renamed_to_nodes_and_sorted_by_both_ends() -> None:
    starts = np.array([0, 2, 3, 3])
    covers, counts = np.array([1, 2, 2], np.int32), np.array([2, 1, 0], np.int32)
    upper, lower = np.array([4, 1, 0], np.int32), np.array([3, 5, 2], np.int32)
    for collect in (collect_covers, compiled(collect_covers)):
        arcs = collect(starts, covers, counts, upper, lower, 6)
        assert arcs.tolist() == [[1, 2], [4, 2], [4, 5]]


def test_later_neighbours_are_bits_of_words() -> None:
    starts = np.array([0, 4, *[5] * 256], dtype=np.int64)
    later = np.array([1, 63, 64, 200, 130], dtype=np.int32)
    found = [
        sum(int(word) << 64 * k for k, word in enumerate(row)) for row in later_rows(starts, later)
    ]
    assert found == [1 << 1 | 1 << 63 | 1 << 64 | 1 << 200, 1 << 130, *[0] * 255]
