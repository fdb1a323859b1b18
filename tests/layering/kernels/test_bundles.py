from __future__ import annotations

import networkx as nx

from pathveil.layering.kernels.forcing import neighbour_bundles
from tests.layering.graphs import adjacency, fixed_graphs, told


def test_bundles_are_the_co_components_of_neighbourhoods() -> None:
    graph = nx.gnp_random_graph(25, 0.5, seed=3)
    lists = adjacency(graph)
    bundle, first = neighbour_bundles(lists.indptr, lists.indices, 1 << 40)
    for v in range(25):
        own = bundle[lists.indptr[v] : lists.indptr[v + 1]]
        found = {frozenset(lists.neighbours(v)[own == b].tolist()) for b in own.tolist()}
        around = nx.complement(graph.subgraph(graph[v]))
        assert found == {frozenset(c) for c in nx.connected_components(around)}
        assert set(own.tolist()) == set(range(first[v], first[v + 1]))
    coarse, bounds = neighbour_bundles(lists.indptr, lists.indices, -1)
    assert bounds[-1] == len(set(coarse.tolist())) == 25


def test_the_first_neighbour_beyond_the_work_ends_it() -> None:
    """In a complete graph every neighbour is a bundle of its own, as far as they are looked at."""
    lists = adjacency(nx.complete_graph(4))
    firsts = [neighbour_bundles(lists.indptr, lists.indices, work)[1] for work in (-1, 0, 1 << 40)]
    assert [first.tolist() for first in firsts] == [
        [0, 1, 2, 3, 4],
        [0, 2, 3, 4, 5],
        [0, 3, 6, 9, 12],
    ]


BUNDLED = [
    "3141da8aba38",
    "586749608345",
    "60d4e59edc63",
    "546ef53eb0a8",
    "4c1ac50766ee",
    "06e174eba38c",
    "988209802f15",
]


def test_the_same_graph_is_bundled_alike_on_every_machine_and_in_every_version() -> None:
    """Drawings are canonical: whoever changes these names redraws every file handed out before."""
    found = []
    for lists in fixed_graphs():
        works = (1 << 40, 20, 100)
        parts = [neighbour_bundles(lists.indptr, lists.indices, work) for work in works]
        found.append(told(*(array for pair in parts for array in pair)))
    assert found == BUNDLED
