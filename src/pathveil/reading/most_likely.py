"""Reading a two-sided publication: the most likely walk.

Theory of operation. In a two-sided release every link's bit is true with the same probability,
above one half, independently. So the likelihood of a walk grows with the number of the network's
links that agree with it, and the most likely walk agrees with most. Against the walk that uses no
link at all, using a link changes that number by its *score*: 1 if it is shown on the walk, else -1.

What is wanted is the simple path with the largest sum of scores; a spanning walk visits every
vertex. (A noisy release has one copy of each vertex.) That is as hard as finding a longest path. Up
to :data:`LARGEST_TABLE` positions a table over subsets finds it and counts its rivals; beyond, an
integer program over degrees does, with cuts added when a ring shows up. Its value bounds every
path's score from above at every stage, so if it is cut short the gap between the bound and the best
path is stated and holds.

No chance is needed here: the policy's name and its public parameters say how to read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pathveil.errors import SearchExhausted
from pathveil.layering.kernels.running import kernel, run
from pathveil.model.bits import BoolArray, IndexArray, pair_places
from pathveil.model.certificate import PolicyTerms
from pathveil.model.positions import Positions

Scores = npt.NDArray[np.int8]


@dataclass(frozen=True)
class LikelyPath:
    """The best path found.

    Attributes
    ----------
    visits
        Positions along the path, from the end that sorts first.
    gap
        How many more links might agree with another path; 0 if it is proven that none does better.
    rivals
        How many other paths agree with as many; None if they were not counted.
    """

    visits: tuple[int, ...]
    gap: int
    rivals: int | None


@dataclass(frozen=True)
class PathTask:
    """Links as pairs of positions, with scores."""

    size: int
    pairs: IndexArray
    score: Scores
    spanning: bool

    @property
    def fewest(self) -> int:
        """How many positions a path must visit at least."""
        return self.size if self.spanning else 2

    def pairs_along(self, visits: Sequence[int]) -> list[int]:
        """Return the numbers of the pairs along a path."""
        place = pair_places(self.pairs[:, 0], self.pairs[:, 1], self.size)
        order = np.argsort(place)
        steps = np.asarray(visits, dtype=np.int64)
        wanted = pair_places(steps[:-1], steps[1:], self.size)
        numbers: list[int] = order[np.searchsorted(place[order], wanted)].tolist()
        return numbers


def sorted_ends(visits: list[int]) -> tuple[int, ...]:
    """Return a path from the end that sorts first."""
    return tuple(visits if visits[0] <= visits[-1] else visits[::-1])


ROUNDS = 40
"""Integer programs solved, each with more cuts, before the gap is stated instead."""

NODES = 2000
"""Branching nodes one integer program may use: a limit that does not depend on the machine."""


def path_by_program(task: PathTask) -> LikelyPath:
    """Return the best path found within the limits, with a proven gap."""
    program = _Program(task)
    found: tuple[int, list[int]] | None = None
    bound = len(task.pairs)
    for _ in range(ROUNDS):
        solved = program.solve()
        if solved is None:
            break
        upper, chosen = solved
        bound = min(bound, upper)
        for path in _paths(task, chosen):
            if task.spanning and len(path) != task.size:
                continue
            value = int(task.score[task.pairs_along(path)].sum(dtype=np.int64))
            if found is None or value > found[0]:
                found = value, path
        if found is not None and found[0] == bound:
            break
        if not program.cut_rings(chosen):
            break
    if found is None:
        raise SearchExhausted(
            f"no path through all {task.size} vertices was found in {ROUNDS} rounds of the search; "
            "publish with spanning=False, or check that this is the right network",
            steps=ROUNDS,
        )
    value, path = found
    return LikelyPath(sorted_ends(path), max(bound - value, 0), None)


class _Program:
    """Which pairs are used (x) and which positions are visited (y), as an integer program.

    Degrees: a visited position has one or two pairs. One path more than rings: the pairs are one
    fewer than the positions. Rings are cut off when they show up: inside any set S with a member
    k there are at most sum(y over S) - y_k pairs.
    """

    def __init__(self, task: PathTask) -> None:
        from scipy.sparse import coo_array, eye_array, hstack

        self.task = task
        pairs, size = len(task.pairs), task.size
        ends = (task.pairs.T.ravel(), np.tile(np.arange(pairs), 2))
        degree = coo_array((np.ones(2 * pairs), ends), shape=(size, pairs))
        self._constraints: list[tuple[Any, float, float]] = [
            (hstack([degree, -eye_array(size)]), 0.0, np.inf),
            (hstack([degree, -2 * eye_array(size)]), -np.inf, 0.0),
            (np.repeat([[1.0, -1.0]], [pairs, size], axis=1), -1.0, -1.0),
            (np.repeat([[0.0, 1.0]], [pairs, size], axis=1), task.fewest, np.inf),
        ]

    def solve(self) -> tuple[int, BoolArray] | None:
        """Return an upper bound on every path's score and the pairs chosen; None if it failed."""
        from scipy.optimize import Bounds, LinearConstraint, milp

        task = self.task
        cost = np.concatenate([-task.score.astype(float), np.zeros(task.size)])
        result = milp(
            cost,
            integrality=np.ones(len(cost), dtype=np.int64),
            bounds=Bounds(0, 1),
            constraints=[LinearConstraint(*rows) for rows in self._constraints],
            options={"node_limit": NODES},
        )
        if result.x is None or result.mip_dual_bound is None:
            return None
        # Scores are whole numbers, so the bound may be rounded down, with room for the solver's.
        upper = int(np.floor(-result.mip_dual_bound + 1e-6))
        return upper, np.asarray(result.x[: len(task.pairs)] > 0.5)

    def cut_rings(self, chosen: BoolArray) -> bool:
        """Forbid the rings among the chosen pairs; False if there is none."""
        rings = [order for order, ring in _components(self.task, chosen) if ring]
        for members in rings:
            inside = np.isin(self.task.pairs, members).all(axis=1)
            row = np.concatenate([inside.astype(float), np.zeros(self.task.size)])
            row[len(self.task.pairs) + np.asarray(members[1:])] = -1.0
            self._constraints.append((row, -np.inf, 0.0))
        return bool(rings)


