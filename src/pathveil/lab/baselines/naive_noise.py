"""CNoise, PNoise, GNoise: noise laid on every point, the naive siblings of SDD.

From the same paper as SDD (SSDBM 2013). A location may move by at most 2 M without breaking the
bound M on the steps beside it; that is the sensitivity all three use. PNoise and GNoise draw an
exponential radius and a uniform direction: their density has a pole at the true point, so they
promise (epsilon, delta) only and no finite pure loss.

Kept: the three scales. Our interpretation: the ends are published exactly as in SDD unless
``exact_ends`` says otherwise (a control: what the attacks find without the ends), and GNoise's
one radius is exponential as PNoise's is.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pathveil.errors import BadBudget
from pathveil.lab.baselines.baseline_release import (
    BaselineRelease,
    Budget,
    FloatArray,
    IndexArray,
    Instance,
    Scene,
    Unit,
    by_visits,
    require_epsilon,
)


def _noisy_places(visits: int, *, exact_ends: bool) -> IndexArray:
    """Return the indices of the points that get noise."""
    return np.arange(1, visits - 1) if exact_ends else np.arange(visits)


def _offsets(
    release: BaselineRelease, scene: Scene, sequences: IndexArray, *, exact_ends: bool
) -> tuple[FloatArray, FloatArray]:
    """Return the noise each hypothetical walk implies, and minus infinity where the ends differ."""
    noise = release.points - scene.positions[sequences]
    start = np.zeros(len(sequences))
    if exact_ends:
        start[(noise[:, [0, -1]] != 0).any(axis=(1, 2))] = -np.inf
    return noise[:, _noisy_places(noise.shape[1], exact_ends=exact_ends)], start


def _visit_noise(release: BaselineRelease, scene: Scene) -> FloatArray:
    """Return ``(k, m, 2)``: the noise on each point if its visit is at each vertex."""
    return np.asarray(release.points[:, None] - scene.positions[None], dtype=np.float64)


def _end_logs(logs: FloatArray, noise: FloatArray, *, exact_ends: bool) -> FloatArray:
    """Return the table with certainty at the ends, where they are published exactly."""
    if exact_ends:
        for end in (0, len(logs) - 1):
            logs[end] = np.where((noise[end] == 0).all(axis=1), 0.0, -np.inf)
    return logs


def _released(
    instance: Instance, noise: FloatArray, places: IndexArray, budget: Budget, *, exact_ends: bool
) -> BaselineRelease:
    points = instance.points.copy()
    points[places] += noise
    return BaselineRelease(points, None, (0, len(points) - 1) if exact_ends else (), budget)


def _require_delta(delta: float) -> float:
    if not (0 < delta < 1):
        raise BadBudget(f"delta is {delta!r}; give a number between 0 and 1")
    return float(delta)


@dataclass(frozen=True, slots=True)
class CNoise:
    """Laplace noise on each coordinate, scale ``2 sqrt(2) M / epsilon``.

    Notes
    -----
    *Privacy.* Neighbours: one changed location. A move of 2 M changes the two coordinates by at
    most ``2 sqrt(2) M`` together, so the loss is epsilon, exactly.
    """

    epsilon: float
    exact_ends: bool = True

    def scale(self, reach: float) -> float:
        """Return the scale of the Laplace noise."""
        return float(2 * np.sqrt(2)) * reach / require_epsilon(self.epsilon)

    def publish(self, instance: Instance, rng: np.random.Generator) -> BaselineRelease:
        """Return the noisy points."""
        places = _noisy_places(len(instance.walk), exact_ends=self.exact_ends)
        noise = rng.laplace(scale=self.scale(instance.scene.reach), size=(len(places), 2))
        note = "both ends are published exactly" if self.exact_ends else "ends are noisy too"
        budget = Budget(self.epsilon, Unit.LOCATION, self.epsilon, note)
        return _released(instance, noise, places, budget, exact_ends=self.exact_ends)

    def visit_logs(self, release: BaselineRelease, scene: Scene) -> FloatArray:
        """Return the log-density of each point by vertex, up to a constant."""
        noise = _visit_noise(release, scene)
        logs = -np.abs(noise).sum(axis=2) / self.scale(scene.reach)
        return _end_logs(logs, noise, exact_ends=self.exact_ends)

    def log_likelihood(
        self, release: BaselineRelease, scene: Scene, sequences: IndexArray
    ) -> FloatArray:
        """Return the log-density of a release under each hypothetical walk, up to a constant."""
        return by_visits(self, release, scene, sequences)


@dataclass(frozen=True, slots=True)
class PNoise:
    """An exponential radius and a uniform heading for each point.

    Notes
    -----
    *Privacy.* Neighbours: one changed location. Claimed: (epsilon, delta). The density grows
    without bound at the true point, so no finite pure epsilon exists.
    """

    epsilon: float
    delta: float = 0.01
    exact_ends: bool = True

    def scale(self, reach: float) -> float:
        """Return the mean radius."""
        tail = -np.log1p(-_require_delta(self.delta))
        return 2 * reach / require_epsilon(self.epsilon) * (1 + 1 / float(tail))

    def publish(self, instance: Instance, rng: np.random.Generator) -> BaselineRelease:
        """Return the noisy points."""
        places = _noisy_places(len(instance.walk), exact_ends=self.exact_ends)
        radius = rng.exponential(self.scale(instance.scene.reach), size=len(places))
        angle = rng.uniform(0, 2 * np.pi, size=len(places))
        noise = radius[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])
        note = f"(epsilon, delta) with delta = {self.delta:g}; no finite pure epsilon"
        budget = Budget(self.epsilon, Unit.LOCATION, np.inf, note)
        return _released(instance, noise, places, budget, exact_ends=self.exact_ends)

    def visit_logs(self, release: BaselineRelease, scene: Scene) -> FloatArray:
        """Return the log-density of each point by vertex, up to a constant."""
        noise = _visit_noise(release, scene)
        radius = np.maximum(np.hypot(noise[..., 0], noise[..., 1]), 1e-300)
        logs = -radius / self.scale(scene.reach) - np.log(radius)
        return _end_logs(logs, noise, exact_ends=self.exact_ends)

    def log_likelihood(
        self, release: BaselineRelease, scene: Scene, sequences: IndexArray
    ) -> FloatArray:
        """Return the log-density of a release under each hypothetical walk, up to a constant."""
        return by_visits(self, release, scene, sequences)


@dataclass(frozen=True, slots=True)
class GNoise:
    """One exponential radius for the whole vector of coordinates, direction uniform.

    Notes
    -----
    *Privacy.* As PNoise. The scale grows with the number of points.
    """

    epsilon: float
    delta: float = 0.01
    exact_ends: bool = True

    def scale(self, reach: float, count: int) -> float:
        """Return the mean radius for ``count`` noisy points."""
        tail = -np.log1p(-_require_delta(self.delta))
        ratio = (2 * count - 1) / float(tail)
        return 2 * reach / require_epsilon(self.epsilon) * (1 + ratio)

    def publish(self, instance: Instance, rng: np.random.Generator) -> BaselineRelease:
        """Return the noisy points."""
        places = _noisy_places(len(instance.walk), exact_ends=self.exact_ends)
        noise = np.zeros((len(places), 2))
        if len(places):
            direction = rng.standard_normal((len(places), 2))
            radius = rng.exponential(self.scale(instance.scene.reach, len(places)))
            noise = radius * direction / np.linalg.norm(direction)
        note = f"(epsilon, delta) with delta = {self.delta:g}; no finite pure epsilon"
        budget = Budget(self.epsilon, Unit.LOCATION, np.inf, note)
        return _released(instance, noise, places, budget, exact_ends=self.exact_ends)

    def log_likelihood(
        self, release: BaselineRelease, scene: Scene, sequences: IndexArray
    ) -> FloatArray:
        """Return the log-density of a release under each hypothetical walk, up to a constant."""
        noise, start = _offsets(release, scene, sequences, exact_ends=self.exact_ends)
        count = noise.shape[1]
        if not count:
            return start
        radius = np.maximum(np.sqrt((noise**2).sum(axis=(1, 2))), 1e-300)
        log = -radius / self.scale(scene.reach, count) - (2 * count - 1) * np.log(radius)
        return np.asarray(start + log, dtype=np.float64)
