"""Where names and numbers stand in a picture of a network: beside their marks, on nothing else.

Greedy and without chance: each label tries its places in turn and takes the first that lies on no
disc and no label set before it; if none is free, the one that overlaps least.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from pathveil.formats.pictures.layout import FloatArray

Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""


@dataclass
class Room:
    """What is taken on a sheet: boxes that nothing else may cover."""

    taken: list[Box] = field(default_factory=list)

    def choose(self, places: Iterable[Box], costs: Iterable[float] = ()) -> int:
        """Return the number of the best place, and take it.

        Parameters
        ----------
        places
            Boxes, the one that is liked best first.
        costs
            How much worse a place is for other reasons, in square units of overlap.

        Examples
        --------
        >>> room = Room([(0, 0, 10, 10)])
        >>> room.choose([(5, 5, 15, 15), (20, 0, 30, 10)]), room.choose([(20, 0, 30, 10)])
        (1, 0)
        >>> len(room.taken)
        3
        """
        boxes = np.array(list(places), dtype=np.float64)
        worse = np.array(list(costs) or [0.0] * len(boxes))
        best = int(np.argmin(self._overlaps(boxes) + worse))
        left, top, right, bottom = boxes[best].tolist()
        self.taken.append((left, top, right, bottom))
        return best

    def _overlaps(self, boxes: FloatArray) -> FloatArray:
        if not self.taken:
            return np.zeros(len(boxes))
        held = np.array(self.taken, dtype=np.float64)
        wide = np.minimum(boxes[:, None, 2], held[None, :, 2]) - np.maximum(
            boxes[:, None, 0], held[None, :, 0]
        )
        high = np.minimum(boxes[:, None, 3], held[None, :, 3]) - np.maximum(
            boxes[:, None, 1], held[None, :, 1]
        )
        covered: FloatArray = (wide.clip(0) * high.clip(0)).sum(axis=1)
        return covered


def sides(x: float, y: float, away: float, wide: float, high: float) -> list[Box]:
    """Return the eight places of a name round a point: below, above, right, left, corners."""
    near = away * 0.72
    centres = [
        (x, y + away + high / 2),
        (x, y - away - high / 2),
        (x + away + 2 + wide / 2, y),
        (x - away - 2 - wide / 2, y),
        (x + near + wide / 2, y + near + high / 2),
        (x - near - wide / 2, y + near + high / 2),
        (x + near + wide / 2, y - near - high / 2),
        (x - near - wide / 2, y - near - high / 2),
    ]
    return [(cx - wide / 2, cy - high / 2, cx + wide / 2, cy + high / 2) for cx, cy in centres]


def crossing_lengths(boxes: list[Box], starts: FloatArray, ends: FloatArray) -> FloatArray:
    """Return how long lines run through each box, all lines together (Liang and Barsky).

    >>> crossing_lengths([(0, 0, 10, 10)], np.array([[-5.0, 5.0]]), np.array([[5.0, 5.0]]))
    array([5.])
    """
    if not len(starts):
        return np.zeros(len(boxes))
    held = np.array(boxes, dtype=np.float64)
    way = ends - starts
    first = np.zeros((len(boxes), len(starts)))
    last = np.ones((len(boxes), len(starts)))
    for axis in (0, 1):
        step = np.where(np.abs(way[:, axis]) < 1e-9, 1e-9, way[:, axis])
        near = (held[:, None, axis] - starts[None, :, axis]) / step
        far = (held[:, None, axis + 2] - starts[None, :, axis]) / step
        first = np.maximum(first, np.minimum(near, far))
        last = np.minimum(last, np.maximum(near, far))
    inside: FloatArray = (last - first).clip(0) * np.hypot(way[:, 0], way[:, 1])[None, :]
    total: FloatArray = inside.sum(axis=1)
    return total
