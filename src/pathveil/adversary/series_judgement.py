"""What an outsider read in a series, against the truth, which no attack ever sees."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from pathveil.adversary.series_outsider import SeriesReading
from pathveil.adversary.sightings import Sightings
from pathveil.model.bits import IndexArray
from pathveil.model.grouping import Grouping

_LINKS_IN_A_ROW = 2
"""So many links in a row are a walk by themselves."""


@dataclass(frozen=True)
class Judgement:
    """How much of the truth an outsider's reading holds.

    Attributes
    ----------
    links_found, links_hidden
        True links he named and did not know before, of so many.
    luck
        How many of them the same number of blind guesses would have named on average.
    walks_read, walks
        Walks read exactly, in either direction, of so many; over a grouping those whose blocks are
        named exactly, in whatever order.
    bare_links_found, bare_links
        Over a grouping: of the links found and hidden those between classes of one member. Such a
        link is read as it is.
    bare_walks_read, bare_walks
        Over a grouping: of the walks read and of all those that it leaves bare, all of them or two
        links in a row (:func:`bare_walks_among`).
    """

    links_found: int
    links_hidden: int
    luck: float
    walks_read: int
    walks: int
    bare_links_found: int = 0
    bare_links: int = 0
    bare_walks_read: int = 0
    bare_walks: int = 0


def judge(
    reading: SeriesReading,
    sightings: Sightings,
    truth: IndexArray,
    walks: Sequence[Sequence[int]],
    *,
    known: IndexArray | None = None,
    grouping: Grouping | None = None,
) -> Judgement:
    """Return how much of the true links and walks a reading holds.

    With the grouping at hand it also says what of that the grouping does not hide.
    """
    told = set() if known is None else {_ordered(i, j) for i, j in known.tolist()}
    hidden = {_ordered(i, j) for i, j in truth.tolist()} - told
    named = {_ordered(i, j) for i, j in reading.links} - told
    read = walks_right(reading, walks, grouped=sightings.grouped)
    luck = len(named) * len(hidden) / max(1, len(sightings.pairs) - len(told))
    found = named & hidden
    plain = Judgement(len(found), len(hidden), luck, read, len(walks))
    if grouping is None:
        return plain
    return replace(
        plain,
        bare_links_found=len(bare_among(found, grouping)),
        bare_links=len(bare_among(hidden, grouping)),
        bare_walks_read=bare_walks_right(reading, walks, grouping),
        bare_walks=len(bare_walks_among(walks, grouping)),
    )


def bare_among(passed: Iterable[Sequence[int]], grouping: Grouping) -> list[int]:
    """Return the places of links between two classes of one member.

    >>> bare_among([(0, 1), (1, 2)], Grouping.of([["a", "e"], ["b"], ["c"], ["d"]]))
    [1]
    """
    alone = set(grouping.bare_classes.tolist())
    return [place for place, classes in enumerate(passed) if alone.issuperset(classes)]


def bare_walks_among(walks: Iterable[Sequence[int]], grouping: Grouping) -> list[int]:
    """Return the places of walks that a grouping leaves bare: all of it, or two links in a row.

    Two links in a row are a walk by themselves. Who reads between classes where the whole walk goes
    reads these links as they are, though some other class it passes has two members.

    >>> over = Grouping.of([["a", "e"], ["b"], ["c"], ["d"]])
    >>> bare_walks_among([(1, 2), (0, 1, 2), (0, 1, 2, 3), (1, 0, 2)], over)
    [0, 2]
    """
    alone = set(grouping.bare_classes.tolist())
    found = []
    for place, walk in enumerate(walks):
        stretch = longest = 0
        for passed in walk:
            stretch = stretch + 1 if passed in alone else 0
            longest = max(longest, stretch)
        if longest >= min(len(walk), _LINKS_IN_A_ROW + 1):
            found.append(place)
    return found


def bare_walks_right(
    reading: SeriesReading, walks: Sequence[Sequence[int]], grouping: Grouping
) -> int:
    """Return how many walks that the grouping leaves bare are read, from class to class."""
    kept = bare_walks_among(walks, grouping)
    part = replace(reading, walks=tuple(reading.walks[place] for place in kept))
    return walks_right(part, [walks[place] for place in kept], grouped=True)


def walks_right(
    reading: SeriesReading, walks: Sequence[Sequence[int]], *, grouped: bool = False
) -> int:
    """Return how many walks are read, in either direction.

    Over a grouping a walk counts if just its blocks are named. They may be passed in several
    orders: which it was he may still have to guess.

    >>> reading = SeriesReading((), ((3, 2, 1, 3, 4), None), 0)
    >>> truth = [(4, 3, 1, 2, 3), (1, 2)]
    >>> walks_right(reading, truth), walks_right(reading, truth, grouped=True)
    (1, 1)
    >>> truth = [(3, 1, 2, 3, 4), (1, 2)]              # the round the other way
    >>> walks_right(reading, truth), walks_right(reading, truth, grouped=True)
    (0, 1)
    """
    right = 0
    for found, walk in zip(reading.walks, walks, strict=True):
        if found is None:
            continue
        if grouped:
            right += _blocks(found) == _blocks(walk)
        else:
            right += tuple(found) in (tuple(walk), tuple(walk)[::-1])
    return right


def _blocks(walk: Sequence[int]) -> Counter[tuple[int, int]]:
    return Counter(_ordered(i, j) for i, j in pairwise(walk))


def _ordered(i: int, j: int) -> tuple[int, int]:
    return (i, j) if i < j else (j, i)
