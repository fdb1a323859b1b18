"""Benchmark sections on layering: orientation against a peer, orientation at scale, pieces.

Kernels are compiled before anything is timed.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from importlib.util import find_spec
from typing import Any, TypeVar

import networkx as nx
import numpy as np

from benchmarks.piece_bounds import lower_bound
from benchmarks.rows import Row, compile_kernels, faster, sized, within
from pathveil.layering.adjacency import Adjacency
from pathveil.layering.backtracking import insert_vertices
from pathveil.layering.exact import layer_exactly, layered_arcs, split_order
from pathveil.layering.orientation import Obstruction, orient
from pathveil.model.bits import PairBits, pair_count
from pathveil.model.positions import Positions

T = TypeVar("T")


def orientation_against_peer() -> list[Row]:
    """Recognise and orient, with certificate, against passagemath-graphs.

    Both get a graph they have already in their own form. Empty if the peer is not installed.
    """
    warm_up()
    if find_spec("sage") is None:
        return []
    import sage.all__sagemath_graphs
    from sage.graphs.comparability import is_comparability
    from sage.graphs.graph import Graph

    assert sage.all__sagemath_graphs
    rows = []
    for size in sized((50, 100, 200, 500), (12,)):
        for name, graph in _recognition_graphs(size):
            orient(graph)
            ours, found = _best_of(partial(orient, graph), repeats=5)
            peer_graph = Graph(
                [list(range(size)), graph.pairs().tolist()], format="vertices_and_edges"
            )
            task = partial(is_comparability, peer_graph, certificate=True, check=False)
            theirs, (answer, _) = _best_of(task, repeats=1)
            assert bool(answer) != isinstance(found, Obstruction)
            goal = 500.0 if size == 500 else None
            rows.append(faster(f"{name}, n={size}", ours, theirs, at_least=goal))
    return rows


def graphs_against_peer() -> list[Row]:
    """``pathveil.graphs`` on a networkx graph, against passagemath-graphs on the same one.

    Both begin with the networkx graph. Empty if the peer is not installed.
    """
    if find_spec("sage") is None:
        return []
    import sage.all__sagemath_graphs
    from sage.graphs.graph import Graph

    from pathveil.graphs import is_comparability_graph

    assert sage.all__sagemath_graphs
    size = sized(200, 12)
    given = nx.bipartite.random_graph(size // 2, size // 2, 0.1, seed=1)
    is_comparability_graph(given)
    ours, answer = _best_of(partial(is_comparability_graph, given), repeats=3)
    theirs, peer = _best_of(lambda: Graph(given).is_comparability(), repeats=1)
    assert bool(peer) == answer
    return [faster(f"is_comparability_graph, networkx graph, n={size}", ours, theirs)]


def orientation_at_scale() -> list[Row]:
    """Orient large graphs within a time."""
    n, dense = sized((100_000, 10_000), (200, 60))
    source = np.random.default_rng(2)
    tasks: list[tuple[str, float, Callable[[], Adjacency]]] = [
        (f"bipartite, n={n:,}, m={10 * n:,}", 1.0, lambda: _bipartite(n, 10 * n, source)),
        (f"random (no), n={n:,}, m={10 * n:,}", 1.0, lambda: _random(n, 10 * n, source)),
        (f"2-dimensional poset, n={dense:,}", 4.0, lambda: poset_graph(dense, 2, source)),
        (f"random half (no), n={dense:,}", 4.0, lambda: _half(dense, source)),
    ]
    rows = []
    for name, goal, make in tasks:
        graph = make()
        seconds, _ = _best_of(partial(orient, graph), repeats=1)
        rows.append(within(name, seconds, goal))
    return rows


def pieces_against_bound() -> list[Row]:
    """Pieces against the computed lower bound, and the paper's engine stopped where it explodes."""
    warm_up()
    size = sized(1000, 20)
    rows = []
    for name, graph in _families(size):
        lists = _adjacency(graph)
        pieces = split_order(lists).pieces
        limit = lower_bound(lists, rounds=sized(25, 1), integer=sized(8, 0))
        goal = 1.14 if name.startswith("G(n,8/n)") else 1.05
        rows.append(_pieces(name, pieces, limit, goal))
    half = _half(size, np.random.default_rng(1))
    pieces = split_order(half).pieces
    rows.append(_pieces(f"G(n,1/2), n={size}, against 2n", pieces, 2 * size, 1.0))
    return rows + _pieces_of_the_paper(graphs=sized(40, 2))


def _pieces(name: str, ours: int, limit: int, goal: float) -> Row:
    ratio = ours / limit
    return Row(name, str(ours), str(limit), f"{ratio:.3f}", f"<= {goal:.2f}", ratio <= goal)


def _pieces_of_the_paper(*, graphs: int, size: int = 14) -> list[Row]:
    """Pieces of both engines on the same small random graphs."""
    source = np.random.default_rng(4)
    positions = Positions.uniform(tuple(f"{i:02}" for i in range(size)), 1)
    ours = theirs = 0
    for _ in range(graphs):
        bits = PairBits.from_matrix(np.triu(source.random((size, size)) < 0.5, 1))
        ours += split_order(Adjacency.from_bits(bits)).pieces
        steps = sized(20_000, 100)
        found = insert_vertices(bits, positions, range(size), step_limit=steps, at_limit="split")
        assert found.layered is not None
        theirs += len(found.layered.position_of)
    name = f"G({size},1/2), {graphs} graphs, against the paper's engine"
    return [Row(name, str(ours), str(theirs), f"{ours / theirs:.3f}", "<= 1.00", ours <= theirs)]


