from __future__ import annotations

from random import Random

import networkx as nx
import numpy as np
import pytest

from pathveil.layering import splitting as minimum
from pathveil.layering.adjacency import Adjacency
from pathveil.layering.annealing import settled_order
from pathveil.layering.splitting import bad_vertices, proved_split
from tests.layering.graphs import adjacency, assert_layers_the_graph, both_ways_graph, watched_work
from tests.layering.sat import fewest_cuts_by_sat


def test_the_fewest_cuts_are_those_a_sat_solver_finds() -> None:
    """A fixed sample; 86,000 graphs of 8 to 16 vertices were run once without a difference."""
    source = Random(20)
    for _ in range(1500):
        size = source.randint(5, 11)
        share = source.choice([0.3, 0.45, 0.5, 0.6, 0.75, 0.85])
        graph = nx.gnp_random_graph(size, share, seed=source.randrange(10**9))
        lists = adjacency(graph)
        split = proved_split(lists, tries=1 << 40)
        assert split is not None
        assert split.proved
        assert int(split.bad.sum()) == fewest_cuts_by_sat(graph)


def test_sixteen_vertices_are_always_solved() -> None:
    for seed in range(10):
        graph = nx.gnp_random_graph(16, (0.3, 0.6)[seed % 2], seed=seed)
        split = proved_split(adjacency(graph), tries=1 << 40)
        assert split is not None
        assert int(split.bad.sum()) == fewest_cuts_by_sat(graph)


def test_an_edge_is_drawn_both_ways_where_that_spares_a_cut() -> None:
    graph = both_ways_graph()
    lists = adjacency(graph)
    split = proved_split(lists, tries=1_000)
    assert split is not None
    assert np.flatnonzero(split.bad).tolist() == [6, 9]
    assert bad_vertices(lists, split.order).sum() > 2
    assert [6, 9] in [sorted(arc) for arc in split.against.tolist()]
    assert_layers_the_graph(lists, split)


def test_graphs_in_which_only_arcs_are_fewest_are_layered_exactly() -> None:
    """Found among 40,000 random graphs: numbers of vertices, share of pairs, seed."""
    found = 0
    for size, share, seed in ((11, 0.75, 0), (12, 0.75, 1)):
        for shift in range(40):
            graph = nx.gnp_random_graph(size, share, seed=seed + 2 * shift)
            split = proved_split(adjacency(graph), tries=1 << 40)
            assert split is not None
            assert_layers_the_graph(adjacency(graph), split)
            found += 1
    assert found == 80


def test_it_gives_up_when_told_to_and_beyond_a_word() -> None:
    dense = adjacency(nx.gnp_random_graph(30, 0.5, seed=1))
    assert proved_split(dense, tries=50) is None
    assert proved_split(dense, tries=1 << 40, hope=2) is None
    assert proved_split(adjacency(nx.cycle_graph(65)), tries=1_000) is None
    assert proved_split(adjacency(nx.cycle_graph(63)), tries=1_000) is None
    ring = proved_split(adjacency(nx.cycle_graph(61)), tries=1_000, hope=1)
    assert ring is not None
    assert ring.pieces == 62


def test_the_last_vertex_of_a_word_is_like_any_other() -> None:
    graph = nx.disjoint_union(nx.empty_graph(52), both_ways_graph())
    split = proved_split(adjacency(graph), tries=1_000)
    assert split is not None
    assert np.flatnonzero(split.bad).tolist() == [58, 61]
    assert_layers_the_graph(adjacency(graph), split)


def test_a_search_begins_short_and_says_what_it_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two hundred sets of cuts, then four times as many, as long as tries are left."""
    noted = watched_work(monkeypatch, minimum)
    lists = adjacency(nx.gnp_random_graph(30, 0.5, seed=1))
    steps = 2 * lists.edge_count
    assert proved_split(lists, tries=1_000) is None
    assert noted == [("fewest_cuts", steps * tries) for tries in (200, 800, 1_000)]
    noted.clear()
    assert proved_split(lists, tries=50, hope=20) is None
    assert noted == [("chains_needed", 30 * steps), ("fewest_cuts", steps * 50)]
    noted.clear()
    assert proved_split(adjacency(nx.cycle_graph(7)), tries=1_000, hope=minimum.LARGEST)
    assert noted == [("fewest_cuts", 14 * 200), ("order_of_arcs", 49), ("bad_by_lists", 56)]
    noted.clear()
    assert proved_split(adjacency(both_ways_graph()), tries=1_000)
    assert [work for _, work in noted] == [52 * 200, 100, 100, 100]


def test_a_proved_order_is_settled() -> None:
    """No vertex can be moved for more triangles with a good middle, whichever comes last."""
    last = set()
    for seed in range(12):
        lists = adjacency(nx.gnp_random_graph(9, 0.6, seed=seed))
        split = proved_split(lists, tries=1 << 40)
        assert split is not None
        if not len(split.against):
            assert (settled_order(lists, split.order) == split.order).all()
            last.add(int(split.order[-1]))
    assert len(last) > 3


def test_which_vertices_are_drawn_both_ways_does_not_depend_on_their_numbers() -> None:
    for place in range(10):
        names = {6: place, place: 6}
        edges = [(names.get(u, u), names.get(v, v)) for u, v in both_ways_graph().edges]
        lists = Adjacency.from_pairs(10, edges)
        split = proved_split(lists, tries=1_000)
        assert split is not None
        assert np.flatnonzero(split.bad).tolist() == sorted((place, names.get(9, 9)))
        assert_layers_the_graph(lists, split)
