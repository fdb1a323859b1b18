"""What a curious party can still work out from what it put in and what it learnt.

It knows which positions are linked to its own on the walk, and the places of its own. So the two
neighbours of a visit at place k are at k - 1 and k + 1; if the place of one is known, so is the
other's; one that two visits share lies between them; no place has two; at an end there is only one.
Where another party holds links as such, a visit of which one link is stated need not be an end: the
other link may be that party's to state. Then one neighbour is before it or after it, and no more is
said. Nothing more follows from the exchange: everything else it has seen are shares, uniform
whatever the secrets are.

Four things are not counted here. The publication itself tells each party what it tells anybody who
knows that party's links. Where a public bit tells the direction by the ends' names, the holder of
one end knows on which side of it the other sorts. Who holds nearly all vertices may find a further
one by excluding all others. And where the cards allow fewer links to holders than there are visits
with one stated link, some of these are ends.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pathveil.exchange.protocol import Agreement, Learnt, Statuses


@dataclass(frozen=True)
class Consequences:
    """What follows for a party, beyond the places it was told.

    Attributes
    ----------
    places
        Places of other positions that follow for certain (up to reversal on a tie).
    swapped
        Two positions each, and the two places that are theirs in one order or the other.
    either
        A position each, and the two places of which one is its own.
    length
        Visits of the walk, if they follow.
    at_least
        A number of visits the walk surely has.
    """

    places: dict[int, int]
    swapped: tuple[tuple[tuple[int, int], tuple[int, int]], ...]
    either: tuple[tuple[int, tuple[int, int]], ...]
    length: int | None
    at_least: int


def work_out(agreement: Agreement, me: int, mine: Statuses, learnt: Learnt) -> Consequences:
    """Return what follows from a party's input and what it learnt.

    >>> from pathveil.exchange.protocol import Untold
    >>> rows = np.array([[False, True, False, False], [False, False, False, False]])
    >>> mine, learnt = Statuses(rows), Learnt({0: 2, 3: 0})
    >>> alone = Agreement(4, ((0, 3), (1,), (2,)), (0, 0, 0), Untold())
    >>> work_out(alone, 0, mine, learnt).places
    {1: 1}
    >>> beside_a_holder = Agreement(4, ((0, 3), (1,), (2,)), (0, 0, 1), Untold())
    >>> work_out(beside_a_holder, 0, mine, learnt).either
    ((1, (1, 3)),)
    """
    told = dict(learnt.places)
    known = {position: place for position, place in told.items() if place}
    on_walk = [link for link in mine.links if link[2]]
    for (head, tail, _), places in zip(on_walk, learnt.steps, strict=False):
        known[head], known[tail] = told[head], told[tail] = places
    mates = _mates(agreement.held[me], mine)
    # If nobody else holds links, all links of one's own visits are known: one link, one end.
    is_all = not any(places for party, places in enumerate(agreement.link_places) if party != me)
    ends = {known[p] for p, linked in mates.items() if is_all and len(linked) == 1}
    last = learnt.length or max(ends - {1}, default=agreement.steps)
    choices = _propagate(known, [_ways(known[p], linked, last) for p, linked in mates.items()])
    lowest = [min(max(way.values()) for way in ways) for ways in choices]
    at_least = max([2, *known.values(), *lowest])
    length = learnt.length or (last if at_least == last else None)
    return Consequences(
        places={p: place for p, place in sorted(known.items()) if p not in told},
        swapped=tuple(_swapped(*ways) for ways in choices if len(ways[0]) == 2),
        either=tuple(_either(*ways) for ways in choices if len(ways[0]) == 1),
        length=length,
        at_least=length or at_least,
    )


Way = dict[int, int]
"""Places that the neighbours of one visit may have, all at once."""


def _mates(held: tuple[int, ...], mine: Statuses) -> dict[int, list[int]]:
    """Return the neighbours of one's own visits that one states oneself, in a row or as a link."""
    found = {
        position: set(np.flatnonzero(row).tolist())
        for position, row in zip(held, mine.rows, strict=True)
    }
    for head, tail, is_used in mine.links:
        for here, there in ((head, tail), (tail, head)):
            if is_used and here in found:
                found[here].add(there)
    return {position: sorted(linked) for position, linked in found.items() if linked}


def _ways(place: int, linked: list[int], last: int) -> list[Way]:
    """Return how the stated neighbours of a visit may lie beside it, on a walk to ``last``."""
    low, high = place - 1, place + 1
    if len(linked) == 1:
        return [{linked[0]: side} for side in (low, high) if 1 <= side <= last]
    first, second = linked
    return [{first: low, second: high}, {first: high, second: low}]


def _swapped(way: Way, _other: Way) -> tuple[tuple[int, int], tuple[int, int]]:
    (first, low), (second, high) = way.items()
    return (first, second), (low, high)


def _either(way: Way, other: Way) -> tuple[int, tuple[int, int]]:
    ((position, low),) = way.items()
    return position, (low, other[position])


def _propagate(known: dict[int, int], choices: list[list[Way]]) -> list[list[Way]]:
    """Fill in places that follow, until none does; return the choices that stay open."""
    while True:
        known.update(_followed(known, choices) or {})
        choices = [ways for ways in choices if not ways[0].keys() <= known.keys()]
        for ways in choices:
            # Two visits that share a neighbour, or would have two at one place, rule a way out.
            # A way that can stand leaves the choice open: each choice is of two, so that what
            # follows from one by itself is all there is to find.
            found = [_followed(known | way, choices) for way in ways]
            if None in found:
                known.update(next(each for each in found if each is not None))
                break
        else:
            return choices


def _followed(known: dict[int, int], choices: list[list[Way]]) -> dict[int, int] | None:
    """Return the places that follow step by step, or None if two of them cannot be."""
    found = dict(known)
    while True:
        before = len(found)
        for ways in choices:
            taken = {place: position for position, place in found.items()}
            open_ways = [
                way
                for way in ways
                if all(found.get(p, k) == k and taken.get(k, p) == p for p, k in way.items())
            ]
            if not open_ways:
                return None
            if len(open_ways) == 1:
                found |= open_ways[0]
        if len(found) == before:
            return found
