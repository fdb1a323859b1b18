"""The paper's search: the steps of ``backtracking.py``, which says what it does.

Theory of operation
-------------------
A set of pieces is one number, bit by bit. Compiled, that is a signed machine word, as Numba makes
floats of mixed ones: 64 pieces fit, the sign bit is piece 63, and no right shift is trusted beyond
the bits that are masked after it. In plain Python the arrays hold Python's own numbers (``object``)
and any number of pieces fits.

There is room for as many pieces as the arrays have columns; where these do not suffice the kernel
ends with :data:`FULL`.

Three facts make a step cheap; none of them changes a result.

1. Number the vertices in the order of their insertion. In one search the pieces are numbered the
   same way but for a shift, so the mates of a vertex are a few shifts and masks away.
2. A mate above the candidate layer must have mates only above itself. What lies above a mate lies
   above the layer too, so this does not depend on the layer: a mate with a *stranger* above bounds
   the layer from below the page, one with a stranger below bounds it from above.
3. Two mates that are not comparable forbid exactly the layers strictly between them.
"""

from __future__ import annotations

import numpy as np

from pathveil.layering.kernels.running import kernel
from pathveil.layering.kernels.small_graphs import Word, Words, count_bits, lowest


@kernel
def lowest_layer(mask: Word, layer: Words) -> int:
    """Return the largest layer number of some pieces; there is at least one."""
    most: int = layer[lowest(mask)]
    while mask != 0:
        most = max(most, layer[lowest(mask)])
        mask &= mask - 1
    return most


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
    for k in range(width):
        good[k] = 0
    rest = mates
    while rest != 0:
        mate = lowest(rest)
        rest &= rest - 1
        here = layer[mate]
        if above[mate] & ~mates != 0:
            last = min(last, here - 1)
        if below[mate] & ~mates != 0:
            first = max(first, here + 1)
        # No layer of a mate, and none between two that are not comparable. Of these the lowest
        # forbids most, and the mate itself is one of them.
        far = lowest_layer(mates & ~below[mate] & ~above[mate], layer)
        good[here - low + 1] += 1
        good[far - low + 2] -= 1
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
    bit = 1 << piece
    upper = 0
    lower = 0
    rest = mates
    while rest != 0:
        mate = lowest(rest)
        rest &= rest - 1
        if layer[mate] < level:
            upper |= 1 << mate
            below[mate] |= bit
        elif layer[mate] > level:
            lower |= 1 << mate
            above[mate] |= bit
    layer[piece] = level
    above[piece] = upper
    below[piece] = lower


@kernel
def take_piece(piece: int, above: Words, below: Words) -> None:
    """Take the last piece back."""
    bit = 1 << piece
    rest = above[piece]
    while rest != 0:
        below[lowest(rest)] &= ~bit
        rest &= rest - 1
    rest = below[piece]
    while rest != 0:
        above[lowest(rest)] &= ~bit
        rest &= rest - 1


@kernel
def layer_span(pieces: int, layer: Words) -> tuple[int, int]:
    """Return the smallest and the largest layer in use; without pieces, any two that are equal."""
    low = layer[0]
    high = layer[0]
    for k in range(pieces):
        low = min(low, layer[k])
        high = max(high, layer[k])
    return low, high


@kernel
def stuck_mate(mates: Word, above: Words, below: Words) -> int:
    """Return a mate with a stranger above and a stranger below, which no layer can take; or -1."""
    rest = mates
    while rest != 0:
        mate = lowest(rest)
        rest &= rest - 1
        if above[mate] & ~mates != 0 and below[mate] & ~mates != 0:
            return mate
    return -1


@kernel
def takers(here: int, mates: Word, layer: Words, above: Words, below: Words) -> tuple[Word, Word]:
    """Return two large sets of mates that a piece on a layer may take: all above first, or below.

    Both sides at once are too many as a rule: whoever stands above the piece must stand above all
    that stands below it.
    """
    upper = 0
    lower = 0
    rest = mates
    while rest != 0:
        mate = lowest(rest)
        rest &= rest - 1
        if layer[mate] < here:
            if above[mate] & ~mates == 0:
                upper |= 1 << mate
        elif layer[mate] > here and below[mate] & ~mates == 0:
            lower |= 1 << mate
    first = upper
    second = lower
    rest = lower
    while rest != 0:
        mate = lowest(rest)
        rest &= rest - 1
        if upper & ~above[mate] == 0:
            first |= 1 << mate
    rest = upper
    while rest != 0:
        mate = lowest(rest)
        rest &= rest - 1
        if lower & ~below[mate] == 0:
            second |= 1 << mate
    return first, second


