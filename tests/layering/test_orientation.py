from __future__ import annotations

from collections import Counter

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings

from pathveil.layering.adjacency import Adjacency, Int32Array
from pathveil.layering.orientation import (
    Obstruction,
    _sample,
    orient,
    reduce_order,
    transitive_order,
)
from pathveil.model.bits import PairBits
from tests.layering.graphs import adjacency, consistent, graphs, networkx_of, proves, relabelled


def assert_is_transitive(rank: Int32Array, graph: nx.Graph[int]) -> None:
    directed = nx.DiGraph((u, v) if rank[u] < rank[v] else (v, u) for u, v in graph.edges)
    assert set(nx.transitive_closure(directed).edges) == set(directed.edges)


def test_agrees_with_the_oracle_on_every_small_graph() -> None:
    yes: Counter[int] = Counter()
    for number, graph in enumerate(nx.graph_atlas_g()[1:]):
        expected = consistent(graph, list(graph))
        yes[len(graph)] += expected
        for seed in (number, number + 5000):
            mixed = relabelled(graph, seed)
            found = orient(adjacency(mixed))
            if expected:
                assert not isinstance(found, Obstruction)
                assert_is_transitive(found, mixed)
            else:
                assert isinstance(found, Obstruction)
                assert proves(found.arcs, adjacency(mixed))
    assert [yes[n] for n in range(1, 8)] == [1, 2, 4, 11, 33, 144, 824]


@given(graphs(largest=30))
@settings(deadline=None, max_examples=60)
def test_says_yes_with_a_diagram_or_no_with_a_proof(graph: nx.Graph[int]) -> None:
    lists = adjacency(graph)
    found = orient(lists)
    order = transitive_order(lists)
    assert consistent(graph, list(graph)) == (order is not None)
    assert isinstance(found, Obstruction) == (order is None)
    if not isinstance(found, Obstruction):
        assert_is_transitive(found, graph)
        assert order is not None
        nothing_cut = np.zeros(lists.size, dtype=np.bool_)
        assert reduce_order(lists, order, nothing_cut).broken is None
    else:
        assert proves(found.arcs, lists)


def test_a_path_to_a_stranger_is_told_by_its_ranks() -> None:
    path = Adjacency.from_pairs(3, [(0, 1), (1, 2)])
    order, cut = np.arange(3, dtype=np.int32), np.zeros(3, dtype=np.bool_)
    assert reduce_order(path, order, cut).broken == (0, 1, 2)
    cut[1] = True
    assert reduce_order(path, order, cut).broken is None


def poset_graph(size: int, dimension: int, seed: int) -> Adjacency:
    points = np.random.default_rng(seed).random((size, dimension))
    below = np.all(points[:, None, :] < points[None, :, :], axis=2)
    return Adjacency.from_bits(PairBits.from_matrix(below | below.T))


@pytest.mark.parametrize("dimension", [2, 3, 5])
def test_orients_posets(dimension: int) -> None:
    graph = poset_graph(120, dimension, seed=dimension)
    found = orient(graph)
    assert not isinstance(found, Obstruction)
    assert_is_transitive(found, networkx_of(graph))


def test_a_proof_is_refused_for_another_graph_or_when_altered() -> None:
    ring = adjacency(nx.cycle_graph(7))
    proof = orient(ring)
    assert isinstance(proof, Obstruction)
    assert proves(proof.arcs, ring)
    assert not proves(proof.arcs, adjacency(nx.complete_graph(7)))
    assert not proves(proof.arcs[:-1], ring)
    assert not proves([(0, 1)], ring)
    assert not proves([*proof.arcs[:2], *proof.arcs[3:]], ring)
    assert not proves([(0, 2), (2, 0)], ring)


def test_a_sample_settles_only_what_it_refutes(monkeypatch: pytest.MonkeyPatch) -> None:
    """As for large graphs, in small: twelve of thirty vertices are looked at first."""
    monkeypatch.setattr("pathveil.layering.orientation._SAMPLED_ABOVE", 20)
    monkeypatch.setattr("pathveil.layering.orientation._SAMPLE", 12)
    answers = Counter[bool]()
    for seed in range(12):
        graph = poset_graph(30, 2, seed) if seed % 2 else adjacency(nx.cycle_graph(31))
        few = _sample(graph)
        assert few is not None
        assert len(few) == 12
        able = transitive_order(graph) is not None
        assert isinstance(orient(graph), Obstruction) != able == bool(seed % 2)
        answers[able] += 1
    dense = adjacency(nx.gnp_random_graph(30, 0.5, seed=1))
    assert transitive_order(dense) is None
    proof = orient(dense)
    assert isinstance(proof, Obstruction)
    assert proves(proof.arcs, dense)
    assert _sample(poset_graph(20, 2, 1)) is None
    assert answers[True] == answers[False] == 6
