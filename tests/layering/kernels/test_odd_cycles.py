from __future__ import annotations

import itertools

import networkx as nx
import numpy as np

from pathveil.layering.adjacency import Adjacency
from pathveil.layering.bounds import _Bundles
from pathveil.layering.kernels.odd_cycles import odd_walks
from pathveil.layering.kernels.running import compiled
from tests.layering.graphs import adjacency, consistent, fixed_graphs, told

Walks = list[list[int]]


def walks_of(
    graph: Adjacency,
    weight: list[int],
    limit: int,
    *,
    disjoint: int = 0,
    room: int = 10_000,
    first: int = 0,
    work: int = 1 << 40,
    fast: bool = False,
) -> Walks:
    bundles = _Bundles.of(graph)
    search = compiled(odd_walks) if fast else odd_walks
    begins, members = search(
        bundles.starts, bundles.joined, bundles.owner, np.array(weight, dtype=np.int64), limit,
        disjoint, room, first, work,
    )  # fmt: skip
    return [sorted(members[a:b].tolist()) for a, b in itertools.pairwise(begins)]


def test_the_vertices_of_a_walk_cannot_all_be_whole() -> None:
    """Against the oracle for forced arcs, and none is missed where there is one."""
    found = 0
    for seed in range(25):
        graph = nx.gnp_random_graph(9, (0.3, 0.5)[seed % 2], seed=seed)
        walks = walks_of(adjacency(graph), [1] * 9, 60)
        assert bool(walks) != consistent(graph, list(graph))
        for walk in walks:
            assert not consistent(graph, walk)
            found += 1
    assert found > 50


def test_an_odd_ring_is_one_walk_for_each_of_its_vertices() -> None:
    ring = adjacency(nx.cycle_graph(7))
    assert walks_of(ring, [1] * 7, 8) == [list(range(7))] * 7
    assert walks_of(ring, [1] * 7, 7) == []  # lighter than the limit, not as light
    assert walks_of(adjacency(nx.cycle_graph(8)), [1] * 8, 100) == []


def test_the_lightest_walk_is_taken() -> None:
    """A pentagon and a heptagon share vertex 0; which is lighter depends on the weights."""
    graph = nx.cycle_graph(5)
    graph.add_edges_from([(0, 5), (5, 6), (6, 7), (7, 8), (8, 9), (9, 10), (10, 0)])
    lists = adjacency(graph)
    assert walks_of(lists, [1] * 11, 30)[0] == [0, 1, 2, 3, 4]
    heavy = [1] * 11
    heavy[2] = 9
    assert walks_of(lists, heavy, 30)[0] == [0, 5, 6, 7, 8, 9, 10]


def test_disjoint_walks_have_no_vertex_in_common() -> None:
    graph = nx.disjoint_union_all([nx.cycle_graph(5)] * 3)
    graph.add_edge(0, 5)
    walks = walks_of(adjacency(graph), [1] * 15, 12, disjoint=1)
    assert len(walks) == 3
    assert sum(map(len, walks)) == len({v for walk in walks for v in walk})


def test_room_and_work_are_kept_to_and_the_start_is_chosen() -> None:
    graph = adjacency(nx.disjoint_union(nx.cycle_graph(5), nx.cycle_graph(7)))
    everything = walks_of(graph, [1] * 12, 20)
    assert len(everything) == 12
    assert walks_of(graph, [1] * 12, 20, room=12) == everything[:2]
    assert walks_of(graph, [1] * 12, 20, first=5)[0] == list(range(5, 12))
    for work in (0, 1):  # the first is looked at in any case
        assert len(walks_of(graph, [1] * 12, 20, work=work)) == 1
    assert walks_of(graph, [1] * 12, 20, work=-1) == []


def test_plain_and_compiled_agree() -> None:
    graph = adjacency(nx.gnp_random_graph(20, 0.25, seed=4))
    weight = np.random.default_rng(1).integers(1, 9, 20).tolist()
    assert walks_of(graph, weight, 40) == walks_of(graph, weight, 40, fast=True)


WALKED = [
    "243e22f5f5a0",
    "c4aee2cd9b9a",
    "452114fd9317",
    "6616f6ff2dd1",
    "4ba6ff14a0b4",
    "7aae862d9459",
    "d8e4d690ea28",
]


def test_the_same_walks_are_found_on_every_machine_and_in_every_version() -> None:
    """Drawings are canonical: whoever changes these names redraws every file handed out before."""
    found = []
    for lists in fixed_graphs():
        weight = [1 + v * v % 4 for v in range(lists.size)]
        found.append(
            told(
                *(walk for walk in walks_of(lists, weight, 9)),
                *(walk for walk in walks_of(lists, weight, 30, disjoint=1)),
                *(walk for walk in walks_of(lists, weight, 14, first=3, work=400)),
                *(walk for walk in walks_of(lists, weight, 14, room=40)),
            )
        )
    assert found == WALKED