@kernel
def best_piece(
    pieces: int, mates: Word, waiting: Word, layer: Words, above: Words, below: Words
) -> tuple[int, Word]:
    """Return the layer, and the mates taken there, that serve most of the mates still waiting."""
    low, high = layer_span(pieces, layer)
    most, chosen, level = -1, mates, high
    # From the lowest layer on the page upwards, and only more is better: ties as in the plain form.
    for back in range(high - low + 3):
        here = high + 1 - back
        first, second = takers(here, mates, layer, above, below)
        count = count_bits(first & waiting)
        if count > most:
            most, chosen, level = count, first, here
        count = count_bits(second & waiting)
        if count > most:
            most, chosen, level = count, second, here
    return level, chosen


FULL = -1
"""Number of pieces reported when there is no room for all."""


@kernel
def cut_vertex(
    vertex: int, mates: Word, pieces: int, owner: Words, layer: Words, above: Words, below: Words
) -> tuple[int, int]:
    """Place a vertex that fits nowhere as several pieces; return (all pieces, steps). Alg. 6."""
    steps = 0
    mate = stuck_mate(mates, above, below)
    while mate >= 0:
        if pieces == len(owner):
            return FULL, steps
        # Give it an empty piece to be met by.
        mates = (mates & ~(1 << mate)) | (1 << pieces)
        owner[pieces] = owner[mate]
        put_piece(pieces, layer[mate], 0, layer, above, below)
        pieces += 1
        mate = stuck_mate(mates, above, below)
    waiting = mates
    while True:  # once even without mates: the step limit struck before it was tried
        if pieces == len(owner):
            return FULL, steps
        level, chosen = best_piece(pieces, mates, waiting, layer, above, below)
        steps += 1
        owner[pieces] = vertex
        put_piece(pieces, level, chosen, layer, above, below)
        pieces += 1
        waiting &= ~chosen
        if waiting == 0:
            return pieces, steps


@kernel
def carried(near: Word, count: int, carrier: Words) -> Word:
    """Return the pieces that carry those of the first ``count`` vertices that are near."""
    word = 0
    for other in range(count):
        if (near >> other) & 1:
            word |= 1 << int(carrier[other])
    return word


@kernel
def search(
    neighbours: Words,
    splitting: bool,  # noqa: FBT001 - kernels take positional arguments only
    step_limit: int,
    split_at_limit: bool,  # noqa: FBT001
    room: Words,
) -> tuple[int, int, int, bool, int]:
    """Place all vertices; return (pieces, steps, splits, struck, vertices reached).

    Parameters
    ----------
    neighbours
        For each vertex, numbered in insertion order, the word of its neighbours.
    room
        Four rows with a column for each piece; filled with the vertex, the layer, and the words
        of pieces above and below of each piece.

    Notes
    -----
    ``reached < len(neighbours)`` says that the map is not usable without splitting, or that the
    limit struck and was not to be split at. Layers may start anywhere; only their order counts.
    """
    size = len(neighbours)
    owner, layer, above, below = room[0], room[1], room[2], room[3]
    carrier = np.empty(size, np.int64)
    # By depth: the layers a vertex may stand on. There are no more layers than pieces, and one
    # beyond them on either side.
    choices = np.zeros((size, len(owner) + 2), np.int64)
    left = np.zeros(size, np.int64)
    cursor = np.zeros(size, np.int64)
    lows = np.zeros(size, np.int64)
    highs = np.zeros(size, np.int64)
    fixed = np.zeros_like(neighbours)
    best = np.zeros_like(room)  # the deepest attempt, to be taken up again
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
        best[:] = room
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
            if base + depth == len(owner):
                return FULL, steps, splits, struck, start + deepest
            budget -= 1
            steps += 1
            level = choices[depth, cursor[depth]]
            cursor[depth] += 1
            word = (neighbours[start + depth] >> start) & ((1 << depth) - 1)
            put_piece(base + depth, level, fixed[depth] | (word << base), layer, above, below)
            low = min(lows[depth], level)
            high = max(highs[depth], level)
            depth += 1
            if depth > deepest:
                deepest = depth
                best[:] = room
                if deepest == todo:
                    break
            lows[depth] = low
            highs[depth] = high
            word = (neighbours[start + depth] >> start) & ((1 << depth) - 1)
            cursor[depth] = 0
            left[depth] = good_layers(
                fixed[depth] | (word << base), low, high, layer, above, below, choices[depth]
            )
        room[:] = best
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
