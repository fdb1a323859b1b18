"""Exact privacy losses that add up, with a closed form and a decimal rounded against us.

A loss is a sum of whole multiples of logarithms of exact ratios, or infinite. It is never a
float: the text is derived from the terms, and the decimal is the upper end of a certified ball,
rounded up. The text is a formula of whole numbers, ``+ - / ^ ( )``, ``ln`` and ``exp``.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import ceil
from typing import Any

from pathveil.chance.exponential import ExactProbability, Terms
from pathveil.model.certificate import ENDLESS, Loss

DECIMALS = 4
MOST_SPELLED = 8192
"""Bits of a number up to which it is written out; series of thousands of releases have longer."""

_PRECISION = 256

_LONG_ONES = 40
"""Bits from which a row of ones is told as a power of two less one."""


@dataclass(frozen=True)
class ExactLoss:
    """An exact loss: ``sum of count * ln(ratio)``, or infinite.

    Examples
    --------
    >>> half = ExactProbability.rational(Fraction(1, 2))
    >>> str(ExactLoss.of(half.inverse()).times(3).loss())
    '3 ln 2 = 2.0795'
    >>> str(ExactLoss.of(ExactProbability.logistic(Fraction(1, 4)).inverse()).loss())
    'ln(1 + exp(1/4)) = 0.8260'
    """

    parts: tuple[tuple[ExactProbability, int], ...] = ()
    infinite: bool = False

    @classmethod
    def of(cls, ratio: ExactProbability) -> ExactLoss:
        """Return ln(ratio); a ratio over zero is infinite."""
        if not ratio.bottom:
            return cls(infinite=True)
        return cls(() if ratio.as_fraction == 1 else ((ratio, 1),))

    def times(self, count: int) -> ExactLoss:
        """Return the loss of the same thing so many times, independently."""
        if count == 0:
            return ExactLoss()
        return ExactLoss(tuple((ratio, count * n) for ratio, n in self.parts), self.infinite)

    def __add__(self, other: ExactLoss) -> ExactLoss:
        if self.infinite or other.infinite:
            return ExactLoss(infinite=True)
        counts: dict[ExactProbability, int] = dict(self.parts)
        for ratio, count in other.parts:
            counts[ratio] = counts.get(ratio, 0) + count
        return ExactLoss(tuple((ratio, count) for ratio, count in counts.items() if count))

    def at_least(self, other: ExactLoss) -> bool:
        """Return whether this is the larger loss, or as good as equal (to seventy digits)."""
        if self.infinite or other.infinite:
            return self.infinite
        return bool(self._ball().upper() >= other._ball().upper())

    def loss(self) -> Loss:
        """Return the closed form and the decimal, rounded up."""
        if self.infinite:
            return ENDLESS
        return Loss(self._text(), self._decimal())

    # -- digits ---------------------------------------------------------------------------------

    def _ball(self) -> Any:
        from flint import arb, ctx

        with ctx.workprec(_PRECISION):
            total = arb(0)
            for ratio, count in self.parts:
                total += arb(count) * ratio.ball(_PRECISION).log()
            return total

    def _decimal(self) -> str:
        from flint import arb, ctx

        rational = self._rational()
        if rational is not None:
            units = ceil(rational * 10**DECIMALS)
        else:
            with ctx.workprec(_PRECISION):
                top = (self._ball() * arb(10) ** DECIMALS).upper()
                units = int(top.ceil().unique_fmpz())
        return str(Decimal(units).scaleb(-DECIMALS))

    def _rational(self) -> Fraction | None:
        """Return the value if every part is the logarithm of a plain power of e."""
        total = Fraction(0)
        for ratio, count in self.parts:
            scaled = _over_one_term(ratio.top, ratio.bottom)
            if scaled is None or len(scaled) != 1 or scaled[0][1] != 1:
                return None
            total += count * scaled[0][0]
        return total

    # -- text -----------------------------------------------------------------------------------

    def _text(self) -> str:
        text = ""
        for ratio, count in self.parts:
            sign, body = _log_text(ratio, count)
            joint = f" {sign} " if text else ("-" if sign == "-" else "")
            text += f"{joint}{body}"
        return text or "0"


def _over_one_term(top: Terms, bottom: Terms) -> Terms | None:
    """Return top / bottom as one sum, if the bottom is a single term."""
    if len(bottom) != 1:
        return None
    ((x, w),) = bottom
    return tuple((y - x, v / w) for y, v in top)


def _log_text(ratio: ExactProbability, count: int) -> tuple[str, str]:
    """Return sign and text of count * ln(ratio)."""
    exact = ratio.as_fraction
    if exact is not None:
        return "+", f"{_many(count)}{_ln(exact)}"
    above = _over_one_term(ratio.top, ratio.bottom)
    if above is not None and len(above) == 1:
        ((exponent, weight),) = above
        plain = str(count * exponent)
        if weight == 1:
            return "+", plain
        return "+", f"{plain} + {_many(count)}{_ln(weight)}"
    if above is not None:
        return "+", f"{_many(count)}ln({_sum_text(above)})"
    below = _over_one_term(ratio.bottom, ratio.top)
    if below is not None:
        return "-", f"{_many(count)}ln({_sum_text(below)})"
    return "+", f"{_many(count)}ln(({_sum_text(ratio.top)})/({_sum_text(ratio.bottom)}))"


def _many(count: int) -> str:
    return "" if count == 1 else f"{count} "


def _ln(value: Fraction) -> str:
    top = value.numerator
    longest = max(top, value.denominator).bit_length()
    if longest > MOST_SPELLED:
        return f"ln(a ratio of numbers of {longest} bits)"
    if value.denominator == 1 and longest >= _LONG_ONES and (top + 1).bit_count() == 1:
        return f"ln(2^{top.bit_length()} - 1)"
    if top > 1 << 16 and value.denominator == top - 1 and top.bit_count() == 1:
        power = f"2^{top.bit_length() - 1}"
        return f"ln({power}/({power} - 1))"
    return f"ln {value}" if value.denominator == 1 else f"ln({value})"


def _sum_text(terms: Terms) -> str:
    """Return a sum of weighted exponentials: positive terms first, then the constant first."""
    ordered = sorted(terms, key=lambda term: (term[1] < 0, term[0] != 0, term[0]))
    text = ""
    for exponent, weight in ordered:
        size = abs(weight)
        times = "" if size == 1 else f"{size} "
        body = str(size) if exponent == 0 else f"{times}exp({exponent})"
        sign = "-" if weight < 0 else "+"
        text += f" {sign} {body}" if text else f"{'-' if weight < 0 else ''}{body}"
    return text
