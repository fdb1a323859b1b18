from __future__ import annotations

from fractions import Fraction

from pathveil import Policy
from pathveil.policies.base import ABSENCE
from pathveil.policies.simple import OFF_WALK_ABSENCE, Sealed
from tests.chance.written import require_as_written


def test_no_absent_pair_ever_looks_off_the_walk() -> None:
    for states in (1, 15):
        law = Sealed().law(states)
        assert law.chance(on_walk=False).as_fraction == 0
        assert law.chance(on_walk=True).as_fraction == Fraction(1, states)


def test_copies_are_always_thrown_together() -> None:
    """Independent coins of rate 1 would show all copy pairs at once, which no walk link does."""
    assert Policy.sealed(copies=2).joint
    assert Policy.sealed(copies=2).states == 15
    assert not Policy.sealed().joint
    assert not Policy.balanced(copies=2).joint


def test_absence_is_proved_off_the_walk_and_with_several_patterns_on_it_too() -> None:
    for policy, absence in (
        (Policy.sealed(), OFF_WALK_ABSENCE),
        (Policy.sealed(copies=2), ABSENCE),
        (Policy.sealed().together(2), ABSENCE),
    ):
        assert {OFF_WALK_ABSENCE, ABSENCE} & set(policy.sentences()) == {absence}


def test_all_that_it_says_is_written_down_and_was_read() -> None:
    require_as_written("sealed")
