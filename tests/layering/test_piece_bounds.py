"""The benchmarks' lower bounds on pieces: never above the truth, and sharp where they should be."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

from benchmarks.piece_bounds import (
    _bound_by_cliques,
    _bound_by_sets,
    _Bundles,
    _Hitting,
    _integer_bound,
    _packing,
    _relaxed_bound,
    clique_number_at_most,
    lower_bound,
)
from pathveil.layering.exact import split_order, take_apart
from tests.layering.graphs import (
    adjacency,
    both_ways_graph,
    consistent,
    fixed_graphs,
    networkx_of,
)
from tests.layering.sat import fewest_cuts_by_sat


@pytest.mark.compiled
def test_known_graphs_are_cut_little() -> None:
    """8 cuts are the fewest for the second."""
    for graph, cuts in ((nx.karate_club_graph(), 6), (nx.les_miserables_graph(), 9)):
        split = split_order(adjacency(graph))
        assert split.bad.sum() <= cuts
        assert lower_bound(adjacency(graph)) <= split.pieces


@pytest.mark.compiled
def test_no_way_to_cut_goes_below_the_bound() -> None:
    """Against the SAT formulation, on graphs too large for the search that always ends."""
    for seed in range(9):
        graph = nx.gnp_random_graph(20, (0.15, 0.25, 0.4)[seed % 3], seed=seed)
        lists = adjacency(graph)
        assert lower_bound(lists) <= 20 + fewest_cuts_by_sat(graph) <= split_order(lists).pieces
    assert lower_bound(adjacency(both_ways_graph())) == 12


@pytest.mark.compiled
def test_integers_raise_the_bound_where_walks_are_short() -> None:
    graph = adjacency(nx.watts_strogatz_graph(100, 6, 0.1, seed=1))
    assert lower_bound(graph) < lower_bound(graph, integer=6) <= 143


def test_every_bound_of_a_part_is_below_its_fewest_cuts_and_they_sharpen() -> None:
    """Small parts without a transitive orientation, each bound by itself, against SAT."""
    fewest_cuts, proved = 0, 0
    for lists in fixed_graphs():
        for _, part, order in take_apart(lists):
            if order is not None:
                continue
            bundles = _Bundles.of(part)
            packed, programme = _packing(bundles), _Hitting(bundles)
            assert len({v for walk in packed for v in walk.tolist()}) == sum(map(len, packed))
            relaxed, _ = _relaxed_bound(programme, 6)
            integer = _integer_bound(programme, 4)
            assert programme.add_missed(np.ones(part.size)) == 0, "all chosen misses no walk"
            fewest = fewest_cuts_by_sat(networkx_of(part))
            assert len(packed) <= relaxed <= integer <= fewest
            assert max(_bound_by_sets(part), _bound_by_cliques(part)) <= fewest
            fewest_cuts, proved = fewest_cuts + fewest, proved + integer
    assert fewest_cuts == 28
    assert proved >= 26


def test_the_vertices_of_an_odd_walk_cannot_all_be_whole() -> None:
    """Against the oracle for forced arcs, and none is missed where there is one."""
    for seed in range(10):
        graph = nx.gnp_random_graph(9, (0.3, 0.5)[seed % 2], seed=seed)
        walks = _Bundles.of(adjacency(graph)).walks(np.ones(9, dtype=np.int64), 60)
        assert bool(walks) != consistent(graph, list(graph))
        assert not any(consistent(graph, walk.tolist()) for walk in walks)


def test_clique_numbers_are_never_too_small() -> None:
    for seed in range(6):
        graph = nx.gnp_random_graph(25, 0.2 + seed % 4 / 5, seed=seed)
        masks = [sum(1 << w for w in graph[v]) for v in range(25)]
        expected = max(len(c) for c in nx.find_cliques(graph))
        assert clique_number_at_most(masks, branches=60_000) == expected
        assert clique_number_at_most(masks, branches=2) >= expected
