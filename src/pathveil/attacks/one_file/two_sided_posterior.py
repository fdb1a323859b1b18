"""The posterior under the two-sided policy, where even the bits of known links are noisy.

There a link shows its true state with chance 1 - d + d q and any other only by doubt d, and a pair
that is no link shows each of its K states with chance q = 1 / K. No fragment is certain, so a set
of missing links is judged by the *sum* over all walks it allows: by the subset sums of
``walk_sums.py`` with one copy of each vertex and nothing known of the walk's course, else by
listing the walks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from itertools import combinations, pairwise
from math import comb

import numpy as np

from pathveil.attacks.one_file.completions import Fragments, Link, Pair, absent_pairs
from pathveil.attacks.one_file.connectivity_sums import merge, parts_of
from pathveil.attacks.one_file.direction_likelihood import Course
from pathveil.attacks.one_file.posterior import Candidate, Inference, LinkBelief
from pathveil.attacks.one_file.walk_sums import path_sums
from pathveil.errors import DoesNotFit
from pathveil.model.bits import PairBits
from pathveil.model.grouping import Grouping
from pathveil.model.knowledge import Knowledge
from pathveil.model.publication import Publication
from pathveil.policies import Policy

MOST_POSITIONS = 14
MOST_SETS = 3_000

Weighed = tuple[tuple[Pair, ...], float, float, float]
"""A set of missing links, its weight by the bits of known links, by everything, and by all bits."""


def noisy_inference(
    publication: Publication,
    knowledge: Knowledge,
    *,
    spanning: bool,
    universe: Collection[Link] | None,
    grouping: Grouping | None = None,
    left_out: tuple[str, ...] = (),
    limit: int = 200_000,
) -> Inference:
    """Return the posterior over sets of missing links, summed over all walks.

    The prior uses the bits of known links only, as it does for one-sided policies.

    *Cost*: two subset sums for each set of missing links; at most 14 vertices, one copy of each,
    and 3,000 sets. With copies, or where the walk's course matters, all walks are listed, at most
    ``limit`` steps of them.
    """
    policy = Policy.from_terms(publication.policy)
    read = Fragments(publication.positions, (), (), absent_pairs(knowledge.network, universe))
    sets = _connecting_sets(read, knowledge)
    spanning = spanning or policy.kind.spanning
    # The direction bit and the copies tell nothing of a walk whose course is not known at all.
    if policy.copies == 1 and publication.drawing is None and not knowledge.knows_course:
        rows = _by_sums(publication, knowledge, sets, policy, spanning=spanning)
    else:
        course = Course.of(publication, knowledge, policy, grouping=grouping)
        search = _Walks(read, policy, publication.packed.pairs, limit)
        rows = _by_listing(knowledge, sets, search, course, spanning=spanning)
    return replace(_inference(read, rows, publication), left_out=left_out)


def _connecting_sets(read: Fragments, knowledge: Knowledge) -> list[tuple[Pair, ...]]:
    """Return the sets of missing links that leave the network connected."""
    count = comb(len(read.absent), knowledge.missing)
    if not count:
        raise DoesNotFit("every pair is a known link, so none can miss; check the known network")
    if count > MOST_SETS:
        raise ValueError(
            f"{count} sets of missing links are too many for an exact sum over walks, at most "
            f"{MOST_SETS}; let fewer links miss"
        )
    parts = parts_of(knowledge.network)
    found = list(combinations(read.absent, knowledge.missing))
    if not max(parts):
        return found
    return [missing for missing in found if not max(merge(parts, missing))]


def _by_sums(
    publication: Publication,
    knowledge: Knowledge,
    sets: list[tuple[Pair, ...]],
    policy: Policy,
    *,
    spanning: bool,
) -> list[Weighed]:
    positions, bits = publication.positions, publication.packed.pairs
    if len(positions) > MOST_POSITIONS:
        raise ValueError(
            f"{len(positions)} vertices are too many for an exact sum over walks, at most "
            f"{MOST_POSITIONS}"
        )
    flip = float(policy.law().doubt) / 2
    # Ratio of on-walk to off-walk likelihood of each bit, were the pair a link.
    clear = ~bits.matrix()
    ratio = np.where(clear, (1 - flip) / flip, flip / (1 - flip))
    known = np.zeros((len(positions), len(positions)), dtype=bool)
    pairs = positions.lifted_links(knowledge.network)
    known[pairs[:, 0], pairs[:, 1]] = known[pairs[:, 1], pairs[:, 0]] = True
    allowed = np.bitwise_count(np.arange(1 << len(positions)))
    shares = (allowed >= (len(positions) if spanning else 2)).astype(float)
    rows = []
    for missing in sets:
        blind = np.where(known, ratio, 0.0)
        seen = blind.copy()
        off = 1.0
        for i, j in missing:
            blind[i, j] = blind[j, i] = 1.0
            seen[i, j] = seen[j, i] = ratio[i, j]
            off *= 2 * (flip if clear[i, j] else 1 - flip)
        before = float(path_sums(blind) @ shares)
        after = float(path_sums(seen) @ shares) * off
        rows.append((missing, before, after, after))
    return rows


def _by_listing(
    knowledge: Knowledge,
    sets: list[tuple[Pair, ...]],
    search: _Walks,
    course: Course,
    *,
    spanning: bool,
) -> list[Weighed]:
    known = [(int(i), int(j)) for i, j in knowledge.network.pairs]
    rows = []
    for missing in sets:
        before = after = bits = 0.0
        for visits in search.all([*known, *missing], spanning=spanning):
            blind = search.odds(visits, known)
            own = search.odds(visits, missing) * blind
            before += blind * course.before(visits)
            bits += own * course.before(visits)
            after += own * course.after(visits)
        rows.append((missing, before, after, bits))
    return rows


@dataclass(eq=False)
class _Walks:
    """Walks over copies, listed once in one of their directions, and how likely each is."""

    read: Fragments
    policy: Policy
    bits: PairBits
    limit: int
    steps: int = 0

    def all(self, links: list[Pair], *, spanning: bool) -> Iterator[tuple[int, ...]]:
        mates: dict[int, list[int]] = {}
        for pair in links:
            for i, j in self.read.lifted(pair):
                mates.setdefault(i, []).append(j)
                mates.setdefault(j, []).append(i)
        for start in sorted(mates):
            yield from self._onward([start], mates, Counter(), spanning=spanning)

    def _onward(
        self, visits: list[int], mates: dict[int, list[int]], used: Counter[Pair], *, spanning: bool
    ) -> Iterator[tuple[int, ...]]:
        self.steps += 1
        if self.steps > self.limit:
            raise ValueError(
                f"more than {self.limit} steps to list the walks of a two-sided release with "
                "copies or a known course; give a smaller network, or in Python a larger limit"
            )
        whole = len({int(self.read.positions.vertex_of[p]) for p in visits})
        spans = not spanning or whole == len(self.read.positions.vertices)
        if len(visits) > 1 and visits[0] < visits[-1] and spans:
            yield tuple(visits)
        uses = self.policy.link_uses
        for there in mates[visits[-1]]:
            base = self.read.base(visits[-1], there)
            if there in visits or (uses is not None and used[base] >= uses):
                continue
            visits.append(there)
            used[base] += 1
            yield from self._onward(visits, mates, used, spanning=spanning)
            used[base] -= 1
            visits.pop()

    def odds(self, visits: tuple[int, ...], links: Collection[Pair]) -> float:
        """Return the likelihood of the bits of some links, on this walk, against no links."""
        steps = {(min(a, b), max(a, b)) for a, b in pairwise(visits)}
        law = self.policy.law()
        doubt = float(law.doubt)
        factor = 1.0
        for pair in links:
            lifted = self.read.lifted(pair)
            true = [place in steps for place in lifted]
            shown = [not self.bits.same_branch(*place) for place in lifted]
            chance = float(law.chance(on_walk=any(true)))
            factor *= (1 - doubt + doubt * chance) / chance if true == shown else doubt
        return factor


def _inference(read: Fragments, rows: list[Weighed], publication: Publication) -> Inference:
    before, after = sum(row[1] for row in rows), sum(row[2] for row in rows)
    if not after:
        raise DoesNotFit(
            "no walk agrees with what is known and so few missing links; the publication belongs "
            "to another network, or the walk need not span it"
        )
    candidates = []
    beliefs: dict[Link, list[float]] = {}
    for missing, prior, posterior, bits in rows:
        links = tuple(read.names(pair) for pair in missing)
        odds = bits / prior if prior else 0.0
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
    )
