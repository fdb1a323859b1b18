"""Weighing worlds: how likely each supposed walk is by the known links alone, and by everything.

Once a set M of missing links is supposed, the walk is determined: it is every pair of known or
supposed links in different branches. Two possible sets differ only in who pays for a coin: a pair
supposed to be a link costs none, every other open pair costs p_on or 1 - p_on. So the likelihood
of M, up to a factor that all share, is the product of 1 / Pr[coin shows the bit] over the pairs of
M, times the weight of the walk's course (``direction_likelihood.py``). Missing links off the walk
are summed over, not enumerated.

A published network is connected: that is public, so someone who lacks links knows that these
hold its pieces together. The sum over all sets of l links that connect r pieces, each set
weighed by the product of its links' odds, follows by inclusion and exclusion over the partitions of
the pieces: sum over partitions of (-1)^(b-1) (b-1)! times the l-th elementary symmetric sum of the
odds within its b sets. A network short of k links has at most k + 1 pieces, so r is small.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import compress
from math import comb, factorial, inf, prod

import numpy as np

from pathveil.attacks.one_file.completions import Fragments, Pair, World
from pathveil.attacks.one_file.direction_likelihood import Course
from pathveil.attacks.one_file.posterior import CoinModel
from pathveil.model.bits import PairBits, pair_places
from pathveil.model.network import Network

MOST_PARTS = 7
"""Pieces of a known network up to which connectedness is used: 877 partitions."""

Parts = tuple[int, ...]
"""For each vertex the number of its piece, pieces numbered by first appearance."""


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
    # The symmetric sums of the odds between each two pieces, as polynomials.
    grouped: dict[Pair, list[float]] = {}
    for (u, v), factor in odds.items():
        a, b = sorted((parts[u], parts[v]))
        grouped.setdefault((a, b), []).append(factor)
    factors = {key: np.array(symmetric_sums(listed, order)) for key, listed in grouped.items()}
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
    """Return the largest product of odds of a set of ``order`` pairs that connects the pieces.

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


