"""Counterexamples to the paper's theory, counted again for anyone who doubts them.

The review quotes numbers about the paper's lemmas. Each comes from a function here, which draws
from fixed streams or lists all cases, so that it gives the same number on every machine; a table of
them, ``studies/results/refutations.csv``, is what the text of the review is held against.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

import numpy as np

from pathveil.chance.source import Seeded
from pathveil.lab.reproduction.draws import draw_runs
from pathveil.lab.reproduction.figures import BASE, STEP_LIMIT
from pathveil.lab.reproduction.measures import order_confirmed
from pathveil.lab.reproduction.sweep import Cell
from pathveil.layering.backtracking import (
    draw_in_walk_order,
    insert_vertices,
    order_of_insertion,
    turn_roots_first,
)
from pathveil.model.layered import LayeredGraph
from pathveil.model.network import Network
from pathveil.model.walk import Walk
from pathveil.policies import Policy
from pathveil.publishing.release import publish

GRAPHS = 1000
"""Graphs that :func:`count_branches` draws."""


def order_beyond_the_path(vertices: int) -> Fraction:
    """Return the exact chance that the order is confirmed on a path with one edge more.

    All maps with as many edges as vertices are listed: a path through all vertices and any one
    more edge. No coins, no splitting, the paper's engine; a tie counts one half.

    *Paper*: the proof of Proposition 1 says "at least 2/3" of every map but the path alone.

    Examples
    --------
    >>> order_beyond_the_path(5), order_beyond_the_path(8)
    (Fraction(3, 4), Fraction(9, 14))
    """
    names = [chr(ord("a") + k) for k in range(vertices)]
    walk, policy = Walk(names), Policy.paper(vertex=None, link=None)
    found = []
    for i, first in enumerate(names):
        for second in names[i + 2 :]:
            network = Network.from_links([*pairwise(names), (first, second)])
            drawn = publish(
                network, walk, policy=policy, layering="backtracking", source=Seeded("no coins")
            )
            found.append(order_confirmed(drawn, network, walk))
    return sum(found, Fraction(0)) / len(found)


@dataclass(frozen=True)
class BranchCount:
    """What Lemma 3 and Proposition 2 say never happens, and how often it did.

    Attributes
    ----------
    graphs
        Graphs that were drawn.
    longer, above_ceiling
        Those with a branch of more than half their copies, and of more than that rounded up.
    single_root
        Those with one root only.
    roots_apart
        Those in which no two roots share an edge of the walk.
    """

    graphs: int
    longer: int
    above_ceiling: int
    single_root: int
    roots_apart: int


def count_branches(vertex_budget: str | None, *, graphs: int = GRAPHS) -> BranchCount:
    """Return how often graphs of the paper's own making break Lemma 3 and Proposition 2.

    Maps of the paper's base size, edge budget 1, drawn by its engine with splitting. Without a
    vertex budget there are no fake copies; then each vertex is one copy.

    *Paper*: both statements are about V_G, the vertices of the published graph, fakes included.
    """
    cell = Cell("backtracking", *BASE, vertex_budget=vertex_budget, edge_budget="1")
    draws = draw_runs(cell, f"refutations, vertex budget {vertex_budget}", graphs)
    counts = np.zeros(4, dtype=np.int64)
    for run in range(graphs):
        visits = draws.lifted_visits(run)
        graph = draw_in_walk_order(draws.bits(run), draws.positions(run), visits)
        copies, depth = len(graph.positions), longest_branch(graph)
        roots = set(graph.position_of[graph.is_root].tolist())
        together = any(roots.issuperset(step) for step in pairwise(visits))
        counts += (2 * depth > copies, depth > -(-copies // 2), len(roots) == 1, not together)
    return BranchCount(graphs, *counts.tolist())


def first_is_root(cell: Cell) -> tuple[int, int]:
    """Return in how many graphs the walk's first vertex is a root, and how many graphs there are.

    Drawn by the paper's engine, the roots being those after Rule 5; without splitting unusable maps
    have no graph.

    *Paper*: Section 5.2.2 says that more edges keep the first vertex a root more often, Section
    5.2.3 that fake vertices do so less often.
    """
    budgets = f"{cell.vertex_budget} {cell.edge_budget}"
    stream = f"fake {cell.vertices} {cell.edges} {budgets}" if cell.splitting else f"x{cell.edges}"
    draws = draw_runs(cell, stream, GRAPHS)
    roots = graphs = 0
    for run in range(GRAPHS):
        visits, positions = draws.lifted_visits(run), draws.positions(run)
        drawn = insert_vertices(
            draws.bits(run),
            positions,
            order_of_insertion(visits, len(positions)),
            splitting=cell.splitting,
            step_limit=STEP_LIMIT,
            at_limit="split",
        ).layered
        if drawn is not None:
            graphs += 1
            turned = turn_roots_first(drawn, visits)
            roots += visits[0] in set(turned.position_of[turned.is_root].tolist())
    return roots, graphs


def first_root_cells() -> dict[str, Cell]:
    """Return the cells in which it is counted whether the first vertex is a root, by name."""
    cells = {
        f"first vertex a root, |V| = 7, |E| = {edges}": Cell(
            "backtracking", 7, edges, splitting=False
        )
        for edges in (10, 11, 12, 13, 15, 17, 19)
    }
    kinds: dict[str, tuple[str | None, str | None]] = {
        "no DP": (None, None),
        "DP on vertices": ("1", None),
        "DP on edges": (None, "1"),
    }
    for kind, (vertex, edge) in kinds.items():
        for size in ((6, 14), (7, 17), (8, 23)):
            name = f"first vertex a root, {size}, {kind}, with splitting"
            cells[name] = Cell("backtracking", *size, vertex_budget=vertex, edge_budget=edge)
    return cells


def longest_branch(graph: LayeredGraph) -> int:
    """Return the number of nodes on the longest branch: the paper's depth.

    It may be less than the number of layers, as branches need not use every layer.
    """
    depth = np.ones(len(graph.position_of), dtype=np.int64)
    # Cover edges go down the layers, so in the order of their upper ends each is seen once.
    for upper, lower in sorted(graph.arcs.tolist(), key=lambda pair: graph.layer[pair[0]]):
        depth[lower] = max(depth[lower], depth[upper] + 1)
    return int(depth.max())


def three_antichains(third: int) -> tuple[Network, Walk]:
    """Return a network and a walk whose published graph has three nearly complete antichains.

    The walk goes through one antichain after the other and steps down from a vertex to its twin;
    the network has every other pair of neighbouring antichains, and of the outer two.
    """
    names = [f"v{k:03}" for k in range(3 * third)]
    rows = [names[third * level : third * (level + 1)] for level in range(3)]
    # Through the first, down to the twin of its last, through the second, down, through the third.
    order = [*rows[0], *reversed(rows[1]), *rows[2]]
    links = list(pairwise(order))
    for upper, lower in ((0, 1), (1, 2), (0, 2)):
        links += [
            (rows[upper][i], rows[lower][j])
            for i in range(third)
            for j in range(third)
            if i != j or upper + 1 != lower
        ]
    return Network.from_links(links), Walk(order)


def edges_touched(third: int) -> tuple[int, int]:
    """Return how many arcs one search touches, and how many vertices there are.

    The first vertex of the walk asks which of its neighbours share a branch with it: it follows
    arcs downwards from itself, each once.

    *Paper*: Corollary 1 says O(V).

    Examples
    --------
    >>> edges_touched(10)
    (90, 30)
    """
    network, walk = three_antichains(third)
    drawn = publish(
        network, walk, policy=Policy.paper(vertex=None, link=None), source=Seeded("no coins")
    ).layered
    below: dict[int, list[int]] = {}
    for upper, lower in drawn.arcs.tolist():
        below.setdefault(upper, []).append(lower)
        below.setdefault(~lower, []).append(~upper)  # the same upwards, for a vertex that is a leaf
    first = drawn.positions.index(walk.vertices[0], 0)
    start = int(np.flatnonzero(drawn.position_of == first)[0])
    touched, seen = 0, {start, ~start}
    waiting = [start, ~start]
    while waiting:
        for node in below.get(waiting.pop(), ()):
            touched += 1
            if node not in seen:
                seen.add(node)
                waiting.append(node)
    return touched, len(network)


def refutation_table() -> list[tuple[str, int, int]]:
    """Return what the review quotes, as (case, how many, of how many)."""
    rows = []
    for vertices in range(5, 11):
        share = order_beyond_the_path(vertices)
        case = f"order told at |V| = |E| = {vertices}"
        rows.append((case, share.numerator, share.denominator))
    for budget, kind in ((None, "without copies"), ("1", "with fake copies")):
        found = count_branches(budget)
        rows += [
            (f"branch longer than half, {kind}", found.longer, found.graphs),
            (f"branch longer than half rounded up, {kind}", found.above_ceiling, found.graphs),
            (f"single root, {kind}", found.single_root, found.graphs),
            (f"no two roots share a walk edge, {kind}", found.roots_apart, found.graphs),
        ]
    for third in (5, 10, 20, 40):
        touched, vertices = edges_touched(third)
        rows.append((f"cover edges touched by one search, |V| = {vertices}", touched, vertices**2))
    rows += [(name, *first_is_root(cell)) for name, cell in first_root_cells().items()]
    return rows
