from __future__ import annotations

import os
import pickle

import numpy as np
import pytest

from pathveil.chance.source import Seeded, System, below, below_many, shuffled, take_bytes

pytestmark = pytest.mark.system_coins


def test_seeds_repeat_and_differ() -> None:
    assert Seeded(1).take(99) == Seeded(1).take(99)
    assert Seeded(1).take(9) != Seeded(2).take(9)
    assert repr(Seeded("x")) == "Seeded('x')"
    assert Seeded(1).unsafe


def test_a_stream_does_not_depend_on_how_it_is_cut() -> None:
    whole, cut = Seeded(3), Seeded(3)
    assert whole.take(10) == cut.take(3) + cut.take(7)


def test_system_sources_are_keyed_apart() -> None:
    source = System()
    assert not source.unsafe
    assert source.take(32) != System().take(32)
    copy = pickle.loads(pickle.dumps(source))  # noqa: S301 - our own object
    assert copy.take(32) != source.take(32)
    assert repr(source) == "System()"


@pytest.mark.regression("a child in a new PID namespace replayed its parent's coins")
@pytest.mark.skipif(not hasattr(os, "fork"), reason="no forks here")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_child_with_its_parents_process_id_gets_coins_of_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As in a new namespace of processes, where ids are counted anew."""
    monkeypatch.setattr(os, "getpid", lambda: 1)
    source = System()
    source.take(1)
    reading, writing = os.pipe()
    for _ in range(2):
        child = os.fork()
        if not child:  # pragma: no cover - another process
            os.write(writing, source.take(32))
            os._exit(0)
        os.waitpid(child, 0)
    assert len({os.read(reading, 32), os.read(reading, 32), source.take(32)}) == 3
    os.close(reading)
    os.close(writing)


def test_bounds() -> None:
    with pytest.raises(ValueError, match="nothing to draw"):
        below(Seeded(1), 0)
    for bound in (0, (1 << 62) + 1):
        with pytest.raises(ValueError, match="is not in"):
            below_many(Seeded(1), bound, 1)
    assert below(Seeded(1), 1) == 0
    for bound in (2, 3, 256, 257, 70_000, 1 << 40):
        drawn = below_many(Seeded(bound), bound, 500)
        assert drawn.min() >= 0
        assert drawn.max() < bound
    assert len(below_many(Seeded(1), 5, 0)) == 0


class Given:
    """A source that hands out what it is given, and then zeros."""

    unsafe = True

    def __init__(self, given: bytes) -> None:
        self.left, self.asked = given, list[int]()

    def take(self, count: int) -> bytes:
        self.asked.append(count)
        head, self.left = self.left[:count], self.left[count:]
        return head.ljust(count, b"\0")


@pytest.mark.parametrize("bound", [2, 3, 5, 128, 129, 255, 256, 257, 4097])
def test_every_number_below_a_bound_has_as_many_words(bound: int) -> None:
    """All words are tried. Those that are drawn again give 0 here, and are less than half."""
    size = 1 if bound <= 256 else 2
    words = [word.to_bytes(size) for word in range(256**size)]
    each = np.bincount([below(Given(word), bound) for word in words])
    many = np.bincount(below_many(Given(b"".join(words)), bound, len(words)))
    source = Given(bytes(size))
    below(source, bound)
    assert source.asked == [size], "as few bytes as hold the bound"
    assert each.tolist() == many.tolist()
    assert len(each) == bound
    assert len(set(each[1:].tolist())) == 1
    assert 2 * bound * each[1] > len(words)


def test_shuffles_are_permutations() -> None:
    assert sorted(shuffled(Seeded(1), 20)) == list(range(20))
    assert shuffled(Seeded(1), 0) == []
    # Two bits for the last place, one for the next: each order once.
    words = [bytes([last << 6, next_one << 7]) for last in range(3) for next_one in range(2)]
    assert len({tuple(shuffled(Given(word), 3)) for word in words}) == 6
    assert take_bytes(Seeded(1), 3).tolist() == list(Seeded(1).take(3))
