"""Rates in values of bits, against the urn they come near to and listings of every pattern."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import log

import pytest

from pathveil.chance.urn import Urn
from pathveil.errors import BadBudget
from pathveil.sketching.sketched_urn import FINEST, LEAST, MOST_BITS, SketchedUrn, loss_of
from tests.chance.sketched_patterns import pattern_chance

URNS = [Urn(), Urn(Fraction(4), Fraction(16)), Urn(Fraction(2), Fraction(1, 3))]


@pytest.mark.parametrize("urn", URNS)
@pytest.mark.parametrize("states", [1, 3])
def test_rates_in_use_are_the_nearest_that_leave_every_state_its_values(
    urn: Urn, states: int
) -> None:
    kept = SketchedUrn(urn, states)
    for releases in range(6):
        bits, each = kept.bits(releases), kept.each(releases)
        assert len(each) == releases + 1
        for shown, values in enumerate(each):
            exact = urn.rate(shown, releases) / states * 2**bits
            if states == 1:
                assert abs(values - exact) <= Fraction(1, 2)
            else:
                assert 0 <= exact - values < 1, "below, so that off has its share"
            assert values >= 1
            assert states * values < 2**bits
            assert kept.chance(shown, releases, on=True) == Fraction(values, 2**bits)
            off = 1 - states * kept.chance(shown, releases, on=True)
            assert kept.chance(shown, releases, on=False) == off
        rates = [urn.rate(shown, releases) / states for shown in range(releases + 1)]
        rarest = min(rates[0], 1 - states * rates[-1])
        if any((rate * 2**bits).denominator > 1 for rate in rates):
            assert rarest * 2**bits >= LEAST, "enough values for the rarest"
        if bits > FINEST:
            assert rarest * 2 ** (bits - 1) < LEAST, "no finer than it must be"


def test_dyadic_rates_are_kept_exactly_in_as_few_bits_as_they_need() -> None:
    kept = SketchedUrn(Urn())
    assert [(kept.bits(t), kept.each(t)) for t in (0, 1, 3)] == [
        (1, (1,)), (2, (1, 3)), (3, (1, 3, 5, 7)),
    ]  # fmt: skip
    assert kept.bits(2) == FINEST
    assert SketchedUrn(Urn(Fraction(3), Fraction(9))).bits(0) == 2, "three of twelve is a quarter"
    for bits in range(1, FINEST + 1):
        releases = 2 ** (bits - 1) - 1
        assert (kept.bits(releases), kept.each(releases)) == (bits, tuple(range(1, 2**bits, 2)))
    assert kept.bits(2**FINEST - 1) == FINEST + 5, "finer than need be: so many for the rarest"


@pytest.mark.parametrize("urn", URNS)
@pytest.mark.parametrize("states", [1, 2])
def test_the_dearest_of_all_patterns_is_stated(urn: Urn, states: int) -> None:
    kept = SketchedUrn(urn, states)
    for releases in (1, 2, 5):
        by_uses: dict[int, list[Fraction]] = {}
        late: list[tuple[Fraction, int]] = [(Fraction(1), 0)]
        for pattern in product((False, True), repeat=releases):
            chance, shown, steps = Fraction(1), 0, []
            for release, on in enumerate(pattern):
                steps.append(kept.chance(shown, release, on=on))
                chance *= steps[-1]
                shown += on
            assert pattern_chance(kept, pattern) == chance
            by_uses.setdefault(shown, []).append(chance)
            for begun in range(releases):
                rest = Fraction(1)
                for step in steps[begun:]:
                    rest *= step
                late.append((rest, sum(pattern[begun:])))
        assert kept.least_chances(releases) == tuple(min(by_uses[k]) for k in range(releases + 1))
        found, uses = kept.latest_chance(releases)
        assert found == min(chance for chance, _ in late)
        assert (found, uses) in late


def test_a_loss_is_the_logarithm_of_how_rare_it_is() -> None:
    assert float(loss_of(Fraction(1, 8)).loss()) == pytest.approx(log(8), abs=1e-4)


def test_rates_too_rare_for_any_value_are_refused() -> None:
    rare = SketchedUrn(Urn(Fraction(1, 10**9), Fraction(10_000)), 5)
    with pytest.raises(BadBudget, match=f"cannot be kept in values of {MOST_BITS} bits"):
        rare.bits(3)


def test_the_rarest_state_may_have_just_the_values_it_needs() -> None:
    """3 of 3 * 64 balls are one in 64, 4 of them no power of two: 10 bits are 16 for the rarest."""
    kept = SketchedUrn(Urn(Fraction(3), Fraction(3 * 64 - 3 - 1)))
    assert kept.bits(1) == 10
    assert kept.each(1) == (LEAST, 21)


def test_no_value_has_more_bits_than_a_sketch_keeps() -> None:
    """One in 2^40 would need them; how many there are is said, and it is not one more."""
    with pytest.raises(BadBudget, match=f"in values of {MOST_BITS} bits"):
        SketchedUrn(Urn(Fraction(1), Fraction(3**25))).bits(1)
