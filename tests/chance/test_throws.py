"""Throws: every pair of the universe once, by its law, and nothing of the network in the stream."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from pathveil import Network, Policy, Seeded, Walk
from pathveil.chance import coins as throws
from pathveil.chance.coins import Throws, throw_coins, universe_pairs
from pathveil.chance.exponential import ExactProbability, bernoulli
from pathveil.chance.urn import History
from pathveil.model.bits import pair_count, pattern_table, unflatten
from pathveil.model.positions import Positions
from pathveil.model.universe import Universe
from pathveil.publishing.release import publish_series

ABCD = ("a", "b", "c", "d")


def drawn(policy: Policy, *, copies: int = 1, seed: int = 1, **given: object) -> list[Throws]:
    positions = Positions.uniform(ABCD, copies)
    return list(throw_coins(given.get("universe"), positions, policy, Seeded(seed)))  # type: ignore[arg-type]


def test_each_copy_pair_of_two_vertices_has_one_place() -> None:
    for policy, width in (
        (Policy.balanced(copies=2), 1),
        (Policy.balanced(copies=2, link_uses=1), 4),
    ):
        found = drawn(policy, copies=2)
        assert {thrown.places.shape[1] for thrown in found} == {width}
        places = np.concatenate([thrown.places.ravel() for thrown in found])
        assert len(set(places.tolist())) == len(places) == 6 * 4
        owners = Positions.uniform(ABCD, 2).vertex_of[unflatten(np.sort(places), 8)]
        assert (owners[:, 0] != owners[:, 1]).all()  # copies of one vertex have no coin


def test_chunks_change_nothing_but_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = drawn(Policy.sealed(copies=2), copies=2)
    monkeypatch.setattr(throws, "CHUNK", 8)
    parts = drawn(Policy.sealed(copies=2), copies=2)
    assert len(parts) == 3 > len(whole)
    both = [np.concatenate([b.places for b in some]).tolist() for some in (whole, parts)]
    assert both[0] == both[1]


def test_a_universe_has_just_its_pairs() -> None:
    network = Network.parse("ab bc cd")
    universe = universe_pairs(network, Universe.of([*network.links, ("a", "d")]))
    assert universe.tolist() == [[0, 1], [0, 3], [1, 2], [2, 3]]
    found = drawn(Policy.balanced(), universe=universe)
    places = np.concatenate([thrown.places.ravel() for thrown in found])
    assert unflatten(np.sort(places), 4).tolist() == universe.tolist()


def test_patterns_come_from_the_table_and_walks_from_all() -> None:
    table = {row.tobytes() for row in pattern_table(2, 1)}
    walks: Counter[int] = Counter()
    for seed in range(60):
        for thrown in drawn(Policy.balanced(copies=2, link_uses=1), copies=2, seed=seed):
            assert {row.tobytes() for row in thrown.pattern} <= table
            assert not thrown.doubted.any()
        for thrown in drawn(Policy.balanced().together(3), seed=seed):
            walks.update(thrown.walk.tolist())
    assert set(walks) == {-1, 0, 1, 2}


def test_two_sided_doubts_some() -> None:
    policy = Policy.two_sided(epsilon="1/2")
    doubts = [bool(d) for seed in range(40) for b in drawn(policy, seed=seed) for d in b.doubted]
    assert 0 < sum(doubts) < len(doubts)


def test_any_pattern_but_the_empty_one_is_drawn_alike() -> None:
    """15 patterns of four copy pairs; 6,000 draws: each within six standard errors of its mean."""
    found = Counter(row.tobytes() for row in throws._any_pattern(Seeded(3), 6000, 4))
    error = (6000 * (1 / 15) * (14 / 15)) ** 0.5
    assert len(found) == 15
    assert all(abs(count - 400) < 6 * error for count in found.values())
    assert bytes(4) not in found


def test_a_pattern_takes_whole_bytes_and_an_empty_one_is_drawn_again() -> None:
    """Nine copy pairs take two bytes a row; only the rows that came out empty ask for more."""

    class Listed(Seeded):
        def __init__(self, given: bytes) -> None:
            super().__init__(1)
            self.given = given

        def take(self, count: int) -> bytes:
            taken, self.given = self.given[:count], self.given[count:]
            assert len(taken) == count
            return taken

    source = Listed(bytes([0b1000_0000, 0, 0, 0b0111_1111, 0, 0b1000_0000]))
    found = throws._any_pattern(source, 2, 9)
    assert found.astype(int).tolist() == [[1, *[0] * 8], [*[0] * 8, 1]]
    assert source.given == b""


def test_a_single_copy_pair_has_its_coin_and_nothing_else_is_drawn() -> None:
    """There is one pattern, one walk and no doubt: what follows the coins is still to come."""
    source, coins = Seeded(5), Seeded(5)
    found_of = throw_coins(None, Positions.uniform(ABCD, 1), Policy.balanced(), source)
    (thrown,) = found_of
    assert thrown.pattern.all()
    on = bernoulli(coins, ExactProbability.rational(Fraction(1, 2)), pair_count(4))
    assert (thrown.walk >= 0).tolist() == on.tolist()
    assert source.take(8) == coins.take(8)


def test_a_policy_that_remembers_draws_by_what_was_shown() -> None:
    """With a millionth of a ball of either kind the second release is nearly sure to repeat."""
    network, policy = Network.parse("ab bc cd"), Policy.remembering(prior=(Fraction(1, 10**6),) * 2)
    positions = Positions.uniform(ABCD, 1)
    for seed in range(8):
        first = publish_series(network, [Walk("abcd")], policy=policy, source=Seeded(seed))
        history = History.of(first)
        (thrown,) = throw_coins(None, positions, policy, Seeded(seed), history=history)
        pairs = unflatten(thrown.places[:, 0], 4)
        assert (thrown.walk >= 0).tolist() == (history.shown(pairs) == 1).tolist()
    shown = [
        tuple((thrown.walk >= 0).tolist())
        for seed in range(8)
        for thrown in throw_coins(None, positions, policy, Seeded(seed))
    ]
    assert len(set(shown)) > 1, "the first release is drawn with fair coins"
