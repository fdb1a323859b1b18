"""Compiled loops of the colouring: one try at a draw, and what each link did to it.

The draw
--------
``draw_kernel`` makes one try: it shuffles the vertices by the words of a random stream, then gives
each in turn a colour, uniform among those allowed. Colours are bits of 64-bit words; ``used`` holds
one row for each colour, the colours a link already joins it with. A colour is forbidden to a vertex
if a coloured neighbour has it, if its block with a coloured neighbour's colour is taken, or if the
two would share a neighbour that is still without colour (which would then have two links to one
class). So a vertex costs its degree times classes / 64, and no pair of classes is ever scanned.

A whole number below k is cut from the top bits of a word; too large ones are thrown away, so it is
exact. The plain twin in :mod:`pathveil.chance.colouring` reads the same words the same way.

The price
---------
``order_kernel`` answers for one order and one finished colouring: how many colours were allowed at
each vertex, and, with one link taken away, the logarithm of the product of the ratios. Taking a
link away changes only what is allowed at its ends, at their neighbours, and at neighbours of
members of its two classes: only those are looked at again.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from math import log
from typing import Any, TypeVar, cast

import numpy as np
import numpy.typing as npt

IntArray = npt.NDArray[np.int64]
WordArray = npt.NDArray[np.uint64]
FloatArray = npt.NDArray[np.float64]
T = TypeVar("T", bound=Callable[..., Any])

DRY = -2
"""The try ran out of random words: give it more."""
STUCK = -1
"""No colour was allowed to some vertex: the try has failed."""


@cache
def compiled(function: T) -> T:
    """Return the compiled twin of a kernel; Numba is imported on first use."""
    import numba

    return cast("T", numba.njit(cache=True, nogil=True)(function))


def draw_kernel(
    starts: IntArray, links: IntArray, classes: int, cap: int, words: WordArray, colour: IntArray
) -> int:
    """Colour the vertices in place; return how many words were read, or DRY, or STUCK."""
    size = len(starts) - 1
    wide = (classes + 63) // 64
    one = np.uint64(1)
    zero = np.uint64(0)
    low, pairs, fours = (
        np.uint64(0x5555555555555555),
        np.uint64(0x3333333333333333),
        np.uint64(0x0F0F0F0F0F0F0F0F),
    )
    bytes_once = np.uint64(0x0101010101010101)
    used = np.zeros((classes, wide), np.uint64)
    members = np.zeros(classes, np.int64)
    room = np.zeros(wide, np.uint64)
    for c in range(classes):
        room[c >> 6] |= one << np.uint64(c & 63)
    order = np.arange(size)
    read = 0
    for i in range(size - 1, 0, -1):
        shift = 64
        while (1 << (64 - shift)) < i + 1:
            shift -= 1
        while True:
            if read == len(words):
                return -2
            j = int(words[read] >> np.uint64(shift))
            read += 1
            if j <= i:
                break
        order[i], order[j] = order[j], order[i]
    colour[:] = -1
    allowed = np.empty(wide, np.uint64)
    for v in order:
        for w in range(wide):
            allowed[w] = room[w]
        for k in range(starts[v], starts[v + 1]):
            u = links[k]
            c = colour[u]
            if c >= 0:
                for w in range(wide):
                    allowed[w] &= ~used[c, w]
                allowed[c >> 6] &= ~(one << np.uint64(c & 63))
            else:
                for m in range(starts[u], starts[u + 1]):
                    c = colour[links[m]]
                    if c >= 0:
                        allowed[c >> 6] &= ~(one << np.uint64(c & 63))
        count = 0
        for w in range(wide):
            x = allowed[w]
            x = x - ((x >> one) & low)
            x = (x & pairs) + ((x >> np.uint64(2)) & pairs)
            x = (x + (x >> np.uint64(4))) & fours
            count += int((x * bytes_once) >> np.uint64(56))
        if count == 0:
            return -1
        pick = 0
        if count > 1:
            shift = 64
            while (1 << (64 - shift)) < count:
                shift -= 1
            while True:
                if read == len(words):
                    return -2
                pick = int(words[read] >> np.uint64(shift))
                read += 1
                if pick < count:
                    break
        c = -1
        for w in range(wide):
            x = allowed[w]
            x = x - ((x >> one) & low)
            x = (x & pairs) + ((x >> np.uint64(2)) & pairs)
            x = (x + (x >> np.uint64(4))) & fours
            here = int((x * bytes_once) >> np.uint64(56))
            if pick >= here:
                pick -= here
                continue
            x = allowed[w]
            for _ in range(pick):
                x &= x - one
            bit = 0
            while (x >> np.uint64(bit)) & one == zero:
                bit += 1
            c = 64 * w + bit
            break
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


def order_kernel(
    starts: IntArray,
    links: IntArray,
    link_of: IntArray,
    pairs: IntArray,
    colour: IntArray,
    classes: int,
    cap: int,
    turn: IntArray,
    asked: IntArray,
) -> FloatArray:
    """Return, for each asked link, ln of P(colouring with it) / P(without), for one order.

    ``classes`` counts the colours of the law; ``colour`` may use fewer. ``turn`` is the place of
    each vertex in the order. ``link_of`` numbers the entries of ``links`` by link.
    """
    size = len(starts) - 1
    mark = np.full(classes, -1, np.int64)
    stamp = 0
    # When each class became full, and for each class its blocks with their time and their link.
    full = np.full(classes, size, np.int64)
    members = np.zeros(classes, np.int64)
    by_turn = np.empty(size, np.int64)
    for v in range(size):
        by_turn[turn[v]] = v
    full_by = np.zeros(size + 1, np.int64)
    for t in range(size):
        c = colour[by_turn[t]]
        members[c] += 1
        if members[c] == cap:
            full[c] = t
            full_by[t + 1] += 1
    for t in range(size):
        full_by[t + 1] += full_by[t]
    row_start = np.zeros(classes + 1, np.int64)
    for e in range(len(pairs)):
        row_start[colour[pairs[e, 0]] + 1] += 1
        row_start[colour[pairs[e, 1]] + 1] += 1
    for c in range(classes):
        row_start[c + 1] += row_start[c]
    cursor = row_start[:-1].copy()
    row = np.empty(2 * len(pairs), np.int64)
    row_turn = np.empty(2 * len(pairs), np.int64)
    row_link = np.empty(2 * len(pairs), np.int64)
    for e in range(len(pairs)):
        x, y = pairs[e, 0], pairs[e, 1]
        when = max(turn[x], turn[y])
        for side in range(2):
            c, d = colour[pairs[e, side]], colour[pairs[e, 1 - side]]
            row[cursor[c]] = d
            row_turn[cursor[c]] = when
            row_link[cursor[c]] = e
            cursor[c] += 1
    member_start = np.zeros(classes + 1, np.int64)
    for v in range(size):
        member_start[colour[v] + 1] += 1
    for c in range(classes):
        member_start[c + 1] += member_start[c]
    cursor = member_start[:-1].copy()
    member = np.empty(size, np.int64)
    for v in range(size):
        member[cursor[colour[v]]] = v
        cursor[colour[v]] += 1

    seen = np.full(size, -1, np.int64)
    touched = np.empty(size, np.int64)
    answer = np.zeros(len(asked))
    for place in range(len(asked)):
        gone = asked[place]
        many = 0
        for side in range(2):
            x = pairs[gone, side]
            if seen[x] != place:
                seen[x] = place
                touched[many] = x
                many += 1
            c = colour[x]
            for m in range(member_start[c], member_start[c + 1]):
                z = member[m]
                for k in range(starts[z], starts[z + 1]):
                    v = links[k]
                    if seen[v] != place:
                        seen[v] = place
                        touched[many] = v
                        many += 1
        for at in range(many):
            v = touched[at]
            t = turn[v]
            counts = (0, 0)
            for missing in range(2):
                without = gone if missing == 1 else -1
                stamp += 1
                barred = 0
                for k in range(starts[v], starts[v + 1]):
                    if link_of[k] == without:
                        continue
                    u = links[k]
                    if turn[u] < t:
                        c = colour[u]
                        if mark[c] != stamp:
                            mark[c] = stamp
                            if full[c] >= t:
                                barred += 1
                        for m in range(row_start[c], row_start[c + 1]):
                            if row_turn[m] < t and row_link[m] != without:
                                d = row[m]
                                if mark[d] != stamp:
                                    mark[d] = stamp
                                    if full[d] >= t:
                                        barred += 1
                    else:
                        for m in range(starts[u], starts[u + 1]):
                            if link_of[m] == without or turn[links[m]] >= t:
                                continue
                            d = colour[links[m]]
                            if mark[d] != stamp:
                                mark[d] = stamp
                                if full[d] >= t:
                                    barred += 1
                left = classes - full_by[t] - barred
                counts = (counts[1], left)
            answer[place] += log(counts[1] / counts[0])
    return answer
