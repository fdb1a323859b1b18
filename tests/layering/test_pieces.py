from __future__ import annotations

from itertools import combinations

import networkx as nx
import numpy as np
import pytest

from pathveil.layering import splitting as pieces
from pathveil.layering.splitting import (
    NO_ARCS,
    Split,
    bad_vertices,
    free_split,
    joined,
    layered_arcs,
    split_order,
)
from tests.layering.graphs import adjacency, assert_layers_the_graph, both_ways_graph, watched_work


def test_an_order_that_needs_more_cuts_is_refused() -> None:
    ring = adjacency(nx.cycle_graph(5))
    with pytest.raises(ValueError, match="mark it bad"):
        layered_arcs(ring, Split(np.arange(5, dtype=np.int32), np.zeros(5, dtype=np.bool_)))


def test_arcs_against_the_order_are_refused_where_they_make_no_drawing() -> None:
    lists = adjacency(both_ways_graph())
    split = split_order(lists)
    assert len(split.against) > 0
    along, nowhere = split.against[:, ::-1], split.against[:, [0, 0]]
    with pytest.raises(ValueError, match="goes along it"):
        layered_arcs(lists, Split(split.order, split.bad, nowhere))
    with pytest.raises(ValueError, match="goes along it"):
        layered_arcs(lists, Split(split.order, split.bad, along))
    without = Split(split.order, split.bad)
    with pytest.raises(ValueError, match="mark it bad"):
        layered_arcs(lists, without)


def test_an_edge_between_a_whole_and_a_cut_vertex_may_be_turned() -> None:
    """Two squares' worth: the order says 0, 1, 2; the arc from 2 to 1 goes against it."""
    path = adjacency(nx.path_graph(3))
    order = np.arange(3, dtype=np.int32)
    turned = Split(order, np.zeros(3, dtype=np.bool_), np.array([[2, 1]], dtype=np.int32))
    vertex, _, arcs = layered_arcs(path, turned)
    assert vertex.tolist() == [0, 1, 2]
    assert arcs.tolist() == [[0, 1], [2, 1]]


def test_bad_is_who_separates_two_strangers() -> None:
    for seed in range(12):
        size = 20 if seed % 2 else 70
        graph = nx.gnp_random_graph(size, 0.1 + seed % 9 / 10, seed=seed)
        order = np.random.default_rng(seed).permutation(size).astype(np.int32)
        rank = np.argsort(order)
        expected = [
            any(
                (rank[a] < rank[v]) != (rank[b] < rank[v]) and not graph.has_edge(a, b)
                for a, b in combinations(graph[v], 2)
            )
            for v in range(size)
        ]
        assert bad_vertices(adjacency(graph), order).tolist() == expected


def test_parts_are_drawn_one_after_the_other() -> None:
    graph = nx.disjoint_union(nx.path_graph(2), both_ways_graph())
    lists = adjacency(graph)
    first = np.array([0, 1], dtype=np.int32)
    second = np.arange(2, 12, dtype=np.int32)
    inner = split_order(adjacency(both_ways_graph()))
    whole = joined(lists, [(first, free_split(np.array([1, 0], dtype=np.int32))), (second, inner)])
    assert whole.order[:2].tolist() == [1, 0]
    assert np.flatnonzero(whole.bad).tolist() == [8, 11]
    assert (whole.against == inner.against + 2).all()
    assert whole.proved
    assert_layers_the_graph(lists, whole)
    unproved = Split(inner.order, inner.bad, inner.against)
    assert not joined(lists, [(second, unproved)]).proved
    assert joined(adjacency(nx.empty_graph(0)), []).pieces == 0


def test_bit_rows_are_read_where_a_graph_is_neither_small_nor_sparse(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """More than 64 vertices, and more than one entry of the matrix in 32."""
    noted = watched_work(monkeypatch, pieces)
    for size, edges, kernel, steps in (
        (64, 400, "bad_by_lists", 4 * 800),
        (65, 400, "bad_by_rows", 800 * 2),
        (128, 600, "bad_by_rows", 1_200 * 3),
        (72, 81, "bad_by_lists", 4 * 162),
        (72, 82, "bad_by_rows", 164 * 2),
    ):
        graph = adjacency(nx.gnm_random_graph(size, edges, seed=1))
        bad_vertices(graph, np.arange(size, dtype=np.int32))
        assert noted.pop() == (kernel, steps)
    lists = adjacency(both_ways_graph())
    layered_arcs(lists, split_order(lists))
    ((kernel, steps),) = [work for work in noted if work[0] == "longest_branches"]
    drawn = lists.edge_count + 1  # one edge both ways
    assert steps == 4 * (drawn + 12)
    assert not NO_ARCS.flags.writeable, "shared by every split"
