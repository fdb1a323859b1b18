"""The judge: enumeration is exact, sampling is honest, and neither trusts the mechanism."""

from __future__ import annotations

from fractions import Fraction
from math import inf, log

import pytest

from pathveil import Seeded
from pathveil.chance.source import Source
from pathveil.checking.auditing import audit

HALF = Fraction(1, 2)


class Response:
    """Randomised response with a rational probability of the truth."""

    def __init__(self, truth: Fraction) -> None:
        self.truth = truth

    def law(self, secret: bool) -> dict[bool, Fraction]:  # noqa: FBT001
        return {secret: self.truth, not secret: 1 - self.truth}

    def __call__(self, secret: bool, source: Source) -> bool:  # noqa: FBT001
        drawn = int.from_bytes(source.take(4)) / 2**32
        return secret if drawn < self.truth else not secret


class Bare:
    """Says nothing of a zero, and half of the time gives a one away."""

    def law(self, secret: int) -> dict[str, Fraction]:
        return {"nothing": HALF, "one": HALF} if secret else {"nothing": Fraction(1)}

    def __call__(self, secret: int, source: Source) -> str:
        return "one" if secret and source.take(1)[0] & 1 else "nothing"


def test_enumeration_is_exact() -> None:
    found = audit(Response(Fraction(3, 4)), (True, False), claimed=log(3))
    assert found.forward.ratio == 3
    assert found.backward.ratio == 3
    assert found.forward.event == frozenset([True])
    assert found.epsilon == pytest.approx(log(3), abs=1e-15)
    assert found.verdict == "holds"
    assert audit(Response(Fraction(3, 4)), (True, False), claimed=1.09).verdict == "refuted"
    assert "holds: loss = 1.0986" in str(found)


def test_enumeration_without_a_claim_concludes_nothing() -> None:
    assert audit(Response(HALF), (True, False)).verdict == "inconclusive"


def test_infinite_where_one_side_only() -> None:
    found = audit(Bare(), (1, 0), claimed=(5.0, log(2)))
    assert found.forward.epsilon == inf
    assert found.forward.event == frozenset(["one"])
    assert found.backward.ratio == 2
    assert found.verdict == "refuted"
    assert audit(Bare(), (1, 0), claimed=(inf, log(2))).verdict == "holds"


def test_long_fractions_do_not_overflow() -> None:
    class Long:
        def law(self, secret: int) -> dict[int, Fraction]:
            small = Fraction(1, 2**3000)
            return {0: small, 1: 1 - small} if secret else {0: 1 - small, 1: small}

    assert audit(Long(), (1, 0)).epsilon == pytest.approx(3000 * log(2))


def test_balls_are_laws_too() -> None:
    from flint import arb

    class Balls:
        def law(self, secret: int) -> dict[int, object]:
            p = 1 / (1 + arb(1).exp())
            return {0: p, 1: 1 - p} if secret else {0: 1 - p, 1: p}

    found = audit(Balls(), (1, 0), claimed=1.0)
    assert found.epsilon == pytest.approx(1, abs=1e-12)
    assert found.forward.ratio is None
    assert found.verdict == "holds"


def test_a_law_must_add_up() -> None:
    class Leaky:
        def law(self, secret: int) -> dict[int, Fraction]:
            return {0: HALF}

    with pytest.raises(ValueError, match="adds up to 1/2"):
        audit(Leaky(), (1, 0))


def test_sampling_finds_most_of_the_loss() -> None:
    truth = Fraction(1) - Fraction(1, 4)
    found = audit(Response(truth), (True, False), claimed=0.8, samples=4000, source=Seeded(1))
    assert found.verdict == "refuted"
    assert 0.9 < found.epsilon < log(3)
    assert found.method == "sampling"
    fair = audit(Response(truth), (True, False), claimed=log(3), samples=4000, source=Seeded(2))
    assert fair.verdict == "inconclusive"


def test_sampling_sees_one_sided_outputs_but_does_not_swear() -> None:
    found = audit(Bare(), (1, 0), claimed=(inf, log(2)), samples=2000, source=Seeded(1))
    assert 3 < found.forward.epsilon < inf
    assert found.verdict == "inconclusive"


def test_more_tests_mean_weaker_bounds() -> None:
    one = audit(Response(Fraction(3, 4)), (True, False), samples=1000, source=Seeded(1))
    many = audit(Response(Fraction(3, 4)), (True, False), samples=1000, tests=99, source=Seeded(1))
    assert many.epsilon < one.epsilon


def test_many_outputs_are_pooled_into_an_event() -> None:
    """A thousand outputs, each rare: only their union shows the loss of ln 3."""

    def release(secret: int, source: Source) -> int:
        drawn = int.from_bytes(source.take(4))
        inside = drawn % 4 < (3 if secret else 1)
        return drawn // 4 % 500 + (0 if inside else 500)

    found = audit(release, (1, 0), claimed=0.5, samples=20_000, source=Seeded(1))
    assert 0.5 < found.forward.epsilon < log(3)
    assert len(found.forward.event) > 100


def test_misuse_is_said() -> None:
    with pytest.raises(TypeError, match="cannot state its law"):
        audit(lambda given, source: given, (1, 0))

    class Silent:
        def law(self, secret: int) -> dict[int, Fraction]:
            return {0: Fraction(1)}

    with pytest.raises(TypeError, match="not callable"):
        audit(Silent(), (1, 0), samples=10)
    with pytest.raises(ValueError, match=r"confidence=1\.5"):
        audit(Response(HALF), (True, False), samples=10, confidence=1.5)
