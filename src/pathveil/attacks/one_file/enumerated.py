"""Beliefs about missing links by listing every world: exact, pair by pair."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, islice, product, starmap
from operator import or_

from pathveil.attacks.one_file.completions import Pair, World
from pathveil.attacks.one_file.likelihood import Judge
from pathveil.attacks.one_file.posterior import Candidate, Inference, LinkBelief
from pathveil.errors import DoesNotFit
from pathveil.model.publication import Publication

MOST_UNIONS = 1000
"""Sets of missing links whose chance by the known links alone is added up."""

SPREAD = "that the network is connected, in what the bits of the known links alone say"
"""What is not used where links off the walk are spread over too many pairs."""


def infer_exactly(
    judge: Judge, worlds: Sequence[World], publication: Publication, left_out: tuple[str, ...]
) -> Inference:
    """Return the beliefs by all worlds, each weighed before and after the release.

    Raises
    ------
    DoesNotFit
        If no world is possible.
    """
    priors = [judge.prior(world) for world in worlds]
    posteriors = [judge.posterior(world) for world in worlds]
    if not any(posteriors):
        raise DoesNotFit(
            f"no {judge.missing} missing link{'s' if judge.missing > 1 else ''} can join the "
            f"{len(judge.read.paths)} known fragments of the walk to one path that agrees with "
            "the bits and with what is known of the walk; more links may miss, or the publication "
            "belongs to another network"
        )
    before, after = sum(priors), sum(posteriors)
    rows: dict[tuple[Pair, ...], Candidate] = {}
    for world, prior, posterior in zip(worlds, priors, posteriors, strict=True):
        others = judge.missing - len(world.links)
        odds = judge.largest_odds(world) if posterior else 0.0
        old = rows.get(world.links)
        rows[world.links] = Candidate(
            tuple(judge.read.names(pair) for pair in world.links),
            others,
            prior / before + (old.prior if old else 0.0),
            posterior / after + (old.posterior if old else 0.0),
            max(odds, old.odds if old else 0.0),
            judge.naming_after(world.links) if others else 1.0,
        )
    possible = [candidate for candidate in rows.values() if candidate.prior > 0]
    candidates = sorted(possible, key=lambda c: (-c.posterior, c.others, c.links))
    beliefs, more = _beliefs(judge, rows)
    return Inference(
        tuple(candidates),
        beliefs,
        "exact",
        0.0,
        publication.certificate,
        best_before(judge, {frozenset(links): row.prior for links, row in rows.items()}),
        without=1 / judge.sets_before(()),
        left_out=(*left_out, *more),
        missing=judge.missing,
    )


def best_before(judge: Judge, priors: Mapping[frozenset[Pair], float]) -> float:
    """Return the chance of the likeliest set of missing links by the known links' bits alone.

    These do not tell whether a missing link is on the walk: one set can be right in several ways,
    with some of its links on the walk, with others, with none. (All that is published tells, as a
    pair's own bits are those of one kind or of the other.) The likeliest set is a union of
    answers, with any links besides that leave the network connected.

    *Cost*: a thousand unions at most, likeliest answers first; beyond that it may be larger.
    """
    ways = {links: prior * judge.naming_before(tuple(links)) for links, prior in priors.items()}
    return max(
        sum(
            ways.get(frozenset(part), 0.0)
            for size in range(len(union) + 1)
            for part in combinations(union, size)
        )
        for union in islice(_unions(ways, judge.missing), MOST_UNIONS)
        if judge.sets_before(tuple(union))
    )


def _unions(ways: Mapping[frozenset[Pair], float], most: int) -> Iterator[frozenset[Pair]]:
    """Yield the answers, likeliest first, then unions of at most ``most`` links, each once."""
    listed = sorted(ways, key=lambda links: (-ways[links], sorted(links)))
    fresh: Iterable[frozenset[Pair]] = listed
    seen: set[frozenset[Pair]] = set()
    while True:
        grown = []
        for union in fresh:
            if len(union) <= most and union not in seen:
                seen.add(union)
                grown.append(union)
                yield union
        if not grown:
            return
        fresh = starmap(or_, product(grown, listed))


def _beliefs(
    judge: Judge, rows: dict[tuple[Pair, ...], Candidate]
) -> tuple[tuple[LinkBelief, ...], tuple[str, ...]]:
    """Return the chance of each pair: named by a world, or among its links off the walk."""
    sums: dict[Pair, list[float]] = {}
    shared: dict[tuple[object, ...], float] = {}
    chosen: dict[tuple[object, ...], tuple[Pair, ...]] = {}
    for links, row in rows.items():
        for pair in links:
            mine = sums.setdefault(pair, [0.0, 0.0])
            mine[0] += row.prior
            mine[1] += row.posterior
        if row.others and row.posterior:
            key: tuple[object, ...] = (row.others, judge.parts(links))
            shared[key] = shared.get(key, 0.0) + row.posterior
            chosen.setdefault(key, links)
    for kind, weight in shared.items():
        for pair, share in judge.shares_after(chosen[kind]).items():
            sums.setdefault(pair, [0.0, 0.0])[1] += weight * share
    more = _spread_before(judge, rows, sums)
    found = [LinkBelief(judge.read.names(pair), *both) for pair, both in sums.items()]
    return tuple(sorted(found, key=lambda belief: (-belief.posterior, belief.link))), more


def _spread_before(
    judge: Judge, rows: dict[tuple[Pair, ...], Candidate], sums: dict[Pair, list[float]]
) -> tuple[str, ...]:
    """Add what the known links alone say of links off the walk; return what was not used."""
    open_pairs = len(judge.read.absent)
    plain: dict[int, float] = {}
    slow = []
    for links, row in rows.items():
        if not row.others or not row.prior:
            continue
        if max(judge.parts(links)):
            slow.append((links, row))
        else:
            plain[row.others] = plain.get(row.others, 0.0) + row.prior
    # A single link joins two pieces or does not; of several, every choice of the rest is summed.
    cost = sum(open_pairs ** (2 if row.others > 1 else 1) for _, row in slow)
    too_slow = cost > 3_000_000
    for links, row in slow:
        if too_slow:
            plain[row.others] = plain.get(row.others, 0.0) + row.prior
            continue
        for pair, share in judge.shares_before(links).items():
            sums.setdefault(pair, [0.0, 0.0])[0] += row.prior * share
    named: dict[Pair, dict[int, float]] = {}
    for links, row in rows.items():
        if row.others and (too_slow or not max(judge.parts(links))):
            for pair in links:
                here = named.setdefault(pair, {})
                here[row.others] = here.get(row.others, 0.0) + row.prior
    for pair in judge.read.absent if plain else ():
        for others, weight in plain.items():
            elsewhere = weight - named.get(pair, {}).get(others, 0.0)
            share = others / (open_pairs - judge.missing + others)
            sums.setdefault(pair, [0.0, 0.0])[0] += elsewhere * share
    return (SPREAD,) if too_slow else ()
