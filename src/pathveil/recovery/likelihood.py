"""Reading a two-sided publication: the most likely walk.

Theory of operation. In a two-sided release every edge's bit is true with the same probability,
above one half, independently. So the likelihood of a walk grows with the number of the network's
edges that agree with it, and the most likely walk agrees with most. Against the walk that uses no
edge at all, using a copy pair of an edge changes that number by its *score*:

    +1  the pair is shown on the walk,
     0  the edge is shown on the walk, but between other copies (several copies only),
    -1  the edge is shown off the walk.

What is wanted is the simple path over copies with the largest sum of scores; with several copies
it uses each edge once at most, and a spanning walk visits every vertex. That is as hard as finding
a longest path. Up to :data:`LARGEST_TABLE` positions a table over subsets finds it
(:mod:`~pathveil.recovery.path_table`); beyond, an integer program does, or comes close and says how
close (:mod:`~pathveil.recovery.path_program`).

No chance is needed here: the policy's name and its public parameters say how to read.
"""

from __future__ import annotations

import numpy as np

from pathveil.model.bits import BoolArray, IndexArray
from pathveil.model.network import Network
from pathveil.model.policy_terms import PolicyTerms
from pathveil.model.positions import Positions
from pathveil.recovery.path_program import path_by_program
from pathveil.recovery.path_table import LARGEST_TABLE, path_by_table
from pathveil.recovery.path_tasks import LikelyPath, PathTask


def most_likely_path(
    positions: Positions,
    network: Network,
    pairs: IndexArray,
    shown: BoolArray,
    policy: PolicyTerms,
) -> LikelyPath:
    """Return the path over copies that most of the network's edges agree with.

    Parameters
    ----------
    pairs, shown
        The copy pairs of the network's edges, edge after edge, and which of them are shown in
        different branches.
    policy
        What is promised of the walk.

    *Privacy*: reads the publication and the network only.

    *Cost*: up to 18 positions 2^n n d steps (n = 12: well under a millisecond once compiled);
    beyond, a few integer programs of the network's size.

    Raises
    ------
    SearchExhausted
        If a spanning path is asked for and none was found within the limits.
    """
    task = _scores(positions, network, pairs, shown, policy)
    if task.size <= LARGEST_TABLE:
        found = path_by_table(task)
        if found is not None:
            return found
    return path_by_program(task)


def _scores(
    positions: Positions,
    network: Network,
    pairs: IndexArray,
    shown: BoolArray,
    policy: PolicyTerms,
) -> PathTask:
    terms = dict(policy.parameters)
    counts = np.asarray(positions.counts, dtype=np.int64)
    per_edge = counts[network.pairs[:, 0]] * counts[network.pairs[:, 1]]
    edge = np.repeat(np.arange(len(per_edge)), per_edge)
    used = np.bincount(edge, weights=shown, minlength=len(per_edge)) > 0
    score = np.where(shown, 1, np.where(used[edge], 0, -1)).astype(np.int8)
    return PathTask(
        size=len(positions),
        pairs=pairs,
        score=score,
        edge=edge,
        spanning=terms.get("spanning") == "yes",
        once=max(positions.counts) > 1,
        base=int((~used).sum()),
    )
