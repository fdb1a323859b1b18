from __future__ import annotations

import pytest

from pathveil import Network, Policy, Seeded, Walk, publish
from pathveil.chance.exact_loss import Price
from pathveil.chance.losses import (
    NOTHING,
    Cost,
    Missing,
    certificate,
    compose,
    custodian_losses,
    price,
)
from pathveil.chance.policy import Number
from pathveil.errors import BadBudget
from pathveil.model.positions import Positions
from pathveil.publishing import publish_together

NETWORK, WALK = Network.parse("ab bc cd de ef bd"), Walk("abcdef")
LABELS = {name: "hub" if name in "bd" else "leaf" for name in "abcdef"}
RATES: dict[tuple[str, str], Number] = {
    ("hub", "hub"): "1/2",
    ("leaf", "hub"): "1/4",
    ("leaf", "leaf"): 1,
}


def losses(policy: Policy, adversary: str) -> tuple[str, str, str]:
    row = certificate(policy).row(adversary)
    return str(row.presence), str(row.absence), row.notion


def test_one_copy() -> None:
    assert losses(Policy.balanced(), "one walk edge") == (
        "ln 2 = 0.6932",
        "infinite",
        "one-sided DP",
    )
    assert losses(Policy.sealed(), "one walk edge") == ("0 = 0.0000", "0 = 0.0000", "symmetric DP")
    assert losses(Policy.sealed(), "one other edge") == ("infinite", "infinite", "none")
    policy = Policy.frontier(walk_loss="1/2")
    assert losses(policy, "one walk edge")[0] == "1/2 = 0.5000"
    assert losses(policy, "one other edge")[0] == "-ln(1 - exp(-1/2)) = 0.9328"


def test_composition_adds_up() -> None:
    policy = Policy.frontier(walk_loss=1)
    walk, other = (price(policy, Missing(on_walk=kind)) for kind in (True, False))
    both = price(policy, Missing(on_walk=True, edges=2), Missing(on_walk=False, edges=3))
    assert both == compose(walk.times(2), other.times(3))
    assert both.presence.loss().expression == "2 - 3 ln(1 - exp(-1))"
    assert price(policy, Missing(on_walk=True), releases=10) == walk.times(10)
    assert compose() == NOTHING == walk.times(0)


def test_copies_add_up_or_are_joint() -> None:
    assert losses(Policy.balanced(copies=2), "one walk edge")[0] == "4 ln 2 = 2.7726"
    assert losses(Policy.balanced(copies=2, edge_uses=1), "one walk edge")[0] == "ln 5 = 1.6095"
    assert losses(Policy.sealed(copies=2, edge_uses=1), "one walk edge")[0] == "ln 4 = 1.3863"
    assert losses(Policy.sealed(copies=8), "one walk edge")[0].startswith("ln(2^64 - 1)")
    rare = Policy.frontier(walk_loss=3, copies=2)
    once, often = (losses(rare, f"one walk edge used {n}")[0] for n in ("once", "3 times"))
    assert once == "3 - 3 ln(1 - exp(-3)) = 3.1533"
    assert losses(rare, "one walk edge")[0] == often == "9 - ln(1 - exp(-3)) = 9.0511"


def test_impossible_uses_are_refused() -> None:
    with pytest.raises(ValueError, match="2 uses of an edge with 1 x 1 copies"):
        price(Policy.balanced(), Missing(on_walk=True, uses=2))


def test_labels_have_rows_of_their_own() -> None:
    policy = Policy.labelled(LABELS, RATES)
    assert losses(policy, "one walk edge, hub - leaf")[0] == "ln 4 = 1.3863"
    assert losses(policy, "one other edge, hub - leaf")[0] == "ln(4/3) = 0.2877"
    assert losses(policy, "one walk edge")[0] == "ln 4 = 1.3863"  # the worst of them
    assert losses(policy, "one other edge")[2] == "none"
    assert any("leaf and leaf are bare" in line for line in certificate(policy).not_protected)


def test_the_certificate_is_the_same_for_every_walk() -> None:
    one, two = (publish(NETWORK, w, source=Seeded(1)) for w in (WALK, Walk("cb")))
    assert one.certificate == two.certificate == certificate(Policy.balanced())


def test_a_universe_and_the_papers_layout_are_told() -> None:
    lines = certificate(Policy.balanced(), universe=7).not_protected
    assert any("7 pairs of the public universe" in line for line in lines)
    paper = certificate(Policy.paper(vertex=1, edge=1), layering="backtracking")
    layout = paper.row("the joins, from the layout")
    assert layout.presence.is_infinite
    assert layout.claim.startswith("Theorem 1: 2 + ln 2 = 2.6932")
    assert paper.row("one visit, from the copies").notion == "none"
    quiet = certificate(Policy.paper(vertex=None, edge=None), layering="backtracking")
    assert "no claim" in quiet.row("one walk edge").claim
    assert "no claim" in quiet.row("the joins, from the layout").claim


def test_the_custodian_sees_the_secret_and_its_repr_does_not() -> None:
    policy = Policy.paper(vertex=1, edge=1)
    positions = Positions(NETWORK.vertices, (2, 2, 1, 1, 1, 1))
    found = custodian_losses(NETWORK, WALK, policy, positions)
    assert repr(found[0]) == "<EdgeLoss: for the custodian>"
    by_edge = {entry.edge: entry for entry in found}
    assert by_edge["a", "b"].presence.decimal == "2.3964"
    assert by_edge["b", "d"].uses == 0
    assert by_edge["b", "d"].presence.expression == "2 ln(1 + exp(-1/2))"
    labelled = custodian_losses(
        NETWORK, WALK, Policy.labelled(LABELS, RATES), Positions.uniform(NETWORK.vertices, 1)
    )
    assert {e.edge: e.presence.expression for e in labelled}["b", "c"] == "ln 4"


def test_prices_compare_and_print() -> None:
    endless = Price(infinite=True)
    assert endless.at_least(Price())
    assert not Price().at_least(endless)
    assert (endless + Price()).infinite
    assert endless.times(0) == Price()
    assert str(Price().loss()) == "0 = 0.0000"
    assert Cost(endless, endless).notion == "none"


def test_walks_together() -> None:
    both = publish_together(NETWORK, [Walk("abc"), Walk("cdb")], source=Seeded(1))
    assert str(both[1].certificate.row("one other edge").presence) == "ln 3 = 1.0987"
    policy = Policy.sealed().together(4)
    assert losses(policy, "one walk edge")[0] == "ln 4 = 1.3863"
    with pytest.raises(BadBudget, match="at least ln 4"):
        Policy.frontier(walk_loss=1).together(4)
