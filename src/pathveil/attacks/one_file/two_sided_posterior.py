"""The posterior under the two-sided policy, where even the bits of known links are noisy.

The bit of a link is wrong with a small chance, and a pair that is not a link shows a fair coin. No
fragment is certain, so a set of missing links is judged by the *sum* over all walks it allows, by
dynamic programming over subsets (Bellman, Held and Karp).
"""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from math import comb, prod

import numpy as np
import numpy.typing as npt

from pathveil.attacks.one_file.completions import Fragments, Link, Pair, absent_pairs
from pathveil.attacks.one_file.likelihood import merge
from pathveil.attacks.one_file.posterior import Candidate, Inference, LinkBelief
from pathveil.errors import BadArgument, DoesNotFit, TooLarge
from pathveil.model.bits import BoolArray
from pathveil.model.knowledge import Knowledge
from pathveil.model.publication import Publication
from pathveil.policies import Policy

MOST_POSITIONS = 14
MOST_SETS = 3_000

Floats = npt.NDArray[np.float64]

Weighed = tuple[tuple[Pair, ...], float, float]
"""A set of missing links, its weight by the bits of known links, and by all bits."""


def noisy_inference(
    publication: Publication,
    knowledge: Knowledge,
    *,
    spanning: bool,
    left_out: tuple[str, ...] = (),
) -> Inference:
    """Return the posterior over sets of missing links, summed over all walks.

    The prior uses the bits of known links only, as it does for one-sided policies.

    *Cost*: two subset sums for each set of missing links; at most 14 vertices and 3,000 sets.
    """
    if knowledge.knows_course:
        raise BadArgument(
            "steps, first or last: what is known of the walk's course is not worked out for a "
            "two-sided release; leave them out"
        )
    policy = Policy.from_terms(publication.policy)
    read = Fragments(publication.positions, (), (), absent_pairs(knowledge.network))
    sets = _connecting_sets(read, knowledge)
    spanning = spanning or policy.kind.spanning
    flip = float(policy.law().doubt) / 2
    apart = ~publication.packed.pairs.matrix()
    # The direction bit tells nothing of a walk whose course is not known at all.
    rows = _by_sums(knowledge, sets, apart, flip, spanning=spanning)
    return replace(_inference(read, rows, publication), left_out=left_out)


def _connecting_sets(read: Fragments, knowledge: Knowledge) -> list[tuple[Pair, ...]]:
    """Return the sets of missing links that leave the network connected."""
    count = comb(len(read.absent), knowledge.missing)
    if not count:
        raise DoesNotFit("every pair is a known link, so none can miss; check the known network")
    if count > MOST_SETS:
        raise TooLarge(
            f"{count} sets of missing links are too many for an exact sum over walks, at most "
            f"{MOST_SETS}; name fewer missing links"
        )
    parts = tuple(knowledge.network.parts[1].tolist())
    found = list(combinations(read.absent, knowledge.missing))
    if not max(parts):
        return found
    return [missing for missing in found if not max(merge(parts, missing))]


def _by_sums(
    knowledge: Knowledge,
    sets: list[tuple[Pair, ...]],
    apart: BoolArray,
    flip: float,
    *,
    spanning: bool,
) -> list[Weighed]:
    """Return the weights of each set; ``flip`` is the chance that the bit of a link is wrong."""
    size = len(apart)
    if size > MOST_POSITIONS:
        raise TooLarge(
            f"{size} vertices are too many to attack a two-sided release, which sums over all "
            f"walks: at most {MOST_POSITIONS}; attack one over a smaller network, or read what its "
            "certificate allows (publication.certificate.bound(walk_links=1))"
        )
    # The odds of each bit: a link on the walk against a link off it.
    ratio = (1 - flip) / flip
    on_walk = np.where(apart, ratio, 1 / ratio)
    blind = np.zeros((size, size))
    for i, j in knowledge.network.pairs.tolist():
        blind[i, j] = blind[j, i] = on_walk[i, j]
    visited = np.bitwise_count(np.arange(1 << size))
    shares = (visited >= (size if spanning else 2)).astype(float)
    rows = []
    for missing in sets:
        before, after = blind.copy(), blind.copy()
        for i, j in missing:
            before[i, j] = before[j, i] = 1.0
            after[i, j] = after[j, i] = on_walk[i, j]
        prior = float(path_sums(before) @ shares)
        # And the odds of the missing: links off the walk against pairs that are not links.
        off_walk = prod(2 * (flip if apart[pair] else 1 - flip) for pair in missing)
        posterior = float(path_sums(after) @ shares) * off_walk
        rows.append((missing, prior, posterior))
    return rows


def _inference(read: Fragments, rows: list[Weighed], publication: Publication) -> Inference:
    before, after = sum(row[1] for row in rows), sum(row[2] for row in rows)
    if not after:
        raise DoesNotFit(
            "no walk agrees with what is known and so few missing links; the publication belongs "
            "to another network, or the walk need not span it"
        )
    candidates = []
    beliefs: dict[Link, list[float]] = {}
    for missing, prior, posterior in rows:
        links = tuple(read.names(pair) for pair in missing)
        odds = posterior / prior if prior else 0.0
        candidates.append(Candidate(links, 0, prior / before, posterior / after, odds))
        for link in links:
            sums = beliefs.setdefault(link, [0.0, 0.0])
            sums[0] += prior / before
            sums[1] += posterior / after
    candidates.sort(key=lambda c: (-c.posterior, c.links))
    listed = [LinkBelief(link, p, q) for link, (p, q) in beliefs.items()]
    listed.sort(key=lambda belief: (-belief.posterior, belief.link))
    return Inference(
        tuple(candidates),
        tuple(listed),
        "exact",
        0.0,
        publication.certificate,
        max(candidate.prior for candidate in candidates),
        without=1 / len(rows),
        missing=len(rows[0][0]),
    )


def path_sums(weights: Floats) -> Floats:
    """Return for each set of positions the sum over its directed spanning paths of their weights.

    A path is built one position at a time; what matters of it is the set visited so far and the
    last position. Sets of one size are handled together.

    Parameters
    ----------
    weights
        Symmetric; the weight of a path is the product over its steps. A single position is a path
        of weight one.

    Returns
    -------
    One number for each of the 2^n sets, read as a bit mask.

    *Cost*: 2^n n^2 steps and 2^n n numbers: n = 16 takes about a second and 8 MB.

    Examples
    --------
    >>> path_sums(np.ones((3, 3))).tolist()
    [0.0, 1.0, 1.0, 2.0, 1.0, 2.0, 2.0, 6.0]
    """
    size = len(weights)
    table = np.zeros((1 << size, size))
    sets = np.arange(len(table))
    counts = np.bitwise_count(sets)
    for place in range(size):
        table[1 << place, place] = 1
    for visited in range(1, size):
        these = sets[counts == visited]
        reached = table[these] @ weights
        for place in range(size):
            fresh = (these >> place & 1) == 0
            table[these[fresh] | 1 << place, place] = reached[fresh, place]
    sums: Floats = table.sum(axis=1)
    return sums
