"""The search behind a noisy reading: copy pairs with scores, and what a solver gives back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pathveil.model.bits import IndexArray, pair_places

Scores = npt.NDArray[np.int8]


@dataclass(frozen=True)
class LikelyPath:
    """The best path found.

    Attributes
    ----------
    visits
        Positions along the path, from the end that sorts first.
    agreeing
        How many edges of the network agree with it.
    gap
        How many more might agree with another path; 0 if it is proven that none does better.
    rivals
        How many other paths agree with as many; None if they were not counted.
    """

    visits: tuple[int, ...]
    agreeing: int
    gap: int
    rivals: int | None


@dataclass(frozen=True)
class PathTask:
    """Copy pairs with scores; ``edge`` is the network edge of each."""

    size: int
    pairs: IndexArray
    score: Scores
    edge: IndexArray
    spanning: bool
    once: bool
    base: int  # edges that agree with using none

    @property
    def fewest(self) -> int:
        """How many positions a path must visit at least."""
        return self.size if self.spanning else 2

    def pairs_along(self, visits: Sequence[int]) -> list[int]:
        """Return the numbers of the copy pairs along a path."""
        place = pair_places(self.pairs[:, 0], self.pairs[:, 1], self.size)
        order = np.argsort(place)
        steps = np.asarray(visits, dtype=np.int64)
        wanted = pair_places(steps[:-1], steps[1:], self.size)
        numbers: list[int] = order[np.searchsorted(place[order], wanted)].tolist()
        return numbers

    def edges_along(self, visits: Sequence[int]) -> list[int]:
        """Return the network edges along a path."""
        edges: list[int] = self.edge[self.pairs_along(visits)].tolist()
        return edges


def sorted_ends(visits: list[int]) -> tuple[int, ...]:
    """Return a path from the end that sorts first."""
    return tuple(visits if visits[0] <= visits[-1] else visits[::-1])
