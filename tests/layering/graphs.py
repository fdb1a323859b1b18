"""Graphs for the layering tests, and an oracle for forced arcs that shares no code with them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from hashlib import sha256
from itertools import combinations, pairwise
from random import Random

import networkx as nx
import numpy as np
import numpy.typing as npt
from hypothesis import strategies as st

from pathveil.layering.adjacency import Adjacency
from pathveil.layering.exact import Split, layered_arcs

Edge = tuple[int, int]


def adjacency(graph: nx.Graph[int]) -> Adjacency:
    """Number the vertices as they come and drop loops."""
    number = {v: i for i, v in enumerate(graph)}
    pairs = [(number[u], number[v]) for u, v in graph.edges if u != v]
    return Adjacency.from_pairs(len(number), pairs)


def networkx_of(graph: Adjacency) -> nx.Graph[int]:
    result: nx.Graph[int] = nx.Graph()
    result.add_nodes_from(range(graph.size))
    result.add_edges_from((int(a), int(b)) for a, b in graph.pairs())
    return result


def lists_of(graph: Adjacency) -> list[list[int]]:
    return [graph.neighbours(vertex).tolist() for vertex in range(graph.size)]


def proves(arcs: Sequence[Edge], graph: Adjacency) -> bool:
    """Whether each arc forces the next and the last is the reverse of the first."""
    joined = networkx_of(graph).has_edge
    forced = all(
        (a == c and b != d and not joined(b, d)) or (b == d and a != c and not joined(a, c))
        for (a, b), (c, d) in pairwise(arcs)
    )
    return bool(arcs) and forced and arcs[0] == arcs[-1][::-1] and all(joined(*arc) for arc in arcs)


def relabelled(graph: nx.Graph[int], seed: int) -> nx.Graph[int]:
    names = list(range(len(graph)))
    Random(seed).shuffle(names)
    renamed: nx.Graph[int] = nx.Graph()
    renamed.add_nodes_from(range(len(graph)))
    renamed.add_edges_from((names[u], names[v]) for u, v in graph.edges)
    return renamed


def consistent(graph: nx.Graph[int], centres: Collection[int]) -> bool:
    """Whether no arc forces its reverse by steps round these centres: classes by union and find."""
    leader: dict[Edge, Edge] = {arc: arc for u, v in graph.edges for arc in ((u, v), (v, u))}

    def find(arc: Edge) -> Edge:
        while leader[arc] != arc:
            arc = leader[arc]
        return arc

    for a in centres:
        for b, c in combinations(graph[a], 2):
            if not graph.has_edge(b, c):
                leader[find((a, b))] = find((a, c))
                leader[find((b, a))] = find((c, a))
    return all(find((u, v)) != find((v, u)) for u, v in graph.edges)


def families(size: int, seed: int) -> Iterator[tuple[str, nx.Graph[int]]]:
    """The random families of the benchmark, in small."""
    yield "sparse", nx.gnp_random_graph(size, 3 / size, seed=seed)
    yield "middling", nx.gnp_random_graph(size, 8 / size, seed=seed)
    yield "dense", nx.gnp_random_graph(size, 0.5, seed=seed)
    yield "very dense", nx.gnp_random_graph(size, 0.9, seed=seed)
    yield "regular", nx.random_regular_graph(3, size, seed=seed)
    yield "small world", nx.watts_strogatz_graph(size, 6, 0.1, seed=seed)
    yield "preferential", nx.barabasi_albert_graph(size, 3, seed=seed)
    yield "clustered", nx.powerlaw_cluster_graph(size, 3, 0.8, seed=seed)
    yield "geometric", nx.random_geometric_graph(size, (2.5 / size) ** 0.5, seed=seed)
    yield "caveman", nx.relaxed_caveman_graph(size // 10, 10, 0.1, seed=seed)
    yield "line", nx.line_graph(nx.random_regular_graph(3, size, seed=seed))
    yield "joined", nx.complement(nx.disjoint_union_all([nx.cycle_graph(5)] * (size // 10)))


def fixed_graph(size: int, percent: int, seed: int) -> Adjacency:
    """A random graph by whole numbers alone: the same with every version of every library."""
    state = seed
    pairs = []
    for pair in combinations(range(size), 2):
        state = (state * 6364136223846793005 + 1442695040888963407) % (1 << 64)
        if (state >> 33) % 100 < percent:
            pairs.append(pair)
    return Adjacency.from_pairs(size, pairs)


def fixed_graphs() -> Iterator[Adjacency]:
    """Sparse to dense, with vertices without neighbours and one graph of rings joined."""
    for seed, (size, percent) in enumerate(
        ((9, 40), (14, 15), (18, 30), (20, 50), (24, 12), (16, 80))
    ):
        yield fixed_graph(size, percent, seed)
    yield adjacency(nx.complement(nx.disjoint_union(nx.cycle_graph(5), nx.cycle_graph(7))))


def told(*found: object) -> str:
    """A short name for whole numbers and arrays of them, to compare with one written down."""
    text = "|".join(",".join(map(str, np.asarray(part).reshape(-1).tolist())) for part in found)
    return sha256(text.encode()).hexdigest()[:12]


@st.composite
def graphs(draw: st.DrawFn, *, largest: int = 24) -> nx.Graph[int]:
    size = draw(st.integers(1, largest))
    share = draw(st.sampled_from([0.05, 0.15, 0.3, 0.5, 0.7, 0.9]))
    graph: nx.Graph[int] = nx.gnp_random_graph(size, share, seed=draw(st.integers(0, 10**6)))
    return graph


def assert_layers_the_graph(graph: Adjacency, split: Split) -> None:
    """The closure of the pieces is the graph, each edge drawn once."""
    vertex, piece, arcs = layered_arcs(graph, split)
    assert len(vertex) == split.pieces
    assert vertex.tolist() == sorted([*range(graph.size), *np.flatnonzero(split.bad).tolist()])
    assert piece.sum() == split.bad.sum()
    assert arcs.tolist() == sorted(arcs.tolist())
    diagram: nx.DiGraph[int] = nx.DiGraph()
    diagram.add_nodes_from(range(len(vertex)))
    diagram.add_edges_from(map(tuple, arcs.tolist()))
    assert len(arcs) == diagram.number_of_edges()
    closure = nx.transitive_closure_dag(diagram)
    drawn = sorted(tuple(sorted((int(vertex[a]), int(vertex[b])))) for a, b in closure.edges)
    assert drawn == [tuple(pair) for pair in graph.pairs().tolist()]
    assert nx.transitive_reduction(diagram).edges == diagram.edges
    for node in np.flatnonzero(split.bad[vertex]).tolist():
        # Piece 0 is a lower end, piece 1 an upper end.
        ends = diagram.out_degree(node) if piece[node] == 0 else diagram.in_degree(node)
        assert ends == 0
        assert diagram.degree(node) > 0


def both_ways_graph() -> nx.Graph[int]:
    """Two cuts would suffice here if the edge 69 were drawn both ways; every order cuts three."""
    edges = "01 03 04 06 07 08 09 13 16 17 19 23 24 26 28 36 37 47 48 49 56 59 68 69 79 89"
    graph: nx.Graph[int] = nx.Graph()
    graph.add_nodes_from(range(10))
    graph.add_edges_from((int(edge[0]), int(edge[1])) for edge in edges.split())
    return graph


def masks_of(graph: nx.Graph[int]) -> npt.NDArray[np.int64]:
    """The neighbours of each vertex as a signed word."""
    words = [sum(1 << w for w in graph[v]) for v in sorted(graph)]
    return np.array(words, dtype=np.uint64).view(np.int64)
