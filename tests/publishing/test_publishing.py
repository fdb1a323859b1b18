from __future__ import annotations

import pytest

from pathveil import Network, Policy, Seeded, Walk, publish, reconstruct
from pathveil.chance.source import System
from pathveil.errors import NeedsMoreCopies, NotAWalk, UnknownVertex

NETWORK = Network.parse("ab bc cd bd")


class Counting(Seeded):
    """A source that notes what is read from it."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.taken: list[int] = []

    def take(self, count: int) -> bytes:
        self.taken.append(count)
        return super().take(count)


def test_bad_walks_are_refused_before_any_coin_is_thrown() -> None:
    source = Counting(1)
    with pytest.raises(NotAWalk):
        publish(NETWORK, Walk("acd"), source=source)
    with pytest.raises(UnknownVertex):
        publish(NETWORK, Walk("abx"), source=source)
    with pytest.raises(NeedsMoreCopies, match="copies=2") as caught:
        publish(NETWORK, Walk("abcb"), source=source)
    assert caught.value.needed == 2
    assert source.taken == []


def test_an_unknown_engine_is_refused() -> None:
    with pytest.raises(ValueError, match="expected one of exact, backtracking"):
        publish(NETWORK, Walk("abcd"), layering="fast")  # type: ignore[arg-type]


def test_what_is_read_from_the_source_does_not_depend_on_the_walk() -> None:
    """Fair coins: the same bytes in the same portions, whatever the network and the walk."""
    portions = []
    for network, walk in (
        (Network.parse("ab bc cd bd"), "abcd"),
        (Network.parse("ab bc cd bd ac ad"), "ab"),
        (Network.parse("ab bc cd"), "dcbcd"),
    ):
        source = Counting(1)
        publish(network, Walk(walk), policy=Policy.balanced(copies=2), source=source)
        portions.append(source.taken[-1])
    assert len(set(portions)) == 1


def test_fresh_releases_differ_and_seeds_repeat() -> None:
    network = Network.from_links((f"{i:02}", f"{i + 1:02}") for i in range(39))
    walk = Walk(network.vertices)
    assert publish(network, walk).packed.pairs != publish(network, walk).packed.pairs
    source = System()
    first, second = (publish(network, walk, source=source) for _ in "12")
    assert first.bits != second.bits
    assert publish(network, walk, source=Seeded(1)) == publish(network, walk, source=Seeded(1))


def test_closed_walks_and_retraced_links() -> None:
    for visits in ("abcdb", "bcdb", "ababab", "dcbabcd"):
        walk = Walk(visits)
        policy = Policy.balanced(copies=max(walk.visits.values()))
        publication = publish(NETWORK, walk, policy=policy)
        assert reconstruct(publication, NETWORK).walk == walk


def test_the_smallest_network() -> None:
    network = Network.parse("ab")
    for visits in ("ab", "ba"):
        assert reconstruct(publish(network, Walk(visits)), network).walk == Walk(visits)
