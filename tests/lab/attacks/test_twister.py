"""A Mersenne Twister is broken for real; a cryptographic stream is not."""

from __future__ import annotations

import random as stdlib

import numpy as np

from pathveil import Network, Policy, Seeded
from pathveil.attacks.one_file.completions import Link
from pathveil.chance.source import Source
from pathveil.lab.attacks.mt19937_attack import break_twister, temper, untemper, weak_randomness
from pathveil.model.bits import PairBits
from tests.attacks.maps import bits_of, random_map


class Twister:
    """Coins from the standard library's generator: what no release may use."""

    unsafe = True

    def __init__(self, seed: int) -> None:
        self.random = stdlib.Random(seed)

    def take(self, count: int) -> bytes:
        return self.random.randbytes(count)


def release(
    source: Source, seed: int, *, vertices: int = 290, links: int | None = None
) -> tuple[PairBits, Network, Link]:
    network, walk = random_map(np.random.default_rng(seed), vertices, links or vertices + 40)
    bits = bits_of(network, walk, Policy.balanced(), source)
    missing = walk.steps[vertices // 2]
    return bits, network.without(missing), missing


def test_missing_edges_are_proven_half_of_the_time() -> None:
    """An edge is betrayed when its coin differs from its status: with a fair coin one in two."""
    outcome = weak_randomness((release(Twister(s), s) for s in range(8)), source=Seeded(1))
    assert outcome.found.holds(0.5)
    assert outcome.found.low > 1 / 290  # a random pair in different branches is worse still
    assert outcome.control.successes == outcome.placebo.successes == 0


def test_every_coin_is_predicted() -> None:
    bits, known, (u, v) = release(Twister(5), 5)
    broken = break_twister(bits, known)
    assert broken is not None
    truth = np.unpackbits(np.frombuffer(Twister(5).take(len(bits.packed)), dtype=np.uint8))
    whole = len(broken.coins) // 32 * 32
    # Of the oldest word only one bit is part of the state; the others are not to be had.
    assert (broken.coins[32:whole] == truth[32:whole]).all()
    for pair in broken.revealed:
        assert set(pair) == {u, v}


def test_a_cryptographic_stream_does_not_break() -> None:
    bits, known, _ = release(Seeded(1), 1)
    assert break_twister(bits, known) is None


def test_where_many_links_are_known_nothing_is_named_unless_it_is_certain() -> None:
    """Under 10,000 links so many coins are unknown that two states fit: 21 pairs were blamed."""
    bits, known, missing = release(Twister(0), 0, links=3000)
    broken = break_twister(bits, known)
    assert broken is not None
    assert [set(pair) for pair in broken.revealed] == [set(missing)]
    bits, known, _ = release(Twister(0), 0, links=10_000)
    assert break_twister(bits, known) is None


def test_too_few_bits_do_not_break() -> None:
    bits, known, _ = release(Twister(1), 1, vertices=150)
    assert break_twister(bits, known) is None


def test_tempering_is_undone_and_is_the_library_s() -> None:
    words = np.random.default_rng(1).integers(0, 2**32, 1000, dtype=np.uint32)
    assert (untemper(temper(words)) == words).all()
    source = stdlib.Random(9)
    state = np.array(source.getstate()[1][:-1], dtype=np.uint32)
    outputs = [source.getrandbits(32) for _ in range(1248)]
    after = np.array(source.getstate()[1][:-1], dtype=np.uint32)
    assert len(state) == 624
    assert (temper(after) == np.array(outputs[624:], dtype=np.uint32)).all()
