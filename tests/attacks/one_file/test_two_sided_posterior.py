"""The two-sided posterior against plain enumeration of walks."""

from __future__ import annotations

from math import exp

import pytest

from pathveil import Knowledge, Network, Policy, Seeded, Walk, publish
from pathveil.attacks.one_file.inference import attack
from pathveil.errors import BadArgument, DoesNotFit, TooLarge
from tests.attacks.one_file.test_enumerated import compare
from tests.attacks.worlds_listed import Case, alone

NETWORK = Network.parse("ab bc cd de bd ce")
WALK = Walk("abcde")


def test_who_knows_that_all_are_visited_weighs_fewer_walks() -> None:
    """Of other walks see the listings of test_enumerated.py."""
    release = publish(NETWORK, WALK, policy=Policy.two_sided(epsilon=1), source=Seeded(3))
    known = NETWORK.without(("c", "d"))
    found = attack(release, Knowledge(known), spanning=True)
    compare(Case(release, known, 1, alone(0.5), exp(-1), spanning=True), found)
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
