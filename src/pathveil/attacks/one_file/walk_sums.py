"""Sums over all simple paths by dynamic programming over subsets (Bellman, Held and Karp).

A path is built one position at a time; what matters of it is the set visited so far and the last
position. Sets of one size are handled together, so that Python loops over sizes and positions only.

*Cost*: 2^n n^2 steps and 2^n n numbers: n = 16 takes about a second and 8 MB, n = 20 the limit.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pathveil.model.bits import BoolArray, PairBits

MOST_POSITIONS = 18

Floats = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]


def path_sums(weights: Floats) -> Floats:
    """Return for each set of positions the sum over its directed spanning paths of their weights.

    Parameters
    ----------
    weights
        Symmetric; the weight of a path is the product over its steps. A single position is a path
        of weight one.

    Returns
    -------
    One number for each of the 2^n sets, read as a bit mask.

    Examples
    --------
    >>> path_sums(np.ones((3, 3))).tolist()
    [0.0, 1.0, 1.0, 2.0, 1.0, 2.0, 2.0, 6.0]
    """
    table = np.zeros((1 << len(weights), len(weights)))
    _fill(table, weights)
    sums: Floats = table.sum(axis=1)
    return sums


def count_spanning_paths(links: BoolArray) -> int:
    """Return how many undirected paths visit every position once along links.

    >>> count_spanning_paths(~np.eye(4, dtype=bool))
    12
    """
    size = len(links)
    if size > MOST_POSITIONS:
        raise ValueError(f"{size} positions are too many to count paths, at most {MOST_POSITIONS}")
    if size == 1:
        return 1
    table = np.zeros((1 << size, size), dtype=np.int64)
    _fill(table, links.astype(np.int64))
    return int(table[-1].sum()) // 2


def chaff_graph(bits: PairBits) -> BoolArray:
    """Return the matrix of pairs in different branches: the graph H that holds the walk."""
    links = ~bits.matrix()
    np.fill_diagonal(links, val=False)
    return links


def _fill(table: npt.NDArray[np.float64] | Counts, steps: npt.NDArray[np.float64] | Counts) -> None:
    size = table.shape[1]
    sets = np.arange(len(table))
    counts = np.bitwise_count(sets)
    for place in range(size):
        table[1 << place, place] = 1
    for visited in range(1, size):
        these = sets[counts == visited]
        reached = table[these] @ steps
        for place in range(size):
            fresh = (these >> place & 1) == 0
            table[these[fresh] | 1 << place, place] = reached[fresh, place]
