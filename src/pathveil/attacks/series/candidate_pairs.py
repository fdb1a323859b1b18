"""Candidate pairs: which pairs could be links at all, by the public universes of files.

A pair outside the universe of any file is known to be no link, also where the file names its pairs
by digest only: then whoever infers has to have them. A universe speaks of the vertices it names;
of a vertex that came later it says nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from pathveil.model.bits import BoolArray, IndexArray, pair_count, pair_places, unflatten
from pathveil.model.network import Network
from pathveil.model.universe import Universe


def possible_pairs(
    universes: Iterable[Universe], vertices: Sequence[str], today: Network | None = None
) -> IndexArray | None:
    """Return the pairs of vertices that every universe leaves open, as indices; None if all.

    Parameters
    ----------
    today
        The network, for who has it. A universe that lacks one of its links is of an earlier network
        and rules nothing out: who believed it would look past a link.

    Raises
    ------
    DoesNotFit
        If nobody has brought the pairs of a universe.

    Examples
    --------
    >>> first, second = Universe.of([("a", "b"), ("b", "c")]), Universe.of([("a", "b"), ("a", "c")])
    >>> possible_pairs([first], "abc").tolist(), possible_pairs([first, second], "abc").tolist()
    ([[0, 1], [1, 2]], [[0, 1]])
    >>> possible_pairs([first], "abcd").tolist()               # d came later
    [[0, 1], [0, 3], [1, 2], [1, 3], [2, 3]]
    >>> possible_pairs([first], "abc", Network.parse("ab ac")) is None
    True
    """
    listed = {one.digest: one.brought(None) for one in universes}
    used = [one for one in listed.values() if today is None or _holds(one, today)]
    if not used:
        return None
    possible = np.ones(pair_count(len(vertices)), dtype=bool)
    for one in used:
        possible &= ~_spoken_of(one, vertices) | with_coins(one, vertices)
    return unflatten(np.flatnonzero(possible), len(vertices))


def with_coins(universe: Universe, vertices: Sequence[str]) -> BoolArray:
    """Return which pairs of vertices, flat, are among those of a universe.

    >>> with_coins(Universe.of([("a", "b"), ("b", "c")]), "abc").tolist()
    [True, False, True]
    """
    place = {name: number for number, name in enumerate(vertices)}
    pairs = universe.brought(None).pairs or ()
    rows = [(place[u], place[v]) for u, v in pairs if u in place and v in place]
    ends = np.sort(np.array(rows, dtype=np.int64).reshape(-1, 2), axis=1)
    inside = np.zeros(pair_count(len(vertices)), dtype=bool)
    inside[pair_places(ends[:, 0], ends[:, 1], len(vertices))] = True
    return inside


def _spoken_of(universe: Universe, vertices: Sequence[str]) -> BoolArray:
    """Return of which pairs of vertices, flat, a universe says whether they could be links."""
    named = _names(universe)
    there = np.array([name in named for name in vertices], dtype=bool)
    ends = unflatten(np.arange(pair_count(len(vertices)), dtype=np.int64), len(vertices))
    both: BoolArray = there[ends[:, 0]] & there[ends[:, 1]]
    return both


def _holds(universe: Universe, network: Network) -> bool:
    """Return whether a universe has every link between vertices that it names."""
    named = _names(universe)
    pairs = frozenset((min(u, v), max(u, v)) for u, v in universe.pairs or ())
    return all(
        (min(u, v), max(u, v)) in pairs for u, v in network.links if u in named and v in named
    )


def _names(universe: Universe) -> frozenset[str]:
    return frozenset(name for pair in universe.pairs or () for name in pair)
