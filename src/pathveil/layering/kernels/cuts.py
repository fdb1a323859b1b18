"""Kernels for the fewest cuts of a graph of at most 64 vertices, on machine words.

Theory of operation
-------------------
An arc a -> b *forces* a -> c for every neighbour c of a that is no neighbour of b, and c -> b for
every neighbour c of b that is no neighbour of a; the shared end is the *centre* of the step. A cut
vertex is no centre: its two pieces do not meet. Where an arc forces its own reverse, one of the
centres of the chain must be cut: this gives a search tree, and chains without a common centre give
a lower bound. Deepening the tree one cut at a time finds the fewest cuts, proved: a set of cuts is
passed over only if it leaves a chain.

That no arc forces its reverse is necessary for a set of cuts, but with cuts it is not sufficient:
triangles may contradict each other. So the edges are pointed one class after the other, each time
with all that follows, choices are taken back where they fail, and the result is *checked*: no path
through a whole vertex leads to a stranger. A set that does not stand this is given further cuts.

*Cost*: O(edges) word operations for each set of cuts that is tried; microseconds where few cuts are
needed, exponential in their number.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from pathveil.layering.kernels.backtracking import lowest
from pathveil.layering.kernels.running import kernel

Words = npt.NDArray[np.int64]
Word = Any
"""A signed machine word when compiled; plain integers serve as well."""


@kernel
def close_class(
    tail: int,
    head: int,
    whole: Word,
    near: Words,
    out: Words,
    into: Words,
    tails: Words,
    heads: Words,
    parent: Words,
    centre: Words,
) -> tuple[int, Word]:
    """Point an edge and all edges it forces; return (arcs found, centres of a contradiction).

    Found arcs are in ``tails`` and ``heads``, and in ``out`` and ``into`` as words. The second
    number is zero if there is no contradiction.
    """
    one = np.int64(1)
    tails[0], heads[0], parent[0], centre[0] = tail, head, -1, -1
    out[tail] |= one << head
    into[head] |= one << tail
    at, end = 0, 1
    while at < end:
        a, b = tails[at], heads[at]
        for turn in range(2):
            here, there = (a, b) if turn == 0 else (b, a)
            if (whole >> here) & 1 == 0:
                continue
            forced = near[here] & ~near[there] & ~(one << there)
            if turn == 0:
                wrong, fresh = forced & into[here], forced & ~out[here]
            else:
                wrong, fresh = forced & out[here], forced & ~into[here]
            if wrong != 0:
                c = lowest(wrong)
                # The reverse of the arc that is forced now was found before: trace both.
                centres = one << here
                if turn == 0:
                    x, y = c, here
                else:
                    x, y = here, c
                place = 0
                while tails[place] != x or heads[place] != y:
                    place += 1
                while parent[place] >= 0:
                    centres |= one << centre[place]
                    place = parent[place]
                place = at
                while parent[place] >= 0:
                    centres |= one << centre[place]
                    place = parent[place]
                return end, centres
            while fresh != 0:
                c = lowest(fresh)
                fresh &= fresh - 1
                if turn == 0:
                    x, y = here, c
                else:
                    x, y = c, here
                out[x] |= one << y
                into[y] |= one << x
                tails[end], heads[end], parent[end], centre[end] = x, y, at, here
                end += 1
        at += 1
    return end, np.int64(0)


@kernel
def contradiction(
    size: int,
    whole: Word,
    near: Words,
    out: Words,
    into: Words,
    tails: Words,
    heads: Words,
    parent: Words,
    centre: Words,
) -> Word:
    """Return the centres of a chain from an arc to its reverse, or zero if there is none."""
    for v in range(size):
        out[v] = 0
        into[v] = 0
    for a in range(size):
        rest = near[a] & ~out[a] & ~into[a]
        while rest != 0:
            b = lowest(rest)
            _, centres = close_class(a, b, whole, near, out, into, tails, heads, parent, centre)
            if centres != 0:
                return centres
            rest = near[a] & ~out[a] & ~into[a]
    return np.int64(0)


@kernel
def disjoint_chains(
    size: int,
    whole: Word,
    near: Words,
    out: Words,
    into: Words,
    tails: Words,
    heads: Words,
    parent: Words,
    centre: Words,
) -> int:
    """Return how many chains without a common centre were found: as many cuts are needed."""
    chains = 0
    centres = contradiction(size, whole, near, out, into, tails, heads, parent, centre)
    while centres != 0:
        chains += 1
        whole &= ~centres
        centres = contradiction(size, whole, near, out, into, tails, heads, parent, centre)
    return chains


@kernel
def follow_arc(
    tail: int,
    head: int,
    whole: Word,
    near: Words,
    below: Words,
    above: Words,
    trail: Words,
    start: int,
) -> tuple[int, bool]:
    """Point an edge and all that follows; return the new end of the trail, and whether it fits.

    Besides the forced arcs, two arcs x -> y -> z of a triangle demand x -> z: only a triangle of
    three cut vertices may be a circle, for no path leads round it.
    """
    one = np.int64(1)
    below[tail] |= one << head
    above[head] |= one << tail
    trail[start] = tail * 64 + head
    at, end = start, start + 1
    while at < end:
        x, y = trail[at] >> 6, trail[at] & 63
        at += 1
        shared = near[x] & near[y]
        if ((whole >> x) | (whole >> y)) & 1 == 0:
            shared &= whole
        down = below[y] & shared
        if (whole >> x) & 1:
            down |= near[x] & ~near[y] & ~(one << y)
        up = above[x] & shared
        if (whole >> y) & 1:
            up |= near[y] & ~near[x] & ~(one << x)
        if down & above[x] != 0 or up & below[y] != 0:
            return end, False
        down &= ~below[x]
        while down != 0:
            z = lowest(down)
            down &= down - 1
            below[x] |= one << z
            above[z] |= one << x
            trail[end] = x * 64 + z
            end += 1
        up &= ~above[y]
        while up != 0:
            z = lowest(up)
            up &= up - 1
            below[z] |= one << y
            above[y] |= one << z
            trail[end] = z * 64 + y
            end += 1
    return end, True


@kernel
def orient_edges(
    size: int, whole: Word, near: Words, below: Words, above: Words, scratch: Words
) -> bool:
    """Point every edge; return whether no path through a whole vertex leads to a stranger.

    Where classes meet in triangles a choice may prove wrong later: then it is taken back.
    """
    one = np.int64(1)
    trail, starts, chosen = scratch[0], scratch[1], scratch[2]
    for v in range(size):
        below[v] = 0
        above[v] = 0
    depth, end, tries = 0, 0, 0
    vertex = 0
    while vertex < size:
        rest = near[vertex] & ~below[vertex] & ~above[vertex]
        if rest == 0:
            vertex += 1
            continue
        tail, head = vertex, lowest(rest)
        reverse = False
        fits = False
        while not fits:
            tries += 1
            if tries > 2000:
                return False
            starts[depth], chosen[depth] = end, tail * 64 + head
            if reverse:
                chosen[depth] += 4096
            end, fits = follow_arc(tail, head, whole, near, below, above, trail, end)
            if fits:
                depth += 1
                break
            again = True
            while again:
                for k in range(starts[depth], end):
                    x, y = trail[k] >> 6, trail[k] & 63
                    below[x] &= ~(one << y)
                    above[y] &= ~(one << x)
                end = starts[depth]
                again = chosen[depth] >= 4096
                if again:
                    if depth == 0:
                        return False
                    depth -= 1
            tail, head = chosen[depth] & 63, (chosen[depth] >> 6) & 63
            reverse = True
            vertex = min(tail, head)
    for v in range(size):
        if (whole >> v) & 1:
            rest = above[v]
            while rest != 0:
                if below[v] & ~below[lowest(rest)] != 0:
                    return False
                rest &= rest - 1
    return True


@kernel
def fewest_cuts(
    size: int, near: Words, most_tries: int, below: Words, above: Words, scratch: Words
) -> tuple[Word, int]:
    """Return the word of a smallest set of vertices to cut, and the sets tried (-1: gave up).

    ``below`` and ``above`` are left with the orientation that goes with it.
    """
    out, into, tails, heads, parent, centre = (
        scratch[0],
        scratch[1],
        scratch[2],
        scratch[3],
        scratch[4],
        scratch[5],
    )
    one = np.int64(1)
    everyone = (one << size) - 1 if size < 64 else np.int64(-1)
    tries = 1
    first = contradiction(size, everyone, near, out, into, tails, heads, parent, centre)
    if first == 0:
        if orient_edges(size, everyone, near, below, above, scratch):
            return np.int64(0), tries
        return np.int64(0), -1
    least = disjoint_chains(size, everyone, near, out, into, tails, heads, parent, centre)
    tries += least
    waiting = np.zeros(66, np.int64)
    barred = np.zeros(66, np.int64)
    cuts = np.zeros(66, np.int64)
    for allowed in range(least, size + 1):
        depth = 0
        cuts[0] = 0
        barred[0] = 0
        waiting[0] = first
        while depth >= 0:
            if waiting[depth] == 0:
                depth -= 1
                continue
            v = lowest(waiting[depth])
            waiting[depth] &= waiting[depth] - 1
            chosen = cuts[depth] | (one << v)
            shut = barred[depth]
            barred[depth] |= one << v
            if tries >= most_tries:
                return np.int64(0), -1
            tries += 1
            left = allowed - depth - 1
            whole = everyone & ~chosen
            centres = contradiction(size, whole, near, out, into, tails, heads, parent, centre)
            contradicts = centres != 0
            if not contradicts:
                if orient_edges(size, whole, near, below, above, scratch):
                    return chosen, tries
                # No arc forces its reverse, and yet the triangles cannot all be served (about one
                # graph in a thousand): some further vertex must be cut, whichever.
                centres = whole
            if left == 0:
                continue
            if left > 1 and contradicts:
                needed = 1 + disjoint_chains(
                    size, whole & ~centres, near, out, into, tails, heads, parent, centre
                )
                tries += needed
                if needed > left:
                    continue
            depth += 1
            cuts[depth] = chosen
            barred[depth] = shut
            waiting[depth] = centres & ~shut
    return np.int64(0), -1


@kernel
def order_of_arcs(size: int, below: Words) -> Words:
    """Return the vertices so that every arc points onwards, smallest number first; -1 on a circle.

    Only cut vertices can lie on a circle of arcs, for no path leads round a whole one.
    """
    one = np.int64(1)
    order = np.full(size, -1, np.int64)
    above = np.zeros(size, np.int64)
    for v in range(size):
        rest = below[v]
        while rest != 0:
            above[lowest(rest)] |= one << v
            rest &= rest - 1
    placed = np.int64(0)
    for rank in range(size):
        for v in range(size):
            if (placed >> v) & 1 == 0 and above[v] & ~placed == 0:
                order[rank] = v
                placed |= one << v
                break
        if order[rank] < 0:
            break
    return order
