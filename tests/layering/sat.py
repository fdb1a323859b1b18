"""The fewest cuts by a SAT solver: a formulation that shares nothing with the engine's search.

Variables: ``cut[v]``, and ``up[u, v]`` for each edge both ways: some piece of u lies above some
piece of v. It is written down from the definition of a layered graph alone. Pieces of a cut vertex
may be put together into one that has nothing above it and one that has nothing below it, so that:

* each edge is drawn, one way at least;
* an edge is drawn both ways only if both ends are cut: otherwise a piece would lie above itself, or
  two pieces of one vertex in one branch;
* if u lies above a whole v and v above w, then u lies above w, so uw must be an edge.
"""

from __future__ import annotations

from collections.abc import Iterator

import networkx as nx
from pysat.card import CardEnc, EncType
from pysat.solvers import Cadical153

Clause = list[int]


def fewest_cuts_by_sat(graph: nx.Graph[int]) -> int:
    """The fewest vertices to cut, found from below: each smaller number is refuted."""
    vertices = sorted(graph)
    cut = {v: i + 1 for i, v in enumerate(vertices)}
    arcs = [arc for u, v in graph.edges for arc in ((u, v), (v, u))]
    up = {arc: len(cut) + i + 1 for i, arc in enumerate(arcs)}
    rules = list(_rules(graph, cut, up))
    for count in range(len(vertices) + 1):
        bound = CardEnc.atmost(
            lits=list(cut.values()),
            bound=count,
            top_id=len(cut) + len(up),
            encoding=EncType.seqcounter,
        )
        with Cadical153(bootstrap_with=rules + bound.clauses) as solver:
            if solver.solve():
                return count
    raise AssertionError("cutting every vertex always helps")


def _rules(
    graph: nx.Graph[int], cut: dict[int, int], up: dict[tuple[int, int], int]
) -> Iterator[Clause]:
    for u, v in graph.edges:
        yield [up[u, v], up[v, u]]
        for end in (u, v):
            yield [-up[u, v], -up[v, u], cut[end]]
    for v in graph:
        for u in graph[v]:
            for w in graph[v]:
                if u == w:
                    continue
                clause = [cut[v], -up[u, v], -up[v, w]]
                yield [*clause, up[u, w]] if graph.has_edge(u, w) else clause
