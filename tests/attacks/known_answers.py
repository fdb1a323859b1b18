"""Attacks on releases whose answer is known.

An attack never sees the answer while it works: it takes a :class:`Case`, guesses from the public
part, and is scored afterwards. Ties are broken by a guess drawn from ``source``.

The outsider knows no edge at all and counts the walks that could be hidden in the release.

Every walk edge is in different branches, so a walk that visits all vertices is a spanning path of
the graph H of pairs in different branches. Chaff in H is the only thing that hides it: with
p_on = 1 every path that uses no link off the walk is possible, with few coins in H the walk may
stand alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from pathveil.attacks.one_file.completions import (
    Completions,
    Link,
    World,
    read_fragments,
)
from pathveil.attacks.one_file.two_sided_posterior import path_sums
from pathveil.attacks.success_rates import clopper_pearson, generator
from pathveil.chance.intervals import Interval
from pathveil.chance.source import Source
from pathveil.model.bits import PairBits, pair_count, pair_places
from pathveil.model.knowledge import Knowledge
from pathveil.model.publication import Publication
from pathveil.policies import Policy


def success_rate(outcomes: Sequence[bool]) -> Interval:
    """Return the share of the true ones, with its Clopper-Pearson interval of 99.9 %."""
    hits, trials = sum(outcomes), len(outcomes)
    low, high = clopper_pearson(hits, trials, below=0.0005, above=0.0005)
    return Interval(hits / trials, low, high)


@dataclass(frozen=True)
class AttackOutcome:
    """How often an attack named the secret, a guess without the release, the attack on a placebo.

    An attack whose placebo beats its control reads the answer from somewhere it should not.
    """

    trials: int
    found: Interval
    control: Interval
    placebo: Interval

    @property
    def sound(self) -> bool:
        """Whether the placebo is no better than the control: the attack reads no answer key."""
        return self.placebo.low <= self.control.high


@dataclass(frozen=True)
class Case:
    """One trial: what the adversary gets, and the walk edge he should name."""

    publication: Publication
    knowledge: Knowledge
    truth: Link

    @property
    def answer(self) -> Link:
        """The missing edge, ends sorted."""
        first, second = self.truth
        return (first, second) if first < second else (second, first)


def fragment_ends(cases: Iterable[Case], *, source: Source) -> AttackOutcome:
    """Return how often the missing walk edge is named from the bits of the possible joins.

    *Privacy*: with c candidates the best guess succeeds with (1-(1-p)^c)/(c p) for chaff rate p,
    1/c without the release. The control guesses among all joins. The placebo throws
    fresh coins for every pair that is no known edge, the missing one included.
    """
    random = generator(source)
    found, control, placebo = [], [], []
    for case in cases:
        joins = possible_joins(case)
        if not joins:
            continue
        chaff = float(Policy.from_terms(case.publication.policy).chaff)
        bits = case.publication.packed.pairs
        found.append(_guess(joins, bits, random) == case.answer)
        control.append(_pick(list(joins), random) == case.answer)
        blind = _fresh_coins(bits, case, chaff, random)
        placebo.append(_guess(joins, blind, random) == case.answer)
    return AttackOutcome(len(found), *map(success_rate, (found, control, placebo)))


def possible_joins(case: Case) -> dict[Link, World]:
    """Return the single edges that could complete a walk through all vertices, each with it.

    A pair outside the public universe of the release is known to be no edge.
    """
    knowledge, public = case.knowledge, case.publication.universe
    pairs = None if public is None else public.pairs
    bits = case.publication.packed.pairs
    read = read_fragments(bits, case.publication.positions, knowledge.network, universe=pairs)
    worlds = Completions(read, knowledge.missing, spanning=True).listed(200_000)
    assert worlds is not None, "one missing link joins two pieces"
    return {read.names(w.links[0]): w for w in worlds if len(w.links) == 1 and len(w.joins) == 1}


def _guess(joins: dict[Link, World], bits: PairBits, random: np.random.Generator) -> Link:
    """Return one of the joins in different branches, or any if there is none."""
    clear = [
        edge
        for edge, world in joins.items()
        if not any(bits.same_branch(*join) for join in world.joins)
    ]
    return _pick(clear or list(joins), random)


def _pick(edges: Sequence[Link], random: np.random.Generator) -> Link:
    return edges[int(random.integers(len(edges)))]


def _fresh_coins(bits: PairBits, case: Case, chaff: float, random: np.random.Generator) -> PairBits:
    positions = case.publication.positions
    pairs = positions.lifted(case.knowledge.network.pairs)
    places = np.unique(pair_places(pairs[:, 0], pairs[:, 1], len(positions)))
    flat = random.random(pair_count(bits.size)) >= chaff
    flat[places] = bits.at(places)
    return PairBits.from_flat(bits.size, flat)


def possible_walks(bits: PairBits) -> int:
    """Return how many undirected spanning walks a release leaves possible to an outsider.

    *Cost*: 2^n n^2.

    >>> possible_walks(PairBits.from_pairs(4, []))
    12
    """
    apart = (~bits.matrix()).astype(np.float64)
    np.fill_diagonal(apart, 0.0)
    return int(path_sums(apart)[-1]) // 2
