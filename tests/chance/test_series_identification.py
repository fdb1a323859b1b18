"""How often a link is told from its rivals in a series: the program's own law against the rows."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from pathveil import Policy
from pathveil.chance.certify import chances, identifications
from pathveil.model.bits import PairBits
from tests.laws.test_series_exact import THREE, Step, scripted, series_law

__all__ = ["scripted"]  # the fixture that takes every branch


@pytest.mark.parametrize("used", [0, 1])
def test_a_link_on_one_of_two_walks_against_two_rivals(used: int) -> None:
    """Every branch of the program: the link at place 0, two rivals that are no links."""
    policy = Policy.remembering(prior=("1/2", "1/2"))
    pattern = tuple(number == used for number in range(2))
    steps = [Step((0,), ()) if on else Step((), (0,)) for on in pattern]
    right = alone = Fraction(0)
    for shown, chance in series_law(steps, THREE, policy).items():
        bits = [PairBits(3, np.frombuffer(one, np.uint8)).flat() for one in shown]
        seen = [tuple(not release[place] for release in bits) for place in range(3)]
        assert seen[0] == pattern
        right += chance / seen.count(pattern)
        alone += chance * (seen.count(pattern) == 1)
    row = next(r for r in identifications(policy, releases=2) if (r.joins, r.by) == (3, "series"))
    assert 0 <= Fraction(row.after) - right < Fraction(1, 10_000)
    assert 0 <= Fraction(row.certain) - alone < Fraction(1, 10_000)
    assert row.before == "0.3334"


def test_copies_have_the_chance_of_their_own_pattern() -> None:
    once = Policy.remembering(prior=("1/2", "1/2"), copies=2, link_uses=1)
    urn = once.kind.urn
    assert urn is not None
    rows = [row for row in identifications(once, releases=3) if row.by == "series"]
    assert [(r.before, r.after, r.certain) for r in rows] == [
        chances(urn.chance(1, 3) / 4, joins) for joins in (2, 3, 4)
    ]


def test_two_uses_are_stated_at_their_worst() -> None:
    (worst,) = [
        r
        for r in identifications(Policy.remembering(prior=("1/2", "1/2")), releases=9)
        if r.by == "releases"
    ]
    assert (worst.after, worst.certain) == ("1.0000", "1.0000")
    assert "often one join alone fits them all" in str(worst)
