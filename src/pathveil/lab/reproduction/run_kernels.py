"""Kernels that carry a stint of runs from its draws to what is measured.

Each does for all runs of a stint what the readable modules do for one: ``lift`` what
``Positions.relation`` and ``draw_bits`` do, ``insert`` what ``backtracking`` does, ``order_told``
what ``turn_roots_first`` and the reading do, ``path_read`` what ``reading.assemble`` does. The
tests hold them against definitions on single runs.

A set of copies is one signed 64-bit word; no run has more than 64 copies.

Our engine for whole stints of small maps: fewest cuts, orientation, layers, in one call.

Studies layer hundreds of thousands of graphs of ten to twenty copies. The kernels are those with
which the engine of the package cuts small graphs (``layering.kernels.small_graphs``); here they are
run one graph after the other without lists and objects in between, so that they can be set against
the paper's search in its own compiled form. The drawing, which no study looks at, is left out.

*Cost*: on the maps of the paper's evaluation some 10 to 300 microseconds a graph.
"""

from __future__ import annotations

import numpy as np

from pathveil.layering.kernels.paper_search import search
from pathveil.layering.kernels.running import kernel
from pathveil.layering.kernels.small_graphs import (
    Word,
    Words,
    count_bits,
    lowest,
    search_cuts,
)
from pathveil.model.bits import BoolArray, IndexArray

WRONG, TIE, TOLD = 0, 1, 2
"""The order confirmed, doubled."""


@kernel
def lift(
    linked: BoolArray,
    visits: IndexArray,
    counts: IndexArray,
    coins: BoolArray,
    made: Words,
) -> None:
    """Fill in, for each run, the published bits and the lifted edges of each copy.

    Parameters
    ----------
    made
        Three arrays in one. For each run and position the word of positions that share a branch
        with it, and of those that are joined to it in the lifted network; then the positions in
        insertion order: the walk as it goes, then the fakes.
    """
    words, edges, order = made[0], made[1], made[2]
    runs, n = counts.shape
    one = np.int64(1)
    for run in range(runs):
        starts = np.zeros(n + 1, np.int64)
        used = np.zeros(n, np.int64)
        base = np.zeros(counts[run].sum(), np.int64)
        for v in range(n):
            starts[v + 1] = starts[v] + counts[run, v]
            for k in range(starts[v], starts[v + 1]):
                base[k] = v
        size = starts[n]
        length = visits.shape[1]
        # The k-th visit of a vertex takes its k-th copy; the copies left over are fakes.
        for step in range(length):
            v = visits[run, step]
            order[run, step] = starts[v] + used[v]
            used[v] += 1
        rest = length
        for v in range(n):
            for k in range(starts[v] + used[v], starts[v + 1]):
                order[run, rest] = k
                rest += 1
        on_walk = np.zeros(size, np.int64)
        for step in range(length - 1):
            i, j = order[run, step], order[run, step + 1]
            on_walk[i] |= one << j
            on_walk[j] |= one << i
        place = 0
        for i in range(size):
            for j in range(i + 1, size):
                joined = linked[run, base[i], base[j]]
                if joined:
                    edges[run, i] |= one << j
                    edges[run, j] |= one << i
                # The coin of every pair is used up, edge or not, as ``draw_bits`` does it: so both
                # see the same coins at the same places.
                mate = coins[run, place]
                if (on_walk[i] >> j) & 1:
                    mate = False
                elif joined:
                    mate = True
                if mate:
                    words[run, i] |= one << j
                    words[run, j] |= one << i
                place += 1


@kernel
def in_order(words: Words, order: Words, size: int, ranked: Words) -> None:
    """Renumber one run's words by insertion order."""
    for s in range(size):
        word = np.int64(0)
        for t in range(size):
            if (words[order[s]] >> order[t]) & 1:
                word |= np.int64(1) << t
        ranked[s] = word


@kernel
def order_told(pieces: int, owner: Words, above: Words, below: Words, length: int) -> int:
    """Return the order confirmed, doubled, by the paper's layout; owners are insertion ranks."""
    root_first, leaf_first = length, length
    root_last, leaf_last = -1, -1
    for k in range(pieces):
        step = owner[k]
        if step < length:  # a visit: ranks from ``length`` on are fakes
            if above[k] == 0:
                root_first, root_last = min(root_first, step), max(root_last, step)
            if below[k] == 0:
                leaf_first, leaf_last = min(leaf_first, step), max(leaf_last, step)
    if leaf_first < root_first:
        # Rule 5 turns the page upside down.
        root_first, root_last = leaf_first, leaf_last
    # No root on the walk, or one as near to either end: who reads it cannot tell the ends apart.
    if root_last < 0 or root_first == length - 1 - root_last:
        return 1
    return 2 if root_first < length - 1 - root_last else 0


