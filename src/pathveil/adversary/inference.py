"""attack(): the exact posterior over the edges an adversary misses.

Theory of operation. With a one-sided policy the bit of an edge is its status, so the known edges
tell pieces of the walk (``fragments.py``), and the missing ones join them: each way is a *world*
(``worlds.py``), weighed by ``judging.py``. Under the two-sided policy bits of edges are noisy too,
and ``noisy.py`` sums over all walks.

Three questions are answered side by side. *Without* the release: every set of missing edges that
connects the network is as likely. By the bits of the *known edges* alone: what the adversary reads
of the walk as a participant of the rest. And by *everything* published: all bits, the direction
bit, the copies, and the drawing where it depends on the walk. All walks that are possible count
alike beforehand.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from math import comb

import numpy as np

from pathveil.adversary.coin_model import CoinModel
from pathveil.adversary.course import Course
from pathveil.adversary.fragments import Edge, Pair, read_fragments, require_same_vertices
from pathveil.adversary.judging import Judge
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
_UNSEEN_999 = 6.9078
"""ln 1000: what never came in n draws has, with 99.9 %, a chance of less than this over n."""

MOST_DRAWINGS = 2_000
"""Worlds up to which each is drawn again to compare with the published drawing."""

MOST_OPEN = 60
"""Open pairs up to which sampled beliefs before the release use that the network is connected."""

_PIECES = "that the network is connected: the known part of it is in too many pieces"
_DRAWING = "the published drawing, which depends on the walk: there are too many worlds to draw"
_COLOURING = "that some groupings are likelier over one network than over another"
_SERIES = "the other releases of its series: attack all of its files together"
_TOGETHER = "the other walks of this release, whose files are out too"
_SPREAD = "that the network is connected, in what the bits of the known links alone say"


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
    """Return what an adversary who misses some edges believes about them, step by step.

    Parameters
    ----------
    publication, knowledge
        What is published, and what the adversary knows: the network but for some edges, and
        perhaps steps and ends of the walk.
    spanning
        Whether the adversary also knows that the walk visits every vertex (the paper's walks do).
    universe
        The public pairs that may be edges at all, where the publication names them by digest only;
        one that carries them needs nothing.
    grouping
        The public grouping it was published over, if it was and the publication comes from a file.
        A pair can be a missing edge only if its block holds no known one. That some groupings are
        likelier over one network than over another is not used, and said to be left out: it would
        move the odds by the one-time loss at most.
    limit
        How many steps of enumeration before the posterior is sampled instead.
    samples, source
        How many worlds to sample then, and from which random bytes; the result states its error.
        No samples: beyond the limit nothing is answered.

    *Privacy*: two different things are measured. ``odds`` is what the certified loss bounds: how
    far the release speaks for "these edges are there" against "these pairs are none". ``success``
    is how often the best guess among the *possible* edges is right, which no loss bounds. What an
    adversary could use and this computation does not is listed in ``left_out``.

    *Cost*: the worlds times the copy pairs of a missing edge; two fragments have four worlds.

    Raises
    ------
    DoesNotFit
        If no set of that many missing edges explains the publication.
    ValueError
        If there is too much to enumerate, and no sample is allowed or fits.

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
    publication, groups = publication.over(grouping), None
    beyond = _out_of_reach(publication)
    if isinstance(publication.bits, GroupedBits):
        groups = publication.bits.known
        publication, public = over_vertices(publication, publication.bits, knowledge)
    elif not isinstance(publication.bits, PackedBits):
        publication = publication.among(knowledge.network.vertices)
    require_same_vertices(publication.vertices, knowledge.network)
    if publication.policy.noisy:
        return noisy_inference(
            publication,
            knowledge,
            spanning=spanning,
            universe=public,
            grouping=groups,
            left_out=beyond,
            limit=limit,
        )
    bits = publication.packed.pairs
    read = read_fragments(bits, publication.positions, knowledge.network, universe=public)
    _require_room(len(read.absent), knowledge.missing)
    worlds: list[World] | None = None
    try:
        worlds = enumerate_worlds(read, knowledge.missing, spanning=spanning, limit=limit)
    except TooManyWorlds:
        draws = publication.drawing is None
    else:
        draws = publication.drawing is None or len(worlds) <= MOST_DRAWINGS
    course = Course.of(publication, knowledge, policy, layout=draws, grouping=groups)
    model = CoinModel(policy)
    judge = Judge(read, bits, model, knowledge.network, knowledge.missing, course)
    pieces, drawing = (() if judge.connects else (_PIECES,)), (() if draws else (_DRAWING,))
    left_out = (*beyond, *pieces, *drawing)
    if worlds is not None:
        return _exact(judge, worlds, publication, left_out)
    if not samples:
        raise ValueError(f"more than {limit} steps to list the worlds, and no samples are allowed")
    if judge.connects and max(judge.parts(())) and len(read.absent) > MOST_OPEN:
        judge, left_out = replace(judge, rough=True), (*left_out, _SPREAD)
    random = generator(source or System())
    sampler = WorldSampler(read, knowledge.missing, spanning)
    return _sampled(judge, sampler, samples, random, publication, left_out=left_out)


def _out_of_reach(publication: Publication) -> tuple[str, ...]:
    """Return what an adversary may hold besides that one file and this attack does not ask for."""
    place, policy = publication.series, Policy.from_terms(publication.policy)
    found = {
        _SERIES: place is not None and place.place > 1,
        _TOGETHER: policy.walks > 1,
        _COLOURING: isinstance(publication.bits, GroupedBits),
    }
    return tuple(what for what, here in found.items() if here)


def _require_room(open_pairs: int, missing: int) -> None:
    if not comb(open_pairs, missing):
        raise DoesNotFit(
            f"{missing} edges are said to miss, but only {open_pairs} pairs may hold one; check "
            "the known network and the universe"
        )


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


def _exact(
    judge: Judge, worlds: Sequence[World], publication: Publication, left_out: tuple[str, ...]
) -> Inference:
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
            judge.naming_before(world.edges) if others else 1.0,
            judge.naming_after(world.edges) if others else 1.0,
        )
    candidates = _sorted(candidate for candidate in rows.values() if candidate.prior > 0)
    beliefs, more = _beliefs(judge, rows)
    return Inference(
        candidates,
        beliefs,
        "exact",
        0.0,
        publication.certificate,
        without=1 / judge.sets_before(()),
        left_out=(*left_out, *more),
    )


