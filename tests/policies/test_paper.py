"""What the paper's policy says of itself, and what the paper says of it."""

from __future__ import annotations

from fractions import Fraction
from math import exp

import pytest

from pathveil import Policy
from pathveil.chance.certify import certify
from pathveil.errors import BadBudget
from pathveil.policies.paper import Paper, claimed_loss


def test_the_coin() -> None:
    law = Paper.of(vertex=None, link=1).law(1)
    assert float(law.on) == pytest.approx(1 / (1 + exp(0.5)))
    assert Paper.of(vertex=1, link=None).law(1).on.as_fraction == 1


@pytest.mark.parametrize("which", ["vertex", "link"])
def test_a_bad_budget_is_named(which: str) -> None:
    with pytest.raises(BadBudget, match=f"^the {which} budget is 0, "):
        Paper.of(**({"vertex": 1, "link": 1} | {which: 0}))


def test_examples_go_from_one_use_to_one_less_than_all_copy_pairs() -> None:
    """Two copies at each end are four pairs; a link used on all of them has none left to hide."""
    examples = Paper.of(vertex=1, link=1).examples()
    assert [who.uses for who in examples if who.walk_links] == [1, 2, 3]
    assert {who.copies for who in examples} == {(2, 2)}


def test_theorem_1_or_lemma_2() -> None:
    assert Paper.of(vertex=1, link=1).claimed() == ("Theorem 1", claimed_loss(Fraction(2)))
    assert Paper.of(vertex=None, link=1).claimed() == ("Lemma 2", claimed_loss(Fraction(1)))
    assert Policy.balanced().kind.claimed() is None
    assert Policy.balanced().kind.paper_claim(certify(Policy.balanced()).rows[0]) == ""
