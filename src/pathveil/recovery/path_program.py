"""The most likely path by an integer program over degrees, with cuts added when a ring shows up.

Its value bounds every path's score from above at every stage, so if it is cut short the gap between
bound and found is stated and holds.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from pathveil.errors import SearchExhausted
from pathveil.model.bits import BoolArray
from pathveil.recovery.path_tasks import LikelyPath, PathTask, sorted_ends

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
    return LikelyPath(sorted_ends(path), task.base + value, max(bound - value, 0), None)


class _Program:
    """Which pairs are used (x) and which positions are visited (y), as an integer program.

    Degrees: a visited position has one or two pairs. One path more than rings: the pairs are one
    fewer than the positions. Rings are cut off when they show up: inside any set S with a member
    k there are at most sum(y over S) - y_k pairs.
    """

    def __init__(self, task: PathTask) -> None:
        from scipy.sparse import coo_array, csr_array

        self.task = task
        pairs, size = len(task.pairs), task.size
        rows = np.concatenate([task.pairs[:, 0], task.pairs[:, 1]])
        columns = np.tile(np.arange(pairs), 2)
        degree = coo_array((np.ones(len(rows)), (rows, columns)), shape=(size, pairs))
        visited = coo_array((np.ones(size), (np.arange(size), np.arange(size))))
        self._constraints: list[tuple[Any, Any, Any]] = [
            (_beside(degree, visited, -1.0), 0.0, np.inf),
            (_beside(degree, visited, -2.0), -np.inf, 0.0),
            (csr_array([[1.0] * pairs + [-1.0] * size]), -1.0, -1.0),
        ]
        if task.once:
            edges = int(task.edge.max()) + 1
            data = (np.ones(pairs), (task.edge, np.arange(pairs)))
            uses = coo_array(data, shape=(edges, pairs + size))
            self._constraints.append((uses.tocsr(), -np.inf, 1.0))
        self._constraints.append((csr_array([[0.0] * pairs + [1.0] * size]), task.fewest, np.inf))

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
        from scipy.sparse import csr_array

        pairs, found = len(self.task.pairs), False
        for members in _rings(self.task, chosen):
            inside = np.isin(self.task.pairs, members).all(axis=1)
            row = np.concatenate([inside.astype(float), np.zeros(self.task.size)])
            row[pairs + np.asarray(members)] = -1.0
            row[pairs + members[0]] = 0.0
            self._constraints.append((csr_array([row]), -np.inf, 0.0))
            found = True
        return found


def _beside(degree: Any, visited: Any, factor: float) -> Any:
    from scipy.sparse import hstack

    return hstack([degree, factor * visited]).tocsr()


# -- paths and rings among chosen pairs -----------------------------------------------------------


def _components(task: PathTask, chosen: BoolArray) -> Iterator[tuple[list[int], bool]]:
    """Yield the parts of a graph of degrees one and two: positions in order, and whether a ring."""
    links: dict[int, list[int]] = {}
    for i, j in task.pairs[chosen].tolist():
        links.setdefault(i, []).append(j)
        links.setdefault(j, []).append(i)
    ends = [v for v, mates in links.items() if len(mates) == 1]
    seen: set[int] = set()
    for start in [*ends, *links]:
        if start in seen:
            continue
        order, here, onward = [start], start, links[start]
        seen.add(start)
        while True:
            here = next((w for w in onward if w not in seen), -1)
            if here < 0:
                break
            order.append(here)
            seen.add(here)
            onward = links[here]
        yield order, len(links[order[0]]) == 2


def _paths(task: PathTask, chosen: BoolArray) -> Iterator[list[int]]:
    """Yield paths hidden in the chosen pairs: the path itself, and rings less their worst pair."""
    for order, ring in _components(task, chosen):
        if not ring:
            yield order
            continue
        scores = task.score[task.pairs_along([*order, order[0]])]
        worst = int(np.argmin(scores))
        yield order[worst + 1 :] + order[: worst + 1]


def _rings(task: PathTask, chosen: BoolArray) -> Iterator[list[int]]:
    return (order for order, ring in _components(task, chosen) if ring)