def _beliefs(
    judge: Judge, rows: dict[tuple[Pair, ...], Candidate]
) -> tuple[tuple[EdgeBelief, ...], tuple[str, ...]]:
    """Return the chance of each pair: named by a world, or among its edges off the walk."""
    sums: dict[Pair, list[float]] = {}
    shared: dict[tuple[object, ...], float] = {}
    chosen: dict[tuple[object, ...], tuple[Pair, ...]] = {}
    for edges, row in rows.items():
        for pair in edges:
            mine = sums.setdefault(pair, [0.0, 0.0])
            mine[0] += row.prior
            mine[1] += row.posterior
        if row.others and row.posterior:
            key: tuple[object, ...] = (row.others, judge.parts(edges))
            shared[key] = shared.get(key, 0.0) + row.posterior
            chosen.setdefault(key, edges)
    for kind, weight in shared.items():
        for pair, share in judge.shares_after(chosen[kind]).items():
            sums.setdefault(pair, [0.0, 0.0])[1] += weight * share
    more = _spread_before(judge, rows, sums)
    found = [EdgeBelief(judge.read.names(pair), *both) for pair, both in sums.items()]
    return tuple(sorted(found, key=lambda belief: (-belief.posterior, belief.edge))), more


def _spread_before(
    judge: Judge, rows: dict[tuple[Pair, ...], Candidate], sums: dict[Pair, list[float]]
) -> tuple[str, ...]:
    """Add what the known edges alone say of edges off the walk; return what was not used."""
    open_pairs = len(judge.read.absent)
    plain: dict[int, float] = {}
    slow = []
    for edges, row in rows.items():
        if not row.others or not row.prior:
            continue
        if max(judge.parts(edges)):
            slow.append((edges, row))
        else:
            plain[row.others] = plain.get(row.others, 0.0) + row.prior
    too_slow = len(slow) * open_pairs**2 > 3_000_000
    if not too_slow:
        for edges, row in slow:
            for pair, share in judge.shares_before(edges).items():
                sums.setdefault(pair, [0.0, 0.0])[0] += row.prior * share
    else:
        for _, row in slow:
            plain[row.others] = plain.get(row.others, 0.0) + row.prior
    named: dict[Pair, dict[int, float]] = {}
    for edges, row in rows.items():
        if row.others and (too_slow or not max(judge.parts(edges))):
            for pair in edges:
                here = named.setdefault(pair, {})
                here[row.others] = here.get(row.others, 0.0) + row.prior
    for pair in judge.read.absent if plain else ():
        for others, weight in plain.items():
            elsewhere = weight - named.get(pair, {}).get(others, 0.0)
            share = others / (open_pairs - judge.missing + others)
            sums.setdefault(pair, [0.0, 0.0])[0] += elsewhere * share
    return (_SPREAD,) if too_slow else ()


