"""Throws: the copy pairs of one vertex pair, drawn in one go.

A throw belongs to a vertex pair and lists its copy pairs. With joint coins it has all of them and
draws one state: off, or a walk and a pattern. With independent coins each copy pair has a throw of
its own. Throws come in chunks, so that memory follows the chunk and not the network; which pairs
have throws, in which order and with which law is public, so what is read from the source depends
on public facts and on the random bytes only.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from pathveil.chance.exponential import bernoulli
from pathveil.chance.history import History
from pathveil.chance.law import PairLaw
from pathveil.chance.policy import Policy
from pathveil.chance.source import Source, below_many, take_bytes
from pathveil.model.bits import BoolArray, IndexArray, pair_count, pair_places, unflatten
from pathveil.model.network import Network
from pathveil.model.patterns import pattern_table
from pathveil.model.positions import Positions, copy_pairs
from pathveil.model.universe import Universe

CHUNK = 1 << 18
"""Copy pairs in a chunk."""


@dataclass(frozen=True)
class Throws:
    """The drawn states of many vertex pairs, one row each, before the edges are written in.

    Attributes
    ----------
    places
        Flat places of the copy pairs.
    walk
        The walk whose bits show the pattern, -1 where the state is *off*.
    pattern
        Which copy pairs are on that walk.
    doubted
        Where an edge, if there is one, is treated like a pair that is none.
    """

    places: IndexArray
    walk: IndexArray
    pattern: BoolArray
    doubted: BoolArray


def universe_pairs(network: Network, universe: Universe) -> IndexArray:
    """Return a public universe as sorted index pairs, or raise if an edge lies outside.

    *Privacy*: the universe must be chosen without looking at which of its pairs are edges: all
    pairs of places within a day's travel, say.

    >>> universe_pairs(Network.parse("ab bc"), Universe.of([("c", "b"), ("a", "b")])).tolist()
    [[0, 1], [1, 2]]
    """
    universe.require_holds(network)
    rows = [(network.index(u), network.index(v)) for u, v in universe.pairs or ()]
    return np.array(sorted(rows), dtype=np.int64).reshape(-1, 2)


def throw_coins(
    universe: IndexArray | None,
    positions: Positions,
    policy: Policy,
    source: Source,
    *,
    history: History | None = None,
) -> Iterator[Throws]:
    """Yield the drawn states of the vertex pairs (None: of all), chunk by chunk, law by law.

    ``history`` is what was published before, for a policy that remembers.
    """
    urn, past = policy.kind.urn, history or History()
    for pairs in _chunks(universe, positions):
        for law, members in _by_law(pairs, positions, policy):
            places = _places(members, positions, joint=policy.joint)
            if urn is None:
                on = bernoulli(source, law.on, len(places))
            else:
                on = urn.coins(source, past.shown(members), len(past))
            yield _draw(places, on, law, policy, source)


def _chunks(universe: IndexArray | None, positions: Positions) -> Iterator[IndexArray]:
    size = len(positions.vertices)
    count = pair_count(size) if universe is None else len(universe)
    step = max(1, CHUNK // max(positions.counts) ** 2)
    for start in range(0, count, step):
        if universe is None:
            yield unflatten(np.arange(start, min(start + step, count), dtype=np.int64), size)
        else:
            yield universe[start : start + step]


def _by_law(
    pairs: IndexArray, positions: Positions, policy: Policy
) -> Iterator[tuple[PairLaw, IndexArray]]:
    if not policy.label_pairs:
        yield policy.law(), pairs
        return
    names = policy.kind.labels
    label = np.array([names.index(policy.kind.label_of(name)) for name in positions.vertices])
    low, high = np.sort(label[pairs], axis=1).T
    for first, second in policy.label_pairs:
        chosen = (low == names.index(first)) & (high == names.index(second))
        yield policy.law(first, second), pairs[chosen]


def _places(pairs: IndexArray, positions: Positions, *, joint: bool) -> IndexArray:
    """Return the flat places of the copy pairs: a row for each throw."""
    counts = np.asarray(positions.counts, dtype=np.int64)
    u, v = pairs[:, 0], pairs[:, 1]
    lifted = copy_pairs(positions.starts[u], counts[u], positions.starts[v], counts[v])
    flat = pair_places(lifted[:, 0], lifted[:, 1], len(positions))
    return flat.reshape(-1, max(positions.counts) ** 2 if joint else 1)


def _draw(
    places: IndexArray, on: BoolArray, law: PairLaw, policy: Policy, source: Source
) -> Throws:
    """Return the states: off, or a walk and a pattern where the coin says on."""
    count, width = places.shape
    walk = np.where(on, below_many(source, policy.walks, count), -1)
    if width == 1:
        pattern = np.ones(places.shape, dtype=bool)
    elif policy.edge_uses is None:
        pattern = _any_pattern(source, count, width)
    else:
        assert policy.copies is not None
        table = pattern_table(policy.copies, policy.edge_uses)
        pattern = table[below_many(source, len(table), count)]
    doubted = bernoulli(source, law.doubt, count)
    return Throws(places, walk, pattern, doubted)


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
