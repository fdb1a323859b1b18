"""What every kind of policy draws by, what it states, and that a policy and its text are one."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from math import exp

import pytest

from pathveil.errors import BadBudget, Incompatible
from pathveil.model.certificate import PolicyTerms
from pathveil.policies import KINDS, Policy
from pathveil.policies.kinds import (
    LARGEST_BUDGET,
    SMALLEST_BUDGET,
    Balanced,
    Frontier,
    Number,
    Sealed,
    TwoSided,
    exact_number,
)
from pathveil.policies.policy import MOST_WALKS
from tests.chance.written import CASES

TEXTS = {
    "balanced": Policy.balanced(),
    "balanced:copies=2": Policy.balanced(copies=2),
    "balanced:copies=2,link_uses=3": Policy.balanced(copies=2, link_uses=3),
    "balanced:walks=5": Policy.balanced().together(5),
    "balanced:value_bits=1": Policy.balanced().in_sketch(),
    "sealed:copies=3,link_uses=2": Policy.sealed(copies=3, link_uses=2),
    "frontier:walk_loss=1/3": Policy.frontier(walk_loss="1/3"),
    "remembering:on=4,off=16": Policy.remembering(usage="0.2"),
    "remembering:on=1/2,off=1/2,copies=2": Policy.remembering(prior=("1/2", "1/2"), copies=2),
    "two_sided:epsilon=3/2": Policy.two_sided(epsilon=1.5),
    "two_sided:epsilon=1,spanning=yes": Policy.two_sided(epsilon=1, spanning=True),
    "paper:vertex=1/2,link=off": Policy.paper(vertex="0.5", link=None),
}


def test_a_policy_and_its_text_are_one() -> None:
    for text, policy in TEXTS.items():
        assert str(policy) == str(policy.terms()) == text
        for again in (Policy.parse(text), Policy.from_terms(policy.terms())):
            assert again == policy
            assert hash(again) == hash(policy)
    assert {policy.name for policy in TEXTS.values()} == {kind.name for kind in KINDS}
    assert eval(repr(Policy.sealed()), {"Policy": Policy}) == Policy.sealed()  # noqa: S307
    assert Policy.parse(" two-sided : epsilon = 1.5 ") == Policy.two_sided(epsilon="3/2")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no policy this version knows"),
        ("blanced", "did you mean 'balanced'"),
        ("balanced:copies", "no name=value"),
        ("balanced:copies=2,copies=2", "of its own"),
        ("balanced:copies=many", "expected a whole number"),
        ("balanced:walks=0", "walks is 0"),
        ("balanced:walk_loss=1", "no parameter 'walk_loss'"),
        ("frontier", "needs 'walk_loss'; write for instance frontier:walk_loss=1/2"),
        ("frontier:walkloss=1", "did you mean 'walk_loss'"),
        ("frontier:walk_loss=1e99999999999", "no finite number"),
        ("paper:vertex=1", "needs both budgets.*paper:vertex=off,link=1"),
        ("paper:vertex=none,link=1", "no finite number.*or off"),
        ("two_sided:epsilon=1,spanning=perhaps", "expected yes or no"),
        ("remembering", "usage=0.15.*pathveil plan"),
        ("remembering:on=1", "needs 'off'"),
        ("sealed:value_bits=3", "cannot be kept"),
        ("remembering:usage=0.26,value_bits=1", "leave value_bits out"),
    ],
)
def test_a_text_that_states_no_policy_is_refused(text: str, said: str) -> None:
    with pytest.raises(BadBudget, match=said):
        Policy.parse(text)


def test_terms_nobody_states_are_refused() -> None:
    for name, parameters in (("nonsense", {}), ("frontier", {"copies": "1"})):
        with pytest.raises(BadBudget):
            Policy.from_terms(PolicyTerms(name, tuple(parameters.items())))


def test_copies_uses_walks_and_bits_are_checked() -> None:
    for copies in (0, 65, True):
        with pytest.raises(BadBudget, match="copies is"):
            Policy.balanced(copies=copies)
    with pytest.raises(BadBudget, match="from 1 to 3"):
        Policy.balanced(copies=2, link_uses=4)
    with pytest.raises(BadBudget, match="patterns, more than"):
        Policy.balanced(copies=20, link_uses=10)
    assert Policy.balanced(link_uses=1) == Policy.balanced()  # one copy pair: nothing to choose
    with pytest.raises(BadBudget, match="at least ln 4"):
        Policy.frontier(walk_loss=1, copies=2, link_uses=1)
    assert Policy.balanced().together(1) == Policy.balanced()
    assert Policy.balanced().together(MOST_WALKS).walks == MOST_WALKS
    for walks in (0, MOST_WALKS + 1, True):
        with pytest.raises(BadBudget, match="walks is"):
            Policy.balanced().together(walks)
    for policy in (Policy.balanced(copies=2), Policy.sealed(), Policy.two_sided(epsilon=1)):
        with pytest.raises(Incompatible, match="several walks in one release"):
            policy.together(2)
    for kind in (TwoSided.of(1), Policy.paper(vertex=1, link=1).kind):
        with pytest.raises(Incompatible, match="does not go with copies"):
            Policy.of(kind, copies=2)
    for bits in (0, 33, True):
        with pytest.raises(BadBudget, match="expected a whole number from 1 to 32"):
            Policy.balanced().in_values_of(bits)
    with pytest.raises(BadBudget, match="cannot be kept in values of 4 bits"):
        Policy.frontier(walk_loss=20).in_values_of(4)


@pytest.mark.regression("link_uses was not looked at with one copy; any script's digits were read")
def test_counts_and_budgets_are_plain_whole_numbers_and_digits() -> None:
    for text in ("link_uses=-1", "link_uses=0", f"link_uses={10**26}", "copies=x", "copies=２"):
        with pytest.raises(BadBudget, match=f"{text.partition('=')[0]} is .* whole number"):
            Policy.parse(f"balanced:{text}")
    with pytest.raises(BadBudget, match="no finite number"):
        Policy.parse("frontier:walk_loss=１/２")


# -- laws -----------------------------------------------------------------------------------------


def test_the_laws_of_the_simple_kinds() -> None:
    for states in (1, 4, 15):
        fair, sealed = Balanced().law(states), Sealed().law(states)
        assert fair.chance(on_walk=True).as_fraction == Fraction(1, states + 1)
        assert fair.chance(on_walk=False).as_fraction == Fraction(1, states + 1)
        assert sealed.chance(on_walk=False).as_fraction == 0
        assert sealed.chance(on_walk=True).as_fraction == Fraction(1, states)
    law = Frontier.of(3).law(4)
    assert float(law.chance(on_walk=True)) == pytest.approx(exp(-3))
    assert float(law.on) == pytest.approx(4 * exp(-3))
    Frontier.of("1.39").law(4)  # ln 4 = 1.3862...
    with pytest.raises(BadBudget, match=r"the walk loss is 69/50, .* in 4 ways .* at least ln 4"):
        Frontier.of("1.38").law(4)


def test_chaff_is_the_rate_of_one_copy_pair() -> None:
    for policy, rate in (
        (Policy.balanced(), Fraction(1, 2)),
        (Policy.balanced(copies=2, link_uses=1), Fraction(1, 5)),
        (Policy.sealed(copies=2), Fraction(8, 15)),
        (Policy.balanced().together(3), Fraction(1, 4)),
        (Policy.two_sided(epsilon=1), Fraction(1, 2)),
        (Policy.paper(vertex=None, link=None), Fraction(1)),
        (Policy.frontier(walk_loss=1).in_values_of(3), Fraction(3, 8)),
    ):
        assert policy.chaff.as_fraction == rate


def test_coins_are_thrown_together_where_the_loss_is_of_a_vertex_pair() -> None:
    """Independent coins of rate 1 would show all copy pairs at once, which no walk link does."""
    for policy, joint, states in (
        (Policy.balanced(copies=3), False, 1),
        (Policy.balanced(copies=3, link_uses=1), True, 9),
        (Policy.sealed(), False, 1),
        (Policy.sealed(copies=2), True, 15),
        (Policy.balanced().together(3), True, 3),
        (Policy.paper(vertex=1, link=1), False, 1),
    ):
        assert (policy.joint, policy.states, policy.law().states) == (joint, states, states)


# -- sentences ------------------------------------------------------------------------------------


def test_every_policy_has_a_golden_file() -> None:
    assert set(CASES) == {kind.name for kind in KINDS}


@pytest.mark.parametrize(
    ("value", "exact"),
    [
        (1, Fraction(1)),
        (0.1, Fraction(1, 10)),
        (" 1/3 ", Fraction(1, 3)),
        ("1e-3", Fraction(1, 1000)),
        (Decimal("2.50"), Fraction(5, 2)),
        (Fraction(7, 9), Fraction(7, 9)),
        ("1." + "0" * 38, Fraction(1)),
        (SMALLEST_BUDGET, SMALLEST_BUDGET),
        (LARGEST_BUDGET, LARGEST_BUDGET),
    ],
)
def test_numbers_are_what_they_say(value: Number, exact: Fraction) -> None:
    assert exact_number(value, what="x") == exact


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (True, "no number"),
        (None, "no number"),
        ("", "no finite number"),
        ("1e60", "no finite number"),
        (Decimal("1e-60"), "no finite number"),
        (Decimal("NaN"), "no finite number"),
        ("1e51", "no finite number"),  # so that no exponent fills the memory
        ("1e50", "out of range"),
        ("0e-60", "out of range"),
        ("9" * 41, "41 characters"),
        (SMALLEST_BUDGET / 2, "out of range"),
        (LARGEST_BUDGET + 1, "out of range"),
    ],
)
def test_what_is_none_is_refused_with_an_example(value: Number, said: str) -> None:
    with pytest.raises(BadBudget, match=said) as caught:
        exact_number(value, what="the link budget")
    assert str(caught.value).startswith("the link budget is")
    assert "1/3" in str(caught.value)


def test_a_largest_number_may_be_given() -> None:
    assert exact_number(1, what="rate", largest=Fraction(1)) == 1
    with pytest.raises(BadBudget):
        exact_number("1.01", what="rate", largest=Fraction(1))
