"""The law of a pair: what it may show, how likely, and at what loss."""

from __future__ import annotations

from fractions import Fraction
from math import exp, log

import pytest

from pathveil.chance.exponential import ExactProbability
from pathveil.chance.law import PairLaw
from pathveil.errors import BadBudget


@pytest.mark.parametrize("states", [1, 2, 4, 15])
def test_uniform_states(states: int) -> None:
    law = PairLaw.uniform(states)
    assert law.chance(on_walk=True).as_fraction == Fraction(1, states + 1)
    assert law.chance(on_walk=False).as_fraction == Fraction(1, states + 1)
    assert law.is_exact


def test_states_on_the_walk_share_its_chance_and_off_has_the_rest() -> None:
    law = PairLaw(ExactProbability.rational(Fraction(1, 4)), 2)
    assert law.chance(on_walk=True).as_fraction == Fraction(1, 8)
    assert law.chance(on_walk=False).as_fraction == Fraction(3, 4)


def test_on_gets_the_nearest_number_of_values() -> None:
    """A third of 128 values is 42 and two thirds."""
    assert PairLaw(ExactProbability.rational(Fraction(1, 3))).dyadic_size(7) == 43


def test_on_keeps_one_value_at_least_and_so_does_off() -> None:
    assert PairLaw.uniform(1).rounded(1) == PairLaw.uniform(1)
    never, always = (PairLaw(ExactProbability.rational(on)) for on in (0, 1))
    for law, bits in ((never, 8), (always, 8)):
        with pytest.raises(BadBudget, match=f"cannot be kept in values of {bits} bits"):
            law.rounded(bits)
    with pytest.raises(BadBudget, match="cannot be kept"):
        PairLaw.two_sided(Fraction(1), 1).rounded(8)


@pytest.mark.parametrize("states", [1, 4, 9])
@pytest.mark.parametrize("epsilon", ["1/4", "1", "5"])
def test_two_sided_keeps_to_epsilon_both_ways_and_no_less(epsilon: str, states: int) -> None:
    exact = Fraction(epsilon)
    law = PairLaw.two_sided(exact, states)
    assert not law.is_exact
    doubt, kinds = float(law.doubt), states + 1
    presence, absence = log(kinds - (kinds - 1) * doubt), log(1 / doubt)
    assert max(presence, absence) == pytest.approx(float(exact), abs=1e-9)
    # One way or the other it is tight: a smaller doubt would break the promise.
    smaller = doubt * 0.999
    worse = max(log(kinds - (kinds - 1) * smaller), log(1 / smaller))
    assert worse > float(exact)
    if states == 1:
        assert doubt == pytest.approx(exp(-float(exact)))


@pytest.mark.parametrize("epsilon", ["0.1", "1", "1.38", "1.39", "3"])
@pytest.mark.parametrize("states", [1, 4, 9])
def test_two_sided_has_the_least_doubt(epsilon: str, states: int) -> None:
    """Both losses are at most epsilon and one of them is epsilon: less doubt would break it."""
    exact = Fraction(epsilon)
    law = PairLaw.two_sided(exact, states)
    doubt = float(law.doubt)
    losses = log(states + 1 - states * doubt), -log(doubt)
    assert max(losses) == pytest.approx(float(exact))
    assert not law.is_exact
