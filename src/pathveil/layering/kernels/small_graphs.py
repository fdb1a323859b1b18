"""Kernels for the fewest cuts of a graph of at most 64 vertices, on machine words.

A set of at most 64 things is one signed word, bit by bit.

Theory of operation
-------------------
An arc a -> b *forces* a -> c for every neighbour c of a that is no neighbour of b, and c -> b for
every neighbour c of b that is no neighbour of a; the shared end is the *centre* of the step. A cut
vertex is no centre: its two pieces do not meet. Where an arc forces its own reverse, one of the
centres of the chain must be cut: this gives a search tree, and chains without a common centre give
a lower bound. Deepening the tree one cut at a time finds the fewest cuts: a set of cuts is passed
over only if it leaves a chain.

That no arc forces its reverse is necessary for a set of cuts, but with cuts it is not sufficient:
triangles may contradict each other. So the edges are pointed, class by class as Golumbic does it
for transitive orientation, the vertices are sorted along the arcs, and the order is checked. A set
whose order fails the check is given further cuts, whichever: about one graph in a thousand. What
the search then finds has few cuts but is not proved.

*Cost*: O(edges) word operations for each set of cuts that is tried; microseconds where few cuts are
needed, exponential in their number.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from pathveil.layering.kernels.running import COMPILED, kernel

Words = npt.NDArray[np.int64]
Word = Any
"""A signed machine word when compiled; plain integers serve as well."""


@kernel
def lowest(mask: Word) -> int:
    """Return the number of the lowest set bit of a word that is not zero."""
    # This stands in the innermost loops of every search.
    if COMPILED:
        return count_bits(~mask & (mask - 1))  # one instruction
    return (int(mask) & -int(mask)).bit_length() - 1


@kernel
def count_bits(mask: Word) -> int:
    """Return how many bits of a word are set."""
    count = 0
    while mask != 0:
        mask &= mask - 1  # the lowest set bit, and no other, is cleared
        count += 1
    return count


@kernel
def everyone(size: int) -> Word:
    """Return the word of the first ``size`` things."""
    # 2^63 - 1 by subtraction would overflow on the way, and a shift by 64 is undefined.
    return ~(np.int64(-1) << size) if size < 64 else np.int64(-1)


# Rows of the scratch room: arcs as words by tail and by head; then, in the order in which arcs were
# found, their ends, the arc that forced each, and round which vertex it did.
OUT, INTO, TAILS, HEADS, PARENT, CENTRE = range(6)


@kernel
def close_class(tail: int, head: int, whole: Word, near: Words, scratch: Words) -> tuple[int, Word]:
    """Point an edge and all edges it forces; return (arcs found, centres of a contradiction).

    Found arcs are in rows TAILS and HEADS of the scratch room, and in OUT and INTO as words. The
    second number is zero if there is no contradiction.
    """
    one = np.int64(1)
    out, into, tails = scratch[OUT], scratch[INTO], scratch[TAILS]
    heads, parent, centre = scratch[HEADS], scratch[PARENT], scratch[CENTRE]
    tails[0], heads[0], parent[0] = tail, head, -1
    out[tail] |= one << head
    into[head] |= one << tail
    at, end = 0, 1
    while at < end:
        a, b = tails[at], heads[at]
        for leaving in (True, False):
            here, there = (a, b) if leaving else (b, a)
            if (whole >> here) & 1 == 0:
                continue  # its two pieces do not meet, so nothing is forced round it
            # Neighbours of the centre that are strangers to the other end, itself among them (it is
            # found already): same side as it.
            forced = near[here] & ~near[there]
            if leaving:
                wrong, fresh = forced & into[here], forced & ~out[here]
            else:
                wrong, fresh = forced & out[here], forced & ~into[here]
            if wrong != 0:
                c = lowest(wrong)
                # The reverse of the arc that is forced now was found before: trace both.
                x, y = (c, here) if leaving else (here, c)
                place = 0
                while tails[place] != x or heads[place] != y:
                    place += 1
                way = centres_behind(place, parent, centre) | centres_behind(at, parent, centre)
                return end, (one << here) | way
            while fresh != 0:
                c = lowest(fresh)
                fresh &= fresh - 1
                x, y = (here, c) if leaving else (c, here)
                out[x] |= one << y
                into[y] |= one << x
                tails[end], heads[end], parent[end], centre[end] = x, y, at, here
                end += 1
        at += 1
    return end, np.int64(0)


@kernel
def centres_behind(place: int, parent: Words, centre: Words) -> Word:
    """Return the vertices round which arcs were forced, from the root of the class to an arc."""
    centres = np.int64(0)
    while parent[place] >= 0:
        centres |= np.int64(1) << centre[place]
        place = parent[place]
    return centres


@kernel
def contradiction(whole: Word, near: Words, scratch: Words) -> Word:
    """Return the centres of a chain from an arc to its reverse, or zero if there is none."""
    out, into = scratch[OUT], scratch[INTO]
    for v in range(len(near)):
        out[v] = 0
        into[v] = 0
    for a in range(len(near)):
        rest = near[a] & ~out[a] & ~into[a]
        while rest != 0:
            _, centres = close_class(a, lowest(rest), whole, near, scratch)
            if centres != 0:
                return centres
            rest = near[a] & ~out[a] & ~into[a]
    return np.int64(0)


@kernel
def disjoint_chains(whole: Word, near: Words, scratch: Words) -> int:
    """Return how many chains without a common centre were found: as many cuts are needed."""
    chains = 0
    centres = contradiction(whole, near, scratch)
    while centres != 0:
        chains += 1
        # As if cut: the next chain then turns at other vertices, and needs a cut of its own.
        whole &= ~centres
        centres = contradiction(whole, near, scratch)
    return chains


@kernel
def order_fits(whole: Word, near: Words, order: Words, scratch: Words) -> bool:
    """Put the vertices in an order, and return whether it makes no whole vertex bad.

    The caller has seen to it that no arc forces its reverse.
    """
    one = np.int64(1)
    size = len(near)
    out, into = scratch[OUT], scratch[INTO]
    tails, heads = scratch[TAILS], scratch[HEADS]
    left = near.copy()  # edges not pointed yet; with each class gone, more is forced
    for v in range(size):
        out[v] = 0
        into[v] = 0
    for a in range(size):
        asked = left[a] if (whole >> a) & 1 else left[a] & whole
        while asked != 0:
            found, centres = close_class(a, lowest(asked), whole, left, scratch)
            if centres != 0:
                return False
            for k in range(found):
                left[tails[k]] &= ~(one << heads[k])
                left[heads[k]] &= ~(one << tails[k])
            asked = left[a] if (whole >> a) & 1 else left[a] & whole
    # Sorted along the arcs, smallest number first; a circle is broken at a cut vertex if it can.
    earlier = np.int64(0)
    for rank in range(size):
        chosen, best = -1, 3
        for v in range(size):
            if (earlier >> v) & 1:
                continue
            cost = 0 if into[v] & ~earlier == 0 else 1 + ((whole >> v) & 1)
            if cost < best:
                chosen, best = v, cost
        order[rank] = chosen
        if (whole >> chosen) & 1:
            # Nothing that was propagated is trusted: an earlier neighbour knows all later ones.
            later = near[chosen] & ~earlier
            rest = near[chosen] & earlier
            while rest != 0:
                if later & ~near[lowest(rest)] != 0:
                    return False
                rest &= rest - 1
        earlier |= one << chosen
    return True


@kernel
def search_cuts(
    near: Words, most_tries: int, order: Words, scratch: Words
) -> tuple[Word, int, bool]:
    """Return the word of a smallest set of vertices to cut, the sets tried, and if it is proved.

    ``order`` is left with an order in which no other vertex is bad. Minus one set tried says that
    the search gave up.
    """
    everybody = everyone(len(near))
    first = contradiction(everybody, near, scratch)
    if first == 0:
        # Without a contradiction there is a transitive orientation, and this is one.
        order_fits(everybody, near, order, scratch)
        return np.int64(0), 1, True
    least = disjoint_chains(everybody, near, scratch)
    tries = 1 + least
    proved = True
    for allowed in range(least, len(near)):  # with all but one cut, nothing is forced
        cut, tries, sure = cuts_of(near, first, allowed, tries, most_tries, order, scratch)
        proved = proved and sure
        if cut != 0:
            return cut, tries, proved
    return np.int64(0), -1, False


@kernel
def cuts_of(
    near: Words,
    first: Word,
    allowed: int,
    tries: int,
    most_tries: int,
    order: Words,
    scratch: Words,
) -> tuple[Word, int, bool]:
    """Return ``allowed`` cuts that suffice, or zero; the sets tried; whether no set was doubtful.

    A set is doubtful if no arc forces its reverse, and yet the order did not fit. ``first`` are the
    centres of a chain in the uncut graph; no smaller set may suffice. With ``most_tries`` it gives
    up, and whoever goes on from there with more cuts does so at once.
    """
    one = np.int64(1)
    waiting = np.zeros(allowed, np.int64)  # by depth: the centres still to be cut in their turn,
    barred = np.zeros(allowed, np.int64)  # those whose turn is over: sets with them were all tried,
    cuts = np.zeros(allowed, np.int64)  # and what is cut so far
    waiting[0] = first
    sure = True
    depth = 0
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
            break
        tries += 1
        left = allowed - depth - 1
        whole = everyone(len(near)) & ~chosen
        centres = contradiction(whole, near, scratch)
        contradicts = centres != 0
        if not contradicts:
            if order_fits(whole, near, order, scratch):
                return chosen, tries, sure
            # No arc forces its reverse, and yet the triangles cannot all be served: some further
            # vertex must be cut, and there is no saying which.
            centres = whole
            sure = False
        if left == 0:
            continue
        # A chain and further ones without a common centre need a cut each: if they are more than
        # are left, no set below this one will do.
        if left > 1 and contradicts:
            needed = 1 + disjoint_chains(whole & ~centres, near, scratch)
            tries += needed
            if needed > left:
                continue
        depth += 1
        cuts[depth] = chosen
        barred[depth] = shut
        waiting[depth] = centres & ~shut
    return np.int64(0), tries, sure
