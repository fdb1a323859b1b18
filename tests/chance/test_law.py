"""The law of a pair: what it may show, how likely, and at what loss."""

from __future__ import annotations

from fractions import Fraction
from math import log

import pytest

from pathveil.chance.exponential import ExactProbability
from pathveil.chance.law import PairLaw
from pathveil.errors import BadBudget
from pathveil.policies import Policy


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


@pytest.mark.parametrize(
    ("rate", "bits"),
    [("33/512", 8), ("31/512", 9), ("479/512", 8), ("481/512", 9), ("3/256", 8), ("1e-12", 32)],
)
def test_as_few_bits_as_leave_sixteen_values_to_each_state(rate: str, bits: int) -> None:
    assert PairLaw(ExactProbability.rational(Fraction(rate))).value_bits() == bits


def test_on_keeps_one_value_at_least_and_so_does_off() -> None:
    assert PairLaw.uniform(1).rounded(1) == PairLaw.uniform(1)
    never, always = (PairLaw(ExactProbability.rational(on)) for on in (0, 1))
    for law, bits in ((never, 8), (always, 8)):
        with pytest.raises(BadBudget, match=f"cannot be kept in values of {bits} bits"):
            law.rounded(bits)
    with pytest.raises(BadBudget, match="cannot be kept"):
        Policy.two_sided(epsilon=1).law().rounded(8)


@pytest.mark.parametrize("epsilon", ["0.1", "1", "3"])
def test_two_sided_has_the_least_doubt(epsilon: str) -> None:
    """Both losses are at most epsilon and one of them is epsilon: less doubt would break it."""
    exact = Fraction(epsilon)
    law = Policy.two_sided(epsilon=exact).law()
    doubt = float(law.doubt)
    losses = log(2 - doubt), -log(doubt)
    assert max(losses) == pytest.approx(float(exact))
    assert not law.is_exact
