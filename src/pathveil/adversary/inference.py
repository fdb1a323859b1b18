"""attack(): the exact posterior over the edges an adversary misses.

Theory of operation. With a one-sided policy the bit of an edge is its status, so once a set M of
missing edges is supposed, the walk is determined: it is every pair of known or supposed edges in
different branches. M is possible if that is one path. Two possible sets differ only in who pays
for a coin: a pair supposed to be an edge costs none, every other open pair costs p_on or 1 - p_on.
So the likelihood of M, up to a factor that all share, is the product of 1 / Pr[coin shows the bit]
over the copy pairs of M (THEORY 4), times the chance that the copies were handed to the visits this
way. Walks are enumerated as worlds (``worlds.py``); missing edges off the walk are counted by
elementary symmetric sums of their weights, not enumerated. Under the two-sided policy bits of
edges are noisy too, and ``noisy.py`` sums over all walks.

The direction bit tells joins apart only through the paper's hand-out of copies; every join is
possible in both directions (THEORY L4).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import comb, inf, prod

import numpy as np

from pathveil.adversary.coin_model import CoinModel
from pathveil.adversary.fragments import (
    Edge,
    Fragments,
    Pair,
    read_fragments,
    require_same_vertices,
)
from pathveil.adversary.handout import Handout
from pathveil.adversary.noisy import noisy_inference
from pathveil.adversary.posterior import Candidate, EdgeBelief, Inference
from pathveil.adversary.rates import generator
from pathveil.adversary.worlds import TooManyWorlds, World, WorldSampler, enumerate_worlds
from pathveil.chance.policy import Policy
from pathveil.chance.source import Source, System
from pathveil.errors import DoesNotFit
from pathveil.model.bits import PackedBits, PairBits
from pathveil.model.grouped_bits import GroupedBits
from pathveil.model.grouping import Grouping
from pathveil.model.publication import Publication
from pathveil.model.threat import Knowledge
from pathveil.model.universe import Pairs

_NORMAL_999 = 3.2905


def attack(
    publication: Publication,
    knowledge: Knowledge,
    *,
    spanning: bool = False,
    universe: Pairs | None = None,
    grouping: Grouping | None = None,
    limit: int = 200_000,
    samples: int = 20_000,
    source: Source | None = None,
) -> Inference:
    """Return what an adversary who misses some edges believes about them, with and without coins.

    Parameters
    ----------
    publication, knowledge
        What is published, and the network as far as the adversary knows it.
    spanning
        Whether the adversary also knows that the walk visits every vertex (the paper's walks do).
    universe
        The public pairs that may be edges at all, where the publication names them by digest only;
        one that carries them needs nothing.
    grouping
        The public grouping it was published over, if it was and the publication comes from a file.
        A pair can be a missing edge only if its block holds no known one. That some groupings are
        likelier than others without the edge is not used: it would move the odds by the one-time
        loss at most.
    limit
        How many steps of enumeration before the posterior is sampled instead.
    samples, source
        How many worlds to sample then, and from which random bytes.

    *Privacy*: the measure the certificate is held against. The posterior odds of "these edges are
    there" against "these pairs are no edges" move by at most e to the certified loss.

    *Cost*: the worlds times the copy pairs of a missing edge; two fragments have four worlds.

    Raises
    ------
    DoesNotFit
        If no set of that many missing edges explains the publication.

    Examples
    --------
    >>> from pathveil import Network, Policy, Walk, publish
    >>> network = Network.parse("ab bc cd de ef bd")
    >>> sealed = publish(network, Walk("abcdef"), policy=Policy.sealed())
    >>> for row in attack(sealed, Knowledge(network.without(("c", "d")))).rows():
    ...     print(row)
    ('a - d', 0.25, 0.25)
    ('a - f', 0.25, 0.25)
    ('c - d', 0.25, 0.25)
    ('c - f', 0.25, 0.25)
    """
    policy = Policy.from_terms(publication.policy)
    public = possible_edges(publication, universe)
    publication = publication.over(grouping)
    if isinstance(publication.bits, GroupedBits):
        publication, public = over_vertices(publication, publication.bits, knowledge)
    elif not isinstance(publication.bits, PackedBits):
        publication = publication.among(knowledge.network.vertices)
    require_same_vertices(publication.vertices, knowledge.network)
    if publication.policy.noisy:
        return noisy_inference(publication, knowledge, spanning=spanning, universe=public)
    bits = publication.packed.pairs
    read = read_fragments(bits, publication.positions, knowledge.network, universe=public)
    judge = Judge(
        read,
        bits,
        CoinModel(policy),
        knowledge.missing,
        Handout.of(policy, publication.positions, publication.direction),
    )
    try:
        worlds = enumerate_worlds(read, knowledge.missing, spanning=spanning, limit=limit)
    except TooManyWorlds:
        if not judge.is_single:
            raise ValueError(
                f"more than {limit} steps to enumerate worlds with copies; sampling needs one copy "
                "of each vertex: raise the limit, or let fewer edges miss"
            ) from None
        random = generator(source or System())
        sampler = WorldSampler(read, knowledge.missing, spanning)
        return _sampled(judge, sampler, samples, random, publication)
    return _exact(judge, worlds, publication)


def over_vertices(
    publication: Publication, bits: GroupedBits, knowledge: Knowledge
) -> tuple[Publication, Collection[Edge]]:
    """Return a grouped publication as one over vertices, and the pairs that may be missing edges.

    Raises
    ------
    DoesNotFit
        If more than one edge misses: which sets of them could share a block is not worked out.
    """
    if knowledge.missing > 1:
        raise DoesNotFit(
            f"{knowledge.missing} missing edges over a grouping; the exact posterior is worked out "
            "for one: let one edge miss"
        )
    grouping, network = bits.known, knowledge.network
    grouping.require_harmonious(network)
    size = len(network)
    first, second = np.triu_indices(size, 1)
    numbers = grouping.classes_of(network.vertices)
    free = ~np.eye(grouping.classes, dtype=bool)
    taken = numbers[network.pairs]
    free[taken[:, 0], taken[:, 1]] = free[taken[:, 1], taken[:, 0]] = False
    rows = np.flatnonzero(free[numbers[first], numbers[second]])
    names = network.vertices
    ends = zip(first[rows].tolist(), second[rows].tolist(), strict=True)
    open_pairs = [(names[i], names[j]) for i, j in ends]
    asked = bits.positions_of(names)
    i, j = np.triu_indices(len(asked), 1)
    flat = bits.same_branch(asked, np.stack([i, j], axis=1))
    packed = PackedBits(asked, PairBits.from_flat(len(asked), flat))
    return replace(publication, bits=packed), open_pairs


def possible_edges(publication: Publication, universe: Pairs | None) -> Collection[Edge] | None:
    """Return the public pairs that may be edges, None if all may; refuse what does not fit.

    Raises
    ------
    DoesNotFit
        If the publication names its universe by digest and it is not brought, or another is.
    """
    if publication.universe is None:
        if universe is not None:
            raise DoesNotFit(
                "a universe is given, but every pair of this publication had a coin; leave it out"
            )
        return None
    return publication.universe.brought(universe).pairs


@dataclass(frozen=True, eq=False)
class Judge:
    """Weighs worlds: prior by the known edges alone, posterior by all bits."""

    read: Fragments
    bits: PairBits
    coins: CoinModel
    missing: int
    handout: Handout

    @property
    def is_single(self) -> bool:
        """Whether every vertex has one copy."""
        return len(self.read.positions) == len(self.read.positions.vertices)

    def odds(self, pair: Pair, joins: Collection[Pair]) -> float:
        """Return the odds factor of a pair being an edge whose walk steps are these joins.

        Zero if a bit contradicts that; infinite if no coin could show the bits.
        """
        clear = 0
        lifted = self.read.lifted(pair)
        for place in lifted:
            same = self.bits.same_branch(*place)
            if same == (place in joins):
                return 0.0
            clear += not same
        chance = self.coins.chance(*self.read.names(pair), clear=clear, pairs=len(lifted))
        return 1 / chance if chance else inf

    @cached_property
    def silent(self) -> dict[Pair, float]:
        """The open pairs that may hold an edge off the walk, with their odds."""
        found = {pair: self.odds(pair, ()) for pair in self.read.absent}
        return {pair: factor for pair, factor in found.items() if factor}

    @cached_property
    def proven(self) -> frozenset[Pair]:
        """The open pairs that must be edges on the walk: no coin shows such bits."""
        if self.coins.shows_everything:
            return frozenset()
        return frozenset(
            pair
            for pair in self.read.absent
            if pair not in self.silent and self.odds(pair, self._clear(pair)) == inf
        )

    @cached_property
    def bare(self) -> frozenset[Pair]:
        """The open pairs that must be edges off the walk: no coin says so (sealed policies)."""
        if self.coins.shows_everything:
            return frozenset()
        return frozenset(pair for pair, factor in self.silent.items() if factor == inf)

    def _clear(self, pair: Pair) -> set[Pair]:
        return {place for place in self.read.lifted(pair) if not self.bits.same_branch(*place)}

    def prior(self, world: World) -> float:
        """Return the weight of a world by the known edges' bits alone."""
        others = self.missing - len(world.edges)
        places = comb(len(self.read.absent) - len(world.edges), others)
        return self._walked(world) * places

    def _walked(self, world: World) -> float:
        """Return the weight of a world's walk itself, 0 if the policy does not publish such."""
        uses = self.coins.policy.edge_uses
        if uses is not None and len(world.joins) > len(world.edges):
            most = Counter(self.read.base(*join) for join in world.joins).most_common(1)[0][1]
            if most > uses:
                return 0.0
        return self.handout.weight(world.visits)

    def joined(self, world: World) -> float:
        """Return the odds factor of the edges a world's walk uses."""
        return prod(self.odds(pair, world.joins) for pair in world.edges)

    def posterior(self, world: World) -> float:
        """Return the weight of a world by all bits.

        Edges that are proven are in every possible world; their infinite odds are left out.
        """
        factor = 1.0
        for pair in world.edges:
            odds = self.odds(pair, world.joins)
            factor *= 1.0 if odds == inf else odds
        if not factor or not self.proven <= set(world.edges):
            return 0.0
        others = self.missing - len(world.edges)
        return self._walked(world) * factor * self.silent_sum(others)

    @cached_property
    def _sums(self) -> list[float]:
        weights = [odds for pair, odds in self.silent.items() if pair not in self.bare]
        return symmetric_sums(weights, self.missing)

    @cached_property
    def _loudest(self) -> float:
        return max(self.silent.values(), default=1.0)

    def largest_odds(self, world: World) -> float:
        """Return the odds of a world's edges and of the most telling other edges it allows."""
        others = self.missing - len(world.edges)
        return self.joined(world) * (self._loudest**others if others else 1.0)

    def silent_sum(self, others: int) -> float:
        """Return the sum over all sets of so many silent pairs of their odds."""
        free = others - len(self.bare)
        if not free:
            return 1.0
        return self._sums[free] if free > 0 else 0.0

    def silent_share(self, pair: Pair, others: int) -> float:
        """Return the chance that a pair is among ``others`` silent edges."""
        if pair in self.bare:
            return 1.0
        free = others - len(self.bare)
        if free < 1 or pair not in self.silent:
            return 0.0
        # e_l of all = e_l without x + x e_(l-1) without x, unrolled for one x.
        odds, without = self.silent[pair], 1.0
        for order in range(1, free):
            without = self._sums[order] - odds * without
        return odds * without / self._sums[free]


def symmetric_sums(weights: Iterable[float], order: int) -> list[float]:
    """Return the elementary symmetric sums of orders 0 to ``order``.

    >>> symmetric_sums([1, 2, 3], 2)
    [1.0, 6.0, 11.0]
    """
    sums = [1.0] + [0.0] * order
    for weight in weights:
        for k in range(order, 0, -1):
            sums[k] += weight * sums[k - 1]
    return sums


def _exact(judge: Judge, worlds: Sequence[World], publication: Publication) -> Inference:
    priors = [judge.prior(world) for world in worlds]
    posteriors = [judge.posterior(world) for world in worlds]
    _require_possible(judge, posteriors)
    before, after = sum(priors), sum(posteriors)
    rows: dict[tuple[Pair, ...], Candidate] = {}
    for world, prior, posterior in zip(worlds, priors, posteriors, strict=True):
        others = judge.missing - len(world.edges)
        odds = judge.largest_odds(world) if posterior else 0.0
        old = rows.get(world.edges)
        rows[world.edges] = Candidate(
            tuple(judge.read.names(pair) for pair in world.edges),
            others,
            prior / before + (old.prior if old else 0.0),
            posterior / after + (old.posterior if old else 0.0),
            max(odds, old.odds if old else 0.0),
            world.visits if posterior else (old.visits if old else ()),
        )
    candidates = _sorted(candidate for candidate in rows.values() if candidate.prior > 0)
    beliefs = _beliefs(judge, rows)
    return Inference(candidates, beliefs, "exact", 0.0, publication.certificate)


def _beliefs(judge: Judge, rows: dict[tuple[Pair, ...], Candidate]) -> tuple[EdgeBelief, ...]:
    """Return the chance of each pair: named by a world, or among its edges off the walk."""
    named: dict[Pair, list[Candidate]] = {}
    spread: dict[int, list[float]] = {}
    for edges, row in rows.items():
        for pair in edges:
            named.setdefault(pair, []).append(row)
        if row.others:
            sums = spread.setdefault(row.others, [0.0, 0.0])
            sums[0] += row.prior
            sums[1] += row.posterior
    found = []
    for pair in judge.read.absent if spread else named:
        here = named.get(pair, [])
        prior, posterior = sum(row.prior for row in here), sum(row.posterior for row in here)
        for others, (before, after) in spread.items():
            elsewhere = before - sum(row.prior for row in here if row.others == others)
            prior += elsewhere * others / (len(judge.read.absent) - judge.missing + others)
            posterior += after * judge.silent_share(pair, others) if after else 0.0
        found.append(EdgeBelief(judge.read.names(pair), prior, posterior))
    return tuple(sorted(found, key=lambda belief: (-belief.posterior, belief.edge)))


def _sampled(
    judge: Judge,
    sampler: WorldSampler,
    samples: int,
    random: np.random.Generator,
    publication: Publication,
) -> Inference:
    shares = sampler.shares()
    _require_possible(judge, list(shares.values()))
    total = sum(shares.values())
    counts = list(shares)
    drawn = random.choice(len(counts), size=samples, p=[shares[c] / total for c in counts])
    weights = np.zeros((2, samples))
    marks: dict[Pair, list[int]] = {}
    for place, kind in enumerate(drawn.tolist()):
        world = sampler.draw(random, counts[kind])
        if world is None:
            continue
        weights[:, place] = judge.prior(world), judge.posterior(world)
        for pair in world.edges:
            marks.setdefault(pair, []).append(place)
    _require_possible(judge, weights[1].tolist())
    shared = weights / weights.sum(axis=1, keepdims=True)
    beliefs, error = [], 0.0
    for pair, places in marks.items():
        prior, posterior = shared[:, places].sum(axis=1).tolist()
        inside = np.zeros(samples)
        inside[places] = 1
        spread = float(np.sqrt((shared[1] ** 2 * (inside - posterior) ** 2).sum()))
        error = max(error, _NORMAL_999 * spread)
        beliefs.append(EdgeBelief(judge.read.names(pair), prior, posterior))
    beliefs.sort(key=lambda belief: (-belief.posterior, belief.edge))
    candidates = tuple(Candidate((b.edge,), 0, b.prior, b.posterior, 0.0) for b in beliefs)
    return Inference(candidates, tuple(beliefs), "sampled", error, publication.certificate)


def _require_possible(judge: Judge, weights: Sequence[float]) -> None:
    if not any(weights):
        raise DoesNotFit(
            f"no {judge.missing} missing edge{'s' if judge.missing > 1 else ''} can join the "
            f"{len(judge.read.paths)} known fragments of the walk to one path that agrees with "
            "the bits; more edges may miss, or the publication belongs to another network"
        )


def _sorted(candidates: Iterable[Candidate]) -> tuple[Candidate, ...]:
    return tuple(sorted(candidates, key=lambda c: (-c.posterior, c.others, c.edges)))
