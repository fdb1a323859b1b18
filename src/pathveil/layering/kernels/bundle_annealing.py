"""Kernels that choose which vertices stay whole by annealing over bundles of their neighbours.

Theory of operation
-------------------
*Bundles.* A vertex v is good in an order exactly if no two non-adjacent neighbours of it lie on
different sides of it. So the neighbours of v fall into *bundles*, the components of the complement
of the graph on them, and v is good exactly if each bundle lies wholly after v or wholly before it:
the bundle has a *sign*, 0 or 1. An edge between two whole vertices v and w is in one bundle of v
and one of w; as w is after v exactly if v is before w, those two bundles must differ in sign.

*Parity form.* So we look for a sign for each bundle of as many vertices as possible without a
conflict at an edge: where each vertex has one bundle, as in a triangle-free graph, this is a
largest two-sided subgraph, and in general it is the same task on bundles. ``anneal_bundles`` makes
a whole, gives each of its bundles the sign with fewer conflicts and cuts the neighbours in
conflict. Making c > 1 others cut is accepted with probability b^(c-1), where b falls as it cools. A
move costs O(degree) for each vertex that changes.

*From parity to an order.* Signs may run in a circle where bundles of single neighbours meet, as in
a triangle. ``forced_order`` therefore orients anew, as Golumbic does for transitive
orientation: take an edge, point it, point all that it forces at whole centres, remove those edges,
and go on with what is left, where fewer pairs are adjacent and more is forced. Then sort
topologically; cut vertices may be passed when nothing else is free. That the result makes no whole
vertex bad is proved for graphs that need no cut, and otherwise conjectured: the caller counts bad
vertices from the order and trusts nothing else.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pathveil.layering.adjacency import Int32Array, Int64Array
from pathveil.layering.kernels.running import kernel


class Bundled(NamedTuple):
    """A graph as neighbour lists, with the place of each entry's reverse, and its bundles."""

    indptr: Int64Array
    indices: Int32Array
    opposite: Int64Array
    bundle: Int32Array  # of each list entry
    first: Int32Array  # bundle of each vertex, with the end


@kernel
def next_below(state: Int64Array, below: int) -> int:
    """Return the next pseudo-random number below a bound of at most 2^30.

    Marsaglia's 32-bit xorshift, then a multiplication whose middle bits are used. All products
    stay below 2^63, so that plain integers and machine integers agree.
    """
    x = int(state[0])
    x ^= (x << 13) & 0xFFFFFFFF
    x ^= x >> 17
    x ^= (x << 5) & 0xFFFFFFFF
    state[0] = x
    return (((x * 1597334677) >> 20) & 0x3FFFFFFF) * below >> 30


@kernel
def happens(state: Int64Array, chance: int, among: int) -> bool:
    """Return whether something came about that has so many chances among all."""
    return next_below(state, among) < chance


@kernel
def neighbour_bundles(
    indptr: Int64Array, indices: Int32Array, work: int
) -> tuple[Int32Array, Int32Array]:
    """Return the bundle of each list entry, and the first bundle of each vertex, with the end.

    Once ``work`` steps are spent, the neighbours of each vertex left are taken for one bundle,
    which asks for more than it need and is never wrong.
    """
    size = len(indptr) - 1
    bundle = np.empty(len(indices), np.int32)
    first = np.zeros(size + 1, np.int32)
    mark = np.full(size, size, np.int32)  # whose neighbour a vertex was last seen to be
    spent = 0
    queue = np.empty(size, np.int64)
    unreached = np.empty(size, np.int64)
    for v in range(size):
        begin, finish = indptr[v], indptr[v + 1]
        found = first[v]
        left = finish - begin
        for t in range(left):
            unreached[t] = begin + t
        while left > 0:
            root = unreached[left - 1]
            left -= 1
            bundle[root] = found
            queue[0] = root
            at, end = 0, 1
            while at < end and left > 0:
                w = indices[queue[at]]
                at += 1
                if spent > work:
                    # Too much work: take the rest for one bundle.
                    for t in range(left):
                        bundle[unreached[t]] = found
                    left = 0
                    break
                for k in range(indptr[w], indptr[w + 1]):
                    mark[indices[k]] = w
                spent += indptr[w + 1] - indptr[w] + left
                kept = 0
                for t in range(left):
                    place = unreached[t]
                    if mark[indices[place]] == w:
                        unreached[kept] = place
                        kept += 1
                    else:
                        bundle[place] = found
                        queue[end] = place
                        end += 1
                left = kept
            found += 1
        first[v + 1] = found
    return bundle, first


