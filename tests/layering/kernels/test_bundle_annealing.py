from __future__ import annotations

import networkx as nx
import numpy as np

from pathveil.layering.adjacency import Adjacency, Int32Array, Int64Array
from pathveil.layering.exact import bad_vertices, cooling
from pathveil.layering.kernels.bundle_annealing import (
    Bundled,
    anneal_bundles,
    forced_directions,
    forced_order,
    neighbour_bundles,
    order_along,
)
from pathveil.layering.kernels.forcing import opposite_entries
from pathveil.layering.kernels.running import compiled
from tests.layering.graphs import (
    adjacency,
    consistent,
    families,
    fixed_graph,
    fixed_graphs,
    networkx_of,
    told,
)

LADDER = cooling(1 << 18, 48)
SIGNED = [
    "5af3881362f4",
    "1a3a25274dc9",
    "971cb868030a",
    "50c034832958",
    "87330dd2981f",
    "a741b970195f",
    "36d6e4e743be",
    "f5b500e8098f",
]


def annealed(
    graph: Adjacency,
    *,
    share: int = 5_000,
    patience: int = 6,
    work: int = 60_000,
    seed: int = 1,
    ladder: Int64Array = LADDER,
) -> tuple[Int32Array, int]:
    opposite = opposite_entries(graph.indptr, graph.indices)
    parts = neighbour_bundles(graph.indptr, graph.indices, 1 << 30)
    bundled = Bundled(graph.indptr, graph.indices, opposite, *parts)
    return anneal_bundles(bundled, seed, share, patience, work, ladder)


def test_a_ladder_that_is_shared_cannot_be_changed() -> None:
    assert cooling(1 << 18, 48) is LADDER
    assert not LADDER.flags.writeable


def test_vertices_left_whole_force_no_contradiction() -> None:
    """Against the oracle for forced arcs: the signs are a proof that these may stay whole."""
    for seed, (_, graph) in enumerate(families(20, 4)):
        lists = adjacency(graph)
        whole, spent = annealed(lists, seed=seed)
        assert consistent(networkx_of(lists), np.flatnonzero(whole).tolist())
        assert set(whole.tolist()) <= {0, 1}
        assert spent > 0


def test_patience_and_work_end_it() -> None:
    graph = adjacency(nx.gnp_random_graph(30, 0.5, seed=1))
    idle = annealed(graph, patience=1, work=1 << 30)[1]
    stubborn = annealed(graph, patience=30, work=1 << 30)[1]
    assert idle < stubborn < 1 << 24
    assert annealed(graph, patience=1 << 30, work=20_000)[1] < 120_000
    for patience, work in ((0, 20_000), (6, 0)):
        whole, spent = annealed(graph, patience=patience, work=work)
        assert not whole.any()
        assert spent == 0
    # Nobody is left to be tried once all are whole, whatever may still be spent.
    whole, spent = annealed(adjacency(nx.complete_bipartite_graph(5, 6)), patience=1 << 30)
    assert whole.all()
    assert spent < 5_000


def test_an_order_of_what_is_forced_cuts_no_whole_vertex() -> None:
    for seed, (name, graph) in enumerate(families(20, 5)):
        lists = adjacency(graph)
        opposite = opposite_entries(lists.indptr, lists.indices)
        whole, _ = annealed(lists, seed=seed)
        order = forced_order(lists.indptr, lists.indices, opposite, whole)
        assert sorted(order.tolist()) == list(range(lists.size))
        assert not (bad_vertices(lists, order) & (whole == 1)).any(), name
        assert networkx_of(lists).number_of_edges() == lists.edge_count


def test_a_circle_is_broken_at_a_cut_vertex_and_else_anywhere() -> None:
    """Vertex 0 points at a circle of the three others."""
    lists = Adjacency.from_pairs(4, [(0, 1), (1, 2), (2, 3), (1, 3)])
    direction = np.array([1, -1, 1, -1, -1, 1, 1, -1], np.int32)
    for cut, order in ((2, [0, 2, 3, 1]), (3, [0, 3, 1, 2]), (None, [0, 1, 2, 3])):
        whole = np.array([v != cut for v in range(4)], np.int32)
        found = order_along(lists.indptr, lists.indices, direction, whole)
        assert found.tolist() == order


def test_the_same_graph_is_signed_alike_on_every_machine_and_in_every_version() -> None:
    """Drawings are canonical: whoever changes these names redraws every file handed out before."""
    found = []
    # In the last an attempt begins with a part of the vertices, and others join it.
    for seed, lists in enumerate((*fixed_graphs(), fixed_graph(150, 3, 7))):
        opposite = opposite_entries(lists.indptr, lists.indices)
        parts = neighbour_bundles(lists.indptr, lists.indices, (1 << 30, 60)[seed % 2])
        work = max(6_000, 200 * lists.size)
        short = annealed(lists, share=300, patience=1 << 20, work=work, seed=seed)
        long = annealed(lists, share=2_000, patience=5, work=1 << 30, seed=seed + 1)
        direction = forced_directions(lists.indptr, lists.indices, opposite, short[0])
        order = order_along(lists.indptr, lists.indices, direction, short[0])
        found.append(told(*parts, *short, *long, direction, order))
    assert found == SIGNED


def test_plain_and_compiled_agree() -> None:
    for seed, (_, graph) in enumerate(families(20, 4)):
        lists = adjacency(graph)
        indptr, indices = lists.indptr, lists.indices
        opposite = opposite_entries(indptr, indices)
        parts = neighbour_bundles(indptr, indices, 1 << 30)
        for plain, fast in zip(
            parts, compiled(neighbour_bundles)(indptr, indices, 1 << 30), strict=True
        ):
            assert (plain == fast).all()
        bundled = Bundled(indptr, indices, opposite, *parts)
        arguments = (bundled, seed, 3_000, 2, 9_000, LADDER)
        whole, spent = anneal_bundles(*arguments)
        again, same = compiled(anneal_bundles)(*arguments)
        assert (whole == again).all()
        assert spent == same
        order = forced_order(indptr, indices, opposite, whole)
        assert (order == compiled(forced_order)(indptr, indices, opposite, whole)).all()


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
