"""Where the nodes of a layered graph stand: an order in each row, and x coordinates.

Rows are the layers. Their inner order is free, so it is chosen to have few crossings: sweeps of
barycentres down and up, of which the best is kept. An arc that passes a layer
gets a *bend* there, an item of width zero that keeps its place among the nodes; where that would
be too many bends, long links are drawn straight.

All of it depends on the publication only and on no chance: the same picture every time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from pathveil.model.layered import LayeredGraph

FloatArray = npt.NDArray[np.float64]
Links = npt.NDArray[np.int64]

_MOST_BENDS = 800
_SWEEPS = 12


@dataclass(frozen=True)
class Rows:
    """Items in rows from the top, each row from the left.

    Parameters
    ----------
    rows
        Item numbers. Items below ``nodes`` are the nodes of the layered graph, others are bends.
    ways
        For each arc the items it passes: upper node, bends, lower node.
    nodes
        How many items are nodes.
    """

    rows: tuple[tuple[int, ...], ...]
    ways: tuple[tuple[int, ...], ...]
    nodes: int

    @property
    def items(self) -> int:
        """The number of nodes and bends."""
        return sum(len(row) for row in self.rows)

    def links(self) -> Links:
        """Return the pieces of all ways as pairs of items, upper first."""
        found = [pair for way in self.ways for pair in pairwise(way)]
        return np.array(found, dtype=np.int64).reshape(-1, 2)

    def row_of(self) -> npt.NDArray[np.int64]:
        """Return the row of each item."""
        row = np.empty(self.items, dtype=np.int64)
        for depth, items in enumerate(self.rows):
            row[list(items)] = depth
        return row


def ordered_rows(layered: LayeredGraph, *, most_bends: int = _MOST_BENDS) -> Rows:
    """Return the nodes row by row in an order with few crossings.

    >>> from pathveil.model.positions import Positions
    >>> crossed = [(0, 3), (1, 2)]
    >>> positions = Positions(tuple("abcd"), (1, 1, 1, 1))
    >>> ordered_rows(LayeredGraph.build(positions, range(4), [0, 0, 1, 1], crossed)).rows
    ((0, 1), (3, 2))
    """
    start, ways = _bent(layered, most_bends)
    best = Rows(tuple(tuple(row) for row in start), ways, len(layered.position_of))
    links, row_of = best.links(), best.row_of()
    rows = [np.array(row, dtype=np.int64) for row in start]
    fewest = _crossings(rows, links, row_of)
    for sweep in range(_SWEEPS):
        if not fewest:
            break
        _sweep(rows, links, row_of, downwards=sweep % 2 == 0)
        now = _crossings(rows, links, row_of)
        if now < fewest:
            best, fewest = replace(best, rows=tuple(tuple(row.tolist()) for row in rows)), now
    return best


def spread(rows: Rows, widths: FloatArray, *, gap: float, stagger: list[int]) -> FloatArray:
    """Return an x coordinate for each item: near its neighbours, none on top of another.

    Each row is placed by least squares: as near as possible to the mean of the neighbours, with
    the order and the distances kept (pooling of adjacent violators).

    Parameters
    ----------
    widths
        Width of each item.
    gap
        Least free space between items.
    stagger
        For each row over how many lines its nodes are spread in turn; nodes of different lines
        may overlap in x, so they need the less distance.
    """
    links = rows.links()
    row_of = rows.row_of()
    x = np.zeros(rows.items)
    steps = []
    for depth, row in enumerate(rows.rows):
        wide = widths[list(row)] + gap
        step = (wide[1:] + wide[:-1]) / 2 / stagger[depth]
        offsets = np.concatenate([[0.0], np.cumsum(step)])
        steps.append(offsets)
        x[list(row)] = offsets - offsets[-1] / 2
    limit = max((offsets[-1] for offsets in steps), default=0.0) / 2
    upper, lower = links[:, 0], links[:, 1]
    weights = np.ones(len(links))
    # Bends pull harder: long links become straight.
    weights[upper >= rows.nodes] += 2
    weights[lower >= rows.nodes] += 2
    depths = range(len(rows.rows))
    for turn in range(16):
        order = depths if turn % 2 == 0 else reversed(depths)
        for depth in order:
            here = np.array(rows.rows[depth])
            mine_low, mine_up = row_of[lower] == depth, row_of[upper] == depth
            mine = np.concatenate([lower[mine_low], upper[mine_up]])
            weight = np.concatenate([weights[mine_low], weights[mine_up]])
            other = np.concatenate([x[upper[mine_low]], x[lower[mine_up]]])
            total = np.bincount(mine, weight * other, minlength=rows.items)
            count = np.bincount(mine, weight, minlength=rows.items)
            wish = np.where(count > 0, total / np.maximum(count, 1), x)[here]
            settled = _pooled(wish - steps[depth], np.maximum(count[here], 0.2))
            x[here] = np.clip(settled, -limit, limit - steps[depth][-1]) + steps[depth]
    return x


# -- order ----------------------------------------------------------------------------------------


def _bent(
    layered: LayeredGraph, most_bends: int
) -> tuple[list[list[int]], tuple[tuple[int, ...], ...]]:
    """Rows in the order of the node numbers, and the way of each arc."""
    layer = layered.layer.tolist()
    rows: list[list[int]] = [[] for _ in range(layered.height)]
    for node, depth in enumerate(layer):
        rows[depth].append(node)
    spans = layered.layer[layered.arcs[:, 1]] - layered.layer[layered.arcs[:, 0]]
    bent = int((spans - 1).sum()) <= most_bends
    ways, item = [], len(layer)
    for upper, lower in layered.arcs.tolist():
        way = [upper]
        for depth in range(layer[upper] + 1, layer[lower]) if bent else ():
            rows[depth].append(item)
            way.append(item)
            item += 1
        ways.append((*way, lower))
    return rows, tuple(ways)


def _crossings(rows: Sequence[Links], links: Links, row_of: Links) -> int:
    """Return how many pairs of links cross that join the same two rows."""
    place, total = np.empty(len(row_of), dtype=np.int64), 0
    for row in rows:
        place[row] = np.arange(len(row))
    # Without bends the two rows need not be neighbours.
    joined = row_of[links]
    for upper, lower in np.unique(joined, axis=0).tolist():
        mine = place[links[(joined == (upper, lower)).all(axis=1)]]
        grid = np.zeros((len(rows[upper]), len(rows[lower])), dtype=np.int64)
        grid[mine[:, 0], mine[:, 1]] = 1
        # For each link: the links that start further right and end further left.
        right = np.cumsum(grid[::-1], axis=0)[::-1] - grid
        total += int((grid * (np.cumsum(right, axis=1) - right)).sum())
    return total


def _sweep(rows: list[Links], links: Links, row_of: Links, *, downwards: bool) -> None:
    """Order each row by the mean place of its neighbours in the rows before it."""
    items = len(row_of)
    relative = np.zeros(items)
    for row in rows:
        relative[row] = (np.arange(len(row)) + 0.5) / len(row)
    here, before = links.T if not downwards else links.T[::-1]
    for depth in range(len(rows)) if downwards else reversed(range(len(rows))):
        mine = row_of[here] == depth
        total = np.bincount(here[mine], relative[before[mine]], minlength=items)
        count = np.bincount(here[mine], minlength=items)
        row = rows[depth]
        wish = np.where(count > 0, total / np.maximum(count, 1), relative)[row]
        rows[depth] = row = row[np.argsort(wish, kind="stable")]
        relative[row] = (np.arange(len(row)) + 0.5) / len(row)


def _pooled(wish: FloatArray, weight: FloatArray) -> FloatArray:
    """The non-decreasing sequence nearest to ``wish`` in weighted least squares."""
    runs: list[tuple[float, float, int]] = []
    for value, mass in zip(wish.tolist(), weight.tolist(), strict=True):
        count = 1
        while runs and runs[-1][0] >= value:
            before, heavy, many = runs.pop()
            value = (value * mass + before * heavy) / (mass + heavy)
            mass, count = mass + heavy, count + many
        runs.append((value, mass, count))
    return np.repeat([b[0] for b in runs], [b[2] for b in runs]).astype(np.float64)
