"""Coins: a bit for every pair. Alg. 2 and its generalisations.

A link off the walk is published as *same branch*, a link on the walk as *different branches*,
and an unlinked pair by a coin. A coin is thrown for every pair, link or not, and then the
links overwrite theirs: what is read from the source does not depend on the network.

Two ways lead there. :func:`draw_bits` throws one coin for each pair of copies, packed all the way:
the paper's way, and ours whenever coins are independent and alike. :func:`draw_release`
draws the copy pairs of a vertex pair in one go: joint coins, several walks, a universe.

Throws: the copy pairs of one vertex pair, drawn in one go.

A throw belongs to a vertex pair and lists its copy pairs. With joint coins it has all of them and
draws one state: off, or a walk and a pattern. With independent coins each copy pair has a throw of
its own. Throws come in chunks, so that memory follows the chunk and not the network; which pairs
have throws, in which order and with which law is public, so what is read from the source depends
on public facts and on the random bytes only.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from pathveil.chance.exponential import bernoulli, bernoulli_packed
from pathveil.chance.law import ReleaseLaw
from pathveil.chance.source import Source, below_many, take_bytes
from pathveil.chance.urn import History
from pathveil.errors import BadBudget
from pathveil.model.bits import (
    BoolArray,
    ByteArray,
    IndexArray,
    PairBits,
    Relation,
    pair_count,
    pair_places,
    pattern_table,
    unflatten,
)
from pathveil.model.network import Network
from pathveil.model.positions import Positions
from pathveil.model.universe import Universe

CHUNK = 1 << 18
"""Copy pairs in a chunk."""


@dataclass(frozen=True)
class Throws:
    """The drawn states of many vertex pairs, one row each, before the links are written in.

    Attributes
    ----------
    places
        Flat places of the copy pairs.
    walk
        The walk whose bits show the pattern, -1 where the state is *off*.
    pattern
        Which copy pairs are on that walk.
    """

    places: IndexArray
    walk: IndexArray
    pattern: BoolArray


def universe_pairs(network: Network, universe: Universe) -> IndexArray:
    """Return a public universe as sorted index pairs, or raise if a link lies outside.

    *Privacy*: the universe must be chosen without looking at which of its pairs are links: all
    pairs of places within a day's travel, say.

    >>> universe_pairs(Network.parse("ab bc"), Universe.of([("c", "b"), ("a", "b")])).tolist()
    [[0, 1], [1, 2]]
    """
    universe.require_holds(network)
    rows = [(network.index(u), network.index(v)) for u, v in universe.pairs]
    return np.array(sorted(rows), dtype=np.int64).reshape(-1, 2)


def throw_coins(
    universe: IndexArray | None,
    positions: Positions,
    policy: ReleaseLaw,
    source: Source,
    *,
    history: History | None = None,
) -> Iterator[Throws]:
    """Yield the drawn states of the vertex pairs (None: of all), chunk by chunk.

    ``history`` is what was published before, for a policy that remembers.
    """
    urn, past, law = policy.urn, history or History(), policy.law()
    assert law.is_exact, "links that may be doubted are drawn by draw_bits"
    for pairs in _chunks(universe, positions):
        places = _places(pairs, positions, joint=policy.joint)
        if urn is None:
            on = bernoulli(source, law.on, len(places))
        else:
            on = urn.coins(source, past.shown(pairs), len(past))
        yield _draw(places, on, policy, source)


def _chunks(universe: IndexArray | None, positions: Positions) -> Iterator[IndexArray]:
    size = len(positions.vertices)
    count = pair_count(size) if universe is None else len(universe)
    step = max(1, CHUNK // max(positions.counts) ** 2)
    for start in range(0, count, step):
        if universe is None:
            yield unflatten(np.arange(start, min(start + step, count), dtype=np.int64), size)
        else:
            yield universe[start : start + step]


def _places(pairs: IndexArray, positions: Positions, *, joint: bool) -> IndexArray:
    """Return the flat places of the copy pairs: a row for each throw."""
    lifted = positions.lifted(pairs)
    flat = pair_places(lifted[:, 0], lifted[:, 1], len(positions))
    return flat.reshape(-1, max(positions.counts) ** 2 if joint else 1)


def _draw(places: IndexArray, on: BoolArray, policy: ReleaseLaw, source: Source) -> Throws:
    """Return the states: off, or a walk and a pattern where the coin says on."""
    count, width = places.shape
    walk = np.where(on, below_many(source, policy.walks, count), -1)
    if width == 1:
        pattern = np.ones(places.shape, dtype=bool)
    elif policy.link_uses is None:
        pattern = _any_pattern(source, count, width)
    else:
        assert policy.copies is not None
        table = pattern_table(policy.copies, policy.link_uses)
        pattern = table[below_many(source, len(table), count)]
    return Throws(places, walk, pattern)


def _any_pattern(source: Source, count: int, width: int) -> BoolArray:
    """Return uniform patterns with at least one copy pair on the walk, by rejection."""
    pattern = np.zeros((count, width), dtype=bool)
    waiting = np.arange(count)
    while len(waiting):
        shape = len(waiting), (width + 7) // 8
        drawn = take_bytes(source, shape[0] * shape[1])
        rows = np.unpackbits(drawn.reshape(shape), axis=1, count=width)
        pattern[waiting] = rows.astype(bool)
        waiting = waiting[~pattern[waiting].any(axis=1)]
    return pattern


def draw_bits(relation: Relation, policy: ReleaseLaw, source: Source) -> PairBits:
    """Return the bits to publish for one walk, every copy pair drawn by itself and alike.

    *Privacy*: one-sided. A walk link costs ln(1/p_on), another link ln(1/(1 - p_on)); the other
    way round the loss is infinite unless p_on is 1 or 0. A two-sided policy costs
    epsilon both ways. Proved; see :mod:`pathveil.chance.law`.

    *Cost*: one coin for each pair of copies; packed all the way.
    """
    if policy.joint or policy.urn is not None:
        raise ValueError(f"the pairs of {policy!r} are not independent and alike; use draw_release")
    law = policy.law()
    same_branch = ~bernoulli_packed(source, law.on, pair_count(relation.size))
    spare = len(same_branch) * 8 - pair_count(relation.size)
    same_branch[-1:] &= 0xFF << spare & 0xFF
    doubted = None
    if not law.is_exact:
        doubted = bernoulli_packed(source, law.doubt, pair_count(relation.size))
    _write(same_branch, _believed(relation.on_walk, doubted), value=False)
    _write(same_branch, _believed(relation.off_walk, doubted), value=True)
    return PairBits(relation.size, same_branch)


def draw_release(
    relations: Sequence[Relation],
    positions: Positions,
    policy: ReleaseLaw,
    source: Source,
    *,
    universe: IndexArray | None = None,
    history: History | None = None,
) -> tuple[PairBits, ...]:
    """Return the bits of each walk of a release, its coins drawn together.

    Parameters
    ----------
    relations
        One for each walk, over the same network; no link may be on two walks.
    universe
        Vertex pairs as ``(k, 2)`` indices, first < second, rows sorted and distinct: the only
        pairs that get a coin. Every link must be among them. All other pairs, and copies of one
        vertex, are published in different branches. None means all pairs.
    history
        What was published before, for a policy that remembers; None: nothing.

    *Privacy*: each pair follows :class:`~pathveil.chance.law.PairLaw`, independently of all
    others. What is outside the universe is constant. Proved.

    *Cost*: one draw for each pair of the universe.
    """
    if len(relations) != policy.walks:
        raise BadBudget(
            f"{len(relations)} {'walk' if len(relations) == 1 else 'walks'} to draw with a policy "
            f"for {policy.walks}; publish walks together, or use the policy for one"
        )
    alike = not policy.joint and policy.urn is None
    if universe is None and alike:
        return (draw_bits(relations[0], policy, source),)
    # A copy of one vertex is never linked with another: those pairs stay in different branches.
    release = [np.zeros((pair_count(len(positions)) + 7) // 8, dtype=np.uint8) for _ in relations]
    for throws in throw_coins(universe, positions, policy, source, history=history):
        _show(throws, relations, release)
    return tuple(PairBits(len(positions), packed) for packed in release)


def _show(throws: Throws, relations: Sequence[Relation], release: Sequence[ByteArray]) -> None:
    """Write throws into each walk's bits: first the chaff, then what is believed of the links."""
    for walk, (relation, packed) in enumerate(zip(relations, release, strict=True)):
        _write(packed, throws.places.ravel(), value=True)
        shown = throws.pattern & (throws.walk == walk)[:, None]
        _write(packed, throws.places[shown], value=False)
        links = np.concatenate([relation.on_walk, relation.off_walk])
        is_link = np.isin(throws.places[:, 0], links)
        truth = throws.places[is_link]
        _write(packed, truth.ravel(), value=True)
        _write(packed, truth[np.isin(truth, relation.on_walk)], value=False)


def _believed(places: IndexArray, doubted: ByteArray | None) -> IndexArray:
    """Return the places at which no coin says to treat the link like an absent pair."""
    if doubted is None:
        return places
    believed: IndexArray = places[doubted[places >> 3] & (0x80 >> (places & 7)) == 0]
    return believed


def _write(packed: ByteArray, places: IndexArray, *, value: bool) -> None:
    masks = (0x80 >> (places & 7)).astype(np.uint8)
    if value:
        np.bitwise_or.at(packed, places >> 3, masks)
    else:
        np.bitwise_and.at(packed, places >> 3, ~masks)
