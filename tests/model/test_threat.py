from __future__ import annotations

import pytest

from pathveil import Knowledge, Network
from pathveil.errors import BadArgument, UnknownVertex


def test_who_misses_nothing_is_no_adversary() -> None:
    for missing in (0, "1"):
        with pytest.raises(BadArgument):
            Knowledge(Network.parse("ab bc"), missing=missing)  # type: ignore[arg-type]


def test_a_step_or_an_end_is_something_of_the_course() -> None:
    network = Network.parse("ab bc")
    assert not Knowledge(network).knows_course
    assert Knowledge(network, steps=[("a", "b")]).knows_course
    assert Knowledge(network, first="a").knows_course
    assert Knowledge(network, last="c").knows_course


def test_what_is_known_of_the_walk_is_known_of_vertices_there_are() -> None:
    network = Network.parse("ab bc")
    for known in ({"first": "x"}, {"last": "x"}, {"steps": [("a", "x")]}):
        with pytest.raises(UnknownVertex):
            Knowledge(network, **known)
    assert Knowledge(network, steps=iter([("a", "b")])).steps == (("a", "b"),)
