"""Kernels on machine words: a set of at most 64 things is one signed word, bit by bit.

Kernels that point the edges of a graph of at most 64 vertices, some of them cut, word by word.

Theory of operation
-------------------
Every edge is to be drawn from an upper to a lower end. A cut vertex has two pieces, one for what
lies above it and one for what lies below, and no path leads from the one to the other; so only
whole vertices are passed by paths, and all that is asked is asked of them.

*Arcs.* Let v be whole, with a drawn above it and b below: then a lies above b, so ab must be an
edge, drawn from a to b. Hence (1) neighbours of v that are strangers to each other lie on the same
side of v. (2) No triangle with two whole vertices or three is a circle: there one of the arcs would
be drawn the wrong way. (3) If a and b are both cut, the arc from a to b may be added in any case:
no path goes on from it, for it joins an upper piece that nothing lies above to a lower piece that
nothing lies below. So edges between cut vertices are no constraint at all; they are drawn as the
paths of whole vertices ask, *both ways* if both are asked for, and that is what no linear order of
the vertices can say.

*Orders.* If besides no triangle with a single whole vertex is a circle, the arcs can nearly always
be sorted into a linear order, which is simpler to draw and has each edge once. So this stricter
form is tried first (``loose = 0``), and the loose one (``loose = 1``) only where it fails.

Pointing one edge, with all that follows from (1) and (2), is a unit propagation; a choice that
fails is taken back and reversed, and it ends because each edge has but two ways.

Kernels for the fewest cuts of a graph of at most 64 vertices, on machine words.

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

from typing import Any

import numpy as np
import numpy.typing as npt

from pathveil.layering.kernels.running import kernel

Words = npt.NDArray[np.int64]
Word = Any
"""A signed machine word when compiled; plain integers serve as well."""


@kernel
def lowest(mask: Word) -> int:
    """Return the number of the lowest set bit of a word that is not zero."""
    # By halves and not by a loop over bits: this stands in the innermost loops of every search.
    # Right shifts bring copies of the sign bit in from above, which the masks below never see.
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
        mask &= mask - 1  # the lowest set bit, and no other, is cleared
        count += 1
    return count


@kernel
def everyone(size: int) -> Word:
    """Return the word of the first ``size`` things."""
    # 2^63 - 1 by subtraction would overflow on the way, and a shift by 64 is undefined.
    return ~(np.int64(-1) << size) if size < 64 else np.int64(-1)


FITS, FAILS, UNSETTLED = 1, 0, -1
CHOICES = 20_000  # edges pointed by choice before it is left unsettled; a dozen is usual
_REVERSED = 1 << 12  # marks a choice whose other way has failed; an arc is below 64 * 64


@kernel
def point(tail: int, head: int, below: Words, above: Words, trail: Words, end: int) -> int:
    """Draw one edge from tail to head, and note it at the end of the trail; return the new end."""
    below[tail] |= np.int64(1) << head
    above[head] |= np.int64(1) << tail
    trail[end] = tail * 64 + head
    return end + 1


@kernel
def what_follows(
    x: int, y: int, whole: Word, loose: int, near: Words, below: Words, above: Words
) -> tuple[Word, Word]:
    """Return who must lie below x, and who above y, once x is drawn above y."""
    one = np.int64(1)
    x_whole, y_whole = (whole >> x) & 1, (whole >> y) & 1
    shared = near[x] & near[y]
    # Triangles that may be circles are left out: by (2) those with one whole vertex or none, in
    # the stricter form only those with none.
    if x_whole + y_whole < 1 + loose:
        shared &= whole
    down = below[y] & shared
    if x_whole:
        down |= near[x] & ~near[y] & ~(one << y)
    up = above[x] & shared
    if y_whole:
        up |= near[y] & ~near[x] & ~(one << x)
    return down, up


@kernel
def follow_arc(
    tail: int,
    head: int,
    whole: Word,
    loose: int,
    near: Words,
    below: Words,
    above: Words,
    trail: Words,
    start: int,
) -> tuple[int, bool]:
    """Point an edge and all that follows; return the new end of the trail, and whether it fits."""
    at, end = start, point(tail, head, below, above, trail, start)
    while at < end:
        x, y = trail[at] >> 6, trail[at] & 63
        at += 1
        down, up = what_follows(x, y, whole, loose, near, below, above)
        if down & above[x] != 0 or up & below[y] != 0:
            return end, False
        down &= ~below[x]
        while down != 0:
            z = lowest(down)
            down &= down - 1
            end = point(x, z, below, above, trail, end)
        up &= ~above[y]
        while up != 0:
            z = lowest(up)
            up &= up - 1
            end = point(z, y, below, above, trail, end)
    return end, True


@kernel
def take_back(
    depth: int, end: int, below: Words, above: Words, trail: Words, starts: Words, chosen: Words
) -> int:
    """Unpoint edges down to the last choice that still has another way; return its depth, or 0.

    The first choice, at depth 0, has none: what fails with it fails with it reversed, upside down.
    """
    one = np.int64(1)
    while True:
        for k in range(starts[depth], end):
            x, y = trail[k] >> 6, trail[k] & 63
            below[x] &= ~(one << y)
            above[y] &= ~(one << x)
        if depth == 0 or chosen[depth] & _REVERSED == 0:
            return depth
        # Both ways failed under the choices before: the one before it is wrong.
        end = starts[depth]
        depth -= 1


@kernel
def paths_fit(size: int, whole: Word, loose: int, near: Words, below: Words, above: Words) -> bool:
    """Return whether every path through a whole vertex leads to a neighbour, the same way.

    The proof of the pudding: nothing that was propagated is trusted.
    """
    for v in range(size):
        if (whole >> v) & 1 == 0:
            continue
        rest = above[v]
        while rest != 0:
            a = lowest(rest)
            rest &= rest - 1
            beyond = below[v] & ~below[a]
            if loose and (whole >> a) & 1 == 0:
                beyond &= ~(near[a] & ~whole)  # by (3) these arcs can be added
            if beyond != 0:
                return False
    return True


@kernel
def point_edges(
    size: int, whole: Word, loose: int, near: Words, below: Words, above: Words, scratch: Words
) -> int:
    """Point every edge that has a say, all of them unless ``loose``; return whether it FITS.

    In the loose form ``below`` and ``above`` may hold an arc both ways between cut vertices.
    """
    trail, starts, chosen = scratch[0], scratch[1], scratch[2]
    for v in range(size):
        below[v] = 0
        above[v] = 0
    depth, end, tries = 0, 0, 0
    vertex = 0
    while vertex < size:
        rest = near[vertex] & ~below[vertex] & ~above[vertex]
        if loose and (whole >> vertex) & 1 == 0:
            rest &= whole
        if rest == 0:
            vertex += 1
            continue
        tail, head = vertex, lowest(rest)
        turned = 0
        while True:
            tries += 1
            if tries > CHOICES:
                return UNSETTLED
            starts[depth], chosen[depth] = end, tail * 64 + head + turned
            end, fits = follow_arc(tail, head, whole, loose, near, below, above, trail, end)
            if fits:
                depth += 1
                break
            depth = take_back(depth, end, below, above, trail, starts, chosen)
            if depth == 0:
                return FAILS
            end = starts[depth]
            tail, head = chosen[depth] & 63, (chosen[depth] >> 6) & 63
            turned = _REVERSED
            # Edges of smaller vertices may have been unpointed; this one was the first of them.
            vertex = min(tail, head)
    if not paths_fit(size, whole, loose, near, below, above):
        return FAILS
    if loose:
        join_cut_vertices(size, whole, near, below, above)
    return FITS


@kernel
def join_cut_vertices(size: int, whole: Word, near: Words, below: Words, above: Words) -> None:
    """Point the edges between cut vertices as paths ask, both ways if need be, else to the larger.

    By (3) no path asks for anything in turn.
    """
    one = np.int64(1)
    for v in range(size):
        if (whole >> v) & 1 == 0:
            continue
        rest = above[v] & ~whole
        while rest != 0:
            a = lowest(rest)
            rest &= rest - 1
            lower = below[v] & ~whole
            below[a] |= lower
            while lower != 0:
                above[lowest(lower)] |= one << a
                lower &= lower - 1
    for v in range(size):
        if (whole >> v) & 1 == 0:
            rest = near[v] & ~whole & ~below[v] & ~above[v]
            below[v] |= rest
            while rest != 0:
                above[lowest(rest)] |= one << v
                rest &= rest - 1


@kernel
def needed_arcs(size: int, whole: Word, below: Words) -> Words:
    """Return the arcs without those between cut vertices that no whole vertex asks for."""
    needed = below.copy()
    for v in range(size):
        if (whole >> v) & 1 == 0:
            needed[v] &= whole
            rest = needed[v]
            while rest != 0:
                needed[v] |= below[lowest(rest)]
                rest &= rest - 1
    return needed


@kernel
def order_of_arcs(size: int, below: Words, breakable: Word) -> Words:
    """Return the vertices so that arcs point onwards, smallest number first; -1 on a circle.

    Where only circles are left, one is broken at a breakable vertex with the fewest arcs into it
    from vertices that follow. Every circle holds a cut vertex: round whole ones it would be a path
    from a vertex to itself.
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
        fewest = size
        for v in range(size):
            if (placed >> v) & 1:
                continue
            late = 0
            rest = above[v] & ~placed
            while rest != 0:
                late += 1
                rest &= rest - 1
            if late < fewest and (late == 0 or (breakable >> v) & 1):
                fewest = late
                order[rank] = v
        if order[rank] < 0:
            break
        placed |= one << order[rank]
    return order


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
def search_cuts(
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
