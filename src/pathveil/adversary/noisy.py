"""The posterior under the two-sided policy, where even the bits of known edges are noisy.

There an edge's bit is right with probability 1 - beta, beta = e^-epsilon / 2, and an absent pair is
a fair coin (THEORY T3). No fragment is certain, so a set of missing edges is judged by the *sum*
over all walks it allows, by the subset sums of ``walk_sums.py``. A set of missing edges has the
same number of noisy bits as any other of its size, so coins cancel.
"""

from __future__ import annotations

from collections.abc import Collection
from itertools import combinations
from math import comb, exp

import numpy as np

from pathveil.adversary.fragments import Edge, Fragments, Pair, absent_pairs
from pathveil.adversary.posterior import Candidate, EdgeBelief, Inference
from pathveil.adversary.walk_sums import Floats, path_sums
from pathveil.chance.policy import exact_number
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

    *Cost*: two subset sums for each set of missing edges; at most 14 copies and 3,000 sets.
    """
    positions, bits = publication.positions, publication.bits()
    absent = absent_pairs(knowledge.network, universe)
    sets = comb(len(absent), knowledge.missing)
    if len(positions) > MOST_POSITIONS or sets > MOST_SETS:
        raise ValueError(
            f"{len(positions)} copies and {sets} sets of missing edges are too many for an exact "
            f"sum over walks, at most {MOST_POSITIONS} and {MOST_SETS}"
        )
    if not sets:
        raise DoesNotFit("every pair is a known edge, so none can miss; check the known network")
    epsilon = float(exact_number(dict(publication.policy.parameters)["epsilon"], what="epsilon"))
    flip = exp(-epsilon) / 2
    read = Fragments(positions, (), (), absent)
    # Ratio of on-walk to off-walk likelihood of each bit, were the pair an edge.
    clear = ~bits.matrix()
    ratio = np.where(clear, (1 - flip) / flip, flip / (1 - flip))
    known = np.zeros((len(positions), len(positions)), dtype=bool)
    pairs = positions.lifted_edges(knowledge.network)
    known[pairs[:, 0], pairs[:, 1]] = known[pairs[:, 1], pairs[:, 0]] = True
    shares = _handout(read, spanning=spanning)
    rows = []
    for missing in combinations(absent, knowledge.missing):
        lifted = [pair for base in missing for pair in read.lifted(base)]
        blind = np.where(known, ratio, 0.0)
        seen = blind.copy()
        off = 1.0
        for i, j in lifted:
            blind[i, j] = blind[j, i] = 1.0
            seen[i, j] = seen[j, i] = ratio[i, j]
            off *= 2 * (flip if clear[i, j] else 1 - flip)
        before = float(path_sums(blind) @ shares)
        rows.append((missing, before, float(path_sums(seen) @ shares) * off))
    return _inference(read, rows, publication)


def _handout(read: Fragments, *, spanning: bool) -> Floats:
    """Return for each set of copies the chance that visits were served by just these."""
    owner, counts = read.positions.owner, read.positions.counts
    sets = np.arange(1 << len(owner))
    shares = (np.bitwise_count(sets) > 1).astype(float)
    for vertex, count in enumerate(counts):
        mine = sum(1 << int(p) for p in np.flatnonzero(owner == vertex))
        used = np.bitwise_count(sets & mine)
        chance = np.array([1 / _ways(count, visits) for visits in range(count + 1)])
        shares *= chance[used]
        if spanning:
            shares[used == 0] = 0
    return shares


def _ways(copies: int, visits: int) -> int:
    ways = 1
    for taken in range(visits):
        ways *= copies - taken
    return ways


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
