"""Releases with a link and without it: what is fixed, what is asked, what is refused."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest

from pathveil import Network, Policy, Seeded, Walk
from pathveil.checking.release_audit import BOTH, MOST_ASKED, LinkRelease, Replayed
from pathveil.errors import BadNetwork

NETWORK, WALK = Network.parse("ab bc cd bd ad"), Walk("abcdb")


def test_bytes_are_repeated_and_then_fresh() -> None:
    source = Replayed(b"abc", Seeded(1))
    fresh = Seeded(1).take(4)
    assert source.take(2) == b"ab"
    assert source.take(3) == b"c" + fresh[:2] == source.last
    assert source.take(2) == fresh[2:]


@pytest.mark.parametrize("capacity", [None, 9])
def test_the_hand_out_is_the_same_in_every_release(capacity: int | None) -> None:
    """Of a link on the walk with 2 x 2 copies the same copy pair is always the one walked."""
    policy = Policy.balanced(copies=2)
    release = LinkRelease(NETWORK, WALK, policy, ("c", "d"), capacity=capacity)
    fixed = release.with_fixed_copies(Seeded(1))
    assert len({fixed.own_bits(fixed(True, Seeded(n))) for n in range(6)}) == 1
    assert len({release.own_bits(release(True, Seeded(n))) for n in range(30)}) > 1
    assert len({fixed.own_bits(fixed(False, Seeded(n))) for n in range(30)}) > 1


def test_the_direction_is_told_or_not_in_both_worlds() -> None:
    fixed = LinkRelease(NETWORK, WALK, Policy.balanced(copies=2), ("c", "d"), direction="hidden")
    fixed = fixed.with_fixed_copies(Seeded(1))
    assert {fixed(known, Seeded(1)).direction for known in BOTH} == {None}
    told = replace(fixed, direction="public")
    assert None not in {told(known, Seeded(1)).direction for known in BOTH}


def test_of_a_large_sketch_the_link_and_the_walk_are_asked_first() -> None:
    names = [f"v{n:02}" for n in range(60)]
    network = Network.from_links(pairwise(names))
    walk = Walk(names[:50])
    release = LinkRelease(network, walk, Policy.balanced(), (names[58], names[59]), capacity=99)
    assert len(release.asked) == MOST_ASKED
    assert release.asked.vertices == (*names[: MOST_ASKED - 2], *names[58:])
    assert len(release.shown(release(True, Seeded(1)))) == MOST_ASKED * (MOST_ASKED - 1) // 2


def test_who_audits_a_link_that_is_none_is_told() -> None:
    with pytest.raises(BadNetwork, match="is no link"):
        LinkRelease(NETWORK, WALK, Policy.balanced(), ("a", "c"))
