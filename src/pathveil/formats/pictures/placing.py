"""Where the vertices of a network stand when nobody says: near their neighbours.

Distances on the sheet follow distances in the network (stress majorisation over hop counts, from a
start by a few pivots). No chance is involved: the same network gives the same picture.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pathveil.model.network import Network

FloatArray = npt.NDArray[np.float64]

_PIVOTS = 12
_MOST_STRESSED = 700
_TURNS = 150


def placed(network: Network) -> FloatArray:
    """Return an ``(n, 2)`` array of coordinates in the unit square, y upwards."""
    if network.coordinates is not None:
        points = np.array([network.coordinates[name] for name in network], dtype=np.float64)
    else:
        points = _computed(network)
    low, high = points.min(axis=0), points.max(axis=0)
    extent = float((high - low).max()) or 1.0
    # One scale for both axes, centred: a map keeps its shape.
    return np.asarray((points - (low + high) / 2) / extent + 0.5)


def _computed(network: Network) -> FloatArray:
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import shortest_path

    size = len(network)
    angle = 2 * np.pi * np.arange(size) / size
    circle = np.stack([np.sin(angle), np.cos(angle)], axis=1)
    if size < 3:
        return circle
    both = np.concatenate([network.pairs, network.pairs[:, ::-1]])
    matrix = coo_array((np.ones(len(both)), (both[:, 0], both[:, 1])), shape=(size, size)).tocsr()
    small = size <= _MOST_STRESSED
    pivots = np.arange(size) if small else np.linspace(0, size - 1, _PIVOTS).astype(np.int64)
    hops = shortest_path(matrix, unweighted=True, directed=False, indices=pivots)
    hops[np.isinf(hops)] = np.sqrt(size) + 1  # parts of a torn network keep away from each other
    squares = hops**2
    centred = squares - squares.mean(axis=0) - squares.mean(axis=1)[:, None] + squares.mean()
    _, _, axes = np.linalg.svd(-centred / 2, full_matrices=False)
    start = axes[:2].T * np.sqrt(size)
    # The sign of an axis is free; fix it, or platforms would mirror each other's pictures.
    start = start * np.where(start[np.abs(start).argmax(axis=0), [0, 1]] < 0, -1, 1)
    points = start + 0.1 * circle  # no two vertices start on one spot
    return _relaxed(points, hops) if small else points


def _relaxed(points: FloatArray, hops: FloatArray) -> FloatArray:
    """Stress majorisation with weights 1 / distance squared."""
    size = len(points)
    weight = 1.0 / np.where(hops > 0, hops, 1.0) ** 2
    np.fill_diagonal(weight, 0.0)
    total = weight.sum(axis=1)[:, None]
    for _ in range(_TURNS if size <= 300 else _TURNS // 3):
        apart = np.sqrt(((points[:, None, :] - points[None, :, :]) ** 2).sum(axis=2)) + np.eye(size)
        pull = weight * hops / np.maximum(apart, 1e-9)
        points = (weight @ points + pull.sum(axis=1)[:, None] * points - pull @ points) / total
    return points