def splitting_at_scale() -> list[Row]:
    """Split and draw large graphs within a time, and small ones as they are published."""
    dense, n = sized((2000, 10_000), (14, 40))
    source = np.random.default_rng(3)
    rows = []
    for name, goal, graph in (
        (f"split G({dense},1/2)", 2.0, _half(dense, source)),
        (f"split sparse, n={n:,}, m={2 * n:,}", 2.0, _random(n, 2 * n, source)),
    ):
        seconds, split = _best_of(partial(split_order, graph), repeats=1)
        rows.append(within(name, seconds, goal))
        seconds, _ = _best_of(partial(layered_arcs, graph, split), repeats=1)
        rows.append(within(name.replace("split", "draw"), seconds, 1.0))
    sizes = sized(((60, 0.02, 5), (200, 0.1, 3)), ((15, 0.02, 1),))
    for size, goal, repeats in sizes:
        flat = source.integers(0, 256, (pair_count(size) + 7) // 8, dtype=np.uint8)
        bits = PairBits.from_flat(size, np.unpackbits(flat, count=pair_count(size)).view(np.bool_))
        positions = Positions.uniform(tuple(f"{i:05}" for i in range(size)), 1)
        task = partial(layer_exactly, bits, positions, upright=True)
        seconds, _ = _best_of(task, repeats=repeats)
        rows.append(within(f"layers of {size:,} copies, fair coins", seconds, goal))
    return rows


def poset_graph(size: int, dimension: int, source: np.random.Generator) -> Adjacency:
    """Return the comparability graph of random points under the product order."""
    ranks = [source.permutation(size) for _ in range(dimension)]
    below = np.ones((size, size), dtype=bool)
    for rank in ranks:
        below &= rank[:, None] < rank[None, :]
    return Adjacency.from_bits(PairBits.from_matrix(below | below.T))


def _recognition_graphs(size: int) -> Iterator[tuple[str, Adjacency]]:
    source = np.random.default_rng(size)
    yield "2-dimensional poset", poset_graph(size, 2, source)
    yield "3-dimensional poset", poset_graph(size, 3, source)
    yield "random half (no)", _half(size, source)
    yield "bipartite half", _bipartite(size, size * size // 8, source)


def _families(size: int) -> Iterator[tuple[str, Any]]:
    for degree in (2, 3, 4, 8):
        yield f"G(n,{degree}/n)", nx.gnp_random_graph(size, degree / size, seed=1)
    yield "random 3-regular", nx.random_regular_graph(3, size, seed=1)
    yield "Watts-Strogatz 6, .1", nx.watts_strogatz_graph(size, 6, 0.1, seed=1)
    yield "Barabasi-Albert 3", nx.barabasi_albert_graph(size, 3, seed=1)
    yield "powerlaw-cluster 3, .8", nx.powerlaw_cluster_graph(size, 3, 0.8, seed=1)
    yield "geometric, degree 8", nx.random_geometric_graph(size, (8 / size / np.pi) ** 0.5, seed=1)
    yield "relaxed caveman 10, .1", nx.relaxed_caveman_graph(size // 10, 10, 0.1, seed=1)
    yield "line graph of 3-regular", nx.line_graph(nx.random_regular_graph(3, size * 2 // 6 * 2, 1))


def _adjacency(graph: Any) -> Adjacency:
    number = {v: i for i, v in enumerate(graph)}
    return Adjacency.from_pairs(
        len(number), [(number[u], number[v]) for u, v in graph.edges if u != v]
    )


def _half(size: int, source: np.random.Generator) -> Adjacency:
    upper = np.triu(source.random((size, size), dtype=np.float32) < 0.5, 1)
    return Adjacency.from_bits(PairBits.from_matrix(upper | upper.T))


def _random(size: int, links: int, source: np.random.Generator) -> Adjacency:
    pairs = source.integers(0, size, (links, 2))
    return Adjacency.from_pairs(size, pairs[pairs[:, 0] != pairs[:, 1]])


def _bipartite(size: int, links: int, source: np.random.Generator) -> Adjacency:
    pairs = source.integers(0, size // 2, (links, 2))
    pairs[:, 1] += size // 2
    return Adjacency.from_pairs(size, pairs)


def _best_of(task: Callable[[], T], *, repeats: int) -> tuple[float, T]:
    best = float("inf")
    for _ in range(repeats):
        start = time.process_time()
        result = task()
        best = min(best, time.process_time() - start)
    return best, result


def warm_up() -> None:
    """Compile every kernel the sections use."""
    compile_kernels()
    if sized(full=False, quick=True):
        return
    source = np.random.default_rng(0)
    for graph in (poset_graph(300, 2, source), _half(300, source), _random(3000, 9000, source)):
        orient(graph)
        layered_arcs(graph, split_order(graph, work=5_000_000))
    lower_bound(_random(200, 400, source), rounds=2)


SECTIONS = [
    ("Orientation against passagemath-graphs", orientation_against_peer),
    ("Comparability graphs of networkx", graphs_against_peer),
    ("Orientation at scale", orientation_at_scale),
    ("Splitting at scale", splitting_at_scale),
    ("Pieces against the lower bound", pieces_against_bound),
]
