"""The universe is named so that nobody can bring another one."""

from __future__ import annotations

from hashlib import sha256

import pytest

from pathveil import Network
from pathveil.errors import BadNetwork, NotSimple, UnknownVertex
from pathveil.model.universe import Universe

PAIRS = [("b", "a"), ("b", "c"), ("a", "d")]


def test_order_and_ends_do_not_matter() -> None:
    universe = Universe.of(PAIRS)
    assert universe == Universe.of([("c", "b"), ("d", "a"), ("a", "b"), ("b", "a")])
    assert universe.pairs == (("a", "b"), ("a", "d"), ("b", "c"))
    assert universe.count == 3
    assert universe == Universe.of(Network.parse("ab bc ad"))


def test_other_pairs_have_another_digest_however_their_names_are_cut() -> None:
    assert Universe.of([("ab", "c")]).digest != Universe.of([("a", "bc")]).digest
    assert Universe.of(PAIRS).digest != Universe.of(PAIRS[:2]).digest
    assert Universe.of([(1, 2)]) == Universe.of([("1", "2")])
    # Files that name a universe by digest are read by every later version.
    lengths = (bytes([0, 0, 0, 2]), b"ab", bytes([0, 0, 0, 2]), "\u00e9".encode())
    assert Universe.of([("\u00e9", "ab")]).digest == sha256(b"".join(lengths)).hexdigest()


def test_pairs_are_of_two_vertices_and_hold_every_link() -> None:
    with pytest.raises(NotSimple, match="pairs 'a' with itself"):
        Universe.of([("a", "a")])
    universe = Universe.of(PAIRS)
    universe.require_holds(Network.parse("ab bc ad"))
    with pytest.raises(BadNetwork, match="link 'c' - 'd' of the network is not among the 3 pairs"):
        universe.require_holds(Network.parse("ab bc cd"))
    with pytest.raises(UnknownVertex):
        universe.require_holds(Network.parse("ab bc"))
