"""Kernels that point the edges of a graph of at most 64 vertices, some of them cut, word by word.

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
"""

from __future__ import annotations

import numpy as np

from pathveil.layering.kernels.running import kernel
from pathveil.layering.kernels.words import Word, Words, lowest

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
