"""For the custodian's eyes: which link of the walk a release gives away."""

from __future__ import annotations

import pytest

from pathveil import Knowledge, Network, Policy, Seeded, Walk, attack, publish
from pathveil.adversary import identifying
from pathveil.adversary.identifying import identify_links

NETWORK, WALK = Network.parse("ab bc cd de be ad"), Walk("abcde")


def test_each_walk_link_is_asked_about_and_the_worst_comes_first() -> None:
    released = publish(NETWORK, WALK, source=Seeded(5))
    risks = identify_links(released, NETWORK, WALK)
    assert {risk.edge for risk in risks} == set(WALK.edges)
    assert [risk.after for risk in risks] == sorted((r.after for r in risks), reverse=True)
    for risk in risks:
        found = attack(released, Knowledge(NETWORK.without(risk.edge)))
        belief = next(b for b in found.beliefs if b.edge == risk.edge)
        assert (risk.before, risk.after) == (belief.prior, belief.posterior)
        assert risk.alone == (risk.after == pytest.approx(1, abs=1e-12))


def test_chaff_that_always_shows_leaves_every_join_of_the_pieces() -> None:
    """Without b - c the pieces ab and cde may be joined by b - c, a - c and a - e; b - e is known.

    Sealed coins show all of them alike.
    """
    risks = identify_links(publish(NETWORK, WALK, policy=Policy.sealed()), NETWORK, WALK)
    left = {"".join(risk.edge): risk.after for risk in risks}
    assert left == pytest.approx({"ab": 1 / 2, "bc": 1 / 3, "cd": 1 / 3, "de": 1 / 2})
    assert not any(risk.alone for risk in risks)


def test_a_link_that_takes_too_long_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(identifying, "LIMIT", 0)
    assert identify_links(publish(NETWORK, WALK, source=Seeded(5)), NETWORK, WALK) == ()


def test_no_log_shows_the_walk() -> None:
    risks = identify_links(publish(NETWORK, WALK, source=Seeded(5)), NETWORK, WALK)
    assert {repr(risk) for risk in risks} == {"<LinkRisk: for the custodian>"}
