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
triangles may contradict each other. So the edges are pointed and the result is checked
(``kernels.arcs``). A set that does not stand this is given further cuts, whichever: about one graph
in a thousand. Sets whose arcs make a linear order are preferred to sets of the same size that draw
an edge both ways; a smaller set is taken in either form. So the number of cuts is the fewest of
*all* ways to cut, not only of those that an order makes.

*Cost*: O(edges) word operations for each set of cuts that is tried; microseconds where few cuts are
needed, exponential in their number.
"""

from __future__ import annotations

import numpy as np

from pathveil.layering.kernels.arcs import FAILS, FITS, UNSETTLED, point_edges
from pathveil.layering.kernels.running import kernel
from pathveil.layering.kernels.words import Word, Words, everyone, lowest

# Rows of the scratch room: arcs as words by tail and by head; then, in the order in which arcs were
# found, their ends, the arc that forced each, and round which vertex it did.
OUT, INTO, TAILS, HEADS, PARENT, CENTRE = range(6)

LOOSE = 2  # beside FITS, FAILS and UNSETTLED: it fits, with an edge drawn both ways


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
def contradiction(size: int, whole: Word, near: Words, scratch: Words) -> Word:
    """Return the centres of a chain from an arc to its reverse, or zero if there is none."""
    out, into = scratch[OUT], scratch[INTO]
    for v in range(size):
        out[v] = 0
        into[v] = 0
    for a in range(size):
        rest = near[a] & ~out[a] & ~into[a]
        while rest != 0:
            _, centres = close_class(a, lowest(rest), whole, near, scratch)
            if centres != 0:
                return centres
            rest = near[a] & ~out[a] & ~into[a]
    return np.int64(0)


@kernel
def disjoint_chains(size: int, whole: Word, near: Words, scratch: Words) -> int:
    """Return how many chains without a common centre were found: as many cuts are needed."""
    chains = 0
    centres = contradiction(size, whole, near, scratch)
    while centres != 0:
        chains += 1
        # As if cut: the next chain then turns at other vertices, and needs a cut of its own.
        whole &= ~centres
        centres = contradiction(size, whole, near, scratch)
    return chains


@kernel
def chains_needed(size: int, near: Words, scratch: Words) -> int:
    """Return a number of cuts that are needed at least, found at the cost of a few sets."""
    return disjoint_chains(size, everyone(size), near, scratch)


@kernel
def fewest_cuts(
    size: int, near: Words, most_tries: int, below: Words, above: Words, scratch: Words
) -> tuple[Word, int]:
    """Return the word of a smallest set of vertices to cut, and the sets tried (-1: gave up).

    ``below`` and ``above`` are left with the arcs that go with it.
    """
    first = contradiction(size, everyone(size), near, scratch)
    if first == 0:
        # FITS is one set tried and UNSETTLED gave up; it cannot fail, for without a contradiction
        # there is a transitive orientation.
        return np.int64(0), point_edges(size, everyone(size), 0, near, below, above, scratch)
    least = disjoint_chains(size, everyone(size), near, scratch)
    tries = 1 + least
    for allowed in range(least, size):  # with all but one cut, nothing is forced
        cut, tries = cuts_of(size, near, first, allowed, tries, most_tries, below, above, scratch)
        if cut != 0:
            return cut, tries
    return np.int64(0), -1


@kernel
def arcs_of(
    size: int,
    whole: Word,
    near: Words,
    loosely: bool,  # noqa: FBT001 - kernels take positional arguments only
    below: Words,
    above: Words,
    scratch: Words,
) -> int:
    """Point all edges round these whole vertices; return whether it FITS, or only as LOOSE arcs."""
    fits = point_edges(size, whole, 0, near, below, above, scratch)
    if fits == FAILS and loosely:
        fits = point_edges(size, whole, 1, near, below, above, scratch)
        return LOOSE if fits == FITS else fits
    return fits


@kernel
def cuts_of(
    size: int,
    near: Words,
    first: Word,
    allowed: int,
    tries: int,
    most_tries: int,
    below: Words,
    above: Words,
    scratch: Words,
) -> tuple[Word, int]:
    """Return a set of ``allowed`` cuts that suffices, or zero, and the sets tried.

    ``first`` are the centres of a chain in the uncut graph; no smaller set may suffice. With
    ``most_tries`` it gives up, and whoever goes on from there with more cuts does so at once.
    """
    one = np.int64(1)
    waiting = np.zeros(allowed, np.int64)  # by depth: the centres still to be cut in their turn,
    barred = np.zeros(allowed, np.int64)  # those whose turn is over: sets with them were all tried,
    cuts = np.zeros(allowed, np.int64)  # and what is cut so far
    waiting[0] = first
    spare = np.int64(0)  # a set that will do, but draws an edge both ways
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
        whole = everyone(size) & ~chosen
        centres = contradiction(size, whole, near, scratch)
        contradicts = centres != 0
        if not contradicts:
            fits = arcs_of(size, whole, near, spare == 0, below, above, scratch)
            if fits == FITS:
                return chosen, tries
            if fits == UNSETTLED:
                return np.int64(0), most_tries
            if fits == LOOSE:
                spare = chosen
            # No arc forces its reverse, and yet the triangles cannot all be served: some further
            # vertex must be cut, and there is no saying which.
            centres = whole
        if left == 0:
            continue
        # A chain and further ones without a common centre need a cut each: if they are more than
        # are left, no set below this one will do.
        if left > 1 and contradicts:
            needed = 1 + disjoint_chains(size, whole & ~centres, near, scratch)
            tries += needed
            if needed > left:
                continue
        depth += 1
        cuts[depth] = chosen
        barred[depth] = shut
        waiting[depth] = centres & ~shut
    if spare:
        point_edges(size, everyone(size) & ~spare, 1, near, below, above, scratch)
    return spare, tries
