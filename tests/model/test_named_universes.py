"""Pairs that files name by digest are brought once, by whoever has them."""

from __future__ import annotations

from pathveil import Network, Walk, publish
from pathveil.model.named_universes import bring_universes
from pathveil.model.universe import Universe

NETWORK = Network.parse("ab bc cd bd")
PAIRS = [*NETWORK.links, ("a", "c")]


def test_another_universe_brings_nothing() -> None:
    file = publish(NETWORK, Walk("abc"), universe=Universe.of(PAIRS, by_digest=True))
    (same,), lacking = bring_universes([file], [NETWORK])
    assert same.universe == file.universe
    assert [one.count for one in lacking] == [5]


def test_a_file_that_carries_its_pairs_brings_them_for_the_others() -> None:
    named = publish(NETWORK, Walk("abc"), universe=Universe.of(PAIRS, by_digest=True))
    carried, plain = publish(NETWORK, Walk("bcd"), universe=PAIRS), publish(NETWORK, Walk("bcd"))
    found, lacking = bring_universes([named, carried, plain])
    assert not lacking
    assert found[0].universe == found[1].universe == carried.universe
    assert found[2] == plain
