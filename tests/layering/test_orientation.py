from __future__ import annotations

import subprocess
import sys
from collections import Counter

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings

from pathveil.layering.adjacency import Adjacency
from pathveil.layering.kernels.forcing import (
    forced_chain_by_lists,
    forced_chain_by_rows,
    opposite_entries,
)
from pathveil.layering.kernels.partition import co_lexbfs, vertex_partition
from pathveil.layering.kernels.partition import relabelled as renamed
from pathveil.layering.kernels.reduction import later_lists, reduce_by_lists, reduce_by_rows
from pathveil.layering.kernels.running import compiled
from pathveil.layering.orientation import (
    Obstruction,
    Orientation,
    orient,
    reduce_order,
    transitive_order,
)
from pathveil.model.bits import PairBits
from tests.layering.graphs import adjacency, consistent, graphs, networkx_of, relabelled


def assert_is_hasse_diagram(found: Orientation, graph: nx.Graph[int]) -> None:
    diagram: nx.DiGraph[int] = nx.DiGraph()
    diagram.add_nodes_from(range(len(graph)))
    diagram.add_edges_from(map(tuple, found.covers.tolist()))
    closure = nx.transitive_closure(diagram)
    assert {frozenset(e) for e in closure.edges} == {frozenset(e) for e in graph.edges}
    assert nx.transitive_reduction(diagram).edges == diagram.edges
    assert all(found.position[u] < found.position[v] for u, v in diagram.edges)


def test_agrees_with_the_oracle_on_every_small_graph() -> None:
    yes: Counter[int] = Counter()
    for number, graph in enumerate(nx.graph_atlas_g()[1:]):
        expected = consistent(graph, list(graph))
        yes[len(graph)] += expected
        for seed in (number, number + 5000):
            mixed = relabelled(graph, seed)
            found = orient(adjacency(mixed))
            if expected:
                assert isinstance(found, Orientation)
                assert_is_hasse_diagram(found, mixed)
            else:
                assert isinstance(found, Obstruction)
                assert found.check(adjacency(mixed))
    assert [yes[n] for n in range(1, 8)] == [1, 2, 4, 11, 33, 144, 824]


@given(graphs(largest=30))
@settings(deadline=None, max_examples=150)
def test_says_yes_with_a_diagram_or_no_with_a_proof(graph: nx.Graph[int]) -> None:
    lists = adjacency(graph)
    found = orient(lists)
    order = transitive_order(lists)
    assert isinstance(found, Orientation) == consistent(graph, list(graph)) == (order is not None)
    if isinstance(found, Orientation):
        assert_is_hasse_diagram(found, graph)
        assert order is not None
        nothing_cut = np.zeros(lists.size, dtype=np.bool_)
        assert reduce_order(lists, order, nothing_cut).broken is None
    else:
        assert found.check(lists)


def poset_graph(size: int, dimension: int, seed: int) -> Adjacency:
    points = np.random.default_rng(seed).random((size, dimension))
    below = np.all(points[:, None, :] < points[None, :, :], axis=2)
    return Adjacency.from_bits(PairBits.from_matrix(below | below.T))


@pytest.mark.parametrize("dimension", [2, 3, 5])
def test_orients_posets(dimension: int) -> None:
    graph = poset_graph(120, dimension, seed=dimension)
    found = orient(graph)
    assert isinstance(found, Orientation)
    assert_is_hasse_diagram(found, networkx_of(graph))


def test_orients_a_three_layer_poset_through_bit_rows() -> None:
    # Half the arcs from top to middle to bottom are covers, which makes neighbour lists too long.
    source = np.random.default_rng(1)
    top = source.random((100, 200)) < 0.5
    low = source.random((200, 100)) < 0.5
    matrix = np.zeros((400, 400), dtype=bool)
    matrix[:100, 100:300], matrix[100:300, 300:] = top, low
    matrix[:100, 300:] = (top.astype(int) @ low.astype(int)) > 0
    graph = Adjacency.from_bits(PairBits.from_matrix(matrix | matrix.T))
    found = orient(graph)
    assert isinstance(found, Orientation)
    expected = int(top.sum() + low.sum())
    assert len(found.covers) == expected


