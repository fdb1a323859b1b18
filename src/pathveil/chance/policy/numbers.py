"""Exact numbers: budgets, losses and rates as fractions, and counts of copies and uses.

Whole numbers, fractions, decimals or their text; a float means its shortest decimal form, so 0.1 is
one tenth.
"""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from fractions import Fraction

from pathveil.errors import BadBudget
from pathveil.model.patterns import pattern_table

Number = int | float | Fraction | Decimal | str

SMALLEST_BUDGET = Fraction(1, 10**9)
LARGEST_BUDGET = Fraction(10**4)
LARGEST_COPIES = 64


def exact_number(
    value: Number,
    *,
    what: str,
    smallest: Fraction = SMALLEST_BUDGET,
    largest: Fraction = LARGEST_BUDGET,
) -> Fraction:
    """Return a budget as a fraction, or raise :class:`BadBudget`.

    >>> exact_number(0.1, what="edge budget"), exact_number("1/3", what="edge budget")
    (Fraction(1, 10), Fraction(1, 3))
    """
    expected = (
        f"expected a number from {float(smallest):g} to {largest}, "
        "such as 1, 0.5, '1/3' or Fraction(1, 3)"
    )
    if isinstance(value, bool) or not isinstance(value, int | float | Fraction | Decimal | str):
        raise BadBudget(f"{what} is {value!r}, which is no number; {expected}")
    if isinstance(value, str) and len(value) > 40:
        raise BadBudget(f"{what} is a text of {len(value)} characters; {expected}")
    try:
        text = value.strip() if isinstance(value, str) else value
        exact = Fraction(repr(text)) if isinstance(text, float) else _fraction(text)
    except (ValueError, ZeroDivisionError, OverflowError, InvalidOperation):
        raise BadBudget(f"{what} is {value!r}, which is no finite number; {expected}") from None
    if not smallest <= exact <= largest:
        raise BadBudget(f"{what} is {value}, which is out of range; {expected}")
    return exact


def _fraction(value: int | Fraction | Decimal | str) -> Fraction:
    # Guard the exponent first: Fraction("1e999999999") would fill the memory.
    if isinstance(value, str) and "/" not in value:
        value = Decimal(value)
    if isinstance(value, Decimal) and value.is_finite() and value and abs(value.adjusted()) > 50:
        raise OverflowError
    return Fraction(value)


def copy_count(value: int) -> int:
    """Return a public number of copies, checked."""
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= LARGEST_COPIES:
        raise BadBudget(
            f"copies is {value!r}; expected a whole number from 1 to {LARGEST_COPIES}, the same "
            "for every vertex and public"
        )
    return value


def use_count(value: int | None, copies: int) -> int | None:
    """Return how often an edge may be used, checked; None with one copy, where it is once."""
    if value is None or copies == 1:
        # With one copy of each vertex there is one copy pair, and nothing to choose.
        return None
    most = 2 * copies - 1  # a simple path over copies zigzags between two vertices so often
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
        raise BadBudget(
            f"edge_uses is {value!r}; expected a whole number from 1 to {most}: with {copies} "
            "copies a walk cannot use an edge more often"
        )
    pattern_table(copies, value)
    return value
