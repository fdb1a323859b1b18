"""Pairs of places as single numbers, which sort and search fast."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

IndexArray = npt.NDArray[np.int64]


def edge_keys(
    rank: IndexArray | None, ends: IndexArray, size: int, *, ordered: bool = True
) -> IndexArray:
    """Return each pair as one number, lower end times ``size`` plus higher end.

    Parameters
    ----------
    rank
        What the ends stand for; None if they are vertex places themselves.
    size
        How many vertices there are.
    ordered
        Whether to put the lower end first, or to leave the ends as they are.

    >>> edge_keys(None, np.array([[2, 1], [0, 2]]), 3).tolist()
    [5, 2]
    """
    first, second = ends[:, 0], ends[:, 1]
    if rank is not None:
        first, second = rank[first], rank[second]
    if ordered:
        first, second = np.minimum(first, second), np.maximum(first, second)
    keys: IndexArray = first * np.int64(size) + second
    return keys


def pairs_of_keys(keys: IndexArray, size: int) -> IndexArray:
    """Return the pairs of such numbers.

    >>> pairs_of_keys(np.array([5, 2]), 3).tolist()
    [[1, 2], [0, 2]]
    """
    pairs = np.empty((len(keys), 2), dtype=np.int64)
    np.divmod(keys, np.int64(size), out=(pairs[:, 0], pairs[:, 1]))
    return pairs