@kernel
def path_read(words: Words, edges: Words, order: Words, size: int, length: int) -> int:
    """Return whether the network's edges and the bits give back the walk: 1 as it goes, else 0.

    The end to start from is the one the direction bit names.
    """
    onward = np.zeros(size, np.int64)
    ends = 0
    small, large = -1, -1
    seen = 0
    for i in range(size):
        on_walk = edges[i] & ~words[i]
        onward[i] = on_walk
        count = 0
        while on_walk != 0:
            on_walk &= on_walk - 1
            count += 1
        # A simple path over copies: nowhere more than two links, two ends, every visit seen. A ring
        # beside a path would still pass; the walk through all of ``order`` below excludes it.
        if count > 2:
            return 0
        if count > 0:
            seen += 1
        if count == 1:
            ends += 1
            if small < 0:
                small = i
            large = i
    if ends != 2 or seen != length:
        return 0
    here = small if order[0] < order[length - 1] else large
    before = -1
    for step in range(length):
        if here != order[step]:
            return 0
        following = -1
        for j in range(size):
            if j != before and (onward[here] >> j) & 1:
                following = j
        before, here = here, following
    return 1


@kernel
def insert(
    words: Words,
    order: Words,
    sizes: Words,
    length: int,
    splitting: bool,  # noqa: FBT001 - kernels take positional arguments only
    step_limit: int,
    found: Words,
) -> None:
    """Run the paper's engine on every run; rows of ``found`` are its outcomes.

    Columns: pieces (-1 if 64 do not suffice), steps, cut vertices, whether the limit struck,
    usable, order confirmed doubled.
    """
    room = np.zeros((4, 64), np.int64)  # owner, layer, above, below of each piece
    ranked = np.zeros(64, np.int64)
    for run in range(len(words)):
        size = sizes[run]
        # The search inserts by number, so numbers are made insertion ranks first.
        in_order(words[run], order[run], size, ranked)
        pieces, steps, splits, struck, reached = search(
            ranked[:size], splitting, step_limit, splitting, room
        )
        found[run, 0] = pieces
        found[run, 1] = steps
        found[run, 2] = splits
        found[run, 3] = struck
        found[run, 4] = 1 if reached == size and splits == 0 and pieces >= 0 else 0
        found[run, 5] = 0
        if reached == size and pieces >= 0:
            found[run, 5] = order_told(pieces, room[0], room[2], room[3], length)


@kernel
def read_all(
    words: Words, edges: Words, order: Words, sizes: Words, length: int, read: Words
) -> None:
    """Fill in which runs' bits give the walk back."""
    for run in range(len(words)):
        read[run] = path_read(words[run], edges[run], order[run], sizes[run], length)


@kernel
def stack_layers(whole: Word, near: Words, order: Words, layer: Words) -> int:
    """Fill in the layer of each vertex's lower end; return the number of layers.

    ``order`` points each edge. The upper piece of a cut vertex is on the first layer.
    """
    earlier = np.int64(0)
    height = 1
    for v in order[: len(near)]:
        layer[v] = 0
        rest = near[v] & earlier
        while rest != 0:
            w = lowest(rest)
            rest &= rest - 1  # takes the lowest bit away
            # What is below a cut vertex hangs from its upper piece.
            layer[v] = max(layer[v], layer[w] + 1 if (whole >> w) & 1 else 1)
        height = max(height, layer[v] + 1)
        earlier |= np.int64(1) << v
    return height


@kernel
def layer_all(words: Words, sizes: Words, most_tries: int, found: Words) -> None:
    """Layer every run of a stint; columns: pieces, sets tried, cut vertices, layers."""
    scratch = np.zeros((6, 64 * 64), np.int64)
    order = np.zeros(64, np.int64)
    layer = np.zeros(64, np.int64)
    for run in range(len(words)):
        size = sizes[run]
        near = words[run, :size]
        cut, tries, _ = search_cuts(near, most_tries, order, scratch)
        found[run, 0] = -1  # stays where the search was given up
        if tries < 0:
            continue
        found[run, 0] = size + count_bits(cut)
        found[run, 1] = tries
        found[run, 2] = count_bits(cut)
        found[run, 3] = stack_layers(~cut, near, order, layer)
