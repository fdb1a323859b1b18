from __future__ import annotations

import pickle

import pytest

from pathveil import Network, Walk
from pathveil.errors import NotAWalk, UnknownVertex

NETWORK = Network.parse("ab bc cd bd")


def test_a_walk_keeps_its_secret_in_every_representation() -> None:
    walk = Walk(["secret-harbour", "secret-mill"])
    assert "secret" not in repr(walk)
    assert "secret" not in str(walk)
    assert "secret" not in f"{walk}"


@pytest.mark.parametrize(("vertices", "count"), [("", "0 vertices"), ("a", "1 vertex")])
def test_too_short(vertices: str, count: str) -> None:
    with pytest.raises(NotAWalk, match=count):
        Walk(vertices)


def test_steps_must_be_links() -> None:
    with pytest.raises(NotAWalk, match=r"names 'b' twice in a row"):
        Walk("abb").require_in(NETWORK)
    with pytest.raises(NotAWalk, match=r"step 1 of the walk goes 'a' -> 'c'.*4 links"):
        Walk("acd").require_in(NETWORK)
    with pytest.raises(UnknownVertex, match="visit 3 of the walk is 'x'"):
        Walk("abx").require_in(NETWORK)


def test_kinds_of_walks() -> None:
    assert Walk("abcd").is_simple
    assert not Walk("abcb").is_simple
    assert Walk("bcdb").is_closed
    assert not Walk("abcb").is_closed
    assert Walk("abcb").visits == {"a": 1, "b": 2, "c": 1}
    assert len(Walk("abcb")) == 4
    assert list(Walk("abcb")) == ["a", "b", "c", "b"]
    assert [Walk("abcd")[0], Walk("abcd")[-1]] == ["a", "d"]
    assert Walk("abcb").links == {("a", "b"), ("b", "c")}
    assert Walk("abc").reversed() == Walk("cba")


def test_walks_travel_between_processes() -> None:
    assert pickle.loads(pickle.dumps(Walk("abc"))) == Walk("abc")  # noqa: S301
