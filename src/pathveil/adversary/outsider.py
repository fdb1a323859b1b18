"""The outsider: who knows no edge at all counts the walks that could be hidden in the release.

Every walk edge is in different branches, so a walk that visits all vertices is a spanning path of
the graph H of pairs in different branches. Chaff in H is the only thing that hides it: with
p_on = 1 every path that uses no link off the walk is possible, with few coins in H the walk may
stand alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from math import factorial

from pathveil.adversary.rates import AttackOutcome, Rate, generator
from pathveil.adversary.walk_sums import chaff_graph, count_spanning_paths
from pathveil.chance.source import Source
from pathveil.model.bits import PairBits


@dataclass(frozen=True)
class OutsiderOutcome(AttackOutcome):
    """The outcome of guessing among the spanning paths of H.

    Attributes
    ----------
    counts
        How many undirected spanning paths each release leaves possible.
    """

    counts: tuple[int, ...] = ()


def possible_walks(bits: PairBits) -> int:
    """Return how many undirected spanning walks a release leaves possible to an outsider.

    *Cost*: 2^n n^2; at most 18 vertices.

    >>> possible_walks(PairBits.from_pairs(4, []))
    12
    """
    return count_spanning_paths(chaff_graph(bits))


def outsiders(releases: Iterable[PairBits], *, source: Source) -> OutsiderOutcome:
    """Return how often a path drawn at random from H is the walk.

    The walk is one of the paths, so a uniform guess is right with one over their number; whether it
    is, is drawn. The control draws from all n!/2 orders. The placebo deals the bits out to the
    pairs at random, hides nothing in them, and takes any order for the secret.
    """
    random = generator(source)
    found, control, placebo, counts = [], [], [], []
    for bits in releases:
        orders = factorial(bits.size) // 2
        count = possible_walks(bits)
        counts.append(count)
        found.append(random.random() < 1 / count)
        control.append(random.random() < 1 / orders)
        flat = bits.flat()
        mixed = PairBits.from_flat(bits.size, flat[random.permutation(len(flat))])
        secret = random.permutation(bits.size).tolist()
        hidden = not any(mixed.same_branch(i, j) for i, j in pairwise(secret))
        placebo.append(hidden and random.random() < 1 / possible_walks(mixed))
    return OutsiderOutcome(
        "outsider", Rate.of(found), Rate.of(control), Rate.of(placebo), tuple(counts)
    )
