"""Attacks on releases whose answer is known, each with its control and its placebo.

| attack | reads | made to break | module |
|---|---|---|---|
| :func:`fragment_ends` | bits of the joins | low chaff rates | here |
| :func:`repetition` | bits that never change | fresh coins, again and again | here |
| :func:`copy_counting` | numbers of copies | the paper's copies | here |
| ``outsiders`` | paths of H | tiny networks, low chaff | this module |

An attack never sees the answer while it works: it takes a :class:`Case`, guesses from the public
part, and is scored afterwards. Ties are broken by a guess drawn from ``source``.

The outsider knows no edge at all and counts the walks that could be hidden in the release.

Every walk edge is in different branches, so a walk that visits all vertices is a spanning path of
the graph H of pairs in different branches. Chaff in H is the only thing that hides it: with
p_on = 1 every path that uses no link off the walk is possible, with few coins in H the walk may
stand alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import factorial

import numpy as np

from pathveil.attacks.one_file.completions import (
    Completions,
    Link,
    Pair,
    World,
    known_places,
    read_fragments,
)
from pathveil.attacks.one_file.two_sided_posterior import path_sums
from pathveil.attacks.success_rates import AttackOutcome, Rate, generator
from pathveil.chance.source import Source
from pathveil.model.bits import BoolArray, PairBits, pair_count
from pathveil.model.knowledge import Knowledge
from pathveil.model.network import Network
from pathveil.model.positions import Positions
from pathveil.model.publication import Publication
from pathveil.policies import Policy


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
    return AttackOutcome("fragment ends", Rate.of(found), Rate.of(control), Rate.of(placebo))


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
    places = known_places(case.publication.positions, case.knowledge.network)
    flat = random.random(pair_count(bits.size)) >= chaff
    flat[places] = bits.at(places)
    return PairBits.from_flat(bits.size, flat)


# -- repetition ---------------------------------------------------------------------------------


def steady_pairs(releases: Sequence[PairBits]) -> list[Pair]:
    """Return the pairs whose bit is the same in every release: edges, or coins by accident.

    *Privacy*: t fresh releases cost t times the loss of one. A coin stays the same t times with
    probability p^t + (1-p)^t, so ten releases of a small network leave little but edges.

    >>> once, again = PairBits.from_pairs(3, [(0, 1)]), PairBits.from_pairs(3, [(0, 1), (1, 2)])
    >>> steady_pairs([once, again])
    [(0, 1), (0, 2)]
    """
    first = releases[0].flat()
    steady: BoolArray = np.ones(len(first), dtype=bool)
    for release in releases[1:]:
        steady &= release.flat() == first
    rows = PairBits.from_flat(releases[0].size, steady).pairs()
    return [(int(i), int(j)) for i, j in rows]


def repetition(
    batches: Iterable[tuple[Network, Sequence[PairBits]]], *, source: Source
) -> AttackOutcome:
    """Return how often all edges of a network are told by releases of the same walk.

    Each batch is a network, the answer, and its releases (one copy of each vertex). The control
    reads the first release alone. The placebo replaces the bits of the edges by coins as well.
    """
    random = generator(source)
    found, control, placebo = [], [], []
    for network, releases in batches:
        truth = [(int(i), int(j)) for i, j in network.pairs]
        found.append(steady_pairs(releases) == truth)
        control.append(steady_pairs(releases[:1]) == truth)
        shape = (len(releases), pair_count(len(network)))
        coins = random.random(shape) < 0.5
        drawn = [PairBits.from_flat(len(network), row) for row in coins]
        placebo.append(steady_pairs(drawn) == truth)
    return AttackOutcome("repetition", Rate.of(found), Rate.of(control), Rate.of(placebo))


# -- copies -------------------------------------------------------------------------------------


def copy_counting(cases: Iterable[tuple[Positions, int]], *, source: Source) -> AttackOutcome:
    """Return how often the largest number of visits is read off the numbers of copies.

    Each case is the published copies and the answer. The paper draws copies up to max(most visits,
    2), so a maximum above two *is* the most visits. The control names the most common
    answer of the batch, which needs no release. The placebo reads the copies of another case.
    """
    listed = list(cases)
    random = generator(source)
    common = Counter(answer for _, answer in listed).most_common(1)[0][0]
    guesses = [max(positions.counts) for positions, _ in listed]
    shuffled = [guesses[int(i)] for i in random.permutation(len(guesses))]
    answers = [answer for _, answer in listed]
    return AttackOutcome(
        "copy counting",
        Rate.of(guess == answer for guess, answer in zip(guesses, answers, strict=True)),
        Rate.of(answer == common for answer in answers),
        Rate.of(guess == answer for guess, answer in zip(shuffled, answers, strict=True)),
    )


MOST_POSITIONS = 18
"""Vertices up to which walks are counted; a double holds the number exactly."""


def possible_walks(bits: PairBits) -> int:
    """Return how many undirected spanning walks a release leaves possible to an outsider.

    *Cost*: 2^n n^2; at most 18 vertices.

    >>> possible_walks(PairBits.from_pairs(4, []))
    12
    """
    if bits.size > MOST_POSITIONS:
        raise ValueError(
            f"{bits.size} vertices are too many to count walks, at most {MOST_POSITIONS}"
        )
    if bits.size == 1:
        return 1
    apart = (~bits.matrix()).astype(np.float64)
    np.fill_diagonal(apart, 0.0)
    return int(path_sums(apart)[-1]) // 2


def outsiders(releases: Iterable[PairBits], *, source: Source) -> AttackOutcome:
    """Return how often a path drawn at random from H is the walk.

    The walk is one of the paths, so a uniform guess is right with one over their number; whether it
    is, is drawn. The control draws from all n!/2 orders. The placebo deals the bits out to the
    pairs at random, hides nothing in them, and takes any order for the secret.
    """
    random = generator(source)
    found, control, placebo = [], [], []
    for bits in releases:
        orders = factorial(bits.size) // 2
        found.append(random.random() < 1 / possible_walks(bits))
        control.append(random.random() < 1 / orders)
        flat = bits.flat()
        mixed = PairBits.from_flat(bits.size, flat[random.permutation(len(flat))])
        secret = random.permutation(bits.size).tolist()
        hidden = not any(mixed.same_branch(i, j) for i, j in pairwise(secret))
        placebo.append(hidden and random.random() < 1 / possible_walks(mixed))
    return AttackOutcome("outsider", Rate.of(found), Rate.of(control), Rate.of(placebo))
