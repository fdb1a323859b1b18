"""Sweeps: what is to be run, as frozen data, and where each run gets its chance from.

A *cell* is one point of a figure: a size of map, a kind of walk, budgets, an engine. A *sweep* is a
list of cells, each to be run a number of times. Runs are numbered, and come in *stints* of fixed
size; a stint draws all its chance from a stream named after the sweep, the cell and the number of
the stint. So a result depends on nothing else: not on the worker, the order or the chunks in which
stints are run, and a stint that is run again gives the same again.

The engine is not part of the stream's name: both engines face the same maps, copies and coins, and
their difference is a paired one. What has the same stream is drawn once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from hashlib import sha256
from typing import Literal

from pathveil.policies import Policy

Engine = Literal["backtracking", "exact"]
ENGINES: tuple[Engine, ...] = ("backtracking", "exact")
"""The two that are compared, the paper's first. Another engine is no part of the evaluation."""
WalkKind = Literal["acyclic", "cyclic"]

STINT = 50
"""Runs that share a stream: the smallest piece of work that is done or not done."""


@dataclass(frozen=True)
class Cell:
    """One point of a figure.

    Parameters
    ----------
    engine
        Which engine draws the layers.
    vertices, edges
        The size of the random map.
    walk, visits
        A path through all vertices ("acyclic"), or a walk with this number of visits that
        revisits: more visits than vertices see every vertex, fewer visit one vertex twice and no
        other.
    vertex_budget, edge_budget
        The paper's knobs as exact decimals; None switches a step off.
    splitting
        Whether vertices may be cut; without it a map may prove unusable.
    step_limit
        How many placements one search of the paper's engine may try before it splits where it
        stands.

    Examples
    --------
    >>> Cell("exact", 6, 10, edge_budget="0.5").policy
    Policy.parse('paper:vertex=off,link=1/2')
    """

    engine: Engine
    vertices: int
    edges: int
    walk: WalkKind = "acyclic"
    visits: int = 0
    vertex_budget: str | None = None
    edge_budget: str | None = None
    splitting: bool = True
    step_limit: int = 1_000_000

    def __post_init__(self) -> None:
        if self.engine not in ENGINES:
            raise ValueError(f"engine is {self.engine!r}, expected one of {', '.join(ENGINES)}")
        if self.visits == 0:
            object.__setattr__(self, "visits", self.vertices)
        if self.walk == "acyclic" and self.visits != self.vertices:
            raise ValueError(
                f"an acyclic path through {self.vertices} vertices has as many visits, "
                f"not {self.visits}"
            )
        if self.walk == "cyclic" and self.visits < 3:
            raise ValueError(f"a walk of {self.visits} visits cannot revisit a vertex")
        most = self.vertices * (self.vertices - 1) // 2
        if not self.vertices - 1 <= self.edges <= most:
            raise ValueError(
                f"a map of {self.vertices} vertices with a path through all has from "
                f"{self.vertices - 1} to {most} edges, not {self.edges}"
            )

    @property
    def policy(self) -> Policy:
        """The paper's policy with these budgets."""
        return Policy.paper(vertex=self.vertex_budget, link=self.edge_budget)

    @property
    def draw_name(self) -> str:
        """What the chance of a run depends on: all but the engine and how it is run."""
        return "/".join(
            str(value)
            for value in (
                self.vertices,
                self.edges,
                self.walk,
                self.visits,
                self.vertex_budget,
                self.edge_budget,
            )
        )

    def as_row(self) -> dict[str, str]:
        """Return the cell as columns of a table; a budget that is switched off is empty."""
        row = {}
        for part in fields(self):
            value = getattr(self, part.name)
            row[part.name] = "" if value is None else str(value)
        return row

    @classmethod
    def from_row(cls, row: dict[str, str]) -> Cell:
        """Return the cell of a table's row; inverse of :meth:`as_row`."""
        return cls(
            engine="exact" if row["engine"] == "exact" else "backtracking",
            vertices=int(row["vertices"]),
            edges=int(row["edges"]),
            walk="cyclic" if row["walk"] == "cyclic" else "acyclic",
            visits=int(row["visits"]),
            vertex_budget=row["vertex_budget"] or None,
            edge_budget=row["edge_budget"] or None,
            splitting=row["splitting"] == "True",
            step_limit=int(row["step_limit"]),
        )


@dataclass(frozen=True)
class Task:
    """Stints ``first`` to ``last - 1`` of all cells with the same draws: a worker's next work."""

    sweep: str
    cells: tuple[Cell, ...]
    numbers: tuple[int, ...]
    """The cells' places in the sweep."""
    first: int
    last: int
    runs: int
    """Runs of the whole cell; the last stint may be short."""
    timed: bool = True

    def stint_runs(self, stint: int) -> int:
        """Return how many runs a stint has."""
        return min(STINT, self.runs - stint * STINT)

    def stream(self, stint: int) -> str:
        """Return the name of the stream a stint draws from."""
        return f"{self.sweep}/{self.cells[0].draw_name}/{stint}"


@dataclass(frozen=True)
class Sweep:
    """Cells to be run a number of times each.

    If it is ``timed``, engines are compiled however few the runs are.

    Examples
    --------
    >>> sweep = Sweep("example", (Cell("exact", 5, 8), Cell("exact", 5, 9)), runs=420)
    >>> [(task.numbers, task.first, task.last) for task in sweep.tasks()][:3]
    [((0,), 0, 2), ((0,), 2, 4), ((0,), 4, 6)]
    """

    name: str
    cells: tuple[Cell, ...]
    runs: int = 1000
    timed: bool = True

    def __post_init__(self) -> None:
        if self.runs < 1:
            raise ValueError(f"{self.runs} runs a cell; at least one is needed")
        if len(set(self.cells)) != len(self.cells):
            raise ValueError(f"sweep {self.name!r} lists a cell twice")

    @property
    def stints(self) -> int:
        """How many stints each cell has."""
        return -(-self.runs // STINT)

    @property
    def fingerprint(self) -> str:
        """A name for exactly this sweep: another grid or number of runs has another."""
        text = repr((self.name, self.runs, STINT, [cell.as_row() for cell in self.cells]))
        return sha256(text.encode()).hexdigest()[:16]

    def tasks(self) -> Iterator[Task]:
        """Yield what is to be run, about a quarter of a cell's runs at a time."""
        stints = max(1, self.runs // 4 // STINT)
        alike: dict[str, list[int]] = {}
        for number, cell in enumerate(self.cells):
            alike.setdefault(cell.draw_name, []).append(number)
        for numbers in alike.values():
            cells = tuple(self.cells[number] for number in numbers)
            for first in range(0, self.stints, stints):
                last = min(first + stints, self.stints)
                yield Task(self.name, cells, tuple(numbers), first, last, self.runs, self.timed)
