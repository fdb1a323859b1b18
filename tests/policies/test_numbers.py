from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest

from pathveil.errors import BadBudget
from pathveil.policies.base import (
    LARGEST_BUDGET,
    SMALLEST_BUDGET,
    Number,
    copy_count,
    exact_number,
    use_count,
)


@pytest.mark.parametrize(
    ("value", "exact"),
    [
        (1, Fraction(1)),
        (0.1, Fraction(1, 10)),
        (" 1/3 ", Fraction(1, 3)),
        ("1e-3", Fraction(1, 1000)),
        (Decimal("2.50"), Fraction(5, 2)),
        (Fraction(7, 9), Fraction(7, 9)),
        ("1." + "0" * 38, Fraction(1)),
        (SMALLEST_BUDGET, SMALLEST_BUDGET),
        (LARGEST_BUDGET, LARGEST_BUDGET),
    ],
)
def test_numbers_are_what_they_say(value: Number, exact: Fraction) -> None:
    assert exact_number(value, what="x") == exact


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (True, "no number"),
        (None, "no number"),
        ("", "no finite number"),
        ("1e60", "no finite number"),
        (Decimal("1e-60"), "no finite number"),
        (Decimal("NaN"), "no finite number"),
        ("1e51", "no finite number"),  # so that no exponent fills the memory
        ("1e50", "out of range"),
        ("0e-60", "out of range"),
        ("9" * 41, "41 characters"),
        (SMALLEST_BUDGET / 2, "out of range"),
        (LARGEST_BUDGET + 1, "out of range"),
    ],
)
def test_what_is_none_is_refused_with_an_example(value: Number, said: str) -> None:
    with pytest.raises(BadBudget, match=said) as caught:
        exact_number(value, what="the link budget")
    assert str(caught.value).startswith("the link budget is")
    assert "such as 1, 0.5, '1/3'" in str(caught.value)


def test_the_range_is_the_one_that_is_said() -> None:
    with pytest.raises(BadBudget, match="expected a number from 1e-09 to 10000, ") as caught:
        exact_number(10_001, what="x")
    assert "10001" in str(caught.value)
    assert exact_number(10_000, what="x") == LARGEST_BUDGET
    assert exact_number("1e-9", what="x") == SMALLEST_BUDGET


def test_a_range_may_be_given() -> None:
    assert exact_number(0, what="rate", smallest=Fraction(0), largest=Fraction(1)) == 0
    with pytest.raises(BadBudget, match="expected a number from 0 to 1"):
        exact_number("1.01", what="rate", smallest=Fraction(0), largest=Fraction(1))


def test_copies() -> None:
    assert [copy_count(n) for n in (1, 64)] == [1, 64]
    for wrong in (0, 65, True, 1.0):
        with pytest.raises(BadBudget, match="from 1 to 64"):
            copy_count(wrong)  # type: ignore[arg-type]


def test_uses() -> None:
    assert use_count(None, 3) is None
    assert use_count(7, 1) is None
    assert [use_count(n, 2) for n in (1, 2, 3)] == [1, 2, 3]
    assert use_count(5, 3) == 5
    for wrong in (0, 4, True):
        with pytest.raises(BadBudget, match="from 1 to 3"):
            use_count(wrong, 2)
    with pytest.raises(BadBudget, match="patterns, more than"):
        use_count(10, 20)
