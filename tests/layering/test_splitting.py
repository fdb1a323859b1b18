from __future__ import annotations

from itertools import combinations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings

from pathveil.layering import splitting
from pathveil.layering.adjacency import Adjacency
from pathveil.layering.minimum import Split, bad_vertices
from pathveil.layering.splitting import (
    free_split,
    joined,
    layered_arcs,
    split_order,
    split_part,
    take_apart,
)
from tests.layering.graphs import (
    adjacency,
    assert_layers_the_graph,
    both_ways_graph,
    consistent,
    graphs,
)


def fewest_cut(graph: nx.Graph[int]) -> int:
    """The minimum by trying every set of cut vertices, smallest first, on the forced arcs alone."""
    for count in range(len(graph)):
        for cut in combinations(graph, count):
            if consistent(graph, set(graph) - set(cut)):
                return count
    raise AssertionError("cutting every vertex always helps")


def test_every_small_graph_is_cut_as_little_as_can_be() -> None:
    for graph in nx.graph_atlas_g()[1:]:
        lists = adjacency(graph)
        split = split_order(lists)
        assert split.bad.sum() == fewest_cut(graph)
        assert_layers_the_graph(lists, split)


@pytest.mark.compiled
@given(graphs(largest=26))
@settings(deadline=None, max_examples=120)
def test_the_pieces_are_a_layering_of_the_graph(graph: nx.Graph[int]) -> None:
    lists = adjacency(graph)
    split = split_order(lists, work=5_000_000)
    assert sorted(split.order.tolist()) == list(range(lists.size))
    assert (split.bad == bad_vertices(lists, split.order)).all()
    assert split.bad.any() != consistent(graph, list(graph))
    assert_layers_the_graph(lists, split)
    again = split_order(Adjacency.from_pairs(lists.size, lists.pairs()[::-1]), work=5_000_000)
    assert (split.order == again.order).all()


@pytest.mark.compiled
def test_dense_random_graphs_stay_below_two_pieces_each() -> None:
    source = np.random.default_rng(5)
    upper = np.triu(source.random((400, 400)) < 0.5, 1)
    graph = Adjacency.from_pairs(400, np.argwhere(upper))
    split = split_order(graph)
    assert 1.9 * 400 < split.pieces < 1.95 * 400
    vertex, _, arcs = layered_arcs(graph, split)
    assert len(vertex) == split.pieces
    assert len(arcs) <= graph.edge_count


def test_fewest_is_said_only_where_it_is_proved() -> None:
    assert split_order(adjacency(nx.cycle_graph(21))).proved
    assert split_order(adjacency(nx.path_graph(300))).proved
    dense = adjacency(nx.gnp_random_graph(40, 0.5, seed=1))
    assert not split_order(dense, work=5_000_000).proved
    mixed = adjacency(nx.disjoint_union(nx.path_graph(3), nx.gnp_random_graph(40, 0.5, seed=1)))
    assert not split_order(mixed, work=5_000_000).proved


def test_parts_are_components_of_the_graph_and_of_its_complement() -> None:
    ring, triangle = nx.cycle_graph(5), nx.complete_graph(3)
    apart = nx.disjoint_union(ring, triangle)
    parts = {frozenset(v.tolist()): o for v, _, o in take_apart(adjacency(apart))}
    assert set(parts) == {frozenset(range(5)), frozenset(range(5, 8))}
    assert parts[frozenset(range(5))] is None
    assert parts[frozenset(range(5, 8))] is not None
    together = nx.complement(nx.disjoint_union(nx.complement(ring), nx.complement(ring)))
    joined = [v.tolist() for v, _, _ in take_apart(adjacency(together))]
    assert joined == [list(range(5)), list(range(5, 10))]
    assert split_order(adjacency(together)).pieces == 12


def test_a_part_drawn_both_ways_lies_among_others() -> None:
    graph = nx.disjoint_union(nx.cycle_graph(5), both_ways_graph())
    split = split_order(adjacency(graph))
    assert split.pieces == 6 + 12
    assert_layers_the_graph(adjacency(graph), split)
    below = nx.complement(nx.disjoint_union(nx.complement(graph), nx.complement(nx.cycle_graph(5))))
    split = split_order(adjacency(below))
    assert split.pieces == 18 + 6
    assert_layers_the_graph(adjacency(below), split)


def test_a_small_part_is_solved_whatever_work_is_allowed() -> None:
    dense = adjacency(nx.gnp_random_graph(14, 0.6, seed=5))
    assert split_part(dense, work=0).proved


def test_a_part_gets_no_more_work_than_it_is_worth() -> None:
    """By its pairs: 125 steps each, then more, then two hundred, and never all if large."""
    usual = splitting.USUAL_WORK
    steps = {size: splitting._worth(size, usual) / size**2 for size in (20, 50, 80, 500)}
    assert steps == {20: 125, 50: 125, 80: 200, 500: 200}
    assert splitting._worth(20, 3 * usual) == 3 * splitting._worth(20, usual)
    assert splitting._worth(500, 3 * usual) == 3 * splitting._worth(500, usual)
    at_once = splitting._DRAWN_AT_ONCE
    assert splitting._worth(at_once, usual) == usual
    assert splitting._worth(at_once + 1, usual) == usual // 2
    assert splitting._worth(500, 7) == 7


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
