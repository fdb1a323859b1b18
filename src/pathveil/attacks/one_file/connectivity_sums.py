"""Sets of missing links, weighed and counted, that leave the network connected.

A published network is connected: that is public, so whoever misses links knows that the missing
ones hold its pieces together. The sum over all sets of l links that connect r pieces, each set
weighed by the product of its links' odds, follows by inclusion and exclusion over the partitions of
the pieces: sum over partitions of (-1)^(b-1) (b-1)! times the l-th elementary symmetric sum of the
odds within its b sets. A network short of k links has at most k + 1 pieces, so r is small.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from math import factorial

import numpy as np
import numpy.typing as npt

from pathveil.attacks.one_file.completions import Pair
from pathveil.model.network import Network

MOST_PARTS = 7
"""Pieces of a known network up to which connectedness is used: 877 partitions."""

Parts = tuple[int, ...]
"""For each vertex the number of its piece, pieces numbered by first appearance."""


def parts_of(network: Network, joined: Iterable[Pair] = ()) -> Parts:
    """Return the connected pieces of a known network with further links.

    >>> parts_of(Network.parse("ab bc cd").without(("b", "c")))
    (0, 0, 1, 1)
    """
    return merge(tuple(range(len(network))), [*map(tuple, network.pairs.tolist()), *joined])


def merge(parts: Parts, joined: Iterable[Pair]) -> Parts:
    """Return the pieces after links have joined some of them."""
    above = list(range(max(parts) + 1))

    def top(part: int) -> int:
        while above[part] != part:
            above[part] = above[above[part]]
            part = above[part]
        return part

    for u, v in joined:
        above[top(parts[u])] = top(parts[v])
    number: dict[int, int] = {}
    return tuple(number.setdefault(top(part), len(number)) for part in parts)


def connecting_sum(odds: Mapping[Pair, float], parts: Parts, order: int) -> float:
    """Return the sum, over sets of ``order`` pairs that connect the pieces, of their odds.

    Examples
    --------
    >>> pairs = {(0, 2): 1.0, (1, 2): 1.0, (0, 1): 1.0}
    >>> connecting_sum(pairs, (0, 0, 1), 1), connecting_sum(pairs, (0, 0, 1), 2)
    (2.0, 3.0)
    """
    pieces = max(parts) + 1
    if order < pieces - 1:
        return 0.0
    factors = _factors(odds, parts, order)
    total = 0.0
    for sets in partitions(pieces):
        product = np.zeros(order + 1)
        product[0] = 1.0
        for each in sets:
            for place, a in enumerate(each):
                for b in each[place:]:
                    if (a, b) in factors:
                        product = np.convolve(product, factors[a, b])[: order + 1]
        total += (-1) ** (len(sets) - 1) * factorial(len(sets) - 1) * float(product[order])
    return max(total, 0.0)


def _factors(
    odds: Mapping[Pair, float], parts: Parts, order: int
) -> dict[Pair, npt.NDArray[np.float64]]:
    """Return the symmetric sums of the odds between each two pieces, as polynomials."""
    grouped: dict[Pair, list[float]] = {}
    for (u, v), factor in odds.items():
        a, b = sorted((parts[u], parts[v]))
        grouped.setdefault((a, b), []).append(factor)
    return {key: np.array(symmetric_sums(listed, order)) for key, listed in grouped.items()}


def symmetric_sums(weights: Iterable[float], order: int) -> list[float]:
    """Return the elementary symmetric sums of orders 0 to ``order``.

    >>> symmetric_sums([1, 2, 3], 2)
    [1.0, 6.0, 11.0]
    """
    sums = [1.0] + [0.0] * order
    for weight in weights:
        for k in range(order, 0, -1):
            sums[k] += weight * sums[k - 1]
    return sums


def likeliest_set(odds: Mapping[Pair, float], parts: Parts, order: int) -> float:
    """Return the largest product of odds of a set of so many pairs that connects the pieces.

    Greedy is right: a heaviest set that connects is a heaviest tree over the pieces, filled up
    with the heaviest pairs that are left.
    """
    product, left = 1.0, sorted(odds, key=lambda pair: -odds[pair])
    rest = []
    for pair in left:
        u, v = pair
        if parts[u] != parts[v]:
            product, parts, order = product * odds[pair], merge(parts, [pair]), order - 1
        else:
            rest.append(pair)
    if max(parts) or order < 0 or order > len(rest):
        return 0.0
    for pair in rest[:order]:
        product *= odds[pair]
    return product


@lru_cache(maxsize=MOST_PARTS)
def partitions(count: int) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """Return all partitions of ``range(count)`` into sets.

    >>> len(partitions(4))
    15
    """
    return tuple(_partitions(list(range(count))))


def _partitions(items: Sequence[int]) -> Iterator[tuple[tuple[int, ...], ...]]:
    if not items:
        yield ()
        return
    first, rest = items[0], items[1:]
    for sets in _partitions(rest):
        yield ((first,), *sets)
        for place, each in enumerate(sets):
            yield (*sets[:place], (first, *each), *sets[place + 1 :])
