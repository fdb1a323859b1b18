"""Coins: a bit for every pair. Alg. 2.

An edge off the walk is published as *same branch*, an edge on the walk as *different branches*,
and a pair that is no edge by a coin. A coin is thrown for every pair, edge or not, and then the
edges overwrite theirs: what is read from the source does not depend on the network.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from pathveil.chance.exponential import ExactProbability, ExponentialMechanism, bernoulli_packed
from pathveil.chance.policy import Policy
from pathveil.chance.source import Source
from pathveil.model.bits import IndexArray, PairBits, Relation, pair_count

ON_WALK, OFF_WALK = 1, 2
"""The paper's two values of r for an absent pair."""


def edge_quality(value: int, edges: int) -> Fraction:
    """Return q_e, the paper's quality of publishing an absent pair as r = ``value``.

    *Paper*: Eq. 4, q_e(x) = (|E| - 2) x / |E| - (|E| - 3) / |E|.
    """
    return Fraction(edges - 2, edges) * value - Fraction(edges - 3, edges)


def edge_sensitivity(edges: int) -> Fraction:
    """Return |q_e(1) - q_e(2)|, by which the mechanism divides."""
    return abs(edge_quality(ON_WALK, edges) - edge_quality(OFF_WALK, edges))


def coin_mechanism(edges: int, budget: Fraction) -> ExponentialMechanism:
    """Return the law of an absent pair: option 0 is on the walk, option 1 off the walk.

    The number of edges cancels, so the coin is 1 / (1 + e^(budget/2)) for every network and
    :attr:`Policy.chaff` needs no network. With two edges or fewer the printed quotient is 0/0 or
    turns round; the coin is then its value for all larger networks.
    """
    edges = max(edges, 3)
    scores = [edge_quality(ON_WALK, edges), edge_quality(OFF_WALK, edges)]
    return ExponentialMechanism.from_scores(
        scores, epsilon=budget, sensitivity=edge_sensitivity(edges)
    )


def draw_bits(relation: Relation, policy: Policy, source: Source) -> PairBits:
    """Return the bits to publish.

    *Privacy*: one-sided. A walk edge costs ln(1/p_on), another edge ln(1/(1 - p_on)); the other
    way round the loss is infinite unless p_on is 1 or 0 (THEORY 4). Proved.

    *Cost*: one coin for each pair of copies; packed all the way.
    """
    on_walk = chaff(relation.size, policy.chaff, source)
    same_branch = ~on_walk
    spare = len(same_branch) * 8 - pair_count(relation.size)
    if spare:
        same_branch[-1] &= 0xFF << spare & 0xFF
    _write(same_branch, relation.on_walk, value=False)
    _write(same_branch, relation.off_walk, value=True)
    return PairBits(relation.size, same_branch)


def chaff(
    size: int, rate: ExactProbability, source: Source
) -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
    """Return packed coins for all pairs of ``size`` positions, set where the coin says on-walk."""
    return bernoulli_packed(source, rate, pair_count(size))


def _write(
    packed: np.ndarray[tuple[int], np.dtype[np.uint8]], places: IndexArray, *, value: bool
) -> None:
    masks = (0x80 >> (places & 7)).astype(np.uint8)
    if value:
        np.bitwise_or.at(packed, places >> 3, masks)
    else:
        np.bitwise_and.at(packed, places >> 3, ~masks)
