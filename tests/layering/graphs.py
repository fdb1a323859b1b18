"""Graphs for the layering tests, and an oracle for forced arcs that shares no code with them."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import combinations
from random import Random

import networkx as nx
from hypothesis import strategies as st

from pathveil.layering.adjacency import Adjacency

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


@st.composite
def graphs(draw: st.DrawFn, *, largest: int = 24) -> nx.Graph[int]:
    size = draw(st.integers(1, largest))
    share = draw(st.sampled_from([0.05, 0.15, 0.3, 0.5, 0.7, 0.9]))
    graph: nx.Graph[int] = nx.gnp_random_graph(size, share, seed=draw(st.integers(0, 10**6)))
    return graph
