"""Compiled loops of the colouring: one try at a draw.

``draw_kernel`` makes one try: it shuffles the vertices by the words of a random stream, then gives
each in turn a colour, uniform among those allowed. Colours are bits of 64-bit words; ``used`` holds
one row for each colour, the colours a link already joins it with. A colour is forbidden to a vertex
if a coloured neighbour has it, if its block with a coloured neighbour's colour is taken, or if the
two would share a neighbour that is still without colour (which would then have two links to one
class). So a vertex costs its degree times classes / 64, and no pair of classes is ever scanned.

A whole number below k is cut from the top bits of a word; too large ones are thrown away, so it is
exact. The plain twin in :mod:`pathveil.chance.colouring` reads the same words the same way.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from pathveil.layering.kernels.running import kernel

IntArray = npt.NDArray[np.int64]
WordArray = npt.NDArray[np.uint64]
Whole = int | np.signedinteger[Any]
"""Plain or of the machine. Unsigned ones are turned at once: mixed signs make floats in Numba."""

DRY = -2
"""The try ran out of random words: give it more."""
STUCK = -1
"""No colour was allowed to some vertex: the try has failed."""


@kernel
def draw_below(bound: Whole, words: WordArray, read: int) -> tuple[Whole, int]:
    """Return a whole number below a bound, uniform and exact, and how many words are read then.

    DRY instead of the number where the words end. Nothing is read where there is no choice.
    """
    if bound == 1:
        return 0, read
    shift = 64
    while (1 << (64 - shift)) < bound:
        shift -= 1
    while True:
        if read == len(words):
            return DRY, read
        # The top bits alone, and thrown away if too large: a remainder would favour small numbers.
        found = np.int64(words[read] >> np.uint64(shift))
        read += 1
        if found < bound:
            return found, read


@kernel
def shuffle(size: int, words: WordArray) -> tuple[IntArray, int]:
    """Return a uniform order of so many things, and how many words were read, or DRY."""
    order = np.arange(size)
    read = 0
    for i in range(size - 1, 0, -1):
        j, read = draw_below(i + 1, words, read)
        if j == DRY:
            return order, DRY
        order[i], order[j] = order[j], order[i]
    return order, read


@kernel
def count_set(word: np.uint64) -> Whole:
    """Return how many bits of a word are set."""
    # In pairs, in fours, in bytes; the product gathers all eight bytes in the highest.
    word = word - ((word >> np.uint64(1)) & np.uint64(0x5555555555555555))
    pairs = np.uint64(0x3333333333333333)
    word = (word & pairs) + ((word >> np.uint64(2)) & pairs)
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((word * np.uint64(0x0101010101010101)) >> np.uint64(56))


@kernel
def forbid(
    v: Whole,
    starts: IntArray,
    links: IntArray,
    colour: IntArray,
    used: WordArray,
    allowed: WordArray,
) -> None:
    """Clear the colours that the links of a vertex forbid it."""
    one = np.uint64(1)
    for k in range(starts[v], starts[v + 1]):
        u = links[k]
        c = colour[u]
        if c >= 0:
            for w in range(len(allowed)):
                allowed[w] &= ~used[c, w]
            allowed[c >> 6] &= ~(one << np.uint64(c & 63))
        else:
            # A neighbour still without colour: with one of its coloured neighbours' colours it
            # would have two links to one class.
            for m in range(starts[u], starts[u + 1]):
                c = colour[links[m]]
                if c >= 0:
                    allowed[c >> 6] &= ~(one << np.uint64(c & 63))


@kernel
def nth_set(words: WordArray, pick: Whole) -> int:
    """Return the place of the set bit with ``pick`` set bits before it."""
    one = np.uint64(1)
    for w in range(len(words)):
        here = count_set(words[w])
        if pick >= here:
            pick -= here
            continue
        rest = words[w]
        for _ in range(pick):
            rest &= rest - one
        bit = 0
        while (rest >> np.uint64(bit)) & one == np.uint64(0):
            bit += 1
        return 64 * w + bit
    return -1


@kernel
def draw_kernel(
    starts: IntArray, links: IntArray, classes: int, cap: int, words: WordArray, colour: IntArray
) -> int:
    """Colour the vertices in place; return how many words were read, or DRY, or STUCK."""
    size = len(starts) - 1
    one = np.uint64(1)
    used = np.zeros((classes, (classes + 63) // 64), np.uint64)
    wide = used.shape[1]
    members = np.zeros(classes, np.int64)
    room = np.zeros(wide, np.uint64)  # colours that are not full
    for c in range(classes):
        room[c >> 6] |= one << np.uint64(c & 63)
    order, read = shuffle(size, words)
    if read == DRY:
        return DRY
    colour[:] = -1
    allowed = np.empty(wide, np.uint64)
    for v in order:
        allowed[:] = room
        forbid(v, starts, links, colour, used, allowed)
        count: Whole = 0
        for w in range(wide):
            count += count_set(allowed[w])
        if count == 0:
            return STUCK
        pick, read = draw_below(count, words, read)
        if pick == DRY:
            return DRY
        c = nth_set(allowed, pick)
        colour[v] = c
        members[c] += 1
        if members[c] == cap:
            room[c >> 6] &= ~(one << np.uint64(c & 63))
        for k in range(starts[v], starts[v + 1]):
            d = colour[links[k]]
            if d >= 0:
                used[c, d >> 6] |= one << np.uint64(d & 63)
                used[d, c >> 6] |= one << np.uint64(c & 63)
    return read
