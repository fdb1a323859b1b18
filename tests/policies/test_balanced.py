from __future__ import annotations

from fractions import Fraction

from pathveil import Policy
from pathveil.policies.simple import Balanced
from tests.chance.written import require_as_written


def test_all_states_are_equally_likely() -> None:
    for states in (1, 4):
        law = Balanced().law(states)
        assert law.chance(on_walk=True).as_fraction == Fraction(1, states + 1)
        assert law.chance(on_walk=False).as_fraction == Fraction(1, states + 1)


def test_it_has_no_terms_of_its_own() -> None:
    assert Balanced.from_parameters({"copies": "3"}) == Balanced()
    assert Policy.balanced(copies=2, link_uses=3).terms().parameters == (
        ("copies", "2"),
        ("link_uses", "3"),
    )


def test_all_that_it_says_is_written_down_and_was_read() -> None:
    require_as_written("balanced")
