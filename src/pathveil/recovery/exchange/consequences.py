"""What a curious party can still work out from what it put in and what it learnt.

It knows which positions are linked to its own on the walk, and the places of its own. So the two
neighbours of a visit at place k are at k - 1 and k + 1; if the place of one is known, so is the
other's; one that two visits share lies between them; no place has two; at an end there is only one.
Nothing more follows from the exchange: everything else it
has seen are shares, uniform whatever the secrets are.

Three things are not counted here. The publication itself tells each party what it tells anybody who
knows that party's links. Where a public bit tells the direction by the ends' names, the holder of
one end knows on which side of it the other sorts. And who holds nearly all vertices may find a
further one by excluding all others.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pathveil.recovery.exchange.agreement import Learnt, Statuses


@dataclass(frozen=True)
class Consequences:
    """What follows for a party, beyond the places it was told.

    Attributes
    ----------
    places
        Places of other positions that follow for certain (up to reversal on a tie).
    swapped
        Two positions each, and the two places that are theirs in one order or the other.
    length
        Visits of the walk, if they follow.
    at_least
        A number of visits the walk surely has.
    """

    places: dict[int, int]
    swapped: tuple[tuple[tuple[int, int], tuple[int, int]], ...]
    length: int | None
    at_least: int


def work_out(held: tuple[int, ...], mine: Statuses, learnt: Learnt) -> Consequences:
    """Return what follows from a party's input and what it learnt.

    >>> rows = np.array([[False, True, False, False], [False, False, False, False]])
    >>> work_out((0, 3), Statuses(rows), Learnt({0: 4, 3: 0})).places
    {1: 3}
    """
    told = dict(learnt.places)
    known = {position: place for position, place in told.items() if place}
    on_walk = [link for link in mine.links if link[2]]
    for (head, tail, _), places in zip(on_walk, learnt.steps, strict=False):
        known[head], known[tail] = told[head], told[tail] = places
    mates = {
        position: np.flatnonzero(row).tolist()
        for position, row in zip(held, mine.rows, strict=True)
        if row.any()
    }
    open_pairs = _propagate(known, mates)
    ends = [known[p] for p, linked in mates.items() if len(linked) == 1 and known[p] > 1]
    length = learnt.length or next(iter(ends), None)
    highest = max([*known.values(), *(max(places) for _, places in open_pairs)], default=2)
    return Consequences(
        places={p: place for p, place in sorted(known.items()) if p not in told},
        swapped=tuple(open_pairs),
        length=length,
        at_least=length or highest,
    )


OpenPair = tuple[tuple[int, int], tuple[int, int]]


def _propagate(known: dict[int, int], mates: dict[int, list[int]]) -> list[OpenPair]:
    """Fill in places that follow, until none does; return the pairs known up to a swap."""
    for position, linked in mates.items():
        if len(linked) == 1:
            known.setdefault(linked[0], 2 if known[position] == 1 else known[position] - 1)
    pairs: list[OpenPair] = [
        ((linked[0], linked[1]), (known[position] - 1, known[position] + 1))
        for position, linked in mates.items()
        if len(linked) == 2
    ]
    while True:
        known.update(_followed(known, pairs) or {})
        pairs = [pair for pair in pairs if pair[0][0] not in known]
        for pair in pairs:
            # Two visits that share a neighbour, or would have two at one place, rule an order out.
            # An order that can stand leaves the choice open: each choice is of two, so that what
            # follows from one by itself is all there is to find.
            ways = [_followed(known | way, pairs) for way in _ways(pair)]
            if None in ways:
                known.update(next(way for way in ways if way is not None))
                break
        else:
            return pairs


def _ways(pair: OpenPair) -> list[dict[int, int]]:
    (first, second), (low, high) = pair
    return [{first: low, second: high}, {first: high, second: low}]


def _followed(known: dict[int, int], pairs: list[OpenPair]) -> dict[int, int] | None:
    """Return the places that follow step by step, or None if two of them cannot be."""
    found = dict(known)
    while True:
        before = len(found)
        for pair in pairs:
            taken = {place: position for position, place in found.items()}
            open_ways = [
                way
                for way in _ways(pair)
                if all(found.get(p, k) == k and taken.get(k, p) == p for p, k in way.items())
            ]
            if not open_ways:
                return None
            if len(open_ways) == 1:
                found |= open_ways[0]
        if len(found) == before:
            return found
