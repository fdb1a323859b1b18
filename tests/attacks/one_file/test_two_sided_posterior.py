"""The two-sided posterior against plain enumeration of walks."""

from __future__ import annotations

from itertools import combinations, permutations
from math import exp

import pytest

from pathveil import Knowledge, Network, Policy, Seeded, Walk, publish
from pathveil.attacks.one_file.inference import attack
from pathveil.errors import BadArgument, DoesNotFit, TooLarge

NETWORK = Network.parse("ab bc cd de bd ce")
WALK = Walk("abcde")


@pytest.mark.parametrize("spanning", [True, False])
def test_agrees_with_enumeration(spanning: bool) -> None:  # noqa: FBT001
    release = publish(NETWORK, WALK, policy=Policy.two_sided(epsilon=1), source=Seeded(3))
    known = NETWORK.without(("c", "d"))
    flip = exp(-1) / 2
    sizes = [5] if spanning else range(2, 6)
    weights = {}
    for gone in combinations(known.vertices, 2):
        if known.has_edge(*gone):
            continue
        whole = Network.from_links([*known.links, gone], vertices=known)
        total = 0.0
        for size in sizes:
            for order in permutations(known.vertices, size):
                walk = Walk(order)
                if not all(whole.has_edge(*step) for step in walk.steps):
                    continue
                weight = 1.0
                for u, v in combinations(known.vertices, 2):
                    same = release.same_branch((u, 0), (v, 0))
                    wrong = same == ((u, v) in walk.links)
                    weight *= 0.5 if not whole.has_edge(u, v) else flip if wrong else 1 - flip
                total += weight
        weights[gone] = total
    found = attack(release, Knowledge(known), spanning=spanning)
    for candidate in found.candidates:
        share = weights[candidate.links[0]] / sum(weights.values())
        assert candidate.posterior == pytest.approx(share)
    assert sum(c.prior for c in found.candidates) == pytest.approx(1)
    assert found.within_certificate is True


def test_limits_are_said() -> None:
    release = publish(NETWORK, WALK, policy=Policy.two_sided(epsilon=1), source=Seeded(1))
    with pytest.raises(BadArgument, match="course is not worked out"):
        attack(release, Knowledge(NETWORK.without(("c", "d")), first="a"))
    network = Network.from_links([(f"v{i:02}", f"v{i + 1:02}") for i in range(15)])
    walk = Walk(network.vertices)
    release = publish(network, walk, policy=Policy.two_sided(epsilon=3), source=Seeded(1))
    with pytest.raises(TooLarge, match=r"16 vertices .* smaller network, or .* certificate"):
        attack(release, Knowledge(network.without(("v03", "v04"))))
    whole = Network.parse("ab bc ca")
    release = publish(whole, Walk("abc"), policy=Policy.two_sided(epsilon=3), source=Seeded(1))
    with pytest.raises(DoesNotFit, match="none can miss"):
        attack(release, Knowledge(whole))
