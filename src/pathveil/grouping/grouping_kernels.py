"""Compiled loops of what a grouping gives away: what each link did to its chance.

:func:`order_kernel` answers for one order and one finished colouring: how many colours were allowed
at each vertex, and, with one link taken away, the logarithm of the product of the ratios. Taking a
link away changes only what is allowed at its ends, at their neighbours, and at neighbours of
members of its two classes: only those are looked at again.
"""

from __future__ import annotations

from math import log
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from pathveil.layering.kernels.running import kernel

IntArray = npt.NDArray[np.int64]
Whole = int | np.signedinteger[Any]
"""Plain or of the machine."""
FloatArray = npt.NDArray[np.float64]


class LinkRows(NamedTuple):
    """The neighbour lists of a network, and for each entry the number of its link."""

    starts: IntArray
    links: IntArray
    link_of: IntArray


class Order(NamedTuple):
    """A finished colouring and the order in which vertices had their turns, as kernels ask for it.

    Class c has the vertices ``members[member_starts[c]:member_starts[c + 1]]``, became full at the
    turn ``full[c]``, and has the ``blocks`` from ``block_starts[c]`` on: of each the other class,
    the turn from which on it is taken, its link. Before turn t ``full_by[t]`` classes were full.
    """

    colour: IntArray
    turn: IntArray
    member_starts: IntArray
    members: IntArray
    full: IntArray
    full_by: IntArray
    block_starts: IntArray
    blocks: IntArray


def grouped(group: IntArray, groups: int) -> tuple[IntArray, IntArray]:
    """Return where the members of each group start, with the end, and the members in order."""
    members = np.argsort(group, kind="stable")
    return np.searchsorted(group[members], np.arange(groups + 1)), members


def order_of(pairs: IntArray, colour: IntArray, turn: IntArray, classes: int, cap: int) -> Order:
    """Return a colouring of a network with these links and the order of its turns."""
    size = len(turn)
    starts, members = grouped(colour, classes)
    turns = np.argsort(colour[np.argsort(turn)], kind="stable")  # of each class, ascending
    last = np.minimum(starts[:-1] + cap, size) - 1
    full = np.where(np.diff(starts) >= cap, turns[last], size)
    full_by = np.searchsorted(np.sort(full), np.arange(size + 1))
    ends = colour[pairs].ravel()
    block_starts, entries = grouped(ends, classes)
    link = entries >> 1
    # Side by side, as they are read: looking each up by its link takes twice as long in all.
    blocks = np.column_stack([ends[entries ^ 1], turn[pairs].max(axis=1)[link], link])
    return Order(colour, turn, starts, members, full, full_by, block_starts, blocks)


@kernel
def touched_by(
    ends: IntArray, stamp: int, rows: LinkRows, order: Order, seen: IntArray, touched: IntArray
) -> int:
    """List the vertices whose allowed colours depend on a link, given its ends; return how many."""
    many = 0
    for side in range(2):
        x = ends[side]
        if seen[x] != stamp:
            seen[x] = stamp
            touched[many] = x
            many += 1
        c = order.colour[x]
        for m in range(order.member_starts[c], order.member_starts[c + 1]):
            z = order.members[m]
            for k in range(rows.starts[z], rows.starts[z + 1]):
                v = rows.links[k]
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
    v: int, without: int, stamp: int, rows: LinkRows, order: Order, mark: IntArray
) -> int:
    """Return how many colours that are not full are barred to a vertex at its turn.

    As if the link ``without`` were none; -1 takes none away.
    """
    starts, links, link_of = rows
    colour, turn, full, blocks = order.colour, order.turn, order.full, order.blocks
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
            for m in range(order.block_starts[c], order.block_starts[c + 1]):
                if blocks[m, 1] < t and blocks[m, 2] != without:
                    barred += bar(blocks[m, 0], t, stamp, full, mark)
        else:
            for m in range(starts[u], starts[u + 1]):
                if link_of[m] != without and turn[links[m]] < t:
                    barred += bar(colour[links[m]], t, stamp, full, mark)
    return barred


@kernel
def order_kernel(
    rows: LinkRows, order: Order, pairs: IntArray, classes: int, asked: IntArray
) -> FloatArray:
    """Return, for each asked link, ln of P(colouring with it) / P(without), for one order.

    ``classes`` counts the colours of the law; the colouring may use fewer.
    """
    size = len(order.turn)
    mark = np.empty(classes, np.int64)
    seen = np.full(size, -1, np.int64)
    touched = np.empty(size, np.int64)
    answer = np.zeros(len(asked))
    for place in range(len(asked)):
        gone = asked[place]
        many = touched_by(pairs[gone], place, rows, order, seen, touched)
        # A barred colour bears the number of the count it was met in; counts begin anew here.
        mark[:] = -1
        for at in range(many):
            v = touched[at]
            left = classes - order.full_by[order.turn[v]]
            barred = count_barred(v, -1, 2 * at, rows, order, mark)
            fewer = count_barred(v, gone, 2 * at + 1, rows, order, mark)
            answer[place] += log((left - fewer) / (left - barred))
    return answer
