"""Paths from links: what walk edges, in any order, form over the copies.

A participant reads all links of the walk: one path. An adversary who misses some reads pieces of
it: several. Both start here.
"""

from __future__ import annotations

from pathveil.errors import DoesNotFit
from pathveil.model.bits import IndexArray
from pathveil.model.positions import Positions


def linear_forest(links: IndexArray, positions: Positions) -> tuple[tuple[int, ...], ...]:
    """Return the paths that the links form, each from its lower end, sorted by that end.

    Parameters
    ----------
    links
        ``(k, 2)`` positions, each pair once.
    positions
        What to call a position in an error.

    Raises
    ------
    DoesNotFit
        If a position has three links, or links close a ring.

    Examples
    --------
    >>> import numpy as np
    >>> letters = Positions.uniform(tuple("abcde"), 1)
    >>> linear_forest(np.array([[4, 3], [0, 2], [2, 1]]), letters)
    ((0, 2, 1), (3, 4))
    """
    mates: dict[int, list[int]] = {}
    for i, j in links.tolist():
        mates.setdefault(i, []).append(j)
        mates.setdefault(j, []).append(i)
    crowded = next((here for here, there in mates.items() if len(there) > 2), None)
    if crowded is not None:
        vertex, copy = positions.label(crowded)
        raise DoesNotFit(
            f"copy {copy} of {vertex!r} has {len(mates[crowded])} walk edges, expected at most 2; "
            "the publication does not belong to this network"
        )
    paths, touched = [], 0
    ends = {here for here, there in mates.items() if len(there) == 1}
    for end in sorted(ends):
        if end not in ends:
            continue
        path = _follow(end, mates)
        ends.discard(path[-1])  # the other end of a path that is already there
        paths.append(path)
        touched += len(path)
    if touched != len(mates):
        raise DoesNotFit(
            f"{len(mates) - touched} copies are joined in rings by walk edges, expected pieces of "
            "a path; the publication does not belong to this network"
        )
    return tuple(paths)


def _follow(end: int, mates: dict[int, list[int]]) -> tuple[int, ...]:
    path, before = [end], -1
    while True:
        onward = [there for there in mates[path[-1]] if there != before]
        if not onward:
            return tuple(path)
        before = path[-1]
        path.append(onward[0])
