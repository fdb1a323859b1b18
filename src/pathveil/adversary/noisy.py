"""The posterior under the two-sided policy, where even the bits of known edges are noisy.

There an edge's bit is right with probability 1 - beta, beta = e^-epsilon / 2, and an absent pair
is a fair coin (THEORY T3). No fragment is certain, so a set of missing edges is judged by the *sum*
over all walks it allows, by the subset sums of ``walk_sums.py``. A set of missing edges has the
same number of noisy bits as any other of its size, so coins cancel.
"""

from __future__ import annotations

from collections.abc import Collection
from itertools import combinations
from math import comb

import numpy as np

from pathveil.adversary.fragments import Edge, Fragments, Pair, absent_pairs
from pathveil.adversary.posterior import Candidate, EdgeBelief, Inference
from pathveil.adversary.walk_sums import path_sums
from pathveil.chance.policy import Policy
from pathveil.errors import DoesNotFit
from pathveil.model.publication import Publication
from pathveil.model.threat import Knowledge

MOST_POSITIONS = 14
MOST_SETS = 3_000


def noisy_inference(
    publication: Publication,
    knowledge: Knowledge,
    *,
    spanning: bool,
    universe: Collection[Edge] | None,
) -> Inference:
    """Return the posterior over sets of missing edges, summed over all walks.

    The prior (control) uses the bits of known edges only, as it does for one-sided policies.

    *Cost*: two subset sums for each set of missing edges; at most 14 vertices, one copy of each,
    and 3,000 sets.
    """
    policy = Policy.from_terms(publication.policy)
    positions, bits = publication.positions, publication.packed.pairs
    absent = absent_pairs(knowledge.network, universe)
    sets = comb(len(absent), knowledge.missing)
    if policy.copies != 1 or len(positions) > MOST_POSITIONS or sets > MOST_SETS:
        raise ValueError(
            f"{policy.copies} copies of {len(positions.vertices)} vertices and {sets} sets of "
            "missing edges are too many for an exact sum over walks; at most 1 copy, "
            f"{MOST_POSITIONS} vertices and {MOST_SETS} sets"
        )
    if not sets:
        raise DoesNotFit("every pair is a known edge, so none can miss; check the known network")
    flip = float(policy.law().doubt) / 2
    read = Fragments(positions, (), (), absent)
    # Ratio of on-walk to off-walk likelihood of each bit, were the pair an edge.
    clear = ~bits.matrix()
    ratio = np.where(clear, (1 - flip) / flip, flip / (1 - flip))
    known = np.zeros((len(positions), len(positions)), dtype=bool)
    pairs = positions.lifted_edges(knowledge.network)
    known[pairs[:, 0], pairs[:, 1]] = known[pairs[:, 1], pairs[:, 0]] = True
    allowed = np.bitwise_count(np.arange(1 << len(positions)))
    whole = len(positions) if spanning or policy.kind.spanning else 2
    shares = (allowed >= whole).astype(float)
    rows = []
    for missing in combinations(absent, knowledge.missing):
        blind = np.where(known, ratio, 0.0)
        seen = blind.copy()
        off = 1.0
        for i, j in missing:
            blind[i, j] = blind[j, i] = 1.0
            seen[i, j] = seen[j, i] = ratio[i, j]
            off *= 2 * (flip if clear[i, j] else 1 - flip)
        before = float(path_sums(blind) @ shares)
        rows.append((missing, before, float(path_sums(seen) @ shares) * off))
    return _inference(read, rows, publication)


def _inference(
    read: Fragments, rows: list[tuple[tuple[Pair, ...], float, float]], publication: Publication
) -> Inference:
    before, after = sum(row[1] for row in rows), sum(row[2] for row in rows)
    if not after:
        raise DoesNotFit(
            "no walk visits every vertex with so few missing edges; the publication belongs to "
            "another network, or the walk need not span it"
        )
    candidates = []
    beliefs: dict[Edge, list[float]] = {}
    for missing, prior, posterior in rows:
        edges = tuple(read.names(pair) for pair in missing)
        odds = posterior / prior if prior else 0.0
        candidates.append(Candidate(edges, 0, prior / before, posterior / after, odds))
        for edge in edges:
            sums = beliefs.setdefault(edge, [0.0, 0.0])
            sums[0] += prior / before
            sums[1] += posterior / after
    candidates.sort(key=lambda c: (-c.posterior, c.edges))
    listed = [EdgeBelief(edge, p, q) for edge, (p, q) in beliefs.items()]
    listed.sort(key=lambda belief: (-belief.posterior, belief.edge))
    return Inference(tuple(candidates), tuple(listed), "exact", 0.0, publication.certificate)
