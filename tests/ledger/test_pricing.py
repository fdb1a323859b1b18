from __future__ import annotations

from fractions import Fraction

import pytest

from pathveil import Policy, Walk, publish
from pathveil.chance.losses import Missing, losses_of, pattern_loss
from pathveil.chance.urn import Urn
from pathveil.ledger.pricing import LATE, compose_losses, price_release
from pathveil.publishing.terms import ReleaseTerms
from tests.chance.late_links import late_loss
from tests.ledger.releasing import NETWORK
from tests.strategies import link_losses

POLICIES = {
    "balanced": Policy.balanced(),
    "sealed": Policy.sealed(),
    "frontier": Policy.frontier(walk_loss=1),
    "copies": Policy.balanced(copies=2),
    "joint": Policy.balanced(copies=2, link_uses=1),
    "two-sided": Policy.two_sided(epsilon=2),
    "paper": Policy.paper(vertex=1, link=1),
}


@pytest.mark.parametrize("name", POLICIES)
def test_every_link_is_charged_what_the_custodian_is_told(name: str) -> None:
    """Two ways to the same number: the charges, and the list of losses of a release."""
    policy, walk = POLICIES[name], Walk("abcdef")
    publication = publish(NETWORK, walk, policy=policy)
    drawn = price_release(walk, ReleaseTerms(policy), drawn=(publication, NETWORK))
    for link, uses, presence, absence in link_losses(NETWORK, walk, policy, publication.positions):
        charge = drawn.charges.get(link)
        kind = drawn.rest if charge is None else charge.kind
        dearer = absence if policy.noisy else presence
        assert compose_losses([{kind: 1}]) == [dearer], link
        assert (charge.uses if charge else 0) == uses


@pytest.mark.parametrize("epsilon", ["1/2", "2", "4"])
def test_a_two_sided_release_is_charged_the_larger_loss(epsilon: str) -> None:
    """It was charged for presence, 0.6231 where absence cost 2: eight went into a budget of 5."""
    policy = Policy.two_sided(epsilon=epsilon)
    drawn = price_release(Walk("abc"), ReleaseTerms(policy))
    both = losses_of(policy, Missing(on_walk=True)), losses_of(policy, Missing(on_walk=False))
    sides = [float(side.loss()) for one in both for side in (one.presence, one.absence)]
    assert max(sides) == float(Fraction(epsilon))
    for kind in (drawn.rest, drawn.charges["a", "b"].kind):
        assert [float(loss) for loss in compose_losses([{kind: 3}])] == [3 * max(sides)]


def test_fresh_releases_add_up_and_late_ones_cost_nothing() -> None:
    policy, walk = POLICIES["frontier"], Walk("abc")
    drawn = price_release(walk, ReleaseTerms(policy))
    on, off = drawn.charges["a", "b"].kind, drawn.rest
    found = compose_losses([{on: 3}, {on: 1, off: 2}, {LATE + off: 5, on: 1}, {}])
    assert [loss.decimal for loss in found] == ["3.0000", "1.9174", "1.0000", "0.0000"]


def test_chaff_that_remembers_is_one_law_for_a_series() -> None:
    """Exact by its counts; a link that came late is charged the worst its chaff can have been."""
    policy, walk = Policy.remembering(prior=("1/2", "1/2")), Walk("abc")
    one, another = ReleaseTerms(policy), ReleaseTerms(policy, direction="hidden")
    drawn, other = price_release(walk, one), price_release(walk, another)
    on, off = drawn.charges["a", "b"].kind, drawn.rest
    found = compose_losses(
        [{on: 2, off: 5}, {on: 1, LATE + off: 3}, {off: 2, other.rest: 2}, {off: 4}]
    )
    assert found[0] == pattern_loss(Urn(), 2, 7)
    late = [late_loss(Urn(), (shown, 3), 1, 1) for shown in (0, 3)]
    assert found[1].decimal == max(loss.decimal for loss in late) == "2.0795"
    assert found[2].decimal == "1.9617"  # two series of two: 2 ln(8/3)
    assert found[3] == pattern_loss(Urn(), 0, 4)


def test_groupings_are_added_as_the_estimates_they_are() -> None:
    walk = Walk("abc")
    drawn = price_release(walk, ReleaseTerms())
    found = compose_losses([{drawn.rest: 2, "once 0.5000": 1}, {"once inf": 1}])
    assert str(found[0]) == "2 ln 2 + 0.5000 (grouping, estimated) = 1.8863"
    assert found[1].is_infinite
