from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

from pathveil.layering.adjacency import Adjacency
from pathveil.model.bits import PairBits
from tests.layering.graphs import adjacency, lists_of


def test_says_the_same_however_it_is_made() -> None:
    for share, seed in ((0.01, 1), (0.5, 2), (0.95, 3)):
        graph = nx.gnp_random_graph(90, share, seed=seed)
        pairs = [(min(e), max(e)) for e in graph.edges]
        made = Adjacency.from_pairs(90, pairs)
        twice = Adjacency.from_pairs(90, [(v, u) for u, v in reversed(pairs)] + pairs[:3])
        for other in (Adjacency.from_bits(PairBits.from_pairs(90, pairs)), twice):
            assert lists_of(other) == lists_of(made)
        assert [tuple(p) for p in made.pairs().tolist()] == sorted(pairs)
        some = np.flatnonzero(np.arange(90) % 3 == 0).astype(np.int32)
        part = adjacency(graph.subgraph(some.tolist()))
        assert lists_of(made.induced(some)) == lists_of(part)


def test_a_graph_may_have_no_vertices() -> None:
    nothing = Adjacency.from_pairs(0, [])
    assert (nothing.size, nothing.edge_count, nothing.pairs().shape) == (0, 0, (0, 2))


def test_refuses_what_is_no_simple_graph() -> None:
    with pytest.raises(ValueError, match="paired with itself"):
        Adjacency.from_pairs(3, [(1, 1)])
    with pytest.raises(ValueError, match="leaves the 3 vertices"):
        Adjacency.from_pairs(3, [(1, 3)])
    with pytest.raises(TypeError, match="int64 starts"):
        Adjacency(np.zeros(2, np.int32), np.zeros(0, np.int32))
    with pytest.raises(ValueError, match="must end with"):
        Adjacency(np.ones(2, np.int64), np.zeros(0, np.int32))


def test_neighbours_are_found_and_keyed_by_the_graph_alone() -> None:
    path = Adjacency.from_pairs(4, [(0, 1), (1, 2), (2, 3)])
    assert path.neighbours(2).tolist() == [1, 3]
    assert path.key == Adjacency.from_pairs(4, [(2, 3), (1, 0), (2, 1)]).key
    assert path.key != Adjacency.from_pairs(4, [(0, 1), (1, 2), (1, 3)]).key
    assert 0 <= path.key < 1 << 31
    keys = [Adjacency.from_pairs(9, [(0, 1), (1, v)]).key for v in range(2, 9)]
    assert len(set(keys)) == 7
    assert all(0 <= key < 1 << 31 for key in keys)
    with pytest.raises(ValueError, match="read-only"):
        path.indices[0] = 3
    with pytest.raises(ValueError, match="read-only"):
        path.indptr[0] = 3
    assert repr(path) == "<Adjacency: 4 vertices, 3 edges>"
