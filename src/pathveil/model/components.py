"""Which vertices hang together, by index pairs."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

IndexArray = npt.NDArray[np.int64]

FEW_PAIRS = 16_384
"""Pairs up to which merging in rounds ends before scipy's graph routines are even loaded."""


def connected_parts(size: int, pairs: IndexArray) -> tuple[int, IndexArray]:
    """Return how many connected components there are, and which one each vertex is in.

    Components are numbered in the order of their first vertices.

    *Cost.* Linear in vertices and pairs, times the square of a logarithm at worst while pairs are
    few; the rounds on real networks are about five.

    Examples
    --------
    >>> count, part = connected_parts(5, np.array([[3, 1], [0, 2], [4, 3]]))
    >>> count, part.tolist()
    (2, [0, 1, 0, 1, 1])
    """
    if len(pairs) > FEW_PAIRS:
        return _searched_parts(size, pairs)
    first = _merged(size, pairs[:, 0], pairs[:, 1])
    firsts = np.flatnonzero(first == np.arange(size))
    return len(firsts), firsts.searchsorted(first)


def _merged(size: int, one: IndexArray, other: IndexArray) -> IndexArray:
    """Return for each vertex the first one of its component."""
    first = np.arange(size, dtype=np.int64)
    while True:
        a, b = first[one], first[other]
        apart = a != b
        if not apart.any():
            return first
        # Both ends stand at roots here, so the later root is hung below the earlier one; never the
        # other way round, hence no circles, and the root that is left is the first vertex.
        np.minimum.at(first, np.maximum(a, b)[apart], np.minimum(a, b)[apart])
        while True:
            shorter = first[first]
            if np.array_equal(shorter, first):
                break
            first = shorter


def _searched_parts(size: int, pairs: IndexArray) -> tuple[int, IndexArray]:
    """Return the same by scipy, which walks each pair once."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    ones = np.ones(len(pairs), dtype=np.int8)
    matrix = coo_array((ones, (pairs[:, 0], pairs[:, 1])), shape=(size, size))
    count, part = connected_components(matrix, directed=False)
    return int(count), part.astype(np.int64)
