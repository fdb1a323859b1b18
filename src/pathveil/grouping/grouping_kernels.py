"""Compiled loops of what a grouping gives away: what each link did to its chance.

``order_kernel`` answers for one order and one finished colouring: how many colours were allowed at
each vertex, and, with one link taken away, the logarithm of the product of the ratios. Taking a
link away changes only what is allowed at its ends, at their neighbours, and at neighbours of
members of its two classes: only those are looked at again.
"""

from __future__ import annotations

from math import log
from typing import Any

import numpy as np
import numpy.typing as npt

from pathveil.layering.kernels.running import kernel

IntArray = npt.NDArray[np.int64]
Whole = int | np.signedinteger[Any]
"""Plain or of the machine."""
FloatArray = npt.NDArray[np.float64]


@kernel
def filling_times(
    colour: IntArray, turn: IntArray, classes: int, cap: int
) -> tuple[IntArray, IntArray]:
    """Return when each class became full, and how many were full before each turn."""
    size = len(turn)
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
    return full, full_by


@kernel
def grouped(group: IntArray, groups: int) -> tuple[IntArray, IntArray]:
    """Return where the members of each group start, with the end, and the members in order."""
    begins = np.zeros(groups + 1, np.int64)
    for thing in range(len(group)):
        begins[group[thing] + 1] += 1
    for g in range(groups):
        begins[g + 1] += begins[g]
    cursor = begins[:-1].copy()
    members = np.empty(len(group), np.int64)
    for thing in range(len(group)):
        members[cursor[group[thing]]] = thing
        cursor[group[thing]] += 1
    return begins, members


@kernel
def blocks_by_class(
    pairs: IntArray, colour: IntArray, turn: IntArray, classes: int
) -> tuple[IntArray, IntArray]:
    """Return where the blocks of each class start, and for each (other class, turn, link).

    A block is taken from the turn on at which the later end of its link has a colour.
    """
    ends = np.empty(2 * len(pairs), np.int64)
    for e in range(len(pairs)):
        ends[2 * e], ends[2 * e + 1] = colour[pairs[e, 0]], colour[pairs[e, 1]]
    begins, entries = grouped(ends, classes)
    # Side by side, as they are read: looking each up by its link takes twice as long in all.
    blocks = np.empty((len(entries), 3), np.int64)
    for m in range(len(entries)):
        e = entries[m] >> 1
        blocks[m, 0] = ends[entries[m] ^ 1]
        blocks[m, 1] = max(turn[pairs[e, 0]], turn[pairs[e, 1]])
        blocks[m, 2] = e
    return begins, blocks


@kernel
def touched_by(
    ends: IntArray,
    stamp: int,
    starts: IntArray,
    links: IntArray,
    colour: IntArray,
    member_start: IntArray,
    member: IntArray,
    seen: IntArray,
    touched: IntArray,
) -> int:
    """List the vertices whose allowed colours depend on a link, given its ends; return how many."""
    many = 0
    for side in range(2):
        x = ends[side]
        if seen[x] != stamp:
            seen[x] = stamp
            touched[many] = x
            many += 1
        c = colour[x]
        for m in range(member_start[c], member_start[c + 1]):
            z = member[m]
            for k in range(starts[z], starts[z + 1]):
                v = links[k]
                if seen[v] != stamp:
                    seen[v] = stamp
                    touched[many] = v
                    many += 1
    return many


@kernel
def bar(c: int, t: int, stamp: int, full: IntArray, mark: IntArray) -> int:
    """Return 1 if a colour is barred at turn t now and was not before, else 0.

    One that is full by then is not counted: it is taken off with all full ones.
    """
    if mark[c] == stamp:
        return 0
    mark[c] = stamp
    return 1 if full[c] >= t else 0


@kernel
def count_barred(
    v: int,
    without: int,
    stamp: int,
    starts: IntArray,
    links: IntArray,
    link_of: IntArray,
    colour: IntArray,
    turn: IntArray,
    full: IntArray,
    block_start: IntArray,
    blocks: IntArray,
    mark: IntArray,
) -> int:
    """Return how many colours that are not full are barred to a vertex at its turn.

    As if the link ``without`` were none; -1 takes none away.
    """
    t = turn[v]
    barred = 0
    for k in range(starts[v], starts[v + 1]):
        if link_of[k] == without:
            continue
        u = links[k]
        if turn[u] < t:
            c = colour[u]
            barred += bar(c, t, stamp, full, mark)
            # And what a link joins with that colour already.
            for m in range(block_start[c], block_start[c + 1]):
                if blocks[m, 1] < t and blocks[m, 2] != without:
                    barred += bar(blocks[m, 0], t, stamp, full, mark)
        else:
            for m in range(starts[u], starts[u + 1]):
                if link_of[m] != without and turn[links[m]] < t:
                    barred += bar(colour[links[m]], t, stamp, full, mark)
    return barred


@kernel
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
    full, full_by = filling_times(colour, turn, classes, cap)
    block_start, blocks = blocks_by_class(pairs, colour, turn, classes)
    member_start, member = grouped(colour, classes)
    mark = np.empty(classes, np.int64)
    seen = np.full(size, -1, np.int64)
    touched = np.empty(size, np.int64)
    answer = np.zeros(len(asked))
    for place in range(len(asked)):
        gone = asked[place]
        many = touched_by(
            pairs[gone], place, starts, links, colour, member_start, member, seen, touched
        )
        # A barred colour bears the number of the count it was met in; counts begin anew here.
        mark[:] = -1
        for at in range(many):
            v = touched[at]
            left = classes - full_by[turn[v]]
            barred = count_barred(
                v, -1, 2 * at, starts, links, link_of, colour, turn, full, block_start,
                blocks, mark,
            )  # fmt: skip
            fewer = count_barred(
                v, gone, 2 * at + 1, starts, links, link_of, colour, turn, full, block_start,
                blocks, mark,
            )  # fmt: skip
            answer[place] += log((left - fewer) / (left - barred))
    return answer
