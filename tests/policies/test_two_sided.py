from __future__ import annotations

from fractions import Fraction
from math import exp

import pytest

from pathveil import Policy
from pathveil.errors import BadBudget
from pathveil.policies.two_sided import TwoSided
from tests.chance.written import require_as_written


def test_a_link_is_drawn_afresh_with_e_to_minus_epsilon() -> None:
    law = TwoSided.of(2).law(1)
    assert float(law.doubt) == pytest.approx(exp(-2))
    assert law.on.as_fraction == Fraction(1, 2)
    line = Policy.two_sided(epsilon=2).sentences()[1]
    assert line.startswith("Reading back is not certain")
    assert "probability 0.1353," in line


def test_it_reads_by_likelihood_one_walk_and_no_link_twice() -> None:
    policy = Policy.two_sided(epsilon=1, copies=3)
    assert policy.noisy
    assert policy.link_uses == 1
    assert "link_uses" not in dict(policy.terms().parameters)
    assert Policy.from_terms(policy.terms()) == policy
    with pytest.raises(BadBudget, match=r"one walk at a time; .* balanced"):
        policy.together(2)


def test_spanning_is_a_public_promise() -> None:
    policy = Policy.two_sided(epsilon=1, spanning=True)
    assert dict(policy.terms().parameters)["spanning"] == "yes"
    assert "The walk visits every vertex exactly once: the policy says so." in policy.sentences()
    assert "spanning" not in dict(Policy.two_sided(epsilon=1).terms().parameters)
    asked = {option.flag: (option.needed, option.is_flag) for option in TwoSided.options}
    assert asked == {"--epsilon": (True, False), "--spanning": (False, True)}
    with pytest.raises(BadBudget, match="spanning with copies=2"):
        Policy.two_sided(epsilon=1, spanning=True, copies=2)
    with pytest.raises(BadBudget, match="link_uses does not go with the two-sided policy"):
        Policy.of(TwoSided.of(1), copies=2, link_uses=2)


def test_all_that_it_says_is_written_down_and_was_read() -> None:
    require_as_written("two-sided")
