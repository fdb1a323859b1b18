"""Delta-location sets and the planar isotropic mechanism (PIM).

Xiao, Xiong: *Protecting locations with differential privacy under temporal correlations*, CCS 2015.

At each time the public belief about the walker is pushed through the mobility model; the smallest
set of vertices that holds all but delta of it is the *delta-location set*. Two vertices of the set
must look alike: the convex hull K of all differences between its vertices is the sensitivity hull,
and noise with density proportional to ``exp(-epsilon ||z||_K)`` makes them so. The belief is then
updated with what was published.

Kept: the sets (with the state that crosses 1 - delta), the hull, noise from the body of K with a
Gamma(3) radius, the surrogate for a vertex outside the set, the update.
Simplified: the isotropic transform T is left out. It cancels: pulling a uniform point of T K back
by the inverse of T gives a uniform point of K; that is a test.
Our interpretation: a vertex outside the set gets the likelihood of its surrogate in the update
(otherwise one drift locks the true vertex out for ever), the mobility model.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from scipy.spatial import ConvexHull

from pathveil.errors import BadBudget
from pathveil.lab.baselines.baseline_release import (
    FloatArray,
    IndexArray,
    Instance,
    Release,
    Scene,
    distance_kernel,
    require_epsilon,
)

FLAT = 1e-9  # hulls thinner than this share of their length count as segments


def delta_location_set(prior: FloatArray, delta: float) -> IndexArray:
    """Return the smallest set of states with mass at least 1 - delta, ascending.

    States are taken by falling mass, ties by index, up to and including the one that crosses. With
    ``delta=0`` these are all states of positive mass.

    Examples
    --------
    >>> delta_location_set(np.array([0.1, 0.6, 0.25, 0.05]), 0.1).tolist()
    [0, 1, 2]
    """
    if not 0 <= delta < 1:
        raise BadBudget(f"delta is {delta!r}; give a number from 0 up to, not including, 1")
    order = np.argsort(-prior, kind="stable")
    order = order[prior[order] > 0]
    mass = np.cumsum(prior[order])
    # rounding must not demand a mass that the states do not have
    enough = min(1 - delta, float(mass[-1])) - 1e-12
    count = int(np.searchsorted(mass, enough)) + 1 if delta > 0 else len(order)
    return np.sort(order[:count])


@dataclass(frozen=True, eq=False)
class SensitivityHull:
    """The convex hull of all differences between some points, symmetric about 0.

    Parameters
    ----------
    corners
        Of the hull, counter-clockwise (two opposite ones for a segment, none for a point).
    dimension
        2; or 1 where the points are collinear; or 0 where they coincide.
    """

    corners: FloatArray
    dimension: int

    @classmethod
    def of(cls, points: FloatArray) -> SensitivityHull:
        """Return the hull of the pairwise differences of the rows.

        >>> SensitivityHull.of(np.array([[0.0, 0], [1, 0], [0, 1]])).area
        3.0
        """
        differences = (points[:, None] - points[None]).reshape(-1, 2)
        lengths = np.hypot(differences[:, 0], differences[:, 1])
        far = differences[int(lengths.argmax())]
        longest = float(lengths.max())
        if longest == 0.0:
            return cls(np.zeros((0, 2)), 0)
        across = np.abs(differences @ np.array([-far[1], far[0]])) / longest
        if across.max() <= FLAT * longest:
            return cls(np.array([far, -far]), 1)
        return cls(differences[ConvexHull(differences).vertices], 2)

    @cached_property
    def area(self) -> float:
        """The area of a proper hull, the length of a segment, 1 for a point."""
        if self.dimension == 0:
            return 1.0
        if self.dimension == 1:
            return float(2 * np.hypot(*self.corners[0]))
        return float(self._triangles.sum())

    @cached_property
    def _triangles(self) -> FloatArray:
        """Areas of the triangles between 0 and each side."""
        here, there = self.corners, np.roll(self.corners, -1, axis=0)
        return np.asarray((here[:, 0] * there[:, 1] - here[:, 1] * there[:, 0]) / 2)

    @cached_property
    def _facets(self) -> FloatArray:
        """Rows w with ``w . y <= 1`` for each side."""
        here, there = self.corners, np.roll(self.corners, -1, axis=0)
        side = there - here
        outward = np.column_stack([side[:, 1], -side[:, 0]])
        keep = 2 * self._triangles > 1e-14 * self.area
        return np.asarray(outward[keep] / (2 * self._triangles[keep])[:, None])

    def norm(self, y: FloatArray) -> FloatArray:
        """Return ``||y||_K``, the factor by which K must grow to hold each row of y."""
        if self.dimension == 2:
            return np.asarray((y @ self._facets.T).max(axis=-1), dtype=np.float64)
        length = np.hypot(y[..., 0], y[..., 1])
        if self.dimension == 0:
            return np.where(length == 0, 0.0, np.inf)
        far = self.corners[0]
        half = float(np.hypot(*far))
        off = np.abs(y @ np.array([-far[1], far[0]])) / half
        return np.where(off <= 1e-6 * half + 1e-9 * length, length / half, np.inf)

    @staticmethod
    def uniform(corners: FloatArray, size: int, rng: np.random.Generator) -> FloatArray:
        """Return uniform points of the polygon with these corners round 0."""
        there = np.roll(corners, -1, axis=0)
        areas = np.abs(corners[:, 0] * there[:, 1] - corners[:, 1] * there[:, 0])
        bounds = np.cumsum(areas)
        which = np.searchsorted(bounds, rng.random(size) * bounds[-1], side="right")
        which = np.minimum(which, len(corners) - 1)
        root, share = np.sqrt(rng.random(size))[:, None], rng.random(size)[:, None]
        return np.asarray(root * ((1 - share) * corners[which] + share * there[which]))

    def noise(self, epsilon: float, rng: np.random.Generator, *, size: int = 1) -> FloatArray:
        """Return rows of K-norm noise: density proportional to ``exp(-epsilon ||z||_K)``."""
        if self.dimension == 0:
            return np.zeros((size, 2))
        radius = rng.gamma(self.dimension + 1, 1 / epsilon, size=size)[:, None]
        if self.dimension == 1:
            return np.asarray(radius * rng.uniform(-1, 1, size=(size, 1)) * self.corners[0])
        return np.asarray(radius * self.uniform(self.corners, size, rng))

    def log_density(self, z: FloatArray, epsilon: float) -> FloatArray:
        """Return the log-density of the noise; for a segment, along it."""
        if self.dimension == 0:
            return np.where(self.norm(z) == 0, 0.0, -np.inf)
        constant = self.dimension * np.log(epsilon) - np.log(self.area)
        if self.dimension == 2:
            constant -= np.log(2)
        return np.asarray(constant - epsilon * self.norm(z), dtype=np.float64)


@lru_cache(maxsize=64)
def _hull(scene: Scene, states: tuple[int, ...]) -> SensitivityHull:
    return SensitivityHull.of(scene.positions[list(states)])


@dataclass(frozen=True, eq=False)
class Moment:
    """What is public just before one release: the set, its hull, a surrogate for each vertex."""

    prior: FloatArray
    states: IndexArray
    hull: SensitivityHull
    surrogates: IndexArray

    @classmethod
    def of(cls, scene: Scene, prior: FloatArray, delta: float) -> Moment:
        """Return the moment of a belief."""
        states = delta_location_set(prior, delta)
        surrogates = states[scene.distances[:, states].argmin(axis=1)]
        surrogates[states] = states  # also where two vertices share a place
        return cls(prior, states, _hull(scene, tuple(states.tolist())), surrogates)

    def log_emission(self, scene: Scene, z: FloatArray, epsilon: float) -> FloatArray:
        """Return the log-density of a published point for each vertex, through its surrogate."""
        return self.hull.log_density(z - scene.positions[self.surrogates], epsilon)


@dataclass(frozen=True, eq=False)
class LocationSets:
    """PIM on delta-location sets.

    Parameters
    ----------
    epsilon
        Loss of each single release.
    delta
        Mass that the sets may leave out. It is not the delta of (epsilon, delta)-privacy.

    Notes
    -----
    *Privacy.* Neighbours: two vertices of the same set at one time. Claimed and exact: epsilon for
    each release, hence n times epsilon for n releases. A set of one vertex has no noise: then the
    public model already knew, and the point is listed in ``exact_indices``.
    """

    epsilon: float
    delta: float = 0.01

    def moments(self, scene: Scene) -> Generator[Moment, FloatArray, None]:
        """Yield what is public before each release; send the point that was then published.

        The mobility model is :func:`distance_kernel`, the belief before the first step uniform.
        """
        epsilon = require_epsilon(self.epsilon)
        size = len(scene.vertices)
        matrix, belief = distance_kernel(scene), np.full(size, 1 / size)
        while True:
            moment = Moment.of(scene, belief @ matrix, self.delta)
            z = yield moment
            log = moment.log_emission(scene, z, epsilon)
            weights = moment.prior * np.exp(log - log.max())
            belief = weights / weights.sum()

    def publish(self, instance: Instance, rng: np.random.Generator) -> Release:
        """Return one noisy point for each visit."""
        scene, moments = instance.scene, self.moments(instance.scene)
        moment = next(moments)
        points, exact = np.empty((len(instance.walk), 2)), []
        for t, state in enumerate(instance.indices.tolist()):
            centre = scene.positions[moment.surrogates[state]]
            points[t] = z = centre + moment.hull.noise(self.epsilon, rng)[0]
            if moment.hull.dimension == 0:
                exact.append(t)
            if t + 1 < len(points):
                moment = moments.send(z)
        return Release(points, self.epsilon, tuple(exact))

    def visit_logs(self, release: Release, scene: Scene) -> FloatArray:
        """Return the log-density of each point by vertex, given the points before it."""
        moments = self.moments(scene)
        moment = next(moments)
        logs = np.empty((len(release.points), len(scene.vertices)))
        for t, z in enumerate(release.points):
            logs[t] = moment.log_emission(scene, z, self.epsilon)
            if t + 1 < len(release.points):
                moment = moments.send(z)
        return logs
