from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

from pathveil import Network, Policy, Seeded, Walk, publish, reconstruct
from pathveil.chance import coins as throws
from pathveil.chance.coins import (
    Throws,
    _believed,
    draw_bits,
    draw_release,
    throw_coins,
    universe_pairs,
)
from pathveil.chance.copies import draw_copies
from pathveil.chance.exponential import ExactProbability, bernoulli
from pathveil.chance.urn import History
from pathveil.errors import BadBudget, BadNetwork, NotAWalk
from pathveil.model.bits import PairBits, Relation, pair_count, pattern_table, unflatten
from pathveil.model.positions import Positions
from pathveil.model.universe import Universe
from pathveil.publishing.release import publish_series, publish_together
from tests.chance.choices import Bytes, Counting

NETWORK, WALK = Network.parse("ab bc cd de ef bd af"), Walk("abcdef")


def drawn(policy: Policy, walk: Walk, seed: int) -> tuple[PairBits, Relation, list[int]]:
    source = Counting(seed)
    lifted = draw_copies(NETWORK, walk, policy, source)
    relation = Relation.of(lifted.positions, NETWORK, lifted.visits)
    bits = draw_release([relation], lifted.positions, policy, source)[0]
    return bits, relation, source.read


EXACT = [
    Policy.sealed(),
    Policy.sealed(copies=2),
    Policy.balanced(copies=3),
    Policy.balanced(copies=2, link_uses=1),
    Policy.frontier(walk_loss=3, copies=2, link_uses=2),
    Policy.remembering(prior=("1/2", "1/2")),
]


@pytest.mark.parametrize("policy", EXACT, ids=repr)
def test_links_overwrite_their_coins_and_reading_does_not_see_the_walk(policy: Policy) -> None:
    bits, relation, read = drawn(policy, WALK, 1)
    assert not bits.at(relation.on_walk).any()
    assert bits.at(relation.off_walk).all()
    assert drawn(policy, Walk("ba"), 1)[2] == read


@pytest.mark.parametrize("size", range(1, 10))
def test_a_pair_that_is_no_link_shows_its_own_coin(size: int) -> None:
    """To the last pair, whatever is left of the last byte."""
    policy, nothing = Policy.frontier(walk_loss=1), np.array([], dtype=np.int64)
    bits = draw_bits(Relation(size, nothing, nothing), policy, Seeded(5))
    coins = bernoulli(Seeded(5), policy.chaff, pair_count(size))
    assert bits.flat().tolist() == (~coins).tolist()
    assert not np.unpackbits(bits.packed)[pair_count(size) :].any()


def test_two_sided_reads_the_same_whatever_the_walk() -> None:
    policy = Policy.two_sided(epsilon=1)
    assert drawn(policy, WALK, 1)[2] == drawn(policy, Walk("ba"), 1)[2]


@pytest.mark.parametrize(
    "policy",
    [
        Policy.balanced(copies=2, link_uses=1),
        Policy.sealed(copies=2),
        Policy.balanced().together(2),
    ],
    ids=repr,
)
def test_coins_that_hang_together_are_not_thrown_one_by_one(policy: Policy) -> None:
    nothing = np.array([], dtype=np.int64)
    with pytest.raises(ValueError, match="use draw_release"):
        draw_bits(Relation(8, nothing, nothing), policy, Seeded(1))


def test_a_universe_limits_the_coins() -> None:
    pairs = [*NETWORK.links, ("a", "c")]
    for policy in (Policy.balanced(), Policy.balanced(copies=2)):
        seen = set()
        for seed in range(40):
            publication = publish(NETWORK, WALK, policy=policy, universe=pairs, source=Seeded(seed))
            assert reconstruct(publication, NETWORK).walk == WALK
            assert not publication.same_branch(("a", 0), ("e", 0))  # outside: as if on the walk
            seen.add(publication.same_branch(("a", 0), ("c", 0)))
        assert seen == {True, False}
    assert any("universe" in line for line in publication.certificate.not_protected)


def test_a_universe_costs_its_size() -> None:
    size = 300
    names = [f"{i:03d}" for i in range(size)]
    network = Network.from_links(pairwise(names))
    relation = Relation.of(Positions.uniform(network.vertices, 1), network, range(size))
    source = Counting(1)
    draw_release(
        [relation],
        Positions.uniform(network.vertices, 1),
        Policy.frontier(walk_loss=1),
        source,
        universe=universe_pairs(network, Universe.of(network)),
    )
    assert sum(source.read) < 2 * size