@kernel
def anneal_bundles(
    graph: Bundled, seed: int, share: int, patience: int, work: int, ladder: Int64Array
) -> tuple[Int32Array, int]:
    """Return 1 for each vertex that stays whole and 0 for each that is cut, and the work spent.

    First ``share`` steps anneal the whole graph. Then one neighbourhood after the other is annealed
    again, keeping what is no worse: many short attempts on a small graph find what one long one
    does not, and a large graph is many small ones. It ends when ``patience`` attempts in a row have
    made it no better, or when ``work`` steps are spent.

    ``ladder[level, c]`` is the chance, out of 2^20, to accept c cut vertices more.
    """
    indptr, indices, opposite, bundle, first = graph
    size = len(indptr) - 1
    levels, width = ladder.shape
    state = np.array([seed | 1], np.int64)  # the generator never leaves zero
    whole = np.zeros(size, np.int32)
    sign = np.zeros(first[size], np.int32)
    near = np.zeros((first[size], 2), np.int32)  # whole neighbours in a bundle that ask for a sign
    cut = np.arange(size).astype(np.int32)  # the cut vertices, and where each is in that list
    place = cut.copy()
    many = size
    region = cut.copy()
    inside = np.zeros(size, np.int64)
    kept = np.empty((size, 3), np.int32)
    kept_bundles = np.empty((first[size], 3), np.int32)
    end = size
    spent = 0
    idle = 0
    for attempt in range(work):  # each spends something
        if spent >= work or many == 0 or idle == patience:
            break
        # What is to be restored if the attempt fails: all of it, for an attempt may reach beyond
        # its neighbourhood by cutting who is outside.
        total = many
        for v in range(size):
            kept[v, 0], kept[v, 1], kept[v, 2] = whole[v], cut[v], place[v]
        for b in range(first[size]):
            kept_bundles[b, 0], kept_bundles[b, 1] = near[b, 0], near[b, 1]
            kept_bundles[b, 2] = sign[b]
        if attempt > 0:
            wanted = min(size, 16 + next_below(state, 200))
            region[0] = cut[next_below(state, many)]
            inside[region[0]] = attempt
            at, end, entries = 0, 1, 0
            while at < end < wanted:
                v = region[at]
                at += 1
                entries += indptr[v + 1] - indptr[v]
                for k in range(indptr[v], indptr[v + 1]):
                    w = indices[k]
                    if inside[w] != attempt and end < wanted:
                        inside[w] = attempt
                        region[end] = w
                        end += 1
            spent += (size + first[size]) // 2 + entries
            share = 50 * (end + entries)
        level = 0
        rung = 1 + share // levels
        allowed = spent + rung
        while many > 0:
            if spent >= allowed:
                level += 1
                allowed += rung
                if level == levels:
                    break
            # At first mostly cut vertices are tried, since only they can make it better; in a
            # neighbourhood any vertex may, for what is whole there was cold already.
            if attempt == 0 and next_below(state, 4) > 0:
                v = cut[next_below(state, many)]
            else:
                v = region[next_below(state, end)]
                if attempt > 0 and whole[v] == 1 and next_below(state, 4) > 0:
                    spent += 3
                    continue
            # Each bundle takes the better sign, so the whole neighbours that then have to be cut
            # are those who ask for the other.
            conflicts = 0
            for b in range(first[v], first[v + 1]):
                conflicts += min(near[b, 0], near[b, 1])
            spent += 4 + first[v + 1] - first[v]
            if conflicts > 1 and (
                conflicts > width or not happens(state, ladder[level, conflicts - 1], 1 << 20)
            ):
                continue
            if whole[v] == 1:
                # Take it out first; it is put back with a fresh sign for each bundle.
                for k in range(indptr[v], indptr[v + 1]):
                    near[bundle[opposite[k]], 1 - sign[bundle[k]]] -= 1
            else:
                many -= 1
                moved = cut[many]
                cut[place[v]] = moved
                place[moved] = place[v]
                whole[v] = 1
            for b in range(first[v], first[v + 1]):
                # The worse sign must have its chance too: where degrees are small no move costs
                # more than one, and nothing else would ever lead uphill.
                sign[b] = 0 if near[b, 0] >= near[b, 1] else 1
                excess = abs(near[b, 0] - near[b, 1])
                if excess < width:
                    chance = ladder[level, excess]
                    if happens(state, chance, (1 << 20) + chance):
                        sign[b] = 1 - sign[b]
            spent += 2 * (indptr[v + 1] - indptr[v])
            for k in range(indptr[v], indptr[v + 1]):
                w = indices[k]
                own = sign[bundle[k]]
                there = bundle[opposite[k]]
                near[there, 1 - own] += 1
                if whole[w] == 0 or sign[there] != own:
                    continue
                whole[w] = 0
                cut[many] = w
                place[w] = many
                many += 1
                # Cut from outside the neighbourhood: it may be tried again, so it joins.
                if inside[w] != attempt:
                    inside[w] = attempt
                    region[end] = w
                    end += 1
                spent += 2 * (indptr[w + 1] - indptr[w])
                for q in range(indptr[w], indptr[w + 1]):
                    near[bundle[opposite[q]], 1 - sign[bundle[q]]] -= 1
        # Equal is kept: to walk along a plateau is how the next step down is found.
        if many > total:
            many = total
            for v in range(size):
                whole[v], cut[v], place[v] = kept[v, 0], kept[v, 1], kept[v, 2]
            for b in range(first[size]):
                near[b, 0], near[b, 1] = kept_bundles[b, 0], kept_bundles[b, 1]
                sign[b] = kept_bundles[b, 2]
        idle = 0 if many < total else idle + 1
    return whole, spent


