"""What an adversary believes. Against a listing of all worlds: test_never_understates.py."""

from __future__ import annotations

from itertools import pairwise, product
from math import exp

import numpy as np
import pytest

from pathveil import Knowledge, Network, Policy, Seeded, Walk, publish
from pathveil.attacks.one_file.completions import read_fragments
from pathveil.attacks.one_file.inference import attack
from pathveil.errors import DoesNotFit
from tests.attacks.maps import cyclic_walk
from tests.attacks.one_file.test_enumerated import compare
from tests.attacks.worlds_listed import Case, alone

NETWORK = Network.parse("ab bc cd de bd ce")
WALK = Walk("abcde")


def test_a_foreign_network_does_not_fit() -> None:
    release = publish(NETWORK, WALK, source=Seeded(1))
    with pytest.raises(DoesNotFit, match="vertices"):
        attack(release, Knowledge(Network.parse("ab bc")))
    with pytest.raises(DoesNotFit, match="missing link"):
        attack(release, Knowledge(NETWORK.without(("b", "c"), ("d", "e"))), spanning=True)


@pytest.mark.regression("known links outside the universe were read as steps of the walk")
def test_a_known_link_outside_the_universe_is_refused() -> None:
    release = publish(NETWORK, WALK, universe=NETWORK.links, source=Seeded(1))
    known = Network.from_links([*NETWORK.without(("c", "d")).links, ("a", "e")])
    with pytest.raises(DoesNotFit):
        attack(release, Knowledge(known))


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


@pytest.mark.regression("`backtracking` files: 0.60 said, 0.997 there")
@pytest.mark.parametrize("seed", range(4))
def test_backtracking_files_are_read_with_their_layout(seed: int) -> None:
    """The bits alone say 0.60 on average where the file says 0.997."""
    policy, law = Policy.paper(vertex=None, link=1), alone(1 / (1 + exp(0.5)))
    release = publish(NETWORK, WALK, policy=policy, layering="backtracking", source=Seeded(seed))
    for gone in (("c", "d"), ("b", "c"), ("b", "d")):
        known = NETWORK.without(gone)
        compare(Case(release, known, 1, law), attack(release, Knowledge(known)))


@pytest.mark.regression("universe files: 25 % said, 100 % true")
def test_universe_files_said_a_quarter_where_the_truth_is_certain() -> None:
    network = Network.parse("ab bc cd de ef bd")
    release = publish(network, Walk("abcdef"), policy=Policy.sealed(), universe=network.links)
    found = attack(release, Knowledge(network.without(("c", "d"))))
    assert found.posterior_of(("c", "d")) == 1.0


@pytest.mark.regression("3 x 2 copies of the paper cried BROKEN")
def test_three_by_two_copies_of_the_paper_break_nothing() -> None:
    """Copies are drawn, so the certificate bounds no such link, and nothing is called broken."""
    network = Network.parse("ab bc ca cd da")
    policy = Policy.paper(vertex="0.1", link=1)
    seen = False
    for seed in range(60):
        release = publish(network, Walk("abcabca"), policy=policy, source=Seeded(seed))
        seen |= {2, 3} <= set(release.positions.counts)
        found = attack(release, Knowledge(network.without(("a", "b"))))
        assert found.within_certificate is None
        if seen:
            return
    raise AssertionError("no release with two and three copies")


@pytest.mark.regression("connectedness is public")
def test_connectedness_is_public() -> None:
    """A missing bridge must hold the two pieces together: no other pair can be it."""
    network = Network.parse("ab bc ac cd de ef df")
    release = publish(network, Walk("abcdef"), source=Seeded(3))
    found = attack(release, Knowledge(network.without(("c", "d"))))
    left, right = set("abc"), set("def")
    for belief in found.beliefs:
        assert belief.posterior == 0 or (set(belief.link) & left and set(belief.link) & right)
    assert found.without == pytest.approx(1 / 9)


@pytest.mark.regression("what an attack leaves out it says")
def test_what_is_left_out_is_said() -> None:
    names = "abcdefghijklmnop"
    walk = Walk(names)
    network = Network.from_links(pairwise(names))
    release = publish(network, walk, source=Seeded(1))
    gone = [(names[i], names[i + 1]) for i in range(0, 14, 2)]
    known = Knowledge(network.without(*gone), len(gone))
    found = attack(release, known, spanning=True, limit=10, samples=300, source=Seeded(1))
    assert any("connected" in what for what in found.left_out)


@pytest.mark.regression(
    "'odds raised 2 times, certificate allows 2: held' while the link went to certainty"
)
def test_odds_held_though_the_link_is_certain() -> None:
    """The case behind it: odds rise twofold, as certified, and the true link goes to certainty."""
    network = Network.parse("ab bc cd de ef bd")
    certain = 0
    for seed in range(64):
        release = publish(network, Walk("abcdef"), source=Seeded(seed))
        found = attack(release, Knowledge(network.without(("c", "d"))))
        assert found.within_certificate is True
        assert found.odds == pytest.approx(2)
        certain += found.success == 1.0
    assert certain > 0
    row = release.certificate.identification[2]
    assert (row.joins, row.before, row.after, row.certain) == (4, "0.2500", "0.4688", "0.1250")


@pytest.mark.regression("`without` used bits of the release")
def test_without_uses_no_bit_of_the_release() -> None:
    network = Network.parse("ab bc cd de ef bd")
    known = Knowledge(network.without(("c", "d")))
    seen = {
        attack(publish(network, Walk(text), source=Seeded(seed)), known).without
        for text, seed in product(("abcdef", "cdb", "abd"), range(3))
    }
    assert len(seen) == 1


@pytest.mark.regression("a known step: 0.25 to 1.00 under `sealed`")
def test_a_known_step_tells_the_join_from_a_quarter_to_certainty() -> None:
    """c-e-f-d-b-a with f-d missing and c -> e known, under the policy whose loss is nothing."""
    network = Network.parse("ce ef fd db ba")
    release = publish(network, Walk("cefdba"), policy=Policy.sealed())
    known = network.without(("f", "d"))
    assert attack(release, Knowledge(known)).posterior_of(("f", "d")) == 0.25
    found = attack(release, Knowledge(known, steps=[("c", "e")]))
    assert found.posterior_of(("f", "d")) == 1.0
    assert attack(release, Knowledge(known, first="c")).posterior_of(("f", "d")) == 1.0
    untold = publish(network, Walk("cefdba"), policy=Policy.sealed(), direction="hidden")
    assert attack(untold, Knowledge(known, steps=[("c", "e")])).posterior_of(("f", "d")) == 0.25