def _sampled(
    judge: Judge,
    sampler: WorldSampler,
    samples: int,
    random: np.random.Generator,
    publication: Publication,
    *,
    left_out: tuple[str, ...],
) -> Inference:
    before, before_error = _sample(judge, sampler, samples, random, release=False)
    after, error = _sample(judge, sampler, samples, random, release=True)
    beliefs = [
        EdgeBelief(judge.read.names(pair), before.get(pair, 0.0), after.get(pair, 0.0))
        for pair in sorted({*before, *after})
    ]
    beliefs.sort(key=lambda belief: (-belief.posterior, belief.edge))
    candidates = tuple(Candidate((b.edge,), 0, b.prior, b.posterior, 0.0) for b in beliefs)
    return Inference(
        candidates,
        tuple(beliefs),
        "sampled",
        min(max(error, before_error), 1.0),
        publication.certificate,
        without=judge.missing / len(judge.read.absent),
        left_out=left_out,
    )


def _sample(
    judge: Judge,
    sampler: WorldSampler,
    samples: int,
    random: np.random.Generator,
    *,
    release: bool,
) -> tuple[dict[Pair, float], float]:
    """Return the chance of each pair by weighted samples, and the half-width of its interval.

    Worlds are drawn part by part, among the parts that fit, and weighed by one over the chance to
    be drawn. The error is that of a ratio of sums, and besides what may have been missed: a share
    of the weight that no draw met.
    """
    weights = np.zeros(samples)
    marks: dict[Pair, list[int]] = {}
    kinds: dict[tuple[object, ...], list[int]] = {}
    shares: dict[tuple[object, ...], dict[Pair, float]] = {}
    for place in range(samples):
        drawn = sampler.draw(random, judge.bits if release else None)
        if drawn is None:
            continue
        world, factor = drawn
        weight = judge.posterior(world) if release else judge.prior(world)
        if not weight:
            continue
        weights[place] = weight * factor
        for pair in world.edges:
            marks.setdefault(pair, []).append(place)
        if len(world.edges) < judge.missing:
            plain = not release and (judge.rough or not max(judge.parts(world.edges)))
            parts = () if plain else judge.parts(world.edges)
            key: tuple[object, ...] = (parts, len(world.edges) if release or plain else world.edges)
            if key not in shares:
                shares[key] = _shares(judge, world.edges, release=release, plain=plain)
            kinds.setdefault(key, []).append(place)
    if not weights.any():
        raise ValueError(
            f"none of {samples} sampled ways to join the known pieces of the walk agrees with the "
            "publication; raise samples or limit, or check that so many edges miss"
        )
    weights /= weights.sum()
    found, error = {}, 0.0
    for pair in {*marks, *(pair for listed in shares.values() for pair in listed)}:
        inside = np.zeros(samples)
        for kind, places in kinds.items():
            inside[places] = shares[kind].get(pair, 0.0)
        inside[marks.get(pair, [])] = 1.0
        found[pair] = float(weights @ inside)
        spread = float(np.sqrt((weights**2 * (inside - found[pair]) ** 2).sum()))
        error = max(error, _NORMAL_999 * spread)
    return found, error + _UNSEEN_999 * float((weights**2).sum())


def _shares(
    judge: Judge, edges: tuple[Pair, ...], *, release: bool, plain: bool
) -> dict[Pair, float]:
    """Return the chances of edges off the walk beside these; plainly, of all pairs but these."""
    if release:
        return judge.shares_after(edges)
    if not plain:
        return judge.shares_before(edges)
    others = judge.missing - len(edges)
    return dict.fromkeys(judge.read.absent, others / (len(judge.read.absent) - len(edges)))


def _require_possible(judge: Judge, weights: Sequence[float]) -> None:
    if not any(weights):
        raise DoesNotFit(
            f"no {judge.missing} missing edge{'s' if judge.missing > 1 else ''} can join the "
            f"{len(judge.read.paths)} known fragments of the walk to one path that agrees with "
            "the bits and with what is known of the walk; more edges may miss, or the publication "
            "belongs to another network"
        )


def _sorted(candidates: Iterable[Candidate]) -> tuple[Candidate, ...]:
    return tuple(sorted(candidates, key=lambda c: (-c.posterior, c.others, c.edges)))
