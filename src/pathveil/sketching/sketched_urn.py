"""Polya's urn in values of r bits: rates rounded to whole numbers of 2^-r, and what they cost.

In a sketch a pair that is no link reads a uniform value of r bits, and is shown on the walk where
the value is below a threshold. So the urn's rate (k + a)/(t + a + b) becomes j / 2^r, j the nearest
whole number. r and j follow from the urn, k and t: all of it public. A link's value is uniform
among those that say the truth about it, and z uniform among all solutions; a release then has, with
the link, 2^r / j times the chance that it has without (2^r / (2^r - j) for a link off the walk),
whatever was released before. So losses are sums of logarithms of the rates *in use*, exactly; what
rounding takes away is only that the order of a pattern no longer cancels: of all patterns with k
uses the certificate states the dearest.

Who sees only some releases sees the *values* of those, and a link's values are not those of a pair
whose past he does not know: he pays for each release that he sees what it costs, in full. (Of
a packed series he pays for one of the length he sees.) Both hold where walks and links do not
depend on earlier releases.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import gcd, lcm

from pathveil.chance.exponential import ExactProbability
from pathveil.chance.symbolic_loss import ExactLoss
from pathveil.chance.urn import Urn
from pathveil.errors import BadBudget

FINEST = 8
"""Bits of a value where rates are not rounder ones: they are then met within a few per cent."""

LEAST = 16
"""Values a state has at least, so that rounding moves no loss by more than 1/32."""

MOST_BITS = 32
"""Bits a value may have."""


@dataclass(frozen=True)
class SketchedUrn:
    """An urn whose rates are kept in values of bits.

    Parameters
    ----------
    urn
        The rates it comes near to.
    states
        How many states mean *on the walk*: patterns of copies, walks together.

    Examples
    --------
    >>> kept = SketchedUrn(Urn())
    >>> kept.bits(0), kept.each(0)             # the first release is drawn with fair coins
    (1, (1,))
    >>> kept.bits(1), kept.each(1)             # 1/4 and 3/4
    (2, (1, 3))
    >>> kept.bits(2), kept.each(2)             # 1/6, 1/2 and 5/6
    (8, (43, 128, 213))
    """

    urn: Urn
    states: int = 1

    def bits(self, releases: int) -> int:
        """Return how many bits a value has after so many releases: a public number."""
        return _table(self.urn, self.states, releases)[0]

    def each(self, releases: int) -> tuple[int, ...]:
        """Return how many values each on-walk state has, by how often a pair was shown."""
        return _table(self.urn, self.states, releases)[1]

    def chance(self, shown: int, releases: int, *, on: bool) -> Fraction:
        """Return the chance that a pair that is no link shows one given state next."""
        bits, each = _table(self.urn, self.states, releases)
        values = each[shown] if on else (1 << bits) - self.states * each[shown]
        return Fraction(values, 1 << bits)

    def least_chances(self, releases: int) -> tuple[Fraction, ...]:
        """Return for each number of uses the chance of the least likely pattern with so many.

        *Cost*: quadratic in the releases, in whole numbers of as many words.

        >>> SketchedUrn(Urn()).least_chances(2)
        (Fraction(3, 8), Fraction(1, 8), Fraction(3, 8))
        """
        return _least_chances(self.urn, self.states, releases)

    def latest_chance(self, releases: int) -> tuple[Fraction, int]:
        """Return the least chance of what a link shows from some release on, and its uses there.

        Whatever was shown of the pair before, while it was none: with a beginning that has a chance
        of its own the whole is rarer still, so it is the rarest pattern from the first release on.
        """
        return min((chance, uses) for uses, chance in enumerate(self.least_chances(releases)))


def loss_of(chance: Fraction) -> ExactLoss:
    """Return the loss of a link that a pair that is none looks like with this chance."""
    return ExactLoss.of(ExactProbability.rational(1 / chance))


@lru_cache(maxsize=4096)
def _table(urn: Urn, states: int, releases: int) -> tuple[int, tuple[int, ...]]:
    unit = lcm(urn.on.denominator, urn.off.denominator)
    first, step = int(urn.on * unit), unit
    bottom = int((releases + urn.on + urn.off) * unit) * states
    tops = range(first, first + (releases + 1) * step, step)
    bits = _bits(tops, bottom, states)
    # The nearest number; of several states each gets the number below, so that *off* has its share.
    half = bottom * (states == 1)
    each = tuple(((top << (bits + 1)) + half) // (2 * bottom) for top in tops)
    if each[0] < 1 or states * each[-1] >= 1 << bits:
        raise BadBudget(
            f"rates of an urn of {urn.on} and {urn.off} balls after {releases} releases, shared by "
            f"{states} states, cannot be kept in values of {bits} bits; publish it packed, or "
            "choose an urn with more balls of either kind, or fewer copies and walks"
        )
    return bits, each


def _bits(tops: range, bottom: int, states: int) -> int:
    """Return the fewest bits that keep the rates, or that leave the rarest state enough values."""
    finest = lcm(*(bottom // gcd(top, bottom) for top in tops))
    if finest.bit_count() == 1 and finest.bit_length() - 1 <= FINEST:
        return finest.bit_length() - 1
    bits, rarest = FINEST, min(tops[0], bottom - states * tops[-1])
    while rarest << bits < LEAST * bottom and bits < MOST_BITS:
        bits += 1
    return bits


def _sizes(urn: Urn, states: int, release: int) -> tuple[int, list[int], list[int]]:
    """Return the bits of a value, and by count the values of one on-walk state and of *off*."""
    bits, each = _table(urn, states, release)
    return bits, list(each), [(1 << bits) - states * values for values in each]


@lru_cache(maxsize=64)
def _least_chances(urn: Urn, states: int, releases: int) -> tuple[Fraction, ...]:
    """Walk over all counts, release by release; least products of whole numbers, no float."""
    least, total = [1], 0
    for release in range(releases):
        bits, on, off = _sizes(urn, states, release)
        total += bits
        stay = [a * b for a, b in zip(least, off, strict=True)]
        rise = [a * b for a, b in zip(least, on, strict=True)]
        between = [min(pair) for pair in zip(stay[1:], rise, strict=False)]
        least = [stay[0], *between, rise[-1]]
    return tuple(Fraction(values, 1 << total) for values in least)
