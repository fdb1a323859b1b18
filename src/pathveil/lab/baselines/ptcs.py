"""PTCS: trajectories calibrated to private anchor points.

Wang and others, 2016; Wang and Sinnott, Computers & Security 67, 2017.

The user's frequent places are clustered, each cluster gets one obfuscated anchor, and each location
of a trajectory is replaced by its nearest anchor (the 2016 form); in 2017 the calibrated
trajectories go into a noisy prefix tree and synthetic ones come out
(:mod:`pathveil.lab.baselines.prefix_trees`). Kept: those steps. Our interpretation: all constants;
the clusters (connected dense cells of a noisy grid); the history. On the maps of the edge-privacy
paper every vertex is visited once, so *frequent places* do not exist: the history is simulated on
the public edges, never made from the secret walk.

The anchors are private. The calibrated walk is not: calibration is a deterministic function of the
secret, and two walks with different nearest anchors are told apart with certainty. Such releases
are labelled *anchors only*. ``calibration="expmech"`` is the repair: the anchor is drawn by the
exponential mechanism, which protects one location. :class:`PTCSTree` is the 2017 form, the only one
that protects the whole walk; for one walk its counts drown in noise.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np
from scipy import ndimage
from scipy.spatial.distance import cdist

from pathveil.lab.baselines.baseline_release import (
    FloatArray,
    IndexArray,
    Instance,
    Release,
    Scene,
    require_epsilon,
    simulated_walks,
)
from pathveil.lab.baselines.prefix_trees import PrefixTree, admissible_anchors, count_prefixes

DAYS = 20
"""Walks that make up a simulated history."""
HEIGHT = 3
"""Of the prefix tree."""


def private_anchors(
    history: FloatArray,
    scene: Scene,
    *,
    epsilon: float,
    rng: np.random.Generator,
    cells: int = 8,
    dense: float = 2.0,
) -> FloatArray:
    """Return one noisy anchor for each cluster of the history, inside the cluster's box.

    Parameters
    ----------
    history
        ``(h, 2)`` points of the user's past.
    cells
        Grid cells along a side of the public box.
    dense
        True count from which a cell is meant to count as dense.

    Notes
    -----
    *Privacy.* Half the budget counts all cells, half finds the centroids; a point is in one
    cluster, so clusters do not add up. Neighbours: one point of the history. With no dense
    cell the middle of the box is the only anchor.
    """
    low, side = scene.box
    half = require_epsilon(epsilon) / 2
    width = side / cells
    places = np.clip((history - low) / width, 0, cells - 1).astype(np.int64)
    counts = np.zeros((cells, cells))
    np.add.at(counts, (places[:, 1], places[:, 0]), 1.0)
    noisy = counts + rng.laplace(scale=1 / half, size=counts.shape)
    # the chance that noise alone makes an empty cell dense is one in as many as there are cells
    quantile = 1 / half * np.log(cells**2 / 2)
    labels, found = ndimage.label(noisy >= dense + quantile, structure=np.ones((3, 3)))
    if not found:
        return np.array([low + side / 2])
    anchors = np.empty((found, 2))
    mine = labels[places[:, 1], places[:, 0]]
    for cluster, (rows, columns) in enumerate(ndimage.find_objects(labels)):
        corner = low + width * np.array([columns.start, rows.start])
        extent = width * np.array([columns.stop - columns.start, rows.stop - rows.start])
        inside = history[mine == cluster + 1] - corner
        total = inside.sum(axis=0) + rng.laplace(scale=2 * extent.max() / half, size=2)
        mass = max(1.0, float(noisy[labels == cluster + 1].sum()))
        anchors[cluster] = corner + np.clip(total / mass, 0.0, extent)
    return anchors


def _runs(sequence: IndexArray) -> IndexArray:
    """Return the sequence without immediate repeats."""
    new = np.concatenate([[True], sequence[1:] != sequence[:-1]])
    return np.asarray(sequence[new], dtype=np.int64)


def _past(scene: Scene, rng: np.random.Generator) -> FloatArray:
    """Return the user's past: places of simulated walks."""
    walks = simulated_walks(scene, DAYS, rng)
    return np.asarray(scene.positions[walks.ravel()], dtype=np.float64)