@kernel
def forced_directions(
    indptr: Int64Array, indices: Int32Array, opposite: Int64Array, whole: Int32Array
) -> Int32Array:
    """Return for each list entry (a, b): 1 if a is to come first, -1 if b is, 0 if it is open.

    Only edges with a whole end are pointed.
    """
    size = len(indptr) - 1
    many = len(indices)
    direction = np.zeros(many, np.int32)
    stage = np.full(many, many, np.int64)  # the entry whose turn it was pointed in; none yet
    queue = np.empty(many, np.int64)
    owner = np.empty(many, np.int32)
    unpointed = np.empty(size, np.int64)
    mark = np.full(size, many, np.int64)  # by which list entry a vertex was last marked
    for a in range(size):
        unpointed[a] = indptr[a + 1] - indptr[a]
        for k in range(indptr[a], indptr[a + 1]):
            owner[k] = a
    for root in range(many):
        if stage[root] != many or (whole[owner[root]] == 0 and whole[indices[root]] == 0):
            continue
        queue[0] = root
        stage[root] = root
        stage[opposite[root]] = root
        direction[root] = 1
        direction[opposite[root]] = -1
        unpointed[owner[root]] -= 1
        unpointed[indices[root]] -= 1
        at, end = 0, 1
        while at < end:
            arc = queue[at]
            at += 1
            for leaving in (True, False):
                own = arc if leaving else opposite[arc]
                centre, far = owner[own], indices[own]
                # On a dense graph the first few arcs of a centre point all the others: to look at
                # its list again for each of those would take the degree squared.
                if whole[centre] == 0 or unpointed[centre] == 0:
                    continue
                for k in range(indptr[far], indptr[far + 1]):
                    if stage[k] == many or stage[k] == root:
                        mark[indices[k]] = own
                for k in range(indptr[centre], indptr[centre + 1]):
                    if stage[k] != many or mark[indices[k]] == own:
                        continue
                    forced = k if leaving else opposite[k]
                    queue[end] = forced
                    end += 1
                    stage[k] = root
                    stage[opposite[k]] = root
                    direction[forced] = 1
                    direction[opposite[forced]] = -1
                    unpointed[centre] -= 1
                    unpointed[indices[k]] -= 1
    return direction


@kernel
def order_along(
    indptr: Int64Array, indices: Int32Array, direction: Int32Array, whole: Int32Array
) -> Int32Array:
    """Return the vertices sorted along the directions; circles are broken at cut vertices first."""
    size = len(indptr) - 1
    waiting = np.zeros(size, np.int32)
    for v in range(size):
        for k in range(indptr[v], indptr[v + 1]):
            if direction[k] < 0:
                waiting[v] += 1
    done = np.zeros(size, np.bool_)
    order = np.empty(size, np.int32)
    at, end = 0, 0
    for v in range(size):
        if waiting[v] == 0:
            order[end] = v
            end += 1
            done[v] = True
    next_cut, next_any = 0, 0
    while end < size or at < end:
        if at == end:
            # Only circles are left. At a cut vertex one is broken for nothing; else anywhere.
            while next_cut < size and (done[next_cut] or whole[next_cut] == 1):
                next_cut += 1
            while next_cut == size and done[next_any]:
                next_any += 1
            v = next_cut if next_cut < size else next_any
            order[end] = v
            end += 1
            done[v] = True
        v = order[at]
        at += 1
        for k in range(indptr[v], indptr[v + 1]):
            w = indices[k]
            if direction[k] > 0 and not done[w]:
                waiting[w] -= 1
                if waiting[w] == 0:
                    order[end] = w
                    end += 1
                    done[w] = True
    return order


@kernel
def forced_order(
    indptr: Int64Array, indices: Int32Array, opposite: Int64Array, whole: Int32Array
) -> Int32Array:
    """Return an order in which, as a rule, no whole vertex is bad."""
    direction = forced_directions(indptr, indices, opposite, whole)
    return order_along(indptr, indices, direction, whole)
