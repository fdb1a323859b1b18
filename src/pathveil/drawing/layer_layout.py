"""Where the nodes of a layered graph stand: an order in each row, and x coordinates.

Rows are the layers. Their inner order is free, so it is chosen to have few crossings: sweeps of
barycentres down and up, then swaps of neighbours while they help. A arc that passes a layer
gets a *bend* there, an item of width zero that keeps its place among the nodes; where that would
be too many bends, long links are drawn straight.

All of it depends on the publication only and on no chance: the same picture every time.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from pathveil.model.layered import LayeredGraph

FloatArray = npt.NDArray[np.float64]
Links = npt.NDArray[np.int64]

_MOST_BENDS = 800
_SWEEPS = 12
_MOST_SWAP_ROUNDS = 60
_MOST_SWAPPED_LINKS = 6000


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
    rows = [np.array(row, dtype=np.int64) for row in start]
    plain = Rows(tuple(tuple(row) for row in start), ways, len(layered.position_of))
    gaps = _gaps(plain)
    best, fewest = [row.copy() for row in rows], _crossings(rows, gaps)
    for sweep in range(_SWEEPS):
        if not fewest:
            break
        _sweep(rows, gaps, downwards=sweep % 2 == 0)
        _swap(rows, gaps)
        now = _crossings(rows, gaps)
        if now < fewest:
            best, fewest = [row.copy() for row in rows], now
    return Rows(tuple(tuple(row.tolist()) for row in best), ways, len(layered.position_of))


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


def _gaps(rows: Rows) -> list[tuple[int, int, Links]]:
    """Links by the two rows they join; without bends these need not be neighbours."""
    links, row_of = rows.links(), rows.row_of()
    if not len(links):
        return []
    upper, lower = row_of[links[:, 0]], row_of[links[:, 1]]
    keys = upper * len(rows.rows) + lower
    return [
        (int(key) // len(rows.rows), int(key) % len(rows.rows), links[keys == key])
        for key in np.unique(keys)
    ]


def _places(row: npt.NDArray[np.int64], items: int) -> npt.NDArray[np.int64]:
    place = np.full(items, -1, dtype=np.int64)
    place[row] = np.arange(len(row))
    return place


def _grid(
    rows: list[npt.NDArray[np.int64]], gap: tuple[int, int, Links], items: int
) -> npt.NDArray[np.int32]:
    """The links of a gap as a 0-1 matrix over places."""
    upper, lower, links = gap
    grid = np.zeros((len(rows[upper]), len(rows[lower])), dtype=np.int32)
    first = _places(rows[upper], items)[links[:, 0]]
    second = _places(rows[lower], items)[links[:, 1]]
    grid[first, second] = 1
    return grid


def _crossings(rows: list[npt.NDArray[np.int64]], gaps: list[tuple[int, int, Links]]) -> int:
    items, total = sum(map(len, rows)), 0
    for gap in gaps:
        grid = _grid(rows, gap, items).astype(np.int64)
        # For each link: the links that start further right and end further left.
        right = np.cumsum(grid[::-1], axis=0)[::-1] - grid
        left = np.cumsum(right, axis=1) - right
        total += int((grid * left).sum())
    return total


def _sweep(
    rows: list[npt.NDArray[np.int64]], gaps: list[tuple[int, int, Links]], *, downwards: bool
) -> None:
    """Order each row by the mean place of its neighbours in the rows before it."""
    items = sum(map(len, rows))
    relative = np.zeros(items)
    for row in rows:
        relative[row] = (np.arange(len(row)) + 0.5) / len(row)
    depths = range(len(rows)) if downwards else range(len(rows) - 1, -1, -1)
    for depth in depths:
        total, count = np.zeros(items), np.zeros(items)
        for upper, lower, links in gaps:
            mine, other = (1, 0) if downwards else (0, 1)
            if (lower if downwards else upper) == depth:
                total += np.bincount(links[:, mine], relative[links[:, other]], minlength=items)
                count += np.bincount(links[:, mine], minlength=items)
        row = rows[depth]
        wish = np.where(count > 0, total / np.maximum(count, 1), relative)[row]
        rows[depth] = row = row[np.argsort(wish, kind="stable")]
        relative[row] = (np.arange(len(row)) + 0.5) / len(row)


def _swap(rows: list[npt.NDArray[np.int64]], gaps: list[tuple[int, int, Links]]) -> None:
    """Swap neighbours in a row while that removes crossings."""
    items = sum(map(len, rows))
    if sum(len(links) for _, _, links in gaps) > _MOST_SWAPPED_LINKS:
        return
    for _ in range(_MOST_SWAP_ROUNDS):
        changed = False
        for depth, row in enumerate(rows):
            grids = [_grid(rows, g, items) for g in gaps if g[0] == depth]
            grids += [_grid(rows, g, items).T for g in gaps if g[1] == depth]
            for start in (0, 1):
                first = np.arange(start, len(row) - 1, 2)
                if not len(first) or not grids:
                    continue
                gain = np.zeros(len(first), dtype=np.int64)
                for grid in grids:
                    a, b = grid[first], grid[first + 1]
                    before = np.cumsum(b, axis=1) - b
                    after = np.cumsum(a, axis=1) - a
                    gain += (a * before).sum(axis=1) - (b * after).sum(axis=1)
                swap = first[gain > 0]
                if len(swap):
                    changed = True
                    row[swap], row[swap + 1] = row[swap + 1].copy(), row[swap].copy()
                    for grid in grids:
                        grid[swap], grid[swap + 1] = grid[swap + 1].copy(), grid[swap].copy()
        if not changed:
            return


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
