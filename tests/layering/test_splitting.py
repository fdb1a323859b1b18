from __future__ import annotations

from itertools import combinations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings

from pathveil.layering.adjacency import Adjacency
from pathveil.layering.annealing import cooling
from pathveil.layering.bounds import exact_minimum, lower_bound
from pathveil.layering.cliques import clique_number_at_most
from pathveil.layering.kernels.annealing import anneal_order, renumber, settle
from pathveil.layering.kernels.forcing import opposite_entries
from pathveil.layering.kernels.running import compiled
from pathveil.layering.kernels.signs import anneal_bundles, forced_order, neighbour_bundles
from pathveil.layering.kernels.splitting import (
    bad_by_lists,
    bad_by_rows,
    co_components,
    components,
)
from pathveil.layering.pieces import Split, bad_vertices, layered_arcs
from pathveil.layering.splitting import split_order
from tests.layering.graphs import adjacency, consistent, families, graphs, networkx_of


def fewest_cut(graph: nx.Graph[int]) -> int:
    """The minimum by trying every set of cut vertices, smallest first, on the forced arcs alone."""
    for count in range(len(graph)):
        for cut in combinations(graph, count):
            if consistent(graph, set(graph) - set(cut)):
                return count
    raise AssertionError("cutting every vertex always helps")


def assert_layers_the_graph(graph: Adjacency, split: Split) -> None:
    """The pieces' closure, read as pairs of vertices, is the graph, each edge drawn once."""
    vertex, piece, arcs = layered_arcs(graph, split)
    assert len(vertex) == split.pieces
    assert vertex.tolist() == sorted([*range(graph.size), *np.flatnonzero(split.bad).tolist()])
    assert piece.sum() == split.bad.sum()
    diagram: nx.DiGraph[int] = nx.DiGraph()
    diagram.add_nodes_from(range(len(vertex)))
    diagram.add_edges_from(map(tuple, arcs.tolist()))
    assert len(arcs) == diagram.number_of_edges()
    closure = nx.transitive_closure_dag(diagram)
    drawn = sorted(tuple(sorted((int(vertex[a]), int(vertex[b])))) for a, b in closure.edges)
    assert drawn == [tuple(p) for p in graph.pairs().tolist()]
    assert nx.transitive_reduction(diagram).edges == diagram.edges
    for node in np.flatnonzero(split.bad[vertex]).tolist():
        # Piece 0 takes the earlier neighbours and is a lower end, piece 1 an upper end.
        ends = diagram.out_degree(node) if piece[node] == 0 else diagram.in_degree(node)
        assert ends == 0
        assert diagram.degree(node) > 0


def test_every_small_graph_is_cut_as_little_as_can_be() -> None:
    for graph in nx.graph_atlas_g()[1:]:
        lists = adjacency(graph)
        split = split_order(lists)
        assert split.bad.sum() == fewest_cut(graph)
        assert_layers_the_graph(lists, split)
        assert lower_bound(lists) == split.pieces


@given(graphs(largest=26))
@settings(deadline=None, max_examples=120)
def test_the_pieces_are_a_layering_of_the_graph(graph: nx.Graph[int]) -> None:
    lists = adjacency(graph)
    split = split_order(lists, effort="quick")
    assert sorted(split.order.tolist()) == list(range(lists.size))
    assert (split.bad == bad_vertices(lists, split.order)).all()
    assert split.bad.any() != consistent(graph, list(graph))
    assert_layers_the_graph(lists, split)
    again = split_order(Adjacency.from_pairs(lists.size, lists.pairs()[::-1]), effort="quick")
    assert (split.order == again.order).all()
    assert lower_bound(lists, rounds=3) <= split.pieces


@pytest.mark.parametrize("seed", [1, 2])
def test_families_are_layered_near_the_limit(seed: int) -> None:
    for name, graph in families(60, seed):
        lists = adjacency(graph)
        split = split_order(lists)
        assert_layers_the_graph(lists, split)
        limit = 1.6 if name in {"dense", "very dense"} else 1.2 if name == "middling" else 1.1
        assert split.pieces <= limit * lower_bound(lists), name


def well_known() -> dict[str, tuple[nx.Graph[int], int | None]]:
    return {
        "karate": (nx.karate_club_graph(), 6),
        "les miserables": (nx.les_miserables_graph(), 8),
        "small world": (nx.watts_strogatz_graph(100, 6, 0.1, seed=1), None),
        "caveman": (nx.relaxed_caveman_graph(10, 10, 0.1, seed=1), None),
        "geometric": (nx.random_geometric_graph(100, 0.16, seed=1), None),
    }


@pytest.mark.parametrize("name", list(well_known()))
def test_known_graphs_are_cut_as_little_as_can_be(name: str) -> None:
    graph, expected = well_known()[name]
    lists = adjacency(graph)
    split = split_order(lists)
    lower, upper, best = exact_minimum(lists, 5.0)
    assert lower <= upper == best.pieces <= split.pieces
    assert lower == upper == split.pieces
    assert expected is None or split.bad.sum() == expected
    assert lower_bound(lists) <= lower
    assert_layers_the_graph(lists, best)


def test_the_exact_minimum_goes_by_parts() -> None:
    small = nx.disjoint_union(nx.cycle_graph(5), nx.complete_bipartite_graph(3, 3))
    lower, upper, split = exact_minimum(adjacency(small))
    assert lower == upper == split.pieces == 12
    joined = nx.complement(nx.disjoint_union(nx.cycle_graph(5), nx.cycle_graph(5)))
    assert exact_minimum(adjacency(joined))[:2] == (12, 12)
    assert exact_minimum(Adjacency.from_pairs(0, []))[:2] == (0, 0)


