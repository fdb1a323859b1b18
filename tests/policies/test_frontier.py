from __future__ import annotations

from fractions import Fraction
from math import exp

import pytest

from pathveil import Policy
from pathveil.errors import BadBudget
from pathveil.policies.simple import Frontier
from tests.chance.written import require_as_written


def test_each_state_costs_the_walk_loss() -> None:
    law = Frontier.of(3).law(4)
    assert float(law.chance(on_walk=True)) == pytest.approx(exp(-3))
    assert float(law.on) == pytest.approx(4 * exp(-3))


def test_a_loss_that_cannot_be_had_is_refused() -> None:
    """Four states of chance e^-1 each are more than certain."""
    with pytest.raises(BadBudget, match=r"the walk loss is 1, .* in 4 ways .* at least ln 4"):
        Frontier.of(1).law(4)
    Frontier.of("1.39").law(4)  # ln 4 = 1.3862...
    with pytest.raises(BadBudget, match="at least ln 4"):
        Frontier.of("1.38").law(4)
    with pytest.raises(BadBudget, match="the walk loss is 0"):
        Frontier.of(0)


def test_terms() -> None:
    kind = Frontier.of("0.5")
    assert kind.parameters() == (("walk_loss", "1/2"),)
    assert Frontier.from_parameters({"walk_loss": "1/2"}) == kind
    assert Policy.frontier(walk_loss=Fraction(1, 2)).kind == kind


def test_all_that_it_says_is_written_down_and_was_read() -> None:
    require_as_written("frontier")
