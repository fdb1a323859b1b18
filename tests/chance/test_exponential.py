from __future__ import annotations

from fractions import Fraction
from math import factorial

import numpy as np
import pytest

from pathveil.chance import exponential
from pathveil.chance.exponential import (
    ExactProbability,
    ExponentialMechanism,
    bernoulli,
    bernoulli_packed,
)
from pathveil.chance.source import Seeded
from tests.chance.choices import Bytes

HALF = ExactProbability.rational(Fraction(1, 2))


def test_rational_values_are_recognised() -> None:
    assert HALF.as_fraction == Fraction(1, 2)
    assert ExactProbability.rational(0).as_fraction == 0
    same = ExactProbability.ratio([(1, 2), (3, 4)], [(1, 4), (3, 8)])
    assert same.as_fraction == Fraction(1, 2)
    assert ExactProbability.ratio([(1, 2), (3, 5)], [(1, 4), (3, 8)]).as_fraction is None
    assert ExactProbability.logistic(Fraction(1)).as_fraction is None


def test_arithmetic_is_exact() -> None:
    p = ExactProbability.logistic(Fraction(1, 3))
    assert p.plus(p.complement()).as_fraction == 1
    assert p.times(p.inverse()).as_fraction == 1
    assert p.complement() == ExactProbability.ratio([(Fraction(1, 3), 1)], p.bottom)
    third, quarter = ExactProbability.rational(Fraction(1, 3)), HALF.times(HALF)
    assert quarter.as_fraction == Fraction(1, 4)
    assert third.times(quarter).as_fraction == Fraction(1, 12)
    assert third.plus(quarter).as_fraction == Fraction(7, 12)


def test_comparison_is_certified() -> None:
    e = ExactProbability.exponential(Fraction(-1))
    assert ExactProbability.rational(2).at_most(e)
    assert not ExactProbability.rational(3).at_most(e)
    assert e.at_most(e)
    near = ExactProbability.ratio([(Fraction(1, 10**9), 1)], [(0, 1)])
    assert not near.at_most(ExactProbability.rational(1))
    assert ExactProbability.rational(Fraction(1, 3)).at_most(HALF)
    assert HALF.at_most(HALF)


def test_digits_are_those_of_e() -> None:
    digits = ExactProbability.exponential(Fraction(1)).digits(64)
    series = sum(Fraction((-1) ** k, factorial(k)) for k in range(40))
    assert digits == int(series * 2**64)
    deep = ExactProbability.exponential(Fraction(1)).digits(3000)
    assert deep >> 2936 == digits
    assert ExactProbability.exponential(Fraction(9000)).digits(8) == 0


def test_ties_are_settled_by_more_digits() -> None:
    """0x80 ties with one half; the next byte decides, and zero ties again."""
    assert bernoulli(Bytes(b"\x80\x00\x01"), HALF, 1).tolist() == [False]
    third = ExactProbability.rational(Fraction(1, 3))
    assert bernoulli(Bytes(b"\x55\x55\x54"), third, 1).tolist() == [True]
    assert bernoulli(Bytes(b"\x55\x55\x56"), third, 1).tolist() == [False]


def test_certain_coins_read_nothing() -> None:
    for value in (0, 1):
        coins = bernoulli(Bytes(b""), ExactProbability.rational(value), 9)
        assert coins.all() == bool(value)
        assert coins.any() == bool(value)


def test_packed_coins_are_the_same_coins() -> None:
    p = ExactProbability.logistic(Fraction(1, 2))
    plain, packed = bernoulli(Seeded(1), p, 1003), bernoulli_packed(Seeded(1), p, 1003)
    assert np.array_equal(np.packbits(plain), packed)
    assert bernoulli_packed(Seeded(1), HALF, 11)[-1] & 0x1F == 0


def test_a_digit_that_never_separates_is_refused() -> None:
    endless = Bytes(b"\x80" + bytes(exponential._DEEPEST // 8 - 1))
    with pytest.raises(ArithmeticError, match="too long to be true"):
        bernoulli(endless, HALF, 1)
    assert endless.left == b"", "all digits that may be looked at, and no more"


def test_precision_grows_until_numbers_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """Some precision suffices; up to which one is tried is a matter of patience."""
    one = ExactProbability.rational(1)
    above = ExactProbability.exponential(Fraction(-1, 1 << 200))
    assert one.at_most(above)
    assert not above.at_most(one)
    below = above.inverse()
    assert below.digits(199) == (1 << 199) - 1
    monkeypatch.setattr(exponential, "_FINEST", 256)
    assert one.at_most(above)
    assert below.digits(198) == (1 << 198) - 1
    monkeypatch.setattr(exponential, "_FINEST", 255)
    with pytest.raises(ArithmeticError, match="agree to 255 bits"):
        one.at_most(above)
    with pytest.raises(ArithmeticError, match=r"197 digits of .* not certain at 255 bits"):
        below.digits(197)


def test_the_mechanism_settles_ties() -> None:
    mechanism = ExponentialMechanism.from_scores([0, 0], epsilon=1, sensitivity=1)
    tie = (1 << 63).to_bytes(8)
    assert mechanism.sample(Bytes(tie + bytes(7) + b"\x01")) == 1
    assert mechanism.sample_many(Bytes(tie + bytes(8) + b"\x01" * 16), 2).tolist() == [1, 0]
    thirds = ExponentialMechanism.from_scores([0, 0, 0], epsilon=1, sensitivity=1)
    third, below, above = b"\x55" * 8, b"\x55" * 7 + b"\x54", b"\x55" * 7 + b"\x56"
    for more, option in ((below, 0), (above, 1), (third + below, 0), (third + above, 1)):
        source = Bytes(third + more)
        assert thirds.sample(source) == option
        assert source.left == b"", "as many digits as it takes"
    for word, option in ((bytes(8), 0), (above, 1), (b"\xff" * 8, 2)):
        assert thirds.sample(Bytes(word)) == option
    assert [p.as_fraction for p in mechanism.law()] == [Fraction(1, 2)] * 2
    with pytest.raises(ValueError, match="at least one option"):
        ExponentialMechanism(())


def test_coins_of_several_chunks_lie_end_to_end(monkeypatch: pytest.MonkeyPatch) -> None:
    third = ExactProbability.rational(Fraction(1, 3))
    whole = bernoulli(Seeded(4), ExactProbability.rational(1), 77)
    assert whole.all()
    monkeypatch.setattr(exponential, "_CHUNK", 16)
    chunks = bernoulli(Seeded(4), third, 77)
    source = Seeded(4)
    parts = [exponential._chunk(source, third, many) for many in (16, 16, 16, 16, 13)]
    assert chunks.tolist() == np.concatenate(parts).tolist()
    packed = exponential.bernoulli_packed(Seeded(4), third, 77)
    assert packed.tolist() == np.packbits(chunks).tolist()


@pytest.mark.parametrize("count", range(1, 17))
def test_fair_coins_take_a_bit_each_and_leave_the_rest_of_a_byte_empty(count: int) -> None:
    packed = bernoulli_packed(Bytes(b"\xff\xff"), HALF, count)
    assert np.unpackbits(packed).tolist() == [1] * count + [0] * (-count % 8)
