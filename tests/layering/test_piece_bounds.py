"""The benchmarks' lower bounds on pieces: never above the truth, and sharp where they should be."""

from __future__ import annotations

import networkx as nx
import pytest

from benchmarks.piece_bounds import lower_bound
from pathveil.layering.exact import split_order
from tests.layering.graphs import adjacency, both_ways_graph
from tests.layering.sat import fewest_cuts_by_sat


@pytest.mark.compiled
def test_no_way_to_cut_goes_below_the_bound() -> None:
    """Against the SAT formulation, on graphs too large for the search that always ends."""
    for seed in range(9):
        graph = nx.gnp_random_graph(20, (0.15, 0.25, 0.4)[seed % 3], seed=seed)
        lists = adjacency(graph)
        assert lower_bound(lists) <= 20 + fewest_cuts_by_sat(graph) <= split_order(lists).pieces
    assert lower_bound(adjacency(both_ways_graph())) == 12
