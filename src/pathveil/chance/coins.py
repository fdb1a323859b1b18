"""Coins: a bit for every pair. Alg. 2 and its generalisations.

An edge off the walk is published as *same branch*, an edge on the walk as *different branches*,
and a pair that is no edge by a coin. A coin is thrown for every pair, edge or not, and then the
edges overwrite theirs: what is read from the source does not depend on the network.

Two ways lead there. :func:`draw_bits` throws one coin for each pair of copies, packed all the way:
the paper's way, and ours whenever coins are independent and alike. :mod:`pathveil.chance.throws`
draws the copy pairs of a vertex pair in one go: joint coins, several walks, labels, a universe.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pathveil.chance.exponential import ExactProbability, bernoulli_packed
from pathveil.chance.history import History
from pathveil.chance.policy import Policy
from pathveil.chance.source import Source
from pathveil.chance.throws import Throws, throw_coins
from pathveil.errors import BadBudget
from pathveil.model.bits import ByteArray, IndexArray, PairBits, Relation, pair_count
from pathveil.model.positions import Positions


def draw_bits(relation: Relation, policy: Policy, source: Source) -> PairBits:
    """Return the bits to publish for one walk, every copy pair drawn by itself and alike.

    *Privacy*: one-sided. A walk edge costs ln(1/p_on), another edge ln(1/(1 - p_on)); the other
    way round the loss is infinite unless p_on is 1 or 0. A two-sided policy costs
    epsilon both ways. Proved; see :mod:`pathveil.chance.law`.

    *Cost*: one coin for each pair of copies; packed all the way.
    """
    if policy.joint or policy.label_pairs or policy.kind.urn is not None:
        raise ValueError(f"the pairs of {policy!r} are not independent and alike; use draw_release")
    law = policy.law()
    same_branch = ~chaff(relation.size, law.on, source)
    spare = len(same_branch) * 8 - pair_count(relation.size)
    same_branch[-1:] &= 0xFF << spare & 0xFF
    doubted = None if law.is_exact else chaff(relation.size, law.doubt, source)
    _write(same_branch, _believed(relation.on_walk, doubted), value=False)
    _write(same_branch, _believed(relation.off_walk, doubted), value=True)
    return PairBits(relation.size, same_branch)


def draw_release(
    relations: Sequence[Relation],
    positions: Positions,
    policy: Policy,
    source: Source,
    *,
    universe: IndexArray | None = None,
    history: History | None = None,
) -> tuple[PairBits, ...]:
    """Return the bits of each walk of a release, its coins drawn together.

    Parameters
    ----------
    relations
        One for each walk, over the same network; no edge may be on two walks.
    universe
        Vertex pairs as ``(k, 2)`` indices, first < second, rows sorted and distinct: the only
        pairs that get a coin. Every edge must be among them. All other pairs, and copies of one
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
    alike = not policy.joint and not policy.label_pairs and policy.kind.urn is None
    if universe is None and alike:
        return (draw_bits(relations[0], policy, source),)
    # A copy of one vertex is never linked with another: those pairs stay in different branches.
    release = [np.zeros((pair_count(len(positions)) + 7) // 8, dtype=np.uint8) for _ in relations]
    for throws in throw_coins(universe, positions, policy, source, history=history):
        _show(throws, relations, release)
    return tuple(PairBits(len(positions), packed) for packed in release)


def chaff(size: int, rate: ExactProbability, source: Source) -> ByteArray:
    """Return packed coins for all pairs of ``size`` positions, set where the coin says on-walk."""
    return bernoulli_packed(source, rate, pair_count(size))


def _show(throws: Throws, relations: Sequence[Relation], release: Sequence[ByteArray]) -> None:
    """Write throws into each walk's bits: first the chaff, then what is believed of the edges."""
    for walk, (relation, packed) in enumerate(zip(relations, release, strict=True)):
        _write(packed, throws.places.ravel(), value=True)
        shown = throws.pattern & (throws.walk == walk)[:, None]
        _write(packed, throws.places[shown], value=False)
        edges = np.concatenate([relation.on_walk, relation.off_walk])
        is_edge = np.isin(throws.places[:, 0], edges) & ~throws.doubted
        truth = throws.places[is_edge]
        _write(packed, truth.ravel(), value=True)
        _write(packed, truth[np.isin(truth, relation.on_walk)], value=False)


def _believed(places: IndexArray, doubted: ByteArray | None) -> IndexArray:
    """Return the places at which no coin says to treat the edge like an absent pair."""
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