# -- paths and rings among chosen pairs -----------------------------------------------------------


def _components(task: PathTask, chosen: BoolArray) -> Iterator[tuple[list[int], bool]]:
    """Yield the parts of a graph of degrees one and two: positions in order, and whether a ring."""
    import networkx as nx

    graph: nx.Graph[int] = nx.Graph(task.pairs[chosen].tolist())
    seen: set[int] = set()
    for start in sorted(graph, key=graph.degree.__getitem__):  # paths from an end, then rings
        if start not in seen:
            order = list(nx.dfs_preorder_nodes(graph, start))
            seen.update(order)
            yield order, graph.degree[start] == 2


def _paths(task: PathTask, chosen: BoolArray) -> Iterator[list[int]]:
    """Yield paths hidden in the chosen pairs: the path itself, and rings less their worst pair."""
    for order, ring in _components(task, chosen):
        if not ring:
            yield order
            continue
        scores = task.score[task.pairs_along([*order, order[0]])]
        worst = int(np.argmin(scores))
        yield order[worst + 1 :] + order[: worst + 1]


LARGEST_TABLE = 18
"""Positions up to which the table over subsets is used: 2^18 x 18 entries."""


def path_by_table(task: PathTask) -> LikelyPath:
    """Return the best path, and how many others are as good."""
    scores = np.zeros((task.size, task.size), dtype=np.int8)
    linked = np.zeros((task.size, task.size), dtype=np.bool_)
    first, second = task.pairs[:, 0], task.pairs[:, 1]
    scores[first, second] = scores[second, first] = task.score
    linked[first, second] = linked[second, first] = True
    steps = task.size << task.size
    best, ways, path = run(best_path, steps, scores, linked, task.fewest)
    if best == _NO_PATH:
        raise SearchExhausted("the network has no path through all its vertices", steps=0)
    rivals = int(ways) // 2 - 1
    return LikelyPath(sorted_ends(path.tolist()), 0, rivals)


_NO_PATH = -128


@kernel
def best_path(scores: Scores, linked: BoolArray, fewest: int) -> tuple[int, int, IndexArray]:
    """Return largest score, number of directed paths that have it, and one of them.

    ``best[s, v]`` is the largest score of a path that visits exactly the set s and ends at v.
    Sets grow with their number, so one pass in numerical order sees every set after its subsets.
    """
    size = len(scores)
    sets = 1 << size
    best = np.full((sets, size), _NO_PATH, dtype=np.int8)
    ways = np.zeros((sets, size), dtype=np.int64)
    for v in range(size):
        best[1 << v, v] = 0
        ways[1 << v, v] = 1
    top, total, top_set, top_end = _NO_PATH, 0, 0, 0
    for s in range(1, sets):
        visited = 0
        for v in range(size):
            visited += s >> v & 1
        for v in range(size):
            here = best[s, v]
            if here == _NO_PATH:
                continue
            if here >= top and visited >= fewest:
                if here > top:
                    top, total, top_set, top_end = here, 0, s, v
                total += ways[s, v]
            for w in range(size):
                if not linked[v, w] or s >> w & 1:
                    continue
                onward, there = s | 1 << w, here + scores[v, w]
                if there > best[onward, w]:
                    best[onward, w] = there
                    ways[onward, w] = 0
                if there == best[onward, w]:
                    ways[onward, w] += ways[s, v]
    return top, total, path_back(best, scores, linked, top_set, top_end)


@kernel
def path_back(
    best: Scores, scores: Scores, linked: BoolArray, visited: int, end: int
) -> IndexArray:
    """Return a best path through a set of positions, from its end back to its beginning."""
    size = len(scores)
    path = np.empty(size, dtype=np.int64)
    count = 0
    while visited:
        path[count] = end
        count += 1
        before = visited & ~(1 << end)
        for w in range(size):
            if (
                before >> w & 1
                and linked[w, end]
                and best[before, w] != _NO_PATH
                and best[before, w] + scores[w, end] == best[visited, end]
            ):
                end = w
                break
        visited = before
    return path[:count]


def most_likely_path(
    positions: Positions, pairs: IndexArray, shown: BoolArray, policy: PolicyTerms
) -> LikelyPath:
    """Return the path that most of the network's links agree with.

    Parameters
    ----------
    pairs, shown
        The network's links as pairs of positions, and which of them are shown in different
        branches.
    policy
        What is promised of the walk.

    *Privacy*: reads the publication and the network only.

    *Cost*: up to 18 positions 2^n n d steps (n = 12: well under a millisecond once compiled);
    beyond, a few integer programs of the network's size.

    Raises
    ------
    SearchExhausted
        If a spanning path is asked for and none was found within the limits.
    """
    task = PathTask(
        size=len(positions),
        pairs=pairs,
        score=np.where(shown, 1, -1).astype(np.int8),
        spanning=dict(policy.parameters).get("spanning") == "yes",
    )
    return path_by_table(task) if task.size <= LARGEST_TABLE else path_by_program(task)
