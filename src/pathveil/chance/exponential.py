"""Exact chances: a Bernoulli coin and the exponential mechanism in which no float decides.

Theory of operation. Every probability of this package is a ratio of sums of rational multiples of
exponentials of rationals: 1/2, 1/(1 + e^(1/4)), e^-1, a cumulative weight of the exponential
mechanism. Ball arithmetic (python-flint's ``arb``) brackets such a ratio; precision grows until
the bracket holds no multiple of 2^-k, and then the first k binary digits are *certified*. A coin
compares random digits with certified digits and asks for more of both while they are equal. No
rounding happens anywhere: the law of the coin is the ratio itself.

Why it ends. By Lindemann and Weierstrass, exponentials of distinct rationals are linearly
independent over the rationals, so the ratio is rational only if top and bottom are proportional.
That case is recognised and done with fractions; in every other case the ratio is no dyadic number
and some precision separates it from all multiples of 2^-k. Random digits agree with k digits of
the ratio with probability 2^-k.

*Privacy*: how many bytes are read depends on the random bytes only, never on the secret.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from pathveil.chance.source import Source, take_bytes

Terms = tuple[tuple[Fraction, Fraction], ...]
"""Sum of weight * exp(exponent), one (exponent, weight) for each distinct exponent, sorted."""

_DEEPEST = 1 << 14
"""Digits of a coin that may be looked at; more than a few bytes are never needed."""

_COARSEST, _FINEST = 128, 1 << 16
"""Working precisions in bits, of the first look at a number and of the last."""

_CHUNK = 1 << 20


def _precisions() -> Iterator[int]:
    """Yield working precisions, each double the one before."""
    precision = _COARSEST
    while precision <= _FINEST:
        yield precision
        precision += precision


def _collect(terms: Iterable[tuple[Fraction | int, Fraction | int]]) -> Terms:
    sums: dict[Fraction, Fraction] = {}
    for exponent, weight in terms:
        key = Fraction(exponent)
        sums[key] = sums.get(key, Fraction(0)) + Fraction(weight)
    return tuple(sorted((x, w) for x, w in sums.items() if w))


def _product(first: Terms, second: Terms) -> Terms:
    return _collect((x + y, w * v) for x, w in first for y, v in second)


@dataclass(frozen=True)
class ExactProbability:
    """A number in [0, 1] known to every digit: a ratio of sums of w e^x with rational w and x.

    Examples
    --------
    >>> ExactProbability.rational(Fraction(1, 2)).digits(3)
    4
    >>> half_less = ExactProbability.logistic(Fraction(1, 2))   # 1 / (1 + e^(1/2))
    >>> round(float(half_less), 6)
    0.377541
    """

    top: Terms
    bottom: Terms

    @classmethod
    def ratio(
        cls,
        top: Iterable[tuple[Fraction | int, Fraction | int]],
        bottom: Iterable[tuple[Fraction | int, Fraction | int]],
    ) -> ExactProbability:
        """Return sum(w e^x over top) / sum(w e^x over bottom); terms are (x, w)."""
        return cls(_collect(top), _collect(bottom))

    @classmethod
    def rational(cls, value: Fraction | int) -> ExactProbability:
        """Return a rational probability."""
        return cls.ratio([(0, value)], [(0, 1)])

    @classmethod
    def logistic(cls, x: Fraction) -> ExactProbability:
        """Return 1 / (1 + e^x)."""
        return cls.ratio([(0, 1)], [(0, 1), (x, 1)])

    @classmethod
    def exponential(cls, x: Fraction, *, weight: Fraction | int = 1) -> ExactProbability:
        """Return weight * e^-x."""
        return cls.ratio([(-x, weight)], [(0, 1)])

    @cached_property
    def as_fraction(self) -> Fraction | None:
        """The value, if it is rational."""
        if not self.top:
            return Fraction(0)
        if [x for x, _ in self.top] != [x for x, _ in self.bottom]:
            return None
        ratios = {w / v for (_, w), (_, v) in zip(self.top, self.bottom, strict=True)}
        return ratios.pop() if len(ratios) == 1 else None

    def complement(self) -> ExactProbability:
        """Return one minus this."""
        return ExactProbability.ratio([*self.bottom, *((x, -w) for x, w in self.top)], self.bottom)

    def inverse(self) -> ExactProbability:
        """Return one divided by this: no probability any more, but known as exactly."""
        return ExactProbability(self.bottom, self.top)

    def times(self, other: ExactProbability) -> ExactProbability:
        """Return the product."""
        return ExactProbability(_product(self.top, other.top), _product(self.bottom, other.bottom))

    def plus(self, other: ExactProbability) -> ExactProbability:
        """Return the sum; it may exceed one."""
        crossed = (*_product(self.top, other.bottom), *_product(other.top, self.bottom))
        return ExactProbability(_collect(crossed), _product(self.bottom, other.bottom))

    def at_most(self, other: ExactProbability) -> bool:
        """Return whether this is no larger than the other number, certified."""
        mine, theirs = self.as_fraction, other.as_fraction
        if mine is not None and theirs is not None:
            return mine <= theirs
        if _product(self.top, other.bottom) == _product(other.top, self.bottom):
            return True
        for precision in _precisions():
            # Not equal, so some precision tells them apart.
            here, there = self.ball(precision), other.ball(precision)
            if not here.overlaps(there):
                return bool(here < there)
        raise ArithmeticError(f"{self} and {other} agree to {_FINEST} bits")

    def ball(self, precision: int) -> Any:
        """Return an ``arb`` ball around the value at a working precision in bits."""
        from flint import arb, ctx, fmpq

        with ctx.workprec(precision):
            sums = [arb(0), arb(0)]
            for side, terms in enumerate((self.top, self.bottom)):
                for x, w in terms:
                    power = arb(fmpq(x.numerator, x.denominator)).exp()
                    sums[side] += arb(fmpq(w.numerator, w.denominator)) * power
            return sums[0] / sums[1]

    def digits(self, count: int) -> int:
        """Return floor(p * 2^count), certified."""
        return _digits(self, count)

    def __float__(self) -> float:
        exact = self.as_fraction
        return float(exact) if exact is not None else float(self.ball(_COARSEST).mid())


@lru_cache(maxsize=4096)
def _digits(p: ExactProbability, count: int) -> int:
    exact = p.as_fraction
    if exact is not None:
        return (exact.numerator << count) // exact.denominator
    from flint import arb, ctx

    for precision in _precisions():
        ball = p.ball(precision)
        with ctx.workprec(precision):
            floor = (ball * arb(2) ** count).floor().unique_fmpz()
        if floor is not None:
            return int(floor)
    raise ArithmeticError(f"{count} digits of {p} are not certain at {_FINEST} bits")


def bernoulli(source: Source, p: ExactProbability, count: int) -> npt.NDArray[np.bool_]:
    """Return independent coins, each True with probability exactly p.

    *Cost*: a little over one byte and about a nanosecond a coin.

    >>> from pathveil.chance.source import Seeded
    >>> int(bernoulli(Seeded(1), ExactProbability.rational(1), 9).sum())
    9
    """
    coins = np.empty(count, dtype=bool)
    for start in range(0, count, _CHUNK):
        coins[start : start + _CHUNK] = _chunk(source, p, min(_CHUNK, count - start))
    return coins


def bernoulli_packed(source: Source, p: ExactProbability, count: int) -> npt.NDArray[np.uint8]:
    """Return the same coins packed eight to a byte, first coin in the highest bit.

    Fair coins take one random bit each, so this is not the stream :func:`bernoulli` reads.
    """
    packed = np.empty((count + 7) // 8, dtype=np.uint8)
    if p.as_fraction == Fraction(1, 2):
        packed[:] = take_bytes(source, len(packed))
        if count % 8:
            packed[-1] &= 0xFF << (8 - count % 8) & 0xFF
        return packed
    for start in range(0, count, _CHUNK):
        coins = _chunk(source, p, min(_CHUNK, count - start))
        part = np.packbits(coins)
        packed[start // 8 : start // 8 + len(part)] = part
    return packed


def _chunk(source: Source, p: ExactProbability, count: int) -> npt.NDArray[np.bool_]:
    if p.as_fraction in (0, 1):
        return np.full(count, p.as_fraction == 1)
    drawn = take_bytes(source, count)
    digit = p.digits(8)
    coins: npt.NDArray[np.bool_] = drawn < digit
    tied = np.flatnonzero(drawn == digit)
    depth = 8
    while len(tied):
        depth += 8
        if depth > _DEEPEST:
            raise ArithmeticError("random and certified digits agree too long to be true")
        digit = p.digits(depth) & 0xFF
        drawn = take_bytes(source, len(tied))
        coins[tied] = drawn < digit
        tied = tied[drawn == digit]
    return coins


@dataclass(frozen=True)
class ExponentialMechanism:
    """A draw from finitely many options, option i with probability proportional to e^(x_i).

    *Paper*: Definition 2 with x_i = epsilon q(i) / (2 Delta q).

    Examples
    --------
    >>> mechanism = ExponentialMechanism.from_scores([0, 1, 2], epsilon=1, sensitivity=1)
    >>> [round(float(p), 4) for p in mechanism.law()]
    [0.1863, 0.3072, 0.5065]
    """

    exponents: tuple[Fraction, ...]

    def __post_init__(self) -> None:
        if not self.exponents:
            raise ValueError("the exponential mechanism needs at least one option")

    @classmethod
    def from_scores(
        cls,
        scores: Sequence[Fraction | int],
        *,
        epsilon: Fraction | int,
        sensitivity: Fraction | int,
    ) -> ExponentialMechanism:
        """Return the mechanism for quality scores."""
        scale = Fraction(epsilon) / (2 * Fraction(sensitivity))
        return cls(tuple(scale * Fraction(score) for score in scores))

    def law(self) -> tuple[ExactProbability, ...]:
        """Return the exact probability of each option."""
        bottom = [(x, 1) for x in self.exponents]
        return tuple(ExactProbability.ratio([(x, 1)], bottom) for x in self.exponents)

    def thresholds(self) -> tuple[ExactProbability, ...]:
        """Return the cumulative probabilities; the last is one."""
        terms = [(x, 1) for x in self.exponents]
        return tuple(
            ExactProbability.ratio(terms[: i + 1], terms) for i in range(len(self.exponents))
        )

    def sample(self, source: Source) -> int:
        """Return the number of one option, drawn exactly."""
        return self._settle(source, int.from_bytes(source.take(8)))

    def sample_many(self, source: Source, count: int) -> npt.NDArray[np.int64]:
        """Return many independent draws, as exact as :meth:`sample`."""
        digits = np.array([p.digits(64) for p in self.thresholds()[:-1]], dtype=np.uint64)
        drawn = np.frombuffer(source.take(8 * count), dtype=">u8").astype(np.uint64)
        chosen = np.searchsorted(digits, drawn, side="right").astype(np.int64)
        for place in np.flatnonzero(np.isin(drawn, digits)).tolist():
            chosen[place] = self._settle(source, int(drawn[place]))
        return chosen

    def _settle(self, source: Source, drawn: int) -> int:
        """Return the option of a draw given by its first 64 digits."""
        thresholds, depth = self.thresholds(), 64
        while True:
            digits = [p.digits(depth) for p in thresholds]
            if drawn not in digits:
                return bisect(digits, drawn)
            # The drawn number and a threshold agree in all digits so far: look at more of both.
            drawn, depth = drawn << 64 | int.from_bytes(source.take(8)), depth + 64
