"""What a policy draws by, and what it says: the same for every kind."""

from __future__ import annotations

from fractions import Fraction

import pytest

from pathveil.policies import KINDS, Number, Policy
from pathveil.policies.base import Shared


def test_only_a_two_sided_policy_is_noisy() -> None:
    assert [policy.noisy for policy in (Policy.two_sided(epsilon=1), Policy.balanced())] == [
        True,
        False,
    ]


def test_chaff_is_the_rate_of_one_copy_pair() -> None:
    assert Policy.balanced().chaff.as_fraction == Fraction(1, 2)
    assert Policy.balanced(copies=2, link_uses=1).chaff.as_fraction == Fraction(1, 5)
    assert Policy.sealed(copies=2).chaff.as_fraction == Fraction(8, 15)
    assert Policy.balanced().together(2).chaff.as_fraction == Fraction(1, 3)
    assert Policy.balanced().together(3).chaff.as_fraction == Fraction(1, 4)
    assert Policy.two_sided(epsilon=1).chaff.as_fraction == Fraction(1, 2)
    assert Policy.paper(vertex=None, link=None).chaff.as_fraction == 1


def test_public_numbers_of_a_policy_are_shared_by_all_its_sentences() -> None:
    assert Policy.balanced(copies=3, link_uses=2).together(4).shared == Shared(3, 2, 4)
    assert Policy.paper(vertex=1, link=1).shared == Shared(None, None, 1)
    assert Policy.balanced().sentences() != Policy.balanced(copies=2).sentences()


@pytest.mark.parametrize(
    ("policy", "joint", "states"),
    [
        (Policy.balanced(), False, 1),
        (Policy.balanced(copies=3), False, 1),
        (Policy.balanced(copies=3, link_uses=1), True, 9),
        (Policy.sealed(copies=2), True, 15),
        (Policy.balanced().together(3), True, 3),
        (Policy.balanced(copies=2, link_uses=1).together(3), True, 12),
        (Policy.paper(vertex=1, link=1), False, 1),
    ],
    ids=repr,
)
def test_coins_are_thrown_together_where_the_loss_is_of_a_vertex_pair(
    policy: Policy,
    joint: bool,  # noqa: FBT001
    states: int,
) -> None:
    assert (policy.joint, policy.states) == (joint, states)
    assert policy.law().states == states


def test_terms_state_what_was_chosen_and_leave_out_what_was_not() -> None:
    assert dict(Policy.balanced().terms().parameters) == {"copies": "1"}
    chosen = Policy.balanced(copies=2, link_uses=1).together(3).in_values_of(9).terms()
    assert dict(chosen.parameters) == {
        "copies": "2",
        "link_uses": "1",
        "walks": "3",
        "value_bits": "9",
    }
    assert chosen.name == KINDS[0].name
    assert "copies" not in dict(Policy.paper(vertex=1, link=1).terms().parameters)


def test_a_sketch_draws_by_the_rounded_law() -> None:
    exact, kept = Policy.frontier(walk_loss=1), Policy.frontier(walk_loss=1).in_values_of(3)
    assert kept.chaff.as_fraction == Fraction(3, 8)
    assert exact.chaff.as_fraction is None


def test_each_pair_of_labels_has_a_law() -> None:
    rates: dict[tuple[str, str], Number] = {("x", "x"): "1/2", ("x", "y"): "1/3", ("y", "y"): 1}
    policy = Policy.labelled({"a": "x", "b": "y"}, rates)
    assert policy.label_pairs == (("x", "x"), ("x", "y"), ("y", "y"))
    assert [law.on.as_fraction for _, law in policy.laws()] == [
        Fraction(1, 2),
        Fraction(1, 3),
        Fraction(1),
    ]
