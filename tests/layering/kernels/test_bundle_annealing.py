from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np

from pathveil.layering.adjacency import Adjacency, Int32Array, Int64Array
from pathveil.layering.exact import bad_vertices, cooling
from pathveil.layering.kernels.bundle_annealing import (
    Bundled,
    anneal_bundles,
    forced_directions,
    forced_order,
    happens,
    neighbour_bundles,
    next_below,
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


def test_vertices_left_whole_force_no_contradiction() -> None:
    """Against the oracle for forced arcs: the signs are a proof that these may stay whole."""
    for seed, (_, graph) in enumerate(families(20, 4)):
        lists = adjacency(graph)
        whole, spent = annealed(lists, seed=seed)
        assert consistent(networkx_of(lists), np.flatnonzero(whole).tolist())
        assert set(whole.tolist()) <= {0, 1}
        assert spent > 0


def test_few_are_cut_and_none_where_none_need_be() -> None:
    assert annealed(adjacency(nx.complete_bipartite_graph(5, 6)))[0].all()
    assert annealed(adjacency(nx.cycle_graph(15)))[0].sum() == 14
    karate = annealed(adjacency(nx.karate_club_graph()), work=300_000)[0]
    assert 6 <= (karate == 0).sum() <= 7


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


def test_a_failed_attempt_leaves_everything_as_it_was() -> None:
    """More attempts never cut more: each keeps what it found or puts it back."""
    graph = adjacency(nx.gnp_random_graph(40, 0.2, seed=2))
    kept = [int(annealed(graph, patience=p, work=1 << 30)[0].sum()) for p in (1, 4, 16)]
    assert kept == sorted(kept)


def test_forced_directions_agree_with_each_other_at_whole_centres() -> None:
    for seed in range(10):
        graph = nx.gnp_random_graph(14, 0.4, seed=seed)
        lists = adjacency(graph)
        opposite = opposite_entries(lists.indptr, lists.indices)
        whole, _ = annealed(lists, seed=seed)
        direction = forced_directions(lists.indptr, lists.indices, opposite, whole)
        assert (direction[opposite] == -direction).all()
        owner = np.repeat(np.arange(14), np.diff(lists.indptr))
        pointed = (whole[owner] == 1) | (whole[lists.indices] == 1)
        assert ((direction != 0) == pointed).all()
        for v in np.flatnonzero(whole).tolist():
            entries = range(lists.indptr[v], lists.indptr[v + 1])
            for k in entries:
                for q in entries:
                    a, b = int(lists.indices[k]), int(lists.indices[q])
                    if a != b and not graph.has_edge(a, b):
                        assert direction[k] == direction[q]


class Noted(list[int]):
    """Numbers that count how often one of them is read."""

    reads = 0

    def __getitem__(self, place: Any) -> Any:
        self.reads += 1
        return super().__getitem__(place)


def test_the_list_of_a_centre_whose_arcs_all_point_is_not_read_again() -> None:
    """Else pointing would take the square of the degree. Counted in looks round a centre."""

    def reads(graph: nx.Graph[int], whole: int) -> int:
        lists = adjacency(graph)
        opposite = opposite_entries(lists.indptr, lists.indices)
        starts = Noted(lists.indptr.tolist())
        flags = np.full(lists.size, whole, dtype=np.int32)
        forced_directions(starts, lists.indices, opposite, flags)  # type: ignore[arg-type]
        return starts.reads

    def looks(graph: nx.Graph[int]) -> int:
        return reads(graph, 1) - reads(graph, 0)

    one = looks(nx.star_graph(2))
    assert one > 0
    assert looks(nx.star_graph(9)) == one
    # The ends of the first edge, and everybody else on one of the sides.
    for size in (3, 8):
        assert looks(nx.complete_bipartite_graph(size, size)) == (size + 1) * one


def test_the_order_follows_the_directions_and_breaks_circles_at_cut_vertices() -> None:
    ring = adjacency(nx.cycle_graph(3))
    # 0 -> 1 -> 2 -> 0: entries are 0:(1, 2), 1:(0, 2), 2:(0, 1).
    circle = np.array([1, -1, -1, 1, 1, -1], dtype=np.int32)
    for cut in range(3):
        whole = np.ones(3, dtype=np.int32)
        whole[cut] = 0
        order = order_along(ring.indptr, ring.indices, circle, whole).tolist()
        assert order == [cut, (cut + 1) % 3, (cut + 2) % 3]
    assert sorted(order_along(ring.indptr, ring.indices, circle, np.ones(3, np.int32))) == [0, 1, 2]


def test_an_order_of_what_is_forced_cuts_no_whole_vertex() -> None:
    for seed, (name, graph) in enumerate(families(20, 5)):
        lists = adjacency(graph)
        opposite = opposite_entries(lists.indptr, lists.indices)
        whole, _ = annealed(lists, seed=seed)
        order = forced_order(lists.indptr, lists.indices, opposite, whole)
        assert sorted(order.tolist()) == list(range(lists.size))
        assert not (bad_vertices(lists, order) & (whole == 1)).any(), name
        assert networkx_of(lists).number_of_edges() == lists.edge_count


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


def test_every_circle_is_broken_at_a_cut_vertex_of_its_own() -> None:
    """Two rings 0 -> 1 -> 2 -> 0 and 3 -> 4 -> 5 -> 3, nothing between them."""
    rings = adjacency(nx.disjoint_union(nx.cycle_graph(3), nx.cycle_graph(3)))
    circles = np.array([1, -1, -1, 1, 1, -1] * 2, dtype=np.int32)
    for cut, expected in (
        ((0, 3), [0, 1, 2, 3, 4, 5]),
        ((2, 4), [2, 0, 1, 4, 5, 3]),
        ((5,), [5, 3, 4, 0, 1, 2]),
        ((), [0, 1, 2, 3, 4, 5]),
    ):
        whole = np.ones(6, dtype=np.int32)
        whole[list(cut)] = 0
        assert order_along(rings.indptr, rings.indices, circles, whole).tolist() == expected


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


def test_numbers_are_drawn_evenly_below_the_bound_and_never_end() -> None:
    state = np.array([1], dtype=np.int64)
    drawn = [next_below(state, 10) for _ in range(2_000)]
    assert set(drawn) == set(range(10))
    assert all(150 <= drawn.count(value) <= 250 for value in range(10))
    assert 0 < state[0] < 1 << 32
    twin = np.array([1], dtype=np.int64)
    assert [compiled(next_below)(twin, 1 << 30) for _ in range(3)] == [
        411863116,
        1024954755,
        1035992413,
    ]
    assert twin[0] == 2647435461, "Marsaglia's third number after 1"
    twin[0] = 1
    assert [compiled(next_below)(twin, 10) for _ in range(2_000)] == drawn


def test_what_has_all_chances_happens_and_what_has_none_does_not() -> None:
    for seed in range(1, 40):
        state = np.array([seed], dtype=np.int64)
        assert happens(state, 1, 1)
        assert not happens(state, 0, 1)
        twin = state.copy()
        assert happens(state, 2, 4) == (next_below(twin, 4) in {0, 1})
