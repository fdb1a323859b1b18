"""What an adversary believes. Against a listing of all worlds: test_never_understates.py."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from math import comb, log

import numpy as np
import pytest

from pathveil import Knowledge, Network, Policy, Seeded, Walk, publish
from pathveil.attacks.one_file.connectivity_sums import symmetric_sums
from pathveil.attacks.one_file.inference import attack
from pathveil.errors import DoesNotFit
from pathveil.model.certificate import Certificate

NETWORK = Network.parse("ab bc cd de bd ce")
WALK = Walk("abcde")


def test_beliefs_of_links_off_the_walk_are_shared_out() -> None:
    release = publish(NETWORK, WALK, source=Seeded(1))
    found = attack(release, Knowledge(NETWORK.without(("b", "d"))), spanning=True)
    assert found.best.links == ()
    assert found.best.others == 1
    silent = [b for b in found.beliefs if b.posterior > 0]
    assert {round(b.posterior, 9) for b in silent} == {round(1 / len(silent), 9)}
    assert all(release.same_branch((b.link[0], 0), (b.link[1], 0)) for b in silent)


def test_symmetric_sums_are_those_of_a_polynomial() -> None:
    sums = symmetric_sums([1.0, 2.0, 4.0], 3)
    assert sums == [1.0, 7.0, 14.0, 8.0]
    assert symmetric_sums([1.0] * 6, 3)[3] == comb(6, 3)


@pytest.mark.parametrize(
    "policy",
    [
        Policy.balanced(),
        Policy.sealed(),
        Policy.frontier(walk_loss=2),
        Policy.balanced(copies=2),
        Policy.balanced(copies=2, link_uses=1),
        Policy.two_sided(epsilon=2, spanning=True),
        Policy.labelled(dict.fromkeys("abcde", "x"), {("x", "x"): "1/3"}),
    ],
    ids=lambda policy: str(policy.kind.name),
)
def test_no_posterior_odds_beat_the_certificate(policy: Policy) -> None:
    for seed in range(3):
        release = publish(NETWORK, WALK, policy=policy, source=Seeded(seed))
        for gone in NETWORK.links:
            found = attack(release, Knowledge(NETWORK.without(gone)))
            assert found.within_certificate is True
            assert found.certified is not None
            assert found.odds <= found.certified * (1 + 1e-9)


def test_the_balanced_bound_is_reached() -> None:
    release = publish(NETWORK, WALK, source=Seeded(1))
    found = attack(release, Knowledge(NETWORK.without(("c", "d"))))
    assert log(found.odds) == pytest.approx(log(2))


def test_joint_coins_refuse_a_second_use() -> None:
    """With link_uses=1 no world goes out and back over the same missing link."""
    network = Network.parse("ab bc ca cd")
    policy = Policy.balanced(copies=2, link_uses=1)
    release = publish(network, Walk("abca"), policy=policy, source=Seeded(4))
    found = attack(release, Knowledge(network.without(("b", "c"))))
    assert found.posterior_of(("c", "b")) > 0
    for row in found.candidates:
        assert len(row.visits) in {0, 4}


def test_joint_coins_allow_as_many_uses_as_the_policy() -> None:
    network = Network.parse("ab bc ca cd")
    policy = Policy.balanced(copies=2, link_uses=2)
    release = publish(network, Walk("abcb"), policy=policy, source=Seeded(4))
    found = attack(release, Knowledge(network.without(("b", "c"))))
    assert found.posterior_of(("b", "c")) > 0
    assert found.within_certificate is True


def test_a_walk_of_one_missing_link_has_no_fragment() -> None:
    network = Network.parse("ab bc cd")
    release = publish(network, Walk("bc"), policy=Policy.balanced(), source=Seeded(1))
    found = attack(release, Knowledge(network.without(("b", "c"))))
    shown = [c for c in found.candidates if c.posterior > 0]
    assert found.posterior_of(("b", "c")) == pytest.approx(1 / len(shown))
    assert all(c.others == 0 and len(c.visits) == 2 for c in shown)
    assert found.control == pytest.approx(1 / 4)


def test_an_empty_certificate_says_nothing() -> None:
    release = publish(NETWORK, WALK, source=Seeded(1))
    bare = replace(release, certificate=Certificate())
    found = attack(bare, Knowledge(NETWORK.without(("c", "d"))))
    assert found.certified is None
    assert found.within_certificate is None


def test_a_universe_leaves_fewer_candidates() -> None:
    universe = {*NETWORK.links, ("a", "d")}
    release = publish(NETWORK, WALK, universe=universe, source=Seeded(1))
    found = attack(release, Knowledge(NETWORK.without(("c", "d"))), universe=universe)
    assert {c.links for c in found.candidates} <= {(("c", "d"),), (("a", "d"),)}
    assert found.posterior_of(("c", "d")) >= 0.5


def test_rows_are_for_tables() -> None:
    release = publish(NETWORK, WALK, policy=Policy.sealed(), source=Seeded(1))
    found = attack(release, Knowledge(NETWORK.without(("c", "d"))))
    assert [label for label, _, _ in found.rows()] == ["a - d", "a - e", "c - d"]
    assert found.success == pytest.approx(1 / 3)
    assert found.without == pytest.approx(1 / 5)
    assert found.control == pytest.approx(1 / 3)
    both = attack(release, Knowledge(NETWORK.without(("c", "d"), ("b", "d")), 2))
    assert "c - d and 1 off the walk" in [label for label, _, _ in both.rows()]


def test_a_foreign_network_does_not_fit() -> None:
    release = publish(NETWORK, WALK, source=Seeded(1))
    with pytest.raises(DoesNotFit, match="vertices"):
        attack(release, Knowledge(Network.parse("ab bc")))
    with pytest.raises(DoesNotFit, match="missing link"):
        attack(release, Knowledge(NETWORK.without(("b", "c"), ("d", "e"))), spanning=True)


def test_sampling_agrees_with_enumeration() -> None:
    random = np.random.default_rng(5)
    names = "abcdefghijkl"
    walk = Walk(names)
    rest = [p for p in combinations(names, 2) if p not in walk.links]
    extra = [rest[int(i)] for i in random.permutation(len(rest))[:8]]
    network = Network.from_links([*walk.links, *extra])
    gone = [("b", "c"), ("e", "f"), ("h", "i")]
    release = publish(network, walk, policy=Policy.frontier(walk_loss="0.3"), source=Seeded(2))
    knowledge = Knowledge(network.without(*gone), 3)
    exact = attack(release, knowledge, spanning=True)
    rough = attack(release, knowledge, spanning=True, limit=5, samples=6000, source=Seeded(1))
    assert exact.method == "exact"
    assert rough.method == "sampled"
    assert 0 < rough.error < 0.2
    truth = {belief.link: belief for belief in exact.beliefs}
    for belief in rough.beliefs:
        assert abs(belief.posterior - truth[belief.link].posterior) < rough.error
        assert abs(belief.prior - truth[belief.link].prior) < rough.error
    assert rough.within_certificate is None


def test_sampling_without_a_fragment() -> None:
    network = Network.parse("ab bc cd")
    release = publish(network, Walk("bc"), policy=Policy.balanced(), source=Seeded(1))
    knowledge = Knowledge(network.without(("b", "c")))
    exact = attack(release, knowledge)
    rough = attack(release, knowledge, limit=1, samples=2000, source=Seeded(1))
    for belief in rough.beliefs:
        wanted = exact.posterior_of(belief.link)
        assert abs(belief.posterior - wanted) <= 2 * rough.error
