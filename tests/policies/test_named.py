"""Policies are made by name, checked as they are made, and come back from their terms."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest

from pathveil.errors import BadBudget, UnknownVertex
from pathveil.model.certificate import PolicyTerms
from pathveil.policies import Number, Policy, exact_number
from pathveil.policies.policy import MOST_WALKS

LABELS = {"a": "hub", "b": "leaf", 'c"\u2014,': "leaf"}
RATES: dict[tuple[str, str], Number] = {
    ("hub", "hub"): Fraction(1, 3),
    ("leaf", "hub"): "0.9",
    ("leaf", "leaf"): 0,
}

POLICIES = [
    Policy.paper(vertex=None, link=None),
    Policy.paper(vertex="0.5", link=Decimal("0.1")),
    Policy.sealed(),
    Policy.sealed(copies=3, link_uses=2),
    Policy.balanced(),
    Policy.balanced(copies=2),
    Policy.balanced(copies=2, link_uses=3),
    Policy.balanced().together(2),
    Policy.balanced().together(5),
    Policy.frontier(walk_loss="1/3"),
    Policy.frontier(walk_loss=3, copies=2, link_uses=1).together(2),
    Policy.labelled(LABELS, RATES),
    Policy.labelled(LABELS, RATES, copies=2, link_uses=1).together(2),
    Policy.two_sided(epsilon=1.5),
    Policy.two_sided(epsilon=1, copies=2),
    Policy.two_sided(epsilon=1, spanning=True),
]


@pytest.mark.parametrize("policy", POLICIES, ids=repr)
def test_terms_come_back(policy: Policy) -> None:
    again = Policy.from_terms(policy.terms())
    assert again == policy
    assert hash(again) == hash(policy)
    assert all(isinstance(value, str) for _, value in policy.terms().parameters)


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("nonsense", {"copies": "1"}),
        ("balanced", {}),
        ("balanced", {"copies": "many"}),
        ("balanced", {"copies": "1", "walks": "0"}),
        ("frontier", {"copies": "1", "walk_loss": "1e99999999999"}),
        ("labelled", {"copies": "1", "labels": "[]", "rates": "[[1]]"}),
        ("labelled", {"copies": "1", "labels": "{", "rates": "[]"}),
        ("paper", {"vertex": "1"}),
    ],
)
def test_bad_terms_are_refused(name: str, parameters: dict[str, str]) -> None:
    with pytest.raises(BadBudget):
        Policy.from_terms(PolicyTerms(name, tuple(parameters.items())))


BAD: list[Number] = [0, -1, True, "x", "nan", "inf", float("nan"), "1/0", "9" * 50]


@pytest.mark.parametrize("value", BAD)
def test_bad_budgets_are_refused(value: Number) -> None:
    with pytest.raises(BadBudget, match="the link budget is"):
        Policy.paper(vertex=None, link=value)


def test_what_is_no_number_is_refused() -> None:
    with pytest.raises(BadBudget, match="no number"):
        exact_number([], what="the link budget")  # type: ignore[arg-type]


def test_a_float_means_its_shortest_decimal() -> None:
    assert exact_number(0.1, what="x") == Fraction(1, 10)


def test_copies_and_uses_are_checked() -> None:
    for copies in (0, 65, True):
        with pytest.raises(BadBudget, match="copies is"):
            Policy.balanced(copies=copies)
    with pytest.raises(BadBudget, match="from 1 to 3"):
        Policy.balanced(copies=2, link_uses=4)
    with pytest.raises(BadBudget, match="patterns, more than"):
        Policy.balanced(copies=20, link_uses=10)
    assert Policy.balanced(link_uses=1) == Policy.balanced()  # one copy pair: nothing to choose
    with pytest.raises(BadBudget, match="needs copies=1"):
        Policy.two_sided(epsilon=1, copies=2, spanning=True)
    with pytest.raises(BadBudget, match="at least ln 4"):
        Policy.frontier(walk_loss=1, copies=2, link_uses=1)
    with pytest.raises(BadBudget, match="one walk at a time"):
        Policy.two_sided(epsilon=1).together(2)
    with pytest.raises(BadBudget, match="at least ln 4"):
        Policy.frontier(walk_loss=1).together(4)
    assert Policy.balanced().together(1) == Policy.balanced()
    assert Policy.balanced().together(MOST_WALKS).walks == MOST_WALKS
    for walks in (0, MOST_WALKS + 1, True):
        with pytest.raises(BadBudget, match="walks is"):
            Policy.balanced().together(walks)


def test_what_is_noisy_shows_a_link_once_whatever_its_copies() -> None:
    """What two noisy bits of one link say together is not worked out."""
    assert Policy.two_sided(epsilon=1, copies=3).link_uses == 1
    assert Policy.two_sided(epsilon=1).link_uses is None


def test_labels_are_checked() -> None:
    with pytest.raises(BadBudget, match="no rate for the labels 'hub' and 'leaf'"):
        Policy.labelled(LABELS, {("hub", "hub"): 1, ("leaf", "leaf"): 1})
    with pytest.raises(BadBudget, match="given twice"):
        Policy.labelled(LABELS, {**RATES, ("hub", "leaf"): "0.8"})
    with pytest.raises(BadBudget, match="out of range"):
        Policy.labelled(LABELS, {**RATES, ("hub", "hub"): 2})
    policy = Policy.labelled(LABELS, RATES)
    assert policy.kind.label_of("a") == "hub"
    with pytest.raises(UnknownVertex, match="label every vertex"):
        policy.kind.label_of("z")
    with pytest.raises(BadBudget, match="a rate for each pair of labels"):
        _ = policy.chaff


@pytest.mark.parametrize("bits", [0, 33, True, "8"])
def test_a_sketch_keeps_one_to_thirty_two_bits_of_a_chance(bits: int) -> None:
    assert Policy.balanced().in_values_of(1).value_bits == 1
    assert Policy.balanced().in_values_of(32).value_bits == 32
    with pytest.raises(BadBudget, match="cannot be kept in values of 4 bits"):
        Policy.frontier(walk_loss=20).in_values_of(4)
    with pytest.raises(BadBudget, match="expected a whole number from 1 to 32"):
        Policy.balanced().in_values_of(bits)
    assert Policy.balanced().together(1 << 16).walks == 1 << 16
    with pytest.raises(BadBudget, match="expected a whole number from 1 to 65536"):
        Policy.balanced().together((1 << 16) + 1)
    with pytest.raises(BadBudget, match="walks is 0"):
        Policy.balanced().together(0)


def test_who_asks_for_nothing_else_gets_one_walk_one_copy_and_exact_chances() -> None:
    plain = [
        Policy.sealed(),
        Policy.balanced(),
        Policy.frontier(walk_loss=1),
        Policy.remembering(),
        Policy.labelled(LABELS, RATES),
        Policy.two_sided(epsilon=1),
    ]
    for policy in plain:
        assert (policy.copies, policy.link_uses, policy.walks) == (1, None, 1)
        assert policy == Policy.of(policy.kind) == Policy(policy.kind)
        assert policy.value_bits is None
        assert not policy.joint


def test_who_names_a_policy_that_needs_numbers_is_told_which() -> None:
    with pytest.raises(BadBudget, match=r"'blanced' is no policy.* balanced, sealed, frontier, "):
        Policy.named("blanced")
    for name, call in {
        "labelled": "pv.Policy.labelled(labels=..., rates=...)",
        "two-sided": "pv.Policy.two_sided(epsilon=...)",
    }.items():
        with pytest.raises(BadBudget) as refused:
            Policy.named(name)
        assert f"the {name} policy" in str(refused.value)
        assert str(refused.value).endswith(call)
    with pytest.raises(BadBudget, match="use one of: balanced, sealed, "):
        Policy.two_sided(epsilon=1).together(2)
