from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings

from pathveil.layering import rules
from pathveil.layering.exact import layer_exactly
from pathveil.model.bits import PairBits
from pathveil.model.positions import Positions
from tests.layering.graphs import graphs


def bits_of(graph: nx.Graph[int]) -> tuple[PairBits, Positions]:
    pairs = [(min(edge), max(edge)) for edge in graph.edges]
    names = tuple(f"{v:03}" for v in range(len(graph)))
    return PairBits.from_pairs(len(graph), pairs), Positions.uniform(names, 1)


@given(graphs(largest=14))
@settings(deadline=None, max_examples=60)
def test_the_drawing_keeps_the_rules_either_way_up(graph: nx.Graph[int]) -> None:
    bits, positions = bits_of(graph)
    upright = layer_exactly(bits, positions, upright=True)
    rules.check_shape(upright)
    rules.check_bits(upright, bits)
    assert not len(bits.flat()) or np.bincount(upright.position_of).max() <= 2  # pieces
    assert layer_exactly(bits, positions, upright=False) == upright.upside_down()


def test_each_node_stands_just_below_the_longest_branch_above_it() -> None:
    for seed in range(8):
        graph = nx.gnp_random_graph(12, 0.6, seed=seed)
        layered = layer_exactly(*bits_of(graph), upright=True)
        diagram: nx.DiGraph[int] = nx.DiGraph()
        diagram.add_nodes_from(range(len(layered.position_of)))
        diagram.add_edges_from(map(tuple, layered.arcs.tolist()))
        for node in diagram:
            above = [int(layer) for layer in layered.layer[list(diagram.predecessors(node))]]
            assert layered.layer[node] == max(above, default=-1) + 1


@pytest.mark.parametrize("size", [0, 1, 2])
def test_the_smallest_graphs_have_layers_too(size: int) -> None:
    bits, positions = bits_of(nx.complete_graph(size))
    for upright in (True, False):
        layered = layer_exactly(bits, positions, upright=upright)
        assert layered.height == size
        assert np.array_equal(layered.position_of, np.arange(size))