def test_agrees_with_passagemath() -> None:
    pytest.importorskip("sage.graphs.comparability")
    import sage.all__sagemath_graphs
    from sage.graphs.comparability import is_comparability
    from sage.graphs.graph import Graph

    assert sage.all__sagemath_graphs
    answers = Counter[bool]()
    for seed in range(200):
        size = 20 + seed * 7 % 61
        kind = seed % 4
        if kind == 0:
            graph = networkx_of(poset_graph(size, 2 + seed % 3, seed))
        elif kind == 1:
            graph = networkx_of(poset_graph(size, 2, seed))
            graph.remove_edge(*list(graph.edges)[seed % graph.number_of_edges()])
        elif kind == 2:
            graph = nx.gnp_random_graph(size, 1.5 / size, seed=seed)
        else:
            graph = nx.bipartite.random_graph(size // 2, size - size // 2, 0.2, seed=seed)
        peer = Graph()
        peer.add_vertices(range(size))
        peer.add_edges(list(graph.edges))
        expected = bool(is_comparability(peer, certificate=False, check=False))
        assert isinstance(orient(adjacency(graph)), Orientation) == expected
        answers[expected] += 1
    assert min(answers[True], answers[False]) >= 30


def test_a_proof_is_refused_for_another_graph_or_when_altered() -> None:
    ring = adjacency(nx.cycle_graph(7))
    proof = orient(ring)
    assert isinstance(proof, Obstruction)
    assert proof.check(ring)
    assert not proof.check(adjacency(nx.complete_graph(7)))
    assert not Obstruction(proof.arcs[:-1]).check(ring)
    assert not Obstruction(((0, 1),)).check(ring)
    assert not Obstruction((*proof.arcs[:2], *proof.arcs[3:])).check(ring)
    assert not Obstruction(((0, 2), (2, 0))).check(ring)
    lines = proof.describe("abcdefg").splitlines()
    assert len(lines) == len(proof.arcs) + 1
    assert all(line.startswith("Then ") for line in lines[1:-1])
    assert proof.describe() != proof.describe("abcdefg")


def test_both_searches_for_a_proof_find_one_or_none_alike() -> None:
    for seed in range(40):
        graph = adjacency(nx.gnp_random_graph(9, 0.3 + seed % 5 / 10, seed=seed))
        if not len(graph.indices):
            continue
        tail = int(np.flatnonzero(np.diff(graph.indptr))[0])
        head = int(graph.neighbours(tail)[0])
        opposite = opposite_entries(graph.indptr, graph.indices)
        lists = forced_chain_by_lists(graph.indptr, graph.indices, opposite, tail, head)
        rows = forced_chain_by_rows(graph.rows, len(graph.indices), tail, head)
        assert (len(lists) == 0) == (len(rows) == 0) == isinstance(orient(graph), Orientation)
        for chain in (lists, rows):
            arcs = tuple((int(a), int(b)) for a, b in chain)
            assert not arcs or Obstruction(arcs).check(graph)


def test_plain_and_compiled_kernels_agree() -> None:
    for seed in range(12):
        graph = (
            poset_graph(30, 2, seed) if seed % 2 else adjacency(nx.gnp_random_graph(30, 0.3, seed))
        )
        sigma = co_lexbfs(graph.indptr, graph.indices)
        assert (sigma == compiled(co_lexbfs)(graph.indptr, graph.indices)).all()
        lists = renamed(graph.indptr, graph.indices, sigma)
        position = vertex_partition(*lists)
        assert (position == compiled(vertex_partition)(*lists)).all()
        order = np.empty(30, dtype=np.int32)
        order[position] = sigma
        starts, later = later_lists(graph.indptr, graph.indices, order)
        cut = np.zeros(30, dtype=np.bool_)
        results = []
        for reduce_, limit in (
            (reduce_by_lists, 1 << 40),
            (compiled(reduce_by_lists), 1 << 40),
            (reduce_by_rows, 29),
            (compiled(reduce_by_rows), 29),
        ):
            covers, counts = np.zeros(len(later), np.int32), np.zeros(30, np.int32)
            ended = tuple(map(int, reduce_(starts, later, cut, limit, covers, counts)))
            results.append((ended[0], counts.tolist() if ended[0] == 0 else []))
        assert all(result == results[0] for result in results)


def test_importing_the_package_and_small_tasks_do_not_wait_for_numba() -> None:
    script = (
        "import sys\n"
        "from pathveil.layering.adjacency import Adjacency\n"
        "from pathveil.layering.orientation import orient\n"
        "from pathveil.layering.pieces import layered_arcs\n"
        "from pathveil.layering.splitting import split_order\n"
        "ring = Adjacency.from_pairs(9, [(i, (i + 1) % 9) for i in range(9)])\n"
        "path = Adjacency.from_pairs(40, [(i, i + 1) for i in range(39)])\n"
        "orient(ring), orient(path), layered_arcs(ring, split_order(ring))\n"
        "assert 'numba' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


def test_adjacency_says_the_same_however_it_is_made() -> None:
    for share, seed in ((0.01, 1), (0.5, 2), (0.95, 3)):
        graph = nx.gnp_random_graph(90, share, seed=seed)
        pairs = [(min(e), max(e)) for e in graph.edges]
        made = Adjacency.from_pairs(90, pairs)
        assert made == Adjacency.from_bits(PairBits.from_pairs(90, pairs))
        assert made == Adjacency.from_pairs(90, [(v, u) for u, v in reversed(pairs)] + pairs[:3])
        assert hash(made) == hash(Adjacency.from_pairs(90, pairs))
        assert made != Adjacency.from_pairs(91, pairs)
        assert made != "graph"
        assert [tuple(p) for p in made.pairs().tolist()] == sorted(pairs)
        matrix = np.unpackbits(made.rows.view(np.uint8), axis=1, bitorder="little")[:, :90]
        assert (matrix == nx.to_numpy_array(graph)).all()
        some = np.flatnonzero(np.arange(90) % 3 == 0).astype(np.int32)
        assert made.induced(some) == adjacency(graph.subgraph(some.tolist()))


def test_adjacency_refuses_what_is_no_simple_graph() -> None:
    with pytest.raises(ValueError, match="paired with itself"):
        Adjacency.from_pairs(3, [(1, 1)])
    with pytest.raises(ValueError, match="leaves the 3 vertices"):
        Adjacency.from_pairs(3, [(1, 3)])
    with pytest.raises(TypeError, match="int64 starts"):
        Adjacency(np.zeros(2, np.int32), np.zeros(0, np.int32))
    with pytest.raises(ValueError, match="must end with"):
        Adjacency(np.ones(2, np.int64), np.zeros(0, np.int32))
