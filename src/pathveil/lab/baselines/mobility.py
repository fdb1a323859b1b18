"""Public mobility models: how likely each vertex is to follow each other one.

PIM and PriSTE need a Markov matrix that everybody knows. If it is the random walk on the full
network while the adversary holds the network without one edge, the model itself gives that edge
away and no noise can help. So the default knows coordinates only, and the other one is made from
the edges that are public.
"""

from __future__ import annotations

import numpy as np

from pathveil.errors import BadBudget
from pathveil.lab.baselines.release import FloatArray, IndexArray, Scene
from pathveil.model.network import Network


def distance_kernel(scene: Scene, *, width: float = 0.3) -> FloatArray:
    """Return the Markov matrix that prefers near vertices and never stays; it uses no edge.

    Parameters
    ----------
    width
        Length scale sigma of ``exp(-distance / sigma)``, as a share of the diameter. Our choice.

    Examples
    --------
    >>> scene = Scene(("a", "b", "c"), np.array([[0.0, 0], [1, 0], [2, 0]]), 2.0)
    >>> distance_kernel(scene).sum(axis=1).round(12).tolist()
    [1.0, 1.0, 1.0]
    """
    if not width > 0:
        raise BadBudget(f"the width of the kernel is {width!r}; give a number above 0")
    weights = np.exp(-scene.distances / (width * scene.diameter))
    np.fill_diagonal(weights, 0.0)
    return _rows_to_one(weights)


def network_kernel(known: Network) -> FloatArray:
    """Return the uniform random walk on the edges that are public.

    Give what the adversary holds (``network.without(missing)``), never the full network. A vertex
    without a public edge jumps anywhere.

    Examples
    --------
    >>> network_kernel(Network.parse("ab bc")).tolist()
    [[0.0, 1.0, 0.0], [0.5, 0.0, 0.5], [0.0, 1.0, 0.0]]
    """
    weights = np.zeros((len(known), len(known)))
    first, second = known.pairs.T
    weights[first, second] = weights[second, first] = 1.0
    lonely = weights.sum(axis=1) == 0
    weights[lonely] = 1.0
    weights[lonely, lonely] = 0.0
    return _rows_to_one(weights)


def simulated_walks(
    matrix: FloatArray, visits: int, count: int, rng: np.random.Generator
) -> IndexArray:
    """Return ``(count, visits)`` vertex indices of Markov walks that begin anywhere.

    For histories and corpora.
    """
    steps = np.cumsum(matrix, axis=1)
    last = len(matrix) - 1
    walks = np.empty((count, visits), dtype=np.int64)
    walks[:, 0] = rng.integers(len(matrix), size=count)
    draws = rng.random((count, visits))
    for j in range(1, visits):
        passed = steps[walks[:, j - 1]] <= draws[:, j, None]
        walks[:, j] = np.minimum(passed.sum(axis=1), last)
    return walks


def weighted_index(weights: FloatArray, rng: np.random.Generator) -> int:
    """Return an index drawn by weight, uniform if there is no weight at all.

    >>> weighted_index(np.array([0.0, 3.0, 0.0]), np.random.default_rng(0))
    1
    """
    bounds = np.cumsum(weights if weights.sum() > 0 else np.ones(len(weights)))
    at = int(np.searchsorted(bounds, rng.random() * bounds[-1], side="right"))
    return min(at, len(weights) - 1)


def _rows_to_one(weights: FloatArray) -> FloatArray:
    return np.asarray(weights / weights.sum(axis=1, keepdims=True), dtype=np.float64)
