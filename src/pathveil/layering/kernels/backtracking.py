"""The paper's search compiled: the same placements in the same order, a hundred times faster.

Theory of operation
-------------------
``backtracking.py`` is the reference and says what the search does. This module does the same with
whole machine words: a set of pieces is one 64-bit word, so an engine of at most 64 pieces fits.
How a piece is placed is in ``kernels.pieces``.

Signed words are used throughout, as mixed signs turn into floats in Numba; the sign bit is piece
63, and no right shift is trusted beyond the bits that are masked after it.

More than 64 pieces end the kernel with :data:`FULL`; the caller then runs the plain engine.
"""

from __future__ import annotations

import numpy as np

from pathveil.layering.kernels.pieces import (
    best_piece,
    copy_pieces,
    good_layers,
    layer_span,
    put_piece,
    stuck_mate,
    take_piece,
)
from pathveil.layering.kernels.running import kernel
from pathveil.layering.kernels.words import Word, Words

MOST_PIECES = 64
FULL = -1
"""Number of pieces reported when 64 do not suffice."""


@kernel
def cut_vertex(
    vertex: int, mates: Word, pieces: int, owner: Words, layer: Words, above: Words, below: Words
) -> tuple[int, int]:
    """Place a vertex that fits nowhere as several pieces; return (all pieces, steps). Alg. 6."""
    steps = 0
    one = np.int64(1)
    if mates == 0:
        # It fits everywhere; the step limit struck before it was tried.
        if pieces == MOST_PIECES:
            return FULL, steps
        level = layer_span(pieces, layer)[1] + 1
        owner[pieces] = vertex
        put_piece(pieces, level, mates, layer, above, below)
        return pieces + 1, 1
    mate = stuck_mate(mates, above, below)
    while mate >= 0:
        if pieces == MOST_PIECES:
            return FULL, steps
        # Give it a bare piece to be met by.
        mates = (mates & ~(one << mate)) | (one << pieces)
        owner[pieces] = owner[mate]
        put_piece(pieces, layer[mate], np.int64(0), layer, above, below)
        pieces += 1
        mate = stuck_mate(mates, above, below)
    waiting = mates
    while waiting != 0:
        if pieces == MOST_PIECES:
            return FULL, steps
        level, chosen = best_piece(pieces, mates, waiting, layer, above, below)
        steps += 1
        owner[pieces] = vertex
        put_piece(pieces, level, chosen, layer, above, below)
        pieces += 1
        waiting &= ~chosen
    return pieces, steps


@kernel
def carried(near: Word, count: int, carrier: Words) -> Word:
    """Return the pieces that carry those of the first ``count`` vertices that are near."""
    word = np.int64(0)
    for other in range(count):
        if (near >> other) & 1:
            word |= np.int64(1) << carrier[other]
    return word


@kernel
def search(
    neighbours: Words,
    splitting: bool,  # noqa: FBT001 - kernels take positional arguments only
    step_limit: int,
    split_at_limit: bool,  # noqa: FBT001
    owner: Words,
    layer: Words,
    above: Words,
    below: Words,
) -> tuple[int, int, int, bool, int]:
    """Place all vertices; return (pieces, steps, splits, struck, vertices reached).

    Parameters
    ----------
    neighbours
        For each vertex, numbered in insertion order, the word of its neighbours.
    owner, layer, above, below
        Room for 64 pieces; filled with the vertex, the layer, and the words of pieces above and
        below of each piece.

    Notes
    -----
    ``reached < len(neighbours)`` says that the map is not usable without splitting, or that the
    limit struck and was not to be split at. Layers may start anywhere; only their order counts.
    """
    size = len(neighbours)
    one = np.int64(1)
    carrier = np.full(size, -1, np.int64)
    # By depth: the layers a vertex may stand on. There are no more layers than pieces, and one
    # beyond them on either side.
    choices = np.zeros((size, MOST_PIECES + 2), np.int64)
    left = np.zeros(size, np.int64)
    cursor = np.zeros(size, np.int64)
    lows = np.zeros(size, np.int64)
    highs = np.zeros(size, np.int64)
    fixed = np.zeros(size, np.int64)
    best = np.empty((3, MOST_PIECES), np.int64)  # the deepest attempt, to be taken up again
    steps = 0
    splits = 0
    struck = False
    start = 0
    base = 0
    while start < size:
        todo = size - start
        # What the settled pieces are to each vertex still to come.
        for t in range(start, size):
            fixed[t - start] = carried(neighbours[t], start, carrier)
        if base == 0:
            left[0] = 1  # layer 0, as any other would do
        else:
            lows[0], highs[0] = layer_span(base, layer)
            left[0] = good_layers(fixed[0], lows[0], highs[0], layer, above, below, choices[0])
        cursor[0] = 0
        depth = 0
        deepest = 0
        budget = step_limit
        copy_pieces(base, layer, above, below, best)
        while depth >= 0:
            if cursor[depth] == left[depth]:
                depth -= 1
                if depth >= 0:
                    take_piece(base + depth, above, below)
                continue
            if budget == 0:
                struck = True
                if not split_at_limit:
                    return base, steps, splits, struck, start + deepest
                break
            if base + depth == MOST_PIECES:
                return FULL, steps, splits, struck, start + deepest
            budget -= 1
            steps += 1
            level = choices[depth, cursor[depth]]
            cursor[depth] += 1
            word = (neighbours[start + depth] >> start) & ((one << depth) - 1)
            put_piece(base + depth, level, fixed[depth] | (word << base), layer, above, below)
            low = min(lows[depth], level)
            high = max(highs[depth], level)
            depth += 1
            if depth > deepest:
                deepest = depth
                copy_pieces(base + depth, layer, above, below, best)
                if deepest == todo:
                    break
            lows[depth] = low
            highs[depth] = high
            word = (neighbours[start + depth] >> start) & ((one << depth) - 1)
            cursor[depth] = 0
            left[depth] = good_layers(
                fixed[depth] | (word << base), low, high, layer, above, below, choices[depth]
            )
        for k in range(base + deepest):
            layer[k], above[k], below[k] = best[0, k], best[1, k], best[2, k]
        for t in range(start, start + deepest):
            carrier[t] = base + t - start
            owner[base + t - start] = t
        base += deepest
        start += deepest
        if start == size:
            break
        if not splitting:
            return base, steps, splits, struck, start
        mates = carried(neighbours[start], start, carrier)
        first_piece = base
        base, more = cut_vertex(start, mates, base, owner, layer, above, below)
        steps += more
        if base < 0:
            return FULL, steps, splits, struck, start
        while owner[first_piece] != start:
            first_piece += 1
        carrier[start] = first_piece
        splits += 1
        start += 1
    return base, steps, splits, struck, size