@dataclass(frozen=True, eq=False)
class PTCS:
    """Calibration to private anchors.

    Parameters
    ----------
    epsilon
        Claimed loss; all of it goes to the anchors, half of it with ``calibration="expmech"``.
    calibration
        ``"nearest"``: each location becomes its nearest anchor, which protects no walk.
        ``"expmech"``: an anchor is drawn with weight ``exp(-epsilon_2 d / (2 diameter))``.
    dedupe
        Whether immediate repeats are collapsed; then points and visits are not aligned.

    Notes
    -----
    *Privacy.* ``"nearest"``: epsilon for the anchors, nothing for the walk (exact: infinite).
    ``"expmech"``: epsilon / 2 for a point of the history, epsilon / 2 for one changed location.
    Few anchors make many vertices share one: what then puzzles an attack is coarseness.
    """

    epsilon: float
    calibration: Literal["nearest", "expmech"] = "nearest"
    dedupe: bool = True

    def _table(self, scene: Scene, anchors: FloatArray) -> FloatArray:
        """Return ``(m, anchors)`` probabilities of each anchor for each vertex."""
        distances = cdist(scene.positions, anchors)
        if self.calibration == "nearest":
            return np.asarray(np.eye(len(anchors))[distances.argmin(axis=1)])
        weights = np.exp(-(self.epsilon / 2) * distances / (2 * _span(scene)))
        return np.asarray(weights / weights.sum(axis=1, keepdims=True))

    def publish(self, instance: Instance, rng: np.random.Generator) -> Release:
        """Return the calibrated walk, and the anchors."""
        scene = instance.scene
        spent = self.epsilon if self.calibration == "nearest" else self.epsilon / 2
        anchors = private_anchors(_past(scene, rng), scene, epsilon=spent, rng=rng)
        bounds = np.cumsum(self._table(scene, anchors)[instance.indices], axis=1)
        draws = rng.random(len(bounds))[:, None] * bounds[:, -1:]
        sequence = np.minimum((bounds <= draws).sum(axis=1), len(anchors) - 1)
        if self.dedupe:
            sequence = _runs(sequence)
        private = self.calibration == "expmech"
        return Release(
            anchors[sequence],
            self.epsilon / 2 if private else np.inf,
            aligned=not self.dedupe,
            meta={"anchors": anchors},
        )

    def visit_logs(self, release: Release, scene: Scene) -> FloatArray | None:
        """Return the log-probability of each anchor by vertex; None unless visits are aligned."""
        if not release.aligned:
            return None
        anchors = release.meta["anchors"]
        published = cdist(release.points, anchors).argmin(axis=1)
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(self._table(scene, anchors)[:, published].T))

    def log_likelihood(self, release: Release, scene: Scene, sequences: IndexArray) -> FloatArray:
        """Return the log-probability of a release whose repeats were collapsed, for each walk.

        They are summed over, in O(n k) for each walk.
        """
        anchors = release.meta["anchors"]
        table = self._table(scene, anchors)
        published = cdist(release.points, anchors).argmin(axis=1)
        return _collapsed(table[:, published][sequences])


def _span(scene: Scene) -> float:
    """Return the diagonal of the public box: no distance to an anchor is larger."""
    return float(np.sqrt(2) * scene.box[1])


def _collapsed(chances: FloatArray) -> FloatArray:
    """Return the log-probability that n draws, repeats collapsed, give k published anchors.

    ``chances[w, i, j]`` is the probability that visit i of walk w falls on published anchor j.
    Forward sum over how many published anchors have been used up.
    """
    state = np.zeros((len(chances), chances.shape[2]))
    state[:, 0] = chances[:, 0, 0]
    logs = np.zeros(len(chances))
    with np.errstate(divide="ignore", invalid="ignore"):
        for i in range(1, chances.shape[1]):
            onward = np.pad(state[:, :-1], ((0, 0), (1, 0)))
            state = chances[:, i] * (state + onward)
            total = state.sum(axis=1)
            state = np.where(total[:, None] > 0, state / total[:, None], 0.0)
            logs += np.log(total)
        return np.asarray(logs + np.log(state[:, -1]), dtype=np.float64)


@dataclass(frozen=True, eq=False)
class PTCSTree:
    """The 2017 form: a synthetic walk from a noisy prefix tree over private anchors.

    Its law is an integral over all noisy trees, which nobody computes: no likelihood is offered.

    Parameters
    ----------
    epsilon
        Claimed loss: half for the anchors, half for the tree.

    Notes
    -----
    *Privacy.* Neighbours: one walk added to the corpus or removed. Spent on it: epsilon / 2, by the
    tree; the anchors come from the history, whose points cost the other half. The length of the
    output is bounded by the number of vertices, which is public.
    """

    epsilon: float

    def publish(self, instance: Instance, rng: np.random.Generator) -> Release:
        """Return a synthetic anchor sequence, and the anchors."""
        scene, half = instance.scene, require_epsilon(self.epsilon) / 2
        anchors = private_anchors(_past(scene, rng), scene, epsilon=half, rng=rng)
        size = len(scene.vertices)
        walk = _runs(cdist(instance.points, anchors).argmin(axis=1)).tolist()
        # One sequence more or less changes each of the tree's levels by size + 2 at most.
        tree = PrefixTree.grow(
            count_prefixes([walk], height=HEIGHT, longest=size + 2).__getitem__,
            partial(admissible_anchors, len(anchors)),
            height=HEIGHT,
            scale=HEIGHT * (size + 2) / half,
            consistent=False,
            rng=rng,
        )
        return Release(
            anchors[tree.draw(size, rng)], half, aligned=False, meta={"anchors": anchors}
        )
