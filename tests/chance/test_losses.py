from __future__ import annotations

import pytest

from pathveil import Policy
from pathveil.chance.losses import NOTHING, Missing, compose, custodian_losses, losses_of
from pathveil.chance.symbolic_loss import ExactLoss
from pathveil.model.positions import Positions
from tests.chance.test_certification import NETWORK, WALK


def test_composition_adds_up() -> None:
    policy = Policy.frontier(walk_loss=1)
    walk, other = (losses_of(policy, Missing(on_walk=kind)) for kind in (True, False))
    both = losses_of(policy, Missing(on_walk=True, links=2), Missing(on_walk=False, links=3))
    assert both == compose(walk.times(2), other.times(3))
    assert both.presence.loss().expression == "2 - 3 ln(1 - exp(-1))"
    assert losses_of(policy, Missing(on_walk=True), releases=10) == walk.times(10)
    assert compose() == NOTHING == walk.times(0)


def test_impossible_uses_are_refused() -> None:
    with pytest.raises(ValueError, match="2 uses of a link with 1 x 1 copies"):
        losses_of(Policy.balanced(), Missing(on_walk=True, uses=2))


def test_the_custodian_sees_the_secret_and_its_repr_does_not() -> None:
    policy = Policy.paper(vertex=1, link=1)
    positions = Positions(NETWORK.vertices, (2, 2, 1, 1, 1, 1))
    found = custodian_losses(NETWORK, WALK, policy, positions)
    assert repr(found[0]) == "<LinkLoss: for the custodian>"
    by_link = {entry.link: entry for entry in found}
    assert by_link["a", "b"].presence.decimal == "2.3964"
    assert by_link["b", "d"].uses == 0
    assert by_link["b", "d"].presence.expression == "2 ln(1 + exp(-1/2))"


def test_exact_losses_compare_and_print() -> None:
    endless = ExactLoss(infinite=True)
    assert endless.at_least(ExactLoss())
    assert not ExactLoss().at_least(endless)
    assert (endless + ExactLoss()).infinite
    assert endless.times(0) == ExactLoss()
    assert str(ExactLoss().loss()) == "0 = 0.0000"


def test_a_link_of_drawn_copies_is_one_pair_unless_its_copies_are_told() -> None:
    policy = Policy.paper(vertex=1, link=1)
    for on_walk in (True, False):
        alone = losses_of(policy, Missing(on_walk=on_walk))
        assert alone == losses_of(policy, Missing(on_walk=on_walk, copies=(1, 1)))
        assert alone != losses_of(policy, Missing(on_walk=on_walk, copies=(1, 2)))
