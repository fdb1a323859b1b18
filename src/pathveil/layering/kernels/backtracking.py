"""The paper's search compiled: the same placements in the same order, a hundred times faster.

Theory of operation
-------------------
``backtracking.py`` is the reference and says what the search does. This module does the same with
whole machine words: a set of pieces is one 64-bit word, so an engine of at most 64 pieces fits.
Three facts make a step cheap; none of them changes a result.

1. Number the vertices in the order of their insertion. In one search the pieces are numbered the
   same way but for a shift, so the mates of a vertex are a few shifts and masks away.
2. A mate above the candidate layer must have mates only above itself. What lies above a mate lies
   above the layer too, so this does not depend on the layer: a mate with a *stranger* above bounds
   the layer from below the page, one with a stranger below bounds it from above.
3. Two mates that are not comparable forbid exactly the layers strictly between them.

Signed words are used throughout, as mixed signs turn into floats in Numba; the sign bit is piece
63, and no right shift is trusted beyond the bits that are masked after it.

More than 64 pieces end the kernel with :data:`FULL`; the caller then runs the plain engine.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from pathveil.layering.kernels.running import kernel

Words = npt.NDArray[np.int64]
Word = Any
"""A signed machine word when compiled; plain integers serve as well."""

MOST_PIECES = 64
FULL = -1
"""Number of pieces reported when 64 do not suffice."""

_MIDDLE = 66  # the number the first layer has inside: all others then are positive


@kernel
def lowest(mask: Word) -> int:
    """Return the number of the lowest set bit of a word that is not zero."""
    place = 0
    if mask & 0xFFFFFFFF == 0:
        place = 32
        mask >>= 32
    if mask & 0xFFFF == 0:
        place += 16
        mask >>= 16
    if mask & 0xFF == 0:
        place += 8
        mask >>= 8
    if mask & 0xF == 0:
        place += 4
        mask >>= 4
    if mask & 0x3 == 0:
        place += 2
        mask >>= 2
    if mask & 0x1 == 0:
        place += 1
    return place


@kernel
def count_bits(mask: Word) -> int:
    """Return how many bits of a word are set."""
    count = 0
    while mask != 0:
        mask &= mask - 1
        count += 1
    return count


@kernel
def good_layers(
    mates: Word, low: int, high: int, layer: Words, above: Words, below: Words, good: Words
) -> int:
    """Write the layers a piece with these mates may stand on, largest first; return how many.

    *Paper*: Alg. 5 for the candidate layers ``low - 1`` to ``high + 1`` at once.
    """
    first, last = low - 1, high + 1
    width = high - low + 3
    # Before the scan good[] holds the steps of "how many pairs forbid this layer".
    for k in range(width + 1):
        good[k] = 0
    rest = mates
    while rest != 0:
        mate = lowest(rest)
        rest &= rest - 1
        here = layer[mate]
        if above[mate] & ~mates != 0 and here - 1 < last:
            last = here - 1
        if below[mate] & ~mates != 0 and here + 1 > first:
            first = here + 1
        good[here - low + 1] += 1
        good[here - low + 2] -= 1
        far = here
        others = mates & ~below[mate] & ~above[mate]
        while others != 0:
            other = lowest(others)
            others &= others - 1
            far = max(far, layer[other])
        if far > here:
            good[here - low + 2] += 1
            good[far - low + 1] -= 1
    if first > last:
        return 0
    forbidden = 0
    for k in range(width):
        forbidden += good[k]
        good[k] = forbidden
    count = 0
    # Backwards into the same array would overwrite what is still to be read: pack upwards first.
    for k in range(first - low + 1, last - low + 2):
        if good[k] == 0:
            good[count] = k + low - 1
            count += 1
    for k in range(count // 2):
        good[k], good[count - 1 - k] = good[count - 1 - k], good[k]
    return count


@kernel
def put_piece(
    piece: int, level: Word, mates: Word, layer: Words, above: Words, below: Words
) -> None:
    """Put a new piece on a layer and tie it to its mates; a mate on the layer is ignored."""
    bit = np.int64(1) << piece
    upper = np.int64(0)
    lower = np.int64(0)
    rest = mates
    while rest != 0:
        mate = lowest(rest)
        rest &= rest - 1
        if layer[mate] < level:
            upper |= np.int64(1) << mate
            below[mate] |= bit
        elif layer[mate] > level:
            lower |= np.int64(1) << mate
            above[mate] |= bit
    layer[piece] = level
    above[piece] = upper
    below[piece] = lower


@kernel
def take_piece(piece: int, above: Words, below: Words) -> None:
    """Take the last piece back."""
    bit = np.int64(1) << piece
    rest = above[piece]
    while rest != 0:
        below[lowest(rest)] &= ~bit
        rest &= rest - 1
    rest = below[piece]
    while rest != 0:
        above[lowest(rest)] &= ~bit
        rest &= rest - 1


@kernel
def cut_vertex(
    vertex: int, mates: Word, pieces: int, owner: Words, layer: Words, above: Words, below: Words
) -> tuple[int, int]:
    """Place a vertex that fits nowhere as several pieces; return (all pieces, steps). Alg. 6."""
    steps = 0
    one = np.int64(1)
    if mates == 0:
        if pieces == 64:
            return -1, steps
        level = np.int64(_MIDDLE)
        for k in range(pieces):
            level = layer[k] + 1 if k == 0 else max(level, layer[k] + 1)
        owner[pieces] = vertex
        put_piece(pieces, level, mates, layer, above, below)
        return pieces + 1, 1
    stuck = True
    while stuck:
        stuck = False
        rest = mates
        while rest != 0:
            mate = lowest(rest)
            rest &= rest - 1
            if above[mate] & ~mates != 0 and below[mate] & ~mates != 0:
                if pieces == 64:
                    return -1, steps
                mates = (mates & ~(one << mate)) | (one << pieces)
                owner[pieces] = owner[mate]
                put_piece(pieces, layer[mate], np.int64(0), layer, above, below)
                pieces += 1
                stuck = True
                break
    waiting = mates
    while waiting != 0:
        if pieces == 64:
            return -1, steps
        low = layer[0]
        high = layer[0]
        for k in range(pieces):
            low = min(low, layer[k])
            high = max(high, layer[k])
        most = -1
        chosen = np.int64(0)
        level = high + 1
        for back in range(high - low + 3):
            here = high + 1 - back
            upper = np.int64(0)
            lower = np.int64(0)
            rest = mates
            while rest != 0:
                mate = lowest(rest)
                rest &= rest - 1
                if layer[mate] < here:
                    if above[mate] & ~mates == 0:
                        upper |= one << mate
                elif layer[mate] > here and below[mate] & ~mates == 0:
                    lower |= one << mate
            first = upper
            second = lower
            rest = lower
            while rest != 0:
                mate = lowest(rest)
                rest &= rest - 1
                if upper & ~above[mate] == 0:
                    first |= one << mate
            rest = upper
            while rest != 0:
                mate = lowest(rest)
                rest &= rest - 1
                if lower & ~below[mate] == 0:
                    second |= one << mate
            count = count_bits(first & waiting)
            if count > most:
                most, chosen, level = count, first, here
            count = count_bits(second & waiting)
            if count > most:
                most, chosen, level = count, second, here
        steps += 1
        owner[pieces] = vertex
        put_piece(pieces, level, chosen, layer, above, below)
        pieces += 1
        waiting &= ~chosen
    return pieces, steps


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
) -> tuple[int, int, int, int, int]:
    """Place all vertices; return (pieces, steps, splits, strikes, vertices reached).

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
    choices = np.empty((size + 1, 2 * 64 + 8), np.int64)
    left = np.zeros(size + 1, np.int64)
    cursor = np.zeros(size + 1, np.int64)
    lows = np.zeros(size + 1, np.int64)
    highs = np.zeros(size + 1, np.int64)
    fixed = np.zeros(size + 1, np.int64)
    best_layer = np.empty(64, np.int64)
    best_above = np.empty(64, np.int64)
    best_below = np.empty(64, np.int64)
    steps = 0
    splits = 0
    strikes = 0
    start = 0
    base = 0
    while start < size:
        todo = size - start
        # What the settled pieces are to each vertex still to come.
        for t in range(start, size):
            word = np.int64(0)
            for other in range(start):
                if (neighbours[t] >> other) & 1:
                    word |= one << carrier[other]
            fixed[t - start] = word
        if base == 0:
            lows[0] = _MIDDLE
            highs[0] = _MIDDLE
            choices[0, 0] = _MIDDLE
            left[0] = 1
        else:
            lows[0] = layer[0]
            highs[0] = layer[0]
            for k in range(base):
                lows[0] = min(lows[0], layer[k])
                highs[0] = max(highs[0], layer[k])
            left[0] = good_layers(fixed[0], lows[0], highs[0], layer, above, below, choices[0])
        cursor[0] = 0
        depth = 0
        deepest = 0
        budget = step_limit
        for k in range(base):
            best_layer[k] = layer[k]
            best_above[k] = above[k]
            best_below[k] = below[k]
        while depth >= 0:
            if cursor[depth] == left[depth]:
                depth -= 1
                if depth >= 0:
                    take_piece(base + depth, above, below)
                continue
            if budget == 0:
                strikes += 1
                if not split_at_limit:
                    return base, steps, splits, strikes, start + deepest
                break
            if base + depth == 64:
                return -1, steps, splits, strikes, start + deepest
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
                for k in range(base + depth):
                    best_layer[k] = layer[k]
                    best_above[k] = above[k]
                    best_below[k] = below[k]
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
            layer[k] = best_layer[k]
            above[k] = best_above[k]
            below[k] = best_below[k]
        for t in range(start, start + deepest):
            carrier[t] = base + t - start
            owner[base + t - start] = t
        base += deepest
        start += deepest
        if start == size:
            break
        if not splitting:
            return base, steps, splits, strikes, start
        mates = np.int64(0)
        for other in range(start):
            if (neighbours[start] >> other) & 1:
                mates |= one << carrier[other]
        first_piece = base
        base, more = cut_vertex(start, mates, base, owner, layer, above, below)
        steps += more
        if base < 0:
            return -1, steps, splits, strikes, start
        while owner[first_piece] != start:
            first_piece += 1
        carrier[start] = first_piece
        splits += 1
        start += 1
    return base, steps, splits, strikes, size
