from __future__ import annotations

import pytest

from pathveil import Network, Policy, Walk, publish
from pathveil.chance.losses import custodian_losses
from pathveil.charging import compose_losses, drawn_for_ledger
from pathveil.ledger.entries import LATE

NETWORK = Network.parse("ab bc cd de ef bd ce af")
LABELS = dict.fromkeys("abc", "depot") | dict.fromkeys("def", "port")
POLICIES = {
    "balanced": Policy.balanced(),
    "sealed": Policy.sealed(),
    "frontier": Policy.frontier(walk_loss=1),
    "copies": Policy.balanced(copies=2),
    "joint": Policy.balanced(copies=2, edge_uses=1),
    "two-sided": Policy.two_sided(epsilon=2),
    "paper": Policy.paper(vertex=1, edge=1),
    "labelled": Policy.labelled(
        LABELS,
        {("depot", "depot"): "1/2", ("depot", "port"): "1/4", ("port", "port"): "3/4"},
    ),
}


@pytest.mark.parametrize("name", POLICIES)
def test_every_link_is_charged_what_the_custodian_is_told(name: str) -> None:
    """Two ways to the same number: the charges, and the list of losses of a release."""
    policy, walk = POLICIES[name], Walk("abcdef")
    publication = publish(NETWORK, walk, policy=policy)
    drawn = drawn_for_ledger(publication, b"", NETWORK, walk, policy)
    told = custodian_losses(NETWORK, walk, policy, publication.positions)
    for row in told:
        charge = drawn.charges.get(row.edge)
        kind = drawn.rest if charge is None else charge.kind
        assert compose_losses([{kind: 1}]) == [row.presence], row.edge
        assert drawn.losses[kind] == row.presence
        assert (charge.uses if charge else 0) == row.uses


def test_fresh_releases_add_up_and_late_ones_cost_nothing() -> None:
    policy, walk = POLICIES["frontier"], Walk("abc")
    drawn = drawn_for_ledger(publish(NETWORK, walk), b"", NETWORK, walk, policy)
    on, off = drawn.charges["a", "b"].kind, drawn.rest
    found = compose_losses([{on: 3}, {on: 1, off: 2}, {LATE + off: 5, on: 1}, {}])
    assert [loss.decimal for loss in found] == ["3.0000", "1.9174", "1.0000", "0.0000"]
