"""Losses are exact: their text is a formula, their decimal lies above the value and close to it."""

from __future__ import annotations

from fractions import Fraction
from math import log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathveil.chance import symbolic_loss as exact_loss
from pathveil.chance.exponential import ExactProbability
from pathveil.chance.symbolic_loss import ExactLoss
from pathveil.model.certificate import ENDLESS

rationals = st.fractions(min_value=Fraction(1, 50), max_value=50, max_denominator=50)


def of(top: Fraction | int, bottom: Fraction | int = 1) -> ExactLoss:
    return ExactLoss.of(ExactProbability.rational(Fraction(top) / Fraction(bottom)))


@given(st.lists(st.tuples(rationals, st.integers(1, 4)), max_size=3), rationals)
def test_the_decimal_is_above_the_value_and_within_a_unit(
    parts: list[tuple[Fraction, int]], exponent: Fraction
) -> None:
    loss = ExactLoss.of(ExactProbability.exponential(-exponent))
    value = float(exponent)
    for ratio, count in parts:
        loss += of(1 + ratio).times(count)
        value += count * log(1 + float(ratio))
    assert value - 1e-9 <= float(loss.loss().decimal) <= value + 1e-4 + 1e-9


@pytest.mark.parametrize(
    ("loss", "text"),
    [
        (ExactLoss(), "0 = 0.0000"),
        (of(1), "0 = 0.0000"),
        (of(2), "ln 2 = 0.6932"),
        (of(4, 3), "ln(4/3) = 0.2877"),
        (of(2).times(3), "3 ln 2 = 2.0795"),
        (of(2) + of(3), "ln 2 + ln 3 = 1.7918"),
        (of((1 << 64) - 1), "ln(2^64 - 1) = 44.3615"),
        (ExactLoss.of(ExactProbability.exponential(Fraction(-1, 2))), "1/2 = 0.5000"),
        (ExactLoss.of(ExactProbability.exponential(Fraction(-1), weight=2)), "1 + ln 2 = 1.6932"),
        (
            ExactLoss.of(ExactProbability.ratio([(1, 6)], [(Fraction(1, 2), 3)])),
            "1/2 + ln 2 = 1.1932",
        ),
        (
            ExactLoss.of(ExactProbability.logistic(Fraction(1, 2)).inverse()),
            "ln(1 + exp(1/2)) = 0.9741",
        ),
        (
            ExactLoss.of(ExactProbability.exponential(Fraction(1)).complement().inverse()),
            "-ln(1 - exp(-1)) = 0.4587",
        ),
        (
            ExactLoss.of(ExactProbability.ratio([(0, 1), (1, 1)], [(0, 3), (Fraction(1, 2), 1)])),
            "ln((1 + exp(1))/(3 + exp(1/2))) = -0.2233",
        ),
        (
            ExactLoss.of(
                ExactProbability.ratio(
                    [(-2, -4), (-1, 2), (0, 3), (1, Fraction(1, 2)), (Fraction(1, 2), -1)], [(0, 1)]
                )
            ),
            "ln(3 + 2 exp(-1) + 1/2 exp(1) - 4 exp(-2) - exp(1/2)) = 1.0664",
        ),
        (
            ExactLoss.of(ExactProbability.ratio([(-1, -1), (0, -1), (1, 1)], [(0, 1)])),
            "ln(exp(1) - 1 - exp(-1)) = 0.3005",
        ),
    ],
)
def test_texts(loss: ExactLoss, text: str) -> None:
    assert str(loss.loss()) == text


def test_a_ratio_over_nothing_is_endless() -> None:
    endless = ExactLoss.of(ExactProbability.rational(0).inverse())
    assert endless.infinite
    assert endless.loss() == ENDLESS
    assert (endless + of(2)).infinite
    assert (of(2) + endless).infinite
    assert endless.times(2).infinite
    assert endless.times(0) == ExactLoss()


def test_like_parts_are_counted_together_and_cancel() -> None:
    assert of(2) + of(2) == of(2).times(2)
    assert of(2) + of(2).times(-1) == ExactLoss()


@given(rationals, rationals)
def test_the_larger_is_told(first: Fraction, second: Fraction) -> None:
    one, other = of(1 + first), of(1 + second)
    assert one.at_least(other) == (first >= second)
    assert ExactLoss(infinite=True).at_least(one)
    assert not one.at_least(ExactLoss(infinite=True))


def test_numbers_too_long_to_read_are_told_by_their_length(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exact_loss, "MOST_SPELLED", 10)
    assert of(1023).loss().expression == "ln 1023"
    assert of(1025, 1024).loss().expression == "ln(a ratio of numbers of 11 bits)"
    assert of(1023, 1022).loss().expression == "ln(1023/1022)"


def test_a_long_row_of_ones_is_told_as_a_power() -> None:
    assert of((1 << 39) - 1).loss().expression == "ln 549755813887"
    assert of((1 << 40) - 1).loss().expression == "ln(2^40 - 1)"
    assert of((1 << 40) + 1).loss().expression == "ln 1099511627777"
    assert of(1 << 16, (1 << 16) - 1).loss().expression == "ln(65536/65535)"
    assert of(1 << 17, (1 << 17) - 1).loss().expression == "ln(2^17/(2^17 - 1))"
