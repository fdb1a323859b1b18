from __future__ import annotations

import networkx as nx
import numpy as np

from pathveil.layering.kernels.forcing import chain_of, forced_chain, opposite_entries
from pathveil.layering.kernels.running import compiled
from tests.layering.graphs import adjacency, consistent, proves


def test_opposite_entries_are_the_other_way_round() -> None:
    lists = adjacency(nx.gnp_random_graph(12, 0.4, seed=1))
    opposite = opposite_entries(lists.indptr, lists.indices)
    owner = np.repeat(np.arange(12), np.diff(lists.indptr))
    assert (owner[opposite] == lists.indices).all()
    assert (lists.indices[opposite] == owner).all()
    assert (compiled(opposite_entries)(lists.indptr, lists.indices) == opposite).all()


def test_a_chain_is_found_exactly_where_there_is_one() -> None:
    answers = []
    for seed in range(40):
        graph = nx.gnp_random_graph(9, 0.3 + seed % 5 / 10, seed=seed)
        lists = adjacency(graph)
        opposite = opposite_entries(lists.indptr, lists.indices)
        roots = np.arange(len(lists.indices), dtype=np.int64)
        chain = chain_of(forced_chain(lists.indptr, lists.indices, opposite, roots))
        assert (len(chain) > 0) != consistent(graph, list(graph))
        assert not chain or proves(tuple(chain), lists)
        twin = compiled(forced_chain)(lists.indptr, lists.indices, opposite, roots)
        assert chain_of(twin) == chain
        answers.append(len(chain) > 0)
    assert 5 < sum(answers) < 35


def test_only_the_roots_given_are_begun_with() -> None:
    """A square and a pentagon apart: the square's arcs lead to no contradiction."""
    graph = nx.disjoint_union(nx.cycle_graph(4), nx.cycle_graph(5))
    lists = adjacency(graph)
    arguments = (lists.indptr, lists.indices, opposite_entries(lists.indptr, lists.indices))
    square = np.arange(lists.indptr[4], dtype=np.int64)
    pentagon = np.array([lists.indptr[4]], dtype=np.int64)
    assert not chain_of(forced_chain(*arguments, square))
    chain = chain_of(forced_chain(*arguments, pentagon))
    assert len(chain) == 6
    assert chain[0] == chain[-1][::-1] == (4, 5)
