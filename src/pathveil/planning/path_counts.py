"""How many there are: simple paths of a given length, with a fair sample, and sets of pairs.

A path without direction is grown from its middle: from its middle link if its length is odd, from
its middle vertex if it is even, one step at one end and then one at the other. So each path comes
once. While the candidates of a step are at most :data:`EXACT` nothing is left out and the count is
exact. Beyond, every k-th path is kept and counts for k: paths are listed in the order of their
middles, so this is a sample spread evenly over the network, and no coin is needed. Counting
non-backtracking walks instead would cost more privacy: it counts walks that cross themselves,
and takes a network for larger than it is.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from math import inf, lgamma, log

import numpy as np
import numpy.typing as npt

from pathveil.model.graph_index import IndexArray
from pathveil.model.network import Network

FloatArray = npt.NDArray[np.float64]

EXACT = 400_000
"""Candidate paths up to which all are looked at, unless told otherwise."""
SAMPLED = 40_000
"""Candidate paths that are looked at where there are more."""


@dataclass(frozen=True, eq=False)
class PathCounts:
    """The simple paths of a graph, by length. Counts are kept once they are made.

    Parameters
    ----------
    size
        How many vertices.
    pairs
        ``(m, 2)`` ends of its links, each link once.
    exact
        Candidate paths up to which all are looked at.

    Examples
    --------
    >>> square = PathCounts(4, np.array([[0, 1], [1, 2], [2, 3], [0, 3]]))
    >>> [round(2.718281828459045 ** square.log_paths(length)) for length in (1, 2, 3)]
    [4, 4, 4]
    >>> square.log_cycles(4)
    0.0
    """

    size: int
    pairs: IndexArray
    exact: int = EXACT
    _logs: dict[tuple[str, int], float] = field(default_factory=dict, repr=False)

    def log_paths(self, length: int) -> float:
        """Return the logarithm of the number of simple paths of this many links."""
        if ("path", length) not in self._logs:
            count, _ = self._grown(length, listed=False)
            self._logs["path", length] = log(max(count, 1.0))
        return self._logs["path", length]

    def log_cycles(self, length: int) -> float:
        """Return the logarithm of the number of simple cycles of this many links."""
        if ("cycle", length) not in self._logs:
            count, columns = self._grown(length - 1)
            low, high = np.minimum(columns[0], columns[-1]), np.maximum(columns[0], columns[-1])
            keys = self.pairs.min(axis=1) * self.size + self.pairs.max(axis=1)
            closing = np.isin(low * self.size + high, keys).mean() if count else 0
            self._logs["cycle", length] = log(max(count * float(closing) / length, 1.0))
        return self._logs["cycle", length]

    def log_growth(self, length: int) -> float:
        """Return ln b: by what a path of this length gains with each link, its start apart."""
        return (self.log_paths(length) - log(self.size / 2)) / length

    def sample(self, length: int) -> IndexArray:
        """Return simple paths of this many links, all of them or evenly spread ones; one a row."""
        return np.stack(self._grown(length)[1], axis=1)

    def _grown(self, length: int, *, listed: bool = True) -> tuple[float, list[IndexArray]]:
        """Return how many paths there are, and the visits of those that were looked at.

        The visits are those of shorter paths unless they are to be ``listed``.
        """
        starts, row = self._rows()
        degrees = np.diff(starts)
        odd = length % 2
        columns = [self.pairs[:, 0], self.pairs[:, 1]] if odd else [np.arange(self.size)]
        weight = 1.0
        for step in range(len(columns), length + 1):
            right = step % 2 == 1 - odd  # the two ends in turn
            last = columns[-1] if right else columns[0]
            candidates = int(degrees[last].sum())
            if candidates > self.exact or (weight > 1 and candidates > SAMPLED):
                every = -(-candidates // SAMPLED)
                weight *= len(last) / max(len(last[every // 2 :: every]), 1)
                columns = [column[every // 2 :: every] for column in columns]
                last = columns[-1] if right else columns[0]
            many = degrees[last]
            which = np.repeat(np.arange(len(last)), many)
            new = row[
                np.arange(len(which)) + np.repeat(starts[last] - np.cumsum(many) + many, many)
            ]
            free = np.logical_and.reduce([new != column[which] for column in columns])
            if not odd and step == 2:  # two neighbours of a middle vertex: each two once
                free &= new > columns[-1][which]
            if step == length and not listed:
                return weight * int(free.sum()), columns
            which, new = which[free], new[free]
            columns = [column[which] for column in columns]
            columns = [*columns, new] if right else [new, *columns]
        return weight * len(columns[0]), columns

    def _rows(self) -> tuple[IndexArray, IndexArray]:
        """Return neighbour lists in compressed sparse rows."""
        ends = np.concatenate([self.pairs, self.pairs[:, ::-1]])
        ends = ends[np.lexsort((ends[:, 1], ends[:, 0]))]
        counts = np.bincount(ends[:, 0], minlength=self.size)
        starts = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(counts)])
        return starts, np.ascontiguousarray(ends[:, 1])


@lru_cache(maxsize=32)
def paths_of(network: Network) -> PathCounts:
    """Return the simple paths of a network; what was counted is kept for the next question."""
    return PathCounts(len(network), network.pairs)


# -- logarithms of other counts -------------------------------------------------------------------


def log_factorial(number: float) -> float:
    """Return ln n!, for whole numbers and between them."""
    return lgamma(number + 1)


def log_falling(number: float, count: float) -> float:
    """Return ln of n (n - 1) ... with this many factors."""
    return lgamma(number + 1) - lgamma(number - count + 1)


def log_choose(number: float, count: float) -> float:
    """Return ln of the number of subsets of this size."""
    return log_falling(number, count) - lgamma(count + 1)


def log_beta(first: float, second: float) -> float:
    """Return ln of Euler's beta function."""
    return lgamma(first) + lgamma(second) - lgamma(first + second)


def log_choices(size: int, touched: int, pairs: int, count: int) -> float:
    """Return how long it takes to say which pairs: outright, or the vertices that they touch first.

    Parameters
    ----------
    size, touched
        Vertices in all, and those that the pairs touch.
    pairs, count
        Pairs that may be links, and how many are meant.
    """
    inside = min(touched * (touched - 1) / 2, pairs)
    corner = log_choose(size, touched) + log_choose(inside, count) if inside >= count else inf
    return min(log_choose(pairs, count), corner)
