"""The benchmarks' lower bounds on pieces: never above the truth, and sharp where they should be."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

from benchmarks.piece_bounds import (
    _Bundles,
    _Hitting,
    _integer_bound,
    _packing,
    _relaxed_bound,
    lower_bound,
)
from pathveil.layering.exact import split_order, take_apart
from tests.layering.graphs import (
    adjacency,
    both_ways_graph,
    fixed_graphs,
    networkx_of,
)
from tests.layering.sat import fewest_cuts_by_sat


@pytest.mark.compiled
def test_no_way_to_cut_goes_below_the_bound() -> None:
    """Against the SAT formulation, on graphs too large for the search that always ends."""
    for seed in range(9):
        graph = nx.gnp_random_graph(20, (0.15, 0.25, 0.4)[seed % 3], seed=seed)
        lists = adjacency(graph)
        assert lower_bound(lists) <= 20 + fewest_cuts_by_sat(graph) <= split_order(lists).pieces
    assert lower_bound(adjacency(both_ways_graph())) == 12


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
            fewest_cuts, proved = fewest_cuts + fewest, proved + integer
    assert fewest_cuts == 28
    assert proved >= 26
