"""The counting itself: exact where it says so, the same on every call, and able to say nothing."""

from __future__ import annotations

import networkx as nx
import pytest
from hypothesis import given

from pathveil.lab.reproduction.refutations import (
    count_branches,
    edges_touched,
    longest_branch,
    three_antichains,
)
from pathveil.layering.backtracking import draw_in_walk_order
from pathveil.model.bits import PairBits
from pathveil.model.positions import Positions
from tests.strategies import NAMES, pair_bits


@given(pair_bits(largest=9))
def test_the_longest_branch_is_networkx_s(bits: PairBits) -> None:
    positions = Positions.uniform(tuple(NAMES[: bits.size]), 1)
    graph = draw_in_walk_order(bits, positions, range(bits.size))
    drawn: nx.DiGraph[int] = nx.DiGraph(graph.arcs.tolist())
    drawn.add_nodes_from(range(len(graph.position_of)))
    assert longest_branch(graph) == nx.dag_longest_path_length(drawn) + 1


def test_counting_again_gives_the_same_and_part_of_it_less() -> None:
    few, again = count_branches("1", graphs=20), count_branches("1", graphs=20)
    assert few == again
    assert few.graphs == 20
    assert few.single_root <= few.roots_apart  # one root shares no edge with another
    assert few.above_ceiling <= few.longer <= 20


@pytest.mark.parametrize("third", [3, 4, 7])
def test_the_antichains_are_a_walk_and_all_its_other_pairs(third: int) -> None:
    network, walk = three_antichains(third)
    walk.require_in(network)
    assert set(walk.vertices) == set(network.vertices)
    assert len(network.links) == (3 * third - 1) + 3 * third**2 - 2 * third


def test_a_search_on_a_tree_touches_fewer_edges_than_vertices() -> None:
    """The control: what makes the antichains costly is that they are nearly complete."""
    touched, vertices = edges_touched(2)
    assert touched < vertices
