"""How often a missing link is told, against a listing of everything the coins can show."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from itertools import product

import pytest

from pathveil import Policy
from pathveil.chance.certify import identifications, join_chances
from pathveil.chance.urn import Urn


def listed(q: Fraction, doubt: Fraction, joins: int) -> tuple[Fraction, Fraction]:
    """Best guess right, and true join left alone: by listing what each join shows."""
    right = alone = Fraction(0)
    truth = 1 - doubt + doubt * q
    for shown in product((True, False), repeat=joins):
        # The join k is the link with chance 1/c; the others are pairs that are none.
        weights = []
        for link in range(joins):
            weight = Fraction(1, joins)
            for k, on in enumerate(shown):
                chance = truth if k == link else q
                weight *= chance if on else 1 - chance
            weights.append(weight)
        right += max(weights)
        if sum(shown) == 1:
            alone += weights[shown.index(True)]
    return right, alone


def above(text: str, value: Fraction) -> bool:
    """Whether a decimal of four places is the value rounded up."""
    return Fraction(text) >= value and Fraction(text) - value < Fraction(1, 10**4)


@pytest.mark.regression("what 2, 3, 4 joins are guessed right with, and left alone")
@pytest.mark.parametrize(
    ("policy", "q"),
    [
        (Policy.balanced(), Fraction(1, 2)),
        (Policy.sealed(), Fraction(1)),
        (Policy.balanced(copies=2), Fraction(1, 2) * Fraction(1, 2) ** 3),
        (Policy.balanced(copies=2, link_uses=1), Fraction(1, 5)),
        (Policy.balanced().together(3), Fraction(1, 4)),
    ],
)
@pytest.mark.parametrize("joins", [2, 3, 4])
def test_chances_are_those_of_a_listing(policy: Policy, q: Fraction, joins: int) -> None:
    law = policy.law()
    before, after, alone = join_chances(policy, law, joins)
    right, left = listed(q, Fraction(0), joins)
    assert above(before, Fraction(1, joins))
    assert above(after, right)
    assert above(alone, left)


@pytest.mark.regression("identification where the paper's ends have two copies")
def test_where_copies_are_drawn_ends_of_two_copies_tell_more() -> None:
    """A rival of the paper's must show one of its four copy pairs on the walk and three off it."""
    policy = Policy.paper(vertex=1, link=1)
    on = Fraction(str(round(1 / (1 + math.exp(0.5)), 15)))
    rows = identifications(policy, direction_public=False)
    ends = [(1, 1)] * 3 + [(2, 2)] * 3
    assert [(row.joins, row.copies) for row in rows] == list(zip((2, 3, 4) * 2, ends, strict=True))
    for row in rows:
        assert row.copies is not None
        pairs = row.copies[0] * row.copies[1]
        right, left = listed(on * (1 - on) ** (pairs - 1), Fraction(0), row.joins)
        assert above(row.after, right)
        assert above(row.certain, left)
    assert (rows[2].after, rows[5].after) == ("0.5628", "0.8716")
    assert (rows[2].certain, rows[5].certain) == ("0.2412", "0.7510")
    assert "1 x 1 copies" in str(rows[2])
    assert "2 x 2 copies" in str(rows[5])


@pytest.mark.parametrize("joins", [2, 3, 4])
def test_under_doubt_nothing_is_ever_certain(joins: int) -> None:
    policy = Policy.two_sided(epsilon="0.5")
    law = policy.law()
    _, after, alone = join_chances(policy, law, joins)
    doubt = Fraction(str(round(float(law.doubt), 12)))
    right, _ = listed(Fraction(1, 2), doubt, joins)
    assert abs(Fraction(after) - right) < Fraction(1, 10**4)
    assert Decimal(alone) == 0


@pytest.mark.parametrize("walk_loss", ["60", "1000"])
def test_a_pattern_no_other_pair_shows_is_certain(walk_loss: str) -> None:
    """With a walk loss without end chaff never shows on the walk: the limit of the formula."""
    rows = identifications(Policy.frontier(walk_loss=walk_loss), direction_public=False)
    assert [row.certain for row in rows] == ["1.0000"] * 3
    assert [row.after for row in rows] == ["1.0000"] * 3


@pytest.mark.regression("the backtracking certificate's layout is an identification row")
@pytest.mark.parametrize(
    ("given", "causes"),
    [
        ({"direction_public": False}, []),
        ({"direction_public": True}, ["direction"]),
        ({"layering": "backtracking"}, ["layout"]),
        ({"layering": "backtracking", "direction_public": False}, ["layout"]),
        ({"releases": 2}, ["releases", "direction"]),
        ({"releases": 2, "direction_public": False}, ["releases"]),
    ],
)
def test_what_nothing_is_promised_against_is_said(
    given: dict[str, object], causes: list[str]
) -> None:
    policy = Policy.remembering(prior=("1/2", "1/2")) if "releases" in given else Policy.balanced()
    rows = identifications(policy, **given)  # type: ignore[arg-type]
    usual = "series" if "releases" in given else "bits"
    worst = [row for row in rows if row.by != usual]
    assert [row.by for row in worst] == causes
    assert all((row.joins, row.before, row.after) == (4, "0.2500", "1.0000") for row in worst)
    assert [row.joins for row in rows if row.by == usual] == [2, 3, 4]


def test_in_a_series_a_rival_must_show_one_use_in_all_releases() -> None:
    q = Urn().chance(1, 3)
    for row in identifications(
        Policy.remembering(prior=("1/2", "1/2")), direction_public=False, releases=3
    )[:3]:
        right, left = listed(q, Fraction(0), row.joins)
        assert above(row.after, right)
        assert above(row.certain, left)
