"""What a participant, who knows the whole network, reads from a prior system's release.

None of these systems was made to be read back, but someone who holds the network can try: of all
walks the network admits he takes the one under which the release is most likely, by the mechanism's
own law. He knows what readers of our two-sided policy know: that the walk is a path through all
vertices. No reader does better on average when all such walks are equally likely.

The paths through all vertices are listed, as far as there are not too many. What has no law that
can be computed (the synthetic trajectories) is not read at all, which is something else than read
wrongly.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from pathveil.lab.baselines.baseline_release import (
    IndexArray,
    Mechanism,
    Release,
    Scene,
    log_likelihood,
)
from pathveil.model.network import Network

MOST_PATHS = 100_000
"""Paths (each direction counts) that are listed."""

SAME = 1e-9
"""Log-likelihoods nearer than this, relative to their size, count as equal."""


def reading_chance(
    release: Release, mechanism: Mechanism, scene: Scene, network: Network, truth: IndexArray
) -> float:
    """Return the chance that a participant reads this walk, in either direction; nan if no law.

    Among equally likely walks he guesses. This is the score keeper's function: it knows the truth.
    """
    paths = spanning_paths(network)
    logs = None if paths is None else log_likelihood(mechanism, release, scene, paths)
    if paths is None or logs is None:
        return float("nan")
    top = float(logs.max(initial=-np.inf))
    if top == -np.inf:
        return 0.0
    likeliest = logs >= top - SAME * max(1.0, abs(top))
    true = (paths == truth).all(axis=1) | (paths == truth[::-1]).all(axis=1)
    return float((likeliest & true).sum() / likeliest.sum())


def reading_guess(network: Network) -> float:
    """Return the chance to read a path through all vertices without any release; nan if unknown.

    All such paths of the network are equally likely; either direction counts.

    >>> reading_guess(Network.parse("ab bc"))
    1.0
    """
    paths = spanning_paths(network)
    return float("nan") if paths is None else 2 / len(paths)


@lru_cache(maxsize=4)
def spanning_paths(network: Network, most: int = MOST_PATHS) -> IndexArray | None:
    """Return all paths through all vertices, both directions, as rows; None if there are too many.

    Paths grow by a vertex at a time, and are too many where there are more than ``most`` at once.

    >>> spanning_paths(Network.parse("ab bc ac")).shape
    (6, 3)
    """
    linked = np.zeros((len(network), len(network)), dtype=np.bool_)
    first, second = network.pairs.T
    linked[first, second] = linked[second, first] = True
    paths = np.arange(len(network), dtype=np.int64)[:, None]
    while paths.shape[1] < len(network):
        onward = linked[paths[:, -1]]
        onward[np.arange(len(paths))[:, None], paths] = False
        begun, vertex = np.nonzero(onward)
        if len(begun) > most:
            return None
        paths = np.column_stack([paths[begun], vertex])
    return paths
