"""Paths from links: what walk edges, in any order, form over the copies.

A participant reads all links of the walk: one path. An adversary who misses some reads pieces of
it: several. Both start here.
"""

from __future__ import annotations

import numpy as np

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
    >>> letters = Positions.uniform(tuple("abcde"), 1)
    >>> linear_forest(np.array([[4, 3], [0, 2], [2, 1]]), letters)
    ((0, 2, 1), (3, 4))
    """
    used, place = np.unique(links, return_inverse=True)
    place = place.reshape(links.shape)
    degree = np.bincount(place.ravel(), minlength=len(used))
    if degree.max(initial=0) > 2:
        here = int(degree.argmax())
        vertex, copy = positions.label(int(used[here]))
        raise DoesNotFit(
            f"copy {copy} of {vertex!r} has {degree[here]} walk edges, expected at most 2; "
            "the publication does not belong to this network"
        )
    paths, touched = [], 0
    seen = np.zeros(len(used), dtype=bool)
    one, other = _mates(place, degree)
    for end in np.flatnonzero(degree == 1).tolist():
        if seen[end]:
            continue
        path = _follow(end, one, other)
        seen[path[-1]] = True  # the other end of a path that is already there
        paths.append(tuple(used[path].tolist()))
        touched += len(path)
    if touched != len(used):
        raise DoesNotFit(
            f"{len(used) - touched} copies are joined in rings by walk edges, expected pieces of "
            "a path; the publication does not belong to this network"
        )
    return tuple(paths)


def _mates(place: IndexArray, degree: IndexArray) -> tuple[list[int], list[int]]:
    """Return the one mate of each place, and the other; -1 where there is none."""
    both = np.concatenate([place, place[:, ::-1]])
    both = both[np.argsort(both[:, 0], kind="stable")]
    first = np.cumsum(degree) - degree
    one = both[first, 1]
    other = np.where(degree > 1, both[np.minimum(first + 1, len(both) - 1), 1], -1)
    return one.tolist(), other.tolist()


def _follow(end: int, one: list[int], other: list[int]) -> list[int]:
    path, before, here = [end], -1, end
    while True:
        onward = one[here] if one[here] != before else other[here]
        if onward < 0:
            return path
        before, here = here, onward
        path.append(here)
