"""What an adversary believes. Against a listing of all worlds: test_never_understates.py."""

from __future__ import annotations

from dataclasses import replace
from math import log

import numpy as np
import pytest

from pathveil import Knowledge, Network, Policy, Seeded, Walk, publish
from pathveil.attacks.one_file.completions import read_fragments
from pathveil.attacks.one_file.inference import attack
from pathveil.errors import DoesNotFit, PathveilError
from pathveil.lab.maps import cyclic_walk
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


@pytest.mark.parametrize(
    "policy",
    [
        Policy.balanced(),
        Policy.sealed(),
        Policy.frontier(walk_loss=2),
        Policy.balanced(copies=2),
        Policy.balanced(copies=2, link_uses=1),
        Policy.two_sided(epsilon=2, spanning=True),
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
    found = attack(release, Knowledge(NETWORK.without(("c", "d"))))
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


def test_links_may_be_named_instead_of_taken_away() -> None:
    release = publish(NETWORK, WALK, source=Seeded(1))
    for gone in ([("c", "d")], [("b", "d"), ("d", "c")]):
        known = Knowledge(NETWORK.without(*gone), missing=len(gone))
        assert attack(release, NETWORK, lacking=gone) == attack(release, known)
    with pytest.raises(TypeError):
        attack(release, NETWORK)
    with pytest.raises(TypeError):
        attack(release, known, lacking=[("c", "d")])
    with pytest.raises(PathveilError):
        attack(release, NETWORK, lacking=[("a", "e")])


@pytest.mark.regression("known links outside the universe were read as steps of the walk")
def test_a_known_link_outside_the_universe_is_refused() -> None:
    release = publish(NETWORK, WALK, universe=NETWORK.links, source=Seeded(1))
    known = Network.from_links([*NETWORK.without(("c", "d")).links, ("a", "e")])
    with pytest.raises(DoesNotFit):
        attack(release, Knowledge(known))


def test_two_pieces_join_in_four_ways_unless_one_is_a_vertex() -> None:
    network = Network.parse("ab bc cd de ef xa xb xc ya yb za zb zc fx fy")
    release = publish(network, Walk("abcdef"), policy=Policy.sealed(), source=Seeded(1))
    ways = [
        sum(row.posterior > 0 for row in attack(release, network, lacking=[gone]).candidates)
        for gone in (("c", "d"), ("e", "f"))
    ]
    assert ways[0] <= 4 < ways[1]


@pytest.mark.regression("copies do not hide who was visited twice from who misses one link")
def test_copies_do_not_hide_who_was_visited_twice_from_who_misses_one_link() -> None:
    """200 of 200 walks: known links show both copies of the revisited vertex in use."""
    rng, seen = np.random.default_rng(200), 0
    for number in range(200):
        network, walk = cyclic_walk(6, 10, rng, visits=7)
        (twice,) = [name for name, visits in walk.visits.items() if visits == 2]
        others = [step for step in walk.steps if twice not in step]
        missing = others[int(rng.integers(len(others)))]
        release = publish(
            network, walk, policy=Policy.balanced(copies=2), source=Seeded(f"twice {number}")
        )
        read = read_fragments(release.packed.pairs, release.positions, network.without(missing))
        used = [release.positions.label(p)[0] for path in read.paths for p in path]
        seen += [name for name in set(used) if used.count(name) == 2] == [twice]
    assert seen == 200