@dataclass(frozen=True, eq=False)
class Judge:
    """Weighs worlds: prior by the known links alone, posterior by all that is published."""

    read: Fragments
    bits: PairBits
    coins: CoinModel
    known: Network
    missing: int
    course: Course
    rough: bool = False
    """Whether the prior leaves out that the network is connected; the posterior never does."""

    # -- single pairs ---------------------------------------------------------------------------

    def odds(self, pair: Pair, joins: Collection[Pair]) -> float:
        """Return the odds factor of a pair being a link whose walk steps are these joins.

        Zero if a bit contradicts that; infinite if no coin could show the bits.
        """
        clear = 0
        lifted = self.read.lifted(pair)
        for place in lifted:
            same = self.bits.same_branch(*place)
            if same == (place in joins):
                return 0.0
            clear += not same
        chance = self.coins.chance(clear=clear, pairs=len(lifted))
        return 1 / chance if chance else inf

    @cached_property
    def silent(self) -> dict[Pair, float]:
        """The open pairs that may hold a link off the walk, with their odds."""
        read = self.read
        if self.bits.size == len(read.positions.vertices):  # one copy each: all pairs at once
            ends = np.array(read.absent, dtype=np.int64).reshape(-1, 2)
            same = self.bits.at(pair_places(ends[:, 0], ends[:, 1], self.bits.size))
            chance = self.coins.chance(clear=0, pairs=1)
            return dict.fromkeys(compress(read.absent, same), 1 / chance if chance else inf)
        found = {pair: self.odds(pair, ()) for pair in read.absent}
        return {pair: factor for pair, factor in found.items() if factor}

    @cached_property
    def proven(self) -> frozenset[Pair]:
        """The open pairs that must be links on the walk: no coin shows such bits."""

        def clear(pair: Pair) -> set[Pair]:
            return {place for place in self.read.lifted(pair) if not self.bits.same_branch(*place)}

        if self.coins.shows_everything:
            return frozenset()
        return frozenset(
            pair
            for pair in self.read.absent
            if pair not in self.silent and self.odds(pair, clear(pair)) == inf
        )

    @cached_property
    def certain(self) -> frozenset[Pair]:
        """The open pairs that must be links off the walk: no coin says so (sealed policies)."""
        return frozenset(pair for pair, factor in self.silent.items() if factor == inf)

    @cached_property
    def free(self) -> dict[Pair, float]:
        """The open pairs that may, but need not, hold a link off the walk, with their odds."""
        return {pair: odds for pair, odds in self.silent.items() if pair not in self.certain}

    # -- connectedness --------------------------------------------------------------------------

    @cached_property
    def _parts(self) -> Parts:
        return tuple(self.known.parts[1].tolist())

    @property
    def connects(self) -> bool:
        """Whether it is used that the whole network is connected."""
        return max(self._parts) + 1 <= MOST_PARTS

    def parts(self, joined: Collection[Pair]) -> Parts:
        """Return the pieces of the known network with these links; one piece if that is unused."""
        if not self.connects:
            return (0,) * len(self._parts)
        return merge(self._parts, joined) if max(self._parts) else self._parts

    # -- worlds ---------------------------------------------------------------------------------

    def prior(self, world: World) -> float:
        """Return the weight of a world by the known links' bits alone."""
        sets = self.sets_before(world.links)
        return self._allowed(world) * self.course.before(world.visits) * sets if sets else 0.0

    def sets_before(self, links: tuple[Pair, ...]) -> float:
        """Return how many sets of missing links off the walk there are beside these."""
        others, parts = self.missing - len(links), self.parts(links)
        if self.rough or not max(parts):
            return float(comb(len(self.read.absent) - len(links), others))
        # So few links join no more pieces: all pairs need not be listed to know.
        return connecting_sum(self._alike(links), parts, others) if others >= max(parts) else 0.0

    def _alike(self, links: Collection[Pair]) -> Mapping[Pair, float]:
        return {pair: 1.0 for pair in self.read.absent if pair not in links}

    def _allowed(self, world: World) -> bool:
        """Return whether the policy publishes such a walk."""
        uses = self.coins.policy.link_uses
        if uses is None or len(world.joins) == len(world.links):
            return True
        return max(Counter(self.read.base(*join) for join in world.joins).values()) <= uses

    def posterior(self, world: World) -> float:
        """Return the weight of a world by all that is published.

        Links that are proven are in every possible world; their infinite odds are left out.
        """
        if not self._allowed(world) or not self.proven <= set(world.links):
            return 0.0
        factor = 1.0
        for pair in world.links:
            odds = self.odds(pair, world.joins)
            factor *= 1.0 if odds == inf else odds
        factor *= self.sum_after(world.links) if factor else 0.0
        return factor * self.course.after(world.visits) if factor else 0.0

    @cached_property
    def _loudest(self) -> float:
        return max(self.silent.values(), default=1.0)

    def largest_odds(self, world: World) -> float:
        """Return the odds of a world's links and of the most telling other links it allows."""
        others = self.missing - len(world.links)
        used = prod(self.odds(pair, world.joins) for pair in world.links)
        return used * (self._loudest**others if others else 1.0)

    # -- links off the walk ---------------------------------------------------------------------

    def _after(self, links: Collection[Pair]) -> tuple[int, Parts]:
        """Return how many links off the walk are still free, and the pieces they must connect."""
        others = self.missing - len(links) - len(self.certain)
        return others, self.parts([*links, *self.certain])

    @cached_property
    def _sums(self) -> list[float]:
        return symmetric_sums(self.free.values(), self.missing)

    @cached_property
    def _connecting(self) -> dict[tuple[int, Parts], float]:
        return {}

    def sum_after(self, links: Collection[Pair]) -> float:
        """Return the sum over all sets of missing links off the walk of their odds."""
        order, parts = self._after(links)
        if order < 0:
            return 0.0
        if not max(parts):
            return self._sums[order] if order else 1.0
        known = self._connecting
        if (order, parts) not in known:
            known[order, parts] = connecting_sum(self.free, parts, order)
        return known[order, parts]

    def shares_after(self, links: Collection[Pair]) -> dict[Pair, float]:
        """Return for each open pair the chance that it is one of the links off the walk."""
        order, parts = self._after(links)
        shares = _shares(self.free, parts, order, self.sum_after(links))
        return dict.fromkeys(self.certain, 1.0) | shares

    def shares_before(self, links: tuple[Pair, ...]) -> dict[Pair, float]:
        """Return the same without the release: every set that connects is as likely."""
        others, parts = self.missing - len(links), self.parts(links)
        alike = self._alike(links)
        if self.rough or not max(parts):
            return dict.fromkeys(alike, others / len(alike)) if others else {}
        return _shares(alike, parts, others, connecting_sum(alike, parts, others))

    def naming_after(self, links: Collection[Pair]) -> float:
        """Return the chance that the likeliest set of links off the walk is the right one."""
        order, parts = self._after(links)
        total = self.sum_after(links)
        return likeliest_set(self.free, parts, order) / total if order > 0 and total else 1.0

    def naming_before(self, links: tuple[Pair, ...]) -> float:
        """Return the same without the release."""
        sets = self.sets_before(links)
        return 1 / sets if sets else 0.0


def _shares(
    odds: Mapping[Pair, float], parts: Parts, order: int, total: float
) -> dict[Pair, float]:
    """Return the chance of each pair to be in a set of ``order`` pairs that connects the pieces.

    ``total`` is the sum of the odds of all such sets.
    """
    if order < 1 or not total:
        return {}
    if not max(parts):
        without = _without_each(odds, order)
        return {x: odds[x] * without[x] / total for x in odds}
    if order == 1:  # one link joins two pieces, or nothing does
        return {x: odds[x] / total for x in odds if parts[x[0]] != parts[x[1]]}
    shares = {}
    for pair in odds:
        rest = {other: factor for other, factor in odds.items() if other != pair}
        joined = connecting_sum(rest, merge(parts, [pair]), order - 1)
        shares[pair] = odds[pair] * joined / total
    return shares


def _without_each(odds: Mapping[Pair, float], order: int) -> dict[Pair, float]:
    """Return for each pair the symmetric sum of order - 1 of all the others.

    From the sums of those before it and of those after it: nothing is subtracted, so no weight,
    however large, drowns the others.
    """

    def widened(sums: list[float], weight: float) -> list[float]:
        return [1.0, *(sums[k] + weight * sums[k - 1] for k in range(1, order))]

    before = [1.0] + [0.0] * (order - 1)
    after = [before]
    for weight in list(odds.values())[:0:-1]:
        after.append(widened(after[-1], weight))
    found = {}
    for pair, weight in odds.items():
        rest = after.pop()
        found[pair] = sum(a * b for a, b in zip(before, reversed(rest), strict=True))
        before = widened(before, weight)
    return found
