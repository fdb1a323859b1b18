"""Kernels on the pieces the paper's search has placed: where one may stand, and whom it may take.

A set of pieces is one 64-bit word. Three facts make a step cheap; none of them changes a result.

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
from pathveil.layering.kernels.words import Word, Words, count_bits, lowest


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
def layer_span(pieces: int, layer: Words) -> tuple[int, int]:
    """Return the smallest and the largest layer in use; without pieces, any two that are equal."""
    low = layer[0]
    high = layer[0]
    for k in range(pieces):
        low = min(low, layer[k])
        high = max(high, layer[k])
    return low, high


@kernel
def copy_pieces(count: int, layer: Words, above: Words, below: Words, kept: Words) -> None:
    """Keep the first pieces: where they stand, what is above and what is below."""
    for k in range(count):
        kept[0, k] = layer[k]
        kept[1, k] = above[k]
        kept[2, k] = below[k]


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
    one = np.int64(1)
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
