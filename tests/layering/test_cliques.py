from __future__ import annotations

import networkx as nx

from pathveil.layering.cliques import clique_number_at_most


def test_clique_numbers_are_never_too_small() -> None:
    for seed in range(15):
        graph = nx.gnp_random_graph(25, 0.2 + seed % 4 / 5, seed=seed)
        masks = [sum(1 << w for w in graph[v]) for v in range(25)]
        expected = max(len(c) for c in nx.find_cliques(graph))
        assert clique_number_at_most(masks, branches=60_000) == expected
        assert clique_number_at_most(masks, branches=2) >= expected


def test_a_search_cut_short_answers_with_colours() -> None:
    """A ring of five needs three colours and has no triangle: the bound is above the truth."""
    ring = [sum(1 << w for w in nx.cycle_graph(5)[v]) for v in range(5)]
    # Two branches settle it: one finds an edge, one that the rest has no more colours.
    assert [clique_number_at_most(ring, branches=few) for few in range(4)] == [3, 3, 2, 2]
    assert clique_number_at_most([], branches=1) == 0
    assert clique_number_at_most([0, 0], branches=2) == 1