def test_a_universe_must_hold_every_link() -> None:
    with pytest.raises(BadNetwork, match="link 'a' - 'f'"):
        universe_pairs(NETWORK, Universe.of(e for e in NETWORK.links if e != ("a", "f")))


def test_walks_together_are_read_one_by_one() -> None:
    walks = [Walk("abc"), Walk("fedb"), Walk("cd")]
    release = publish_together(NETWORK, walks, source=Seeded(4))
    assert [reconstruct(p, NETWORK).walk for p in release] == walks
    assert {dict(p.policy.parameters)["walks"] for p in release} == {"3"}
    flat = np.stack([~p.packed.pairs.flat() for p in release])
    assert (flat.sum(axis=0) <= 1).all(), "no pair is on two walks at once"


def test_walks_that_meet_are_refused() -> None:
    with pytest.raises(NotAWalk, match="walks 1 and 2 share the link 'a' - 'b'"):
        publish_together(NETWORK, [Walk("abc"), Walk("ba")])
    with pytest.raises(NotAWalk, match="no walk"):
        publish_together(NETWORK, [])
    with pytest.raises(BadBudget, match="1 walk to draw with a policy for 2"):
        publish(NETWORK, WALK, policy=Policy.balanced().together(2))


def test_only_links_that_no_coin_doubts_are_believed() -> None:
    places = np.array([0, 1, 2, 9, 10])
    doubted = np.array([0b01000001, 0b00100000], dtype=np.uint8)
    assert _believed(places, doubted).tolist() == [0, 2, 9]
    assert _believed(places, None).tolist() == places.tolist()


ABCD = ("a", "b", "c", "d")


def thrown(policy: Policy, *, copies: int = 1, seed: int = 1, **given: object) -> list[Throws]:
    positions = Positions.uniform(ABCD, copies)
    return list(throw_coins(given.get("universe"), positions, policy, Seeded(seed)))  # type: ignore[arg-type]


def test_each_copy_pair_of_two_vertices_has_one_place() -> None:
    for policy, width in (
        (Policy.balanced(copies=2), 1),
        (Policy.balanced(copies=2, link_uses=1), 4),
    ):
        found = thrown(policy, copies=2)
        assert {thrown.places.shape[1] for thrown in found} == {width}
        places = np.concatenate([thrown.places.ravel() for thrown in found])
        assert len(set(places.tolist())) == len(places) == 6 * 4
        owners = Positions.uniform(ABCD, 2).vertex_of[unflatten(np.sort(places), 8)]
        assert (owners[:, 0] != owners[:, 1]).all()  # copies of one vertex have no coin


def test_chunks_change_nothing_but_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = thrown(Policy.sealed(copies=2), copies=2)
    monkeypatch.setattr(throws, "CHUNK", 8)
    parts = thrown(Policy.sealed(copies=2), copies=2)
    assert len(parts) == 3 > len(whole)
    both = [np.concatenate([b.places for b in some]).tolist() for some in (whole, parts)]
    assert both[0] == both[1]


def test_patterns_come_from_the_table_and_walks_from_all() -> None:
    table = {row.tobytes() for row in pattern_table(2, 1)}
    walks: Counter[int] = Counter()
    for seed in range(60):
        for one in thrown(Policy.balanced(copies=2, link_uses=1), copies=2, seed=seed):
            assert {row.tobytes() for row in one.pattern} <= table
        for one in thrown(Policy.balanced().together(3), seed=seed):
            walks.update(one.walk.tolist())
    assert set(walks) == {-1, 0, 1, 2}


def test_a_pattern_takes_whole_bytes_and_an_empty_one_is_drawn_again() -> None:
    """Nine copy pairs take two bytes a row; only the rows that came out empty ask for more."""

    source = Bytes(bytes([0b1000_0000, 0, 0, 0b0111_1111, 0, 0b1000_0000]))
    found = throws._any_pattern(source, 2, 9)
    assert found.astype(int).tolist() == [[1, *[0] * 8], [*[0] * 8, 1]]
    assert source.left == b""


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
    assert len(set(shown)) > 1, "the first release is thrown with fair coins"
