from __future__ import annotations

from fractions import Fraction

import pytest

from pathveil.chance.urn import Urn
from pathveil.errors import BadBudget
from pathveil.policies.remembering import Remembering


def test_a_usage_is_the_mean() -> None:
    # Four balls are for "on", which is how uneven links are.
    assert Remembering.of(usage="0.2").urn == Urn(Fraction(4), Fraction(16))
    assert Remembering.of(usage="0.2").law(3).on.as_fraction == Fraction(1, 5)
    assert Remembering.of(usage="0.2").law(3).states == 3


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, "needs the share of walks .*: write policy remembering:usage=0.15;"),
        ({"usage": "0.2", "prior": (1, 1)}, "give one of them"),
        ({"usage": "1"}, "between 0 and 1"),
        ({"prior": (0, 1)}, "the prior is 0, which is out of range"),
    ],
)
def test_what_says_too_little_or_too_much_is_refused(given: dict[str, object], said: str) -> None:
    with pytest.raises(BadBudget, match=said):
        Remembering.of(**given)  # type: ignore[arg-type]
