from __future__ import annotations

import pytest

from pathveil import Network, Policy, Seeded, Walk
from pathveil.errors import BadNetwork
from pathveil.release_audit import EdgeRelease, audit_release, claim

NETWORK = Network.parse("ab bc cd bd ad")
WALK = Walk("abcd")


@pytest.mark.parametrize(
    ("policy", "edge"),
    [
        (Policy.balanced(), ("c", "d")),
        (Policy.balanced(), ("a", "d")),
        (Policy.sealed(), ("c", "d")),
        (Policy.balanced(copies=2), ("b", "c")),
        (Policy.two_sided(epsilon=1), ("c", "d")),
        (Policy.frontier(walk_loss="0.3"), ("c", "d")),
    ],
)
def test_real_releases_keep_their_certificate(policy: Policy, edge: tuple[str, str]) -> None:
    """False alarm at most one in a million for each: the bounds hold with that confidence."""
    found = audit_release(
        NETWORK, WALK, policy=policy, edge=edge, samples=2000, confidence=1 - 1e-6, source=Seeded(5)
    )
    assert found.verdict == "inconclusive"
    _, presence, _ = claim(policy, on_walk=edge in WALK.edges)
    assert found.forward.epsilon <= presence


def test_theorem_1_is_refuted_by_real_releases() -> None:
    """The broken twin is the paper's own claim: absence is not protected at all."""
    policy = Policy.paper(vertex=1, edge=1)
    found = audit_release(
        NETWORK,
        WALK,
        policy=policy,
        edge=("c", "d"),
        samples=4000,
        confidence=1 - 1e-6,
        source=Seeded(5),
    )
    assert found.verdict == "refuted"
    assert found.backward.refuted


def test_who_audits_an_edge_that_is_none_is_told() -> None:
    with pytest.raises(BadNetwork, match="is no edge"):
        EdgeRelease(NETWORK, WALK, Policy.balanced(), ("a", "c"))