def test_effort_is_a_word_or_a_number() -> None:
    ring = adjacency(nx.cycle_graph(21))
    assert split_order(ring, effort="thorough").pieces == 22
    assert split_order(ring, effort=50_000).pieces == 22
    with pytest.raises(ValueError, match="none of quick, auto, thorough"):
        split_order(ring, effort="some")
    assert split_order(Adjacency.from_pairs(0, [])).pieces == 0


def test_an_order_that_needs_more_cuts_is_refused() -> None:
    ring = adjacency(nx.cycle_graph(5))
    with pytest.raises(ValueError, match="mark it bad"):
        layered_arcs(ring, Split(np.arange(5, dtype=np.int32), np.zeros(5, dtype=np.bool_)))


def test_dense_random_graphs_stay_below_two_pieces_each() -> None:
    source = np.random.default_rng(5)
    upper = np.triu(source.random((400, 400)) < 0.5, 1)
    graph = Adjacency.from_pairs(400, np.argwhere(upper))
    split = split_order(graph)
    assert 1.9 * 400 < split.pieces < 1.95 * 400
    vertex, _, arcs = layered_arcs(graph, split)
    assert len(vertex) == split.pieces
    assert len(arcs) <= graph.edge_count
    assert lower_bound(graph) >= 1.3 * 400


def test_both_ways_to_find_bad_vertices_agree_with_the_definition() -> None:
    for seed in range(30):
        graph = nx.gnp_random_graph(20, 0.1 + seed % 9 / 10, seed=seed)
        lists = adjacency(graph)
        order = np.random.default_rng(seed).permutation(20).astype(np.int32)
        rank = np.argsort(order).astype(np.int32)
        expected = [
            any(
                (rank[a] < rank[v]) != (rank[b] < rank[v]) and not graph.has_edge(a, b)
                for a, b in combinations(graph[v], 2)
            )
            for v in range(20)
        ]
        assert bad_by_lists(lists.indptr, lists.indices, rank).tolist() == expected
        assert bad_by_rows(lists.indptr, lists.indices, lists.rows, order).tolist() == expected


def test_parts_are_the_components_of_graph_and_complement() -> None:
    for seed in range(20):
        graph = nx.gnp_random_graph(15, 0.08 if seed % 2 else 0.9, seed=seed)
        lists = adjacency(graph)
        for kernel, expected in ((components, graph), (co_components, nx.complement(graph))):
            label = kernel(lists.indptr, lists.indices)
            found = {frozenset(np.flatnonzero(label == k).tolist()) for k in label.tolist()}
            assert found == {frozenset(c) for c in nx.connected_components(expected)}


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


def test_plain_and_compiled_kernels_agree() -> None:
    for seed, (_, graph) in enumerate(families(20, 4)):
        lists = adjacency(graph)
        indptr, indices = lists.indptr, lists.indices
        opposite = opposite_entries(indptr, indices)
        parts = neighbour_bundles(indptr, indices, 1 << 30)
        for plain, fast in zip(
            parts, compiled(neighbour_bundles)(indptr, indices, 1 << 30), strict=True
        ):
            assert (plain == fast).all()
        arguments = (indptr, indices, opposite, *parts, seed, 60_000, cooling(1 << 18, 48))
        whole = anneal_bundles(*arguments)
        assert (whole == compiled(anneal_bundles)(*arguments)).all()
        order = forced_order(indptr, indices, opposite, whole)
        assert (order == compiled(forced_order)(indptr, indices, opposite, whole)).all()
        cold = (indptr, indices, order, seed, 60_000, cooling(1 << 16, 48))
        key = anneal_order(*cold)
        assert (key == compiled(anneal_order)(*cold)).all()
        settled, quickly = key.copy(), key.copy()
        settle(indptr, indices, settled, 60_000)
        compiled(settle)(indptr, indices, quickly, 60_000)
        assert (settled == quickly).all()


def test_keys_are_renumbered_in_order() -> None:
    key = np.random.default_rng(1).integers(0, 20, 50)
    order = np.argsort(key, kind="stable")
    renumber(key)
    assert (np.argsort(key) == order).all()
    assert (np.diff(key[order]) > 0).all()


def test_settling_spares_cover_arcs_and_cuts_no_more() -> None:
    fewer = 0
    for _, graph in families(40, 6):
        lists = adjacency(graph)
        order = np.random.default_rng(1).permutation(lists.size).astype(np.int32)
        key = np.argsort(order) * (1 << 40)
        settle(lists.indptr, lists.indices, key, 10**7)
        settled = np.argsort(key, kind="stable").astype(np.int32)
        before, after = (Split(o, bad_vertices(lists, o)) for o in (order, settled))
        assert after.pieces <= before.pieces
        fewer += len(layered_arcs(lists, after)[2]) < len(layered_arcs(lists, before)[2])
        assert_layers_the_graph(lists, after)
    assert fewer >= 4


def test_cooling_falls_from_first_to_last() -> None:
    ladder = cooling(1 << 19, 64)
    assert (ladder[:, 0] == 1 << 20).all()
    assert ladder[0, 1] == 1 << 19
    assert 60 <= ladder[-1, 1] <= 64
    assert (np.diff(ladder[:, 1]) < 0).all()


def test_clique_numbers_are_never_too_small() -> None:
    for seed in range(15):
        graph = nx.gnp_random_graph(25, 0.2 + seed % 4 / 5, seed=seed)
        masks = [sum(1 << w for w in graph[v]) for v in range(25)]
        expected = max(len(c) for c in nx.find_cliques(graph))
        assert clique_number_at_most(masks) == expected
        assert clique_number_at_most(masks, branches=2) >= expected
    assert networkx_of(adjacency(nx.path_graph(3))).number_of_edges() == 2
