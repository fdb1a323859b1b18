from __future__ import annotations

import itertools

import networkx as nx
import numpy as np

from pathveil.layering.kernels.forcing import (
    forced_chain_by_lists,
    forced_chain_by_rows,
    opposite_entries,
)
from pathveil.layering.kernels.running import compiled
from pathveil.layering.orientation import Obstruction
from tests.layering.graphs import adjacency, consistent, fixed_graphs, told


def test_opposite_entries_are_the_other_way_round() -> None:
    lists = adjacency(nx.gnp_random_graph(12, 0.4, seed=1))
    opposite = opposite_entries(lists.indptr, lists.indices)
    owner = np.repeat(np.arange(12), np.diff(lists.indptr))
    assert (owner[opposite] == lists.indices).all()
    assert (lists.indices[opposite] == owner).all()
    assert (compiled(opposite_entries)(lists.indptr, lists.indices) == opposite).all()


def test_both_searches_find_a_chain_exactly_where_there_is_one() -> None:
    answers = []
    for seed in range(40):
        graph = nx.gnp_random_graph(9, 0.3 + seed % 5 / 10, seed=seed)
        lists = adjacency(graph)
        if not len(lists.indices):
            continue
        tail = int(np.flatnonzero(np.diff(lists.indptr))[0])
        opposite = opposite_entries(lists.indptr, lists.indices)
        roots = np.arange(len(lists.indices), dtype=np.int64)
        whole = np.ones(9, dtype=np.bool_)
        chains = [
            forced_chain_by_lists(lists.indptr, lists.indices, opposite, whole, roots),
            forced_chain_by_rows(
                lists.rows, lists.edge_count, tail, int(lists.neighbours(tail)[0])
            ),
        ]
        expected = not consistent(graph, list(graph))
        answers.append(expected)
        for chain in chains:
            assert (len(chain) > 0) == expected
            assert chain.shape == (len(chain), 2)
            arcs = tuple((int(a), int(b)) for a, b in chain)
            assert not arcs or Obstruction(arcs).check(lists)
    assert 5 < sum(answers) < 35


def test_a_chain_turns_at_whole_vertices_only() -> None:
    turned = 0
    for seed in range(40):
        graph = nx.gnp_random_graph(9, 0.5, seed=seed)
        lists = adjacency(graph)
        opposite = opposite_entries(lists.indptr, lists.indices)
        roots = np.arange(len(lists.indices), dtype=np.int64)
        whole = np.random.default_rng(seed).random(9) < 0.7
        for search in (forced_chain_by_lists, compiled(forced_chain_by_lists)):
            chain = search(lists.indptr, lists.indices, opposite, whole, roots).tolist()
            assert (len(chain) > 0) != consistent(graph, np.flatnonzero(whole).tolist())
            for (a, b), (c, d) in itertools.pairwise(chain):
                assert whole[a] if a == c else whole[b]
                assert (a == c) != (b == d)
                turned += 1
    assert turned > 20


def test_only_the_roots_given_are_begun_with() -> None:
    """A square and a pentagon apart: the square's arcs lead to no contradiction."""
    graph = nx.disjoint_union(nx.cycle_graph(4), nx.cycle_graph(5))
    lists = adjacency(graph)
    opposite = opposite_entries(lists.indptr, lists.indices)
    whole = np.ones(9, dtype=np.bool_)
    square = np.arange(lists.indptr[4], dtype=np.int64)
    pentagon = np.array([lists.indptr[4]], dtype=np.int64)
    arguments = (lists.indptr, lists.indices, opposite, whole)
    assert len(forced_chain_by_lists(*arguments, square)) == 0
    chain = forced_chain_by_lists(*arguments, pentagon)
    assert len(chain) == 6
    assert chain[0].tolist() == chain[-1][::-1].tolist() == [4, 5]


FORCED = [
    "d90b19e8d15d",
    "0db0d6b885ba",
    "1f5a25cb525c",
    "8c2a32707967",
    "625a7ccc6cb9",
    "393f64424c11",
    "89d374a15a1e",
]


def test_the_same_chain_is_found_on_every_machine_and_in_every_version() -> None:
    """Drawings are canonical: whoever changes these names redraws every file handed out before."""
    found = []
    for lists in fixed_graphs():
        opposite = opposite_entries(lists.indptr, lists.indices)
        roots = np.arange(len(lists.indices), dtype=np.int64)[::-1].copy()
        parts: list[object] = [opposite]
        for skipped in (1, 2, 5):
            whole = np.arange(lists.size) % 5 != skipped
            chain = forced_chain_by_lists(lists.indptr, lists.indices, opposite, whole, roots)
            tail = int(lists.indices[0])
            rows = forced_chain_by_rows(
                lists.rows, lists.edge_count, tail, int(lists.neighbours(tail)[-1])
            )
            parts += [chain, rows]
        found.append(told(*parts))
    assert found == FORCED


def test_every_class_is_searched_wherever_the_search_begins() -> None:
    """Paths, whose arcs contradict nothing, before a ring of five; begun on the first path.

    The others lie in the second word of the rows, and there is no room to search an edge twice.
    """
    graph = nx.disjoint_union_all(
        [nx.path_graph(5), nx.empty_graph(60), nx.path_graph(5), nx.cycle_graph(5)]
    )
    lists = adjacency(graph)
    chain = forced_chain_by_rows(lists.rows, lists.edge_count, 1, 2)
    arcs = tuple((int(a), int(b)) for a, b in chain)
    assert Obstruction(arcs).check(lists)
    assert {v for arc in arcs for v in arc} == set(range(70, 75))
