"""What the paper's policy says of itself, and what the paper says of it."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import exp

import pytest

from pathveil import Policy
from pathveil.chance.certify import certify
from pathveil.errors import BadBudget
from pathveil.model.certificate import CertificateRow
from pathveil.policies.base import UNPROTECTED
from pathveil.policies.paper import COPIES_MULTIPLY, DRAWN_COPIES, Paper, claimed_loss


def test_the_coin() -> None:
    law = Paper.of(vertex=None, link=1).law(1)
    assert float(law.on) == pytest.approx(1 / (1 + exp(0.5)))
    assert Paper.of(vertex=1, link=None).law(1).on.as_fraction == 1


def test_budgets_switched_off_are_said_so() -> None:
    kind = Paper.of(vertex=None, link="0.5")
    assert kind.parameters() == (("vertex", "off"), ("link", "1/2"))
    assert Paper.from_parameters(dict(kind.parameters())) == kind
    assert kind.copy_budget is None
    assert Paper.of(vertex=3, link=1).copy_budget == 3


@pytest.mark.parametrize("which", ["vertex", "link"])
def test_a_bad_budget_is_named(which: str) -> None:
    with pytest.raises(BadBudget, match=f"^the {which} budget is 0, "):
        Paper.of(**({"vertex": 1, "link": 1} | {which: 0}))


def test_its_copies_are_drawn() -> None:
    assert Policy.paper(vertex=1, link=1).copies is None
    lines = Policy.paper(vertex=1, link=1).sentences()
    assert DRAWN_COPIES in lines
    assert COPIES_MULTIPLY in lines


def test_without_a_link_budget_and_only_then_other_links_are_bare() -> None:
    """Rate one: every pair that is no link is shown as on the walk, so the others stand out."""
    assert UNPROTECTED in Policy.paper(vertex=1, link=None).sentences()
    assert UNPROTECTED not in Policy.paper(vertex=1, link=1).sentences()


def test_examples_go_from_one_use_to_one_less_than_all_copy_pairs() -> None:
    """Two copies at each end are four pairs; a link used on all of them has none left to hide."""
    examples = Paper.of(vertex=1, link=1).examples()
    assert [who.uses for who in examples if who.walk_links] == [1, 2, 3]
    assert {who.copies for who in examples} == {(2, 2)}


def claims(policy: Policy) -> dict[str, str]:
    rows: tuple[CertificateRow, ...] = certify(policy, layering="backtracking").rows
    return {str(row.adversary): policy.kind.paper_claim(row) for row in rows}


def test_each_row_has_the_papers_claim_and_our_verdict() -> None:
    said = claims(Policy.paper(vertex=1, link=1))
    lemma = "Lemma 2: 1 + ln 2 = 1.6932 both ways"
    for kind in ("walk", "other"):
        assert said[f"one {kind} link, 1 x 1 copies"] == (
            f"{lemma}; holds one way (loose by 1/2 or more), refuted the other"
        )
    both = "refuted both ways: every copy pair costs"
    assert said["one walk link used once, 2 x 2 copies"] == f"{lemma}; {both}"
    # At 3 one use costs ln(1 + e^1.5) + 3 ln(1 + e^-1.5) = 2.31, two 3.81; 3.69 is claimed.
    wide = claims(Policy.paper(vertex=1, link=3))
    assert wide["one walk link used once, 2 x 2 copies"].endswith("; refuted one way")
    assert wide["one walk link used twice, 2 x 2 copies"].endswith(f"; {both}")
    row = certify(Policy.paper(vertex=1, link=3), layering="backtracking").rows[0]
    who = replace(row.adversary, kind="lacks-links", walk_links=1, copies=(2, 2), releases=1)
    exact = replace(row, adversary=who, presence=claimed_loss(Fraction(3)))
    assert Paper.of(vertex=1, link=3).paper_claim(exact).endswith("; refuted one way"), "as claimed"
    assert said["one visit, from the copies"].startswith(
        "Lemma 1: vertex budget 1; holds between worlds of the same visits"
    )
    assert said["2 walk links and 3 other links, 1 x 1 copies"] == ""
    row = certify(Policy.paper(vertex=1, link=1), layering="backtracking").rows[0]
    who = replace(row.adversary, kind="lacks-links", walk_links=1, other_links=0, releases=1)
    for more in ({"walk_links": 2}, {"other_links": 1}, {"releases": 2}):
        assert Paper.of(vertex=1, link=1).paper_claim(replace(row, adversary=who)) != ""
        several = replace(row, adversary=replace(who, **more))  # type: ignore[arg-type]
        assert Paper.of(vertex=1, link=1).paper_claim(several) == "", "the lemmas speak of one link"


def test_without_budgets_nothing_is_claimed() -> None:
    said = claims(Policy.paper(vertex=None, link=None))
    assert said["one walk link, 1 x 1 copies"].startswith("no claim")
    assert Paper.of(vertex=1, link=None).claimed() is None


def test_theorem_1_or_lemma_2() -> None:
    assert Paper.of(vertex=1, link=1).claimed() == ("Theorem 1", claimed_loss(Fraction(2)))
    assert Paper.of(vertex=None, link=1).claimed() == ("Lemma 2", claimed_loss(Fraction(1)))
    assert Policy.balanced().kind.claimed() is None
    assert Policy.balanced().kind.paper_claim(certify(Policy.balanced()).rows[0]) == ""
