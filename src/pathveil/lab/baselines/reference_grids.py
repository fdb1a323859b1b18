"""Hierarchical reference systems: grids of doubling side, and a trajectory written in them.

A slow stretch of a trajectory is written in a fine grid, a fast one in a coarse grid, always such
that each move goes to one of the nine cells round the present one. So a cell has few possible
successors at any speed, and that is the point: a tree of counts stays narrow.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from pathveil.errors import BadBudget
from pathveil.lab.baselines.baseline_release import FloatArray, IndexArray
from pathveil.lab.baselines.prefix_trees import START, STOP

TRIES = 8  # numbers of parts a long move is cut into; one more than fits by length should do
Symbol = int  # a cell (0 and up), START, STOP, or the name of another system (see vertical)


def vertical(system: int) -> Symbol:
    """Return the symbol for going over to another reference system.

    >>> vertical(0), vertical(2)
    (-3, -5)
    """
    return -3 - system


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of a trajectory in one reference system, with its marks at either end."""

    system: int
    symbols: tuple[Symbol, ...]


@dataclass(frozen=True, eq=False)
class ReferenceGrids:
    """Nested square grids over a public box, finest first.

    Parameters
    ----------
    low, side
        Lower left corner and side of the box.
    cells
        Cells along a side in each system, halving from one to the next.
    """

    low: FloatArray
    side: float
    cells: tuple[int, ...]

    def __post_init__(self) -> None:
        if not self.cells or any(a != 2 * b for a, b in pairwise(self.cells)):
            raise BadBudget(
                f"the grids have {self.cells!r} cells along a side; each must have twice as many "
                "as the next, such as (8, 4, 2)"
            )

    def cell(self, system: int, point: FloatArray) -> int:
        """Return the cell of a point; points beyond the box belong to the nearest cell."""
        return int(self._cells(system, point[None])[0])

    def around(self, system: int, cell: int) -> list[int]:
        """Return the cells of the 3 x 3 square round a cell, itself included."""
        count = self.cells[system]
        row, column = divmod(cell, count)
        return [
            r * count + c
            for r in range(max(0, row - 1), min(count, row + 2))
            for c in range(max(0, column - 1), min(count, column + 2))
        ]

    def point(self, system: int, cell: int, rng: np.random.Generator) -> FloatArray:
        """Return a uniform point of a cell."""
        (row, column), side = divmod(cell, self.cells[system]), self.side / self.cells[system]
        return np.asarray(self.low + np.array([column, row]) * side + rng.random(2) * side)

    def write(self, points: FloatArray, kept: Sequence[int]) -> list[Segment]:
        """Return a trajectory in the finest kept system that each of its moves fits into.

        A move that fits into none is cut into shorter ones on the coarsest. Going over to another
        system ends a segment with its symbol and begins the next at the same point.

        Examples
        --------
        >>> grids = ReferenceGrids(np.zeros(2), 4.0, (4, 2))
        >>> points = np.array([[0.5, 0.5], [1.5, 0.5], [3.5, 0.5]])
        >>> [(s.system, s.symbols) for s in grids.write(points, (0, 1))]
        [(0, (-1, 0, 1, -4)), (1, (0, 1, -2))]
        """
        points = self._dense(points, max(kept))
        cells = {m: self._cells(m, points) for m in kept}
        fits = np.array([self._steps_fit(m, cells[m]) for m in sorted(kept)])
        moves = [sorted(kept)[place] for place in fits.argmax(axis=0).tolist()]
        cells_of = {m: found.tolist() for m, found in cells.items()}
        now = moves[0] if moves else min(kept)
        symbols, done = [START, cells_of[now][0]], []
        for i, m in enumerate(moves):
            if m != now:
                done.append(Segment(now, (*symbols, vertical(m))))
                now, symbols = m, [cells_of[m][i]]
            symbols.append(cells_of[m][i + 1])
        return [*done, Segment(now, (*symbols, STOP))]

    def _dense(self, points: FloatArray, coarsest: int) -> FloatArray:
        """Return the trajectory with long moves cut until they fit into the coarsest system.

        Parts as long as a cell should do, but rounding can put both ends of one just beyond a
        cell between them; then the move is cut into more parts. Parts shorter than a cell by more
        than rounding cannot span one, so this ends at the next number or the one after.
        """
        good = self._steps_fit(coarsest, self._cells(coarsest, points))
        if good.all():
            return points
        out = [points[:1]]
        for (here, there), fits in zip(pairwise(points), good.tolist(), strict=True):
            out.append(there[None] if fits else self._cut(here, there, coarsest)[1:])
        return np.concatenate(out)

    def _cut(self, here: FloatArray, there: FloatArray, system: int) -> FloatArray:
        """Return points along a long move, each within one cell of the one before."""
        parts = int(np.ceil(np.abs(there - here).max() / (self.side / self.cells[system])))
        for count in range(parts, parts + TRIES):
            between = here + (there - here) * (np.arange(count) / count)[:, None]
            cut = np.concatenate([between, there[None]])
            if self._steps_fit(system, self._cells(system, cut)).all():
                return cut
        raise BadBudget(
            f"the grid of {self.cells[system]} cells along a side of {self.side:g} is finer than "
            "the coordinates' own rounding; give fewer cells"
        )

    def _cells(self, system: int, points: FloatArray) -> IndexArray:
        """Return the cell of each point."""
        count = self.cells[system]
        places = np.clip((points - self.low) * (count / self.side), 0, count - 1).astype(np.int64)
        return np.asarray(places[:, 1] * count + places[:, 0])

    def _steps_fit(self, system: int, cells: IndexArray) -> npt.NDArray[np.bool_]:
        """Return which steps stay in a 3 x 3 square."""
        rows, columns = np.divmod(cells, self.cells[system])
        return np.asarray((np.abs(np.diff(rows)) <= 1) & (np.abs(np.diff(columns)) <= 1))
