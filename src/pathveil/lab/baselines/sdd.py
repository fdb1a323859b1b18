"""SDD: each step's length and heading drawn by the exponential mechanism.

Jiang, Shao, Bressan, Kister, Tan: *Publishing trajectories with differential privacy guarantees*,
SSDBM 2013.

Both ends of the walk are published as they are. Every interior point is drawn round the *published*
predecessor: a length in [0, M] near the true distance, a heading in [0, 2 pi) near the true one,
such that the end stays within reach. Only step i reads the true point i, so one changed location
costs one step.

Kept: exact ends, the rates epsilon / (8 M) and epsilon / (16 pi), the reachability test.
Simplified: nothing is retried for ever. Where the reachable part of the disc is small the step is
drawn from it by a grid over the length and the exact feasible arc of headings.
Our interpretation: the published predecessor as origin (with the real one, as the method is often
described, the support is a disc round a secret point, and nothing is private), noisy ends, and the
sizes of the loss given below.

Loss of one step. A two-sided exponential law truncated to [0, B] has worst log-ratio exactly
rate x B. So an unrestricted step spends epsilon/8 + epsilon/8 = epsilon/4, and with the restriction
to a public region at most twice that: the published constants are at least twice as loose as they
need be. With ``ends="noisy"``, which is ours, the first point has planar Laplace noise of scale
2 sqrt(2) M / epsilon on each coordinate, the last one is a step like the others, and no end has to
be kept within reach: what the attacks find when the ends are not given away.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from pathveil.lab.baselines.baseline_release import (
    FloatArray,
    Instance,
    Release,
    Scene,
    require_epsilon,
)

TURN = 2 * np.pi
PROPOSALS = 64  # tries before the grid takes over
CELLS = 512  # grid cells over the length of a step


@dataclass(frozen=True, slots=True)
class TruncatedExponential:
    """The law on [0, bound] with density proportional to ``exp(-rate |x - target|)``.

    A target beyond the bound gives the same law as the bound itself. Arrays broadcast.

    Examples
    --------
    >>> law = TruncatedExponential(rate=2.0, bound=1.0)
    >>> float(law.cdf(1.0, 0.3)), float(law.cdf(law.quantile(0.25, 0.3), 0.3).round(12))
    (1.0, 0.25)
    """

    rate: float
    bound: float

    def _mass(self, target: FloatArray | float) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return the clipped target, the mass below it and the whole mass."""
        at = np.clip(np.asarray(target, dtype=np.float64), 0.0, self.bound)
        below = -np.expm1(-self.rate * at) / self.rate
        above = -np.expm1(-self.rate * (self.bound - at)) / self.rate
        return at, below, below + above

    def log_density(self, x: FloatArray | float, target: FloatArray | float) -> FloatArray:
        """Return the log-density at x, minus infinity outside [0, bound]."""
        at, _, mass = self._mass(target)
        value = -self.rate * np.abs(np.asarray(x) - at) - np.log(mass)
        inside = (np.asarray(x) >= 0) & (np.asarray(x) <= self.bound)
        return np.where(inside, value, -np.inf)

    def cdf(self, x: FloatArray | float, target: FloatArray | float) -> FloatArray:
        """Return the probability of [0, x]."""
        at, below, mass = self._mass(target)
        x = np.clip(np.asarray(x, dtype=np.float64), 0.0, self.bound)
        low = np.exp(-self.rate * (at - np.minimum(x, at)))
        left = (low - np.exp(-self.rate * at)) / self.rate
        right = below - np.expm1(-self.rate * np.maximum(x - at, 0.0)) / self.rate
        return np.asarray(np.where(x <= at, left, right) / mass, dtype=np.float64)

    def quantile(self, u: FloatArray | float, target: FloatArray | float) -> FloatArray:
        """Return the point with probability u below it: the exact inverse of :meth:`cdf`."""
        at, below, mass = self._mass(target)
        t = np.asarray(u, dtype=np.float64) * mass
        low = np.minimum(t, below)
        left = at + np.log(np.exp(-self.rate * at) + self.rate * low) / self.rate
        high = np.maximum(t - below, 0.0)
        # at t = whole mass the argument is exp(-rate (bound - at)) > 0 up to rounding
        right = at - np.log1p(np.maximum(-self.rate * high, -1 + 1e-300)) / self.rate
        return np.clip(np.where(t <= below, left, right), 0.0, self.bound)


@dataclass(frozen=True, slots=True)
class StepLaw:
    """The law of one step from an origin towards a target, the end kept within reach.

    Headings are not measured round the circle: just above 0 and just below 2 pi count as far apart.
    """

    length: TruncatedExponential
    heading: TruncatedExponential

    def _turned(self, alpha: FloatArray, theta: FloatArray) -> FloatArray:
        """Return the distribution function of the heading, continued over whole turns."""
        turns, rest = np.divmod(alpha, TURN)
        return np.asarray(turns + self.heading.cdf(rest, theta), dtype=np.float64)

    def _arc(self, rho: FloatArray, gap: float, left: float) -> FloatArray:
        """Return the half-width of the feasible arc round the heading to the end.

        The end is ``gap`` away and must be within ``left`` after a step of length rho.
        """
        with np.errstate(divide="ignore", invalid="ignore"):
            bound = (gap**2 + rho**2 - left**2) / (2 * gap * rho)
        width = np.arccos(np.clip(np.nan_to_num(bound, nan=-1.0, posinf=1.0, neginf=-1.0), -1, 1))
        width = np.where(rho + gap <= left, np.pi, width)
        return np.asarray(np.where(np.abs(rho - gap) > left, 0.0, width), dtype=np.float64)

    def _cells(
        self, r: FloatArray, theta: FloatArray, gap: float, phi: float, left: float
    ) -> tuple[FloatArray, FloatArray]:
        """Return the edges of the length cells and, by target, the feasible mass in each."""
        low = min(max(0.0, gap - left), self.length.bound)
        edges = np.linspace(low, min(self.length.bound, gap + left), CELLS + 1)
        middle = (edges[1:] + edges[:-1]) / 2
        width = self._arc(middle, gap, left)
        share = self._turned(phi + width, theta[:, None]) - self._turned(
            phi - width, theta[:, None]
        )
        mass = np.diff(self.length.cdf(edges, r[:, None]), axis=1)
        return edges, mass * share

    def draw(
        self,
        origin: FloatArray,
        target: FloatArray,
        end: FloatArray,
        left: float,
        rng: np.random.Generator,
    ) -> FloatArray:
        """Return the next published point; it is within ``left`` of the end."""
        (vx, vy), (ex, ey) = target - origin, end - origin
        r, theta = np.array([np.hypot(vx, vy)]), np.array([np.arctan2(vy, vx) % TURN])
        gap, phi = float(np.hypot(ex, ey)), float(np.arctan2(ey, ex))
        free = gap + self.length.bound <= left
        size = 1 if free else PROPOSALS
        rho = self.length.quantile(rng.random(size), r)
        alpha = self.heading.quantile(rng.random(size), theta)
        points = origin + rho[:, None] * np.column_stack([np.cos(alpha), np.sin(alpha)])
        good = np.hypot(*(points - end).T) <= left
        if free or good.any():
            return np.asarray(points[int(good.argmax())], dtype=np.float64)
        edges, mass = self._cells(r, theta, gap, phi, left)
        total = np.cumsum(mass[0])
        cell = min(int(np.searchsorted(total, rng.random() * total[-1])), CELLS - 1)
        step = rng.uniform(edges[cell], edges[cell + 1], size=1)
        width = self._arc(step, gap, left)
        low, high = self._turned(phi - width, theta), self._turned(phi + width, theta)
        turned = self.heading.quantile(rng.uniform(low, high) % 1.0, theta)
        return np.asarray(
            origin + step[0] * np.array([np.cos(turned[0]), np.sin(turned[0])]), dtype=np.float64
        )

    def log_density(
        self,
        point: FloatArray,
        origin: FloatArray,
        targets: FloatArray,
        end: FloatArray,
        left: float,
    ) -> FloatArray:
        """Return the log-density in the plane of a published point, for each target."""
        step, goal = point - origin, end - origin
        rho, alpha = float(np.hypot(*step)), float(np.arctan2(step[1], step[0]) % TURN)
        gap, phi = float(np.hypot(*goal)), float(np.arctan2(goal[1], goal[0]))
        v = targets - origin
        r, theta = np.hypot(v[:, 0], v[:, 1]), np.arctan2(v[:, 1], v[:, 0]) % TURN
        value = self.length.log_density(rho, r) + self.heading.log_density(alpha, theta)
        if gap + self.length.bound > left:
            mass = self._cells(r, theta, gap, phi, left)[1].sum(axis=1)
            value = value - np.log(np.maximum(mass, 1e-300))
        return np.asarray(value - np.log(max(rho, 1e-300)), dtype=np.float64)


@dataclass(frozen=True, slots=True)
class SDD:
    """Sampling distance and direction.

    Parameters
    ----------
    epsilon
        Claimed loss for one changed interior location.
    ends
        ``"exact"``: both ends are published as they are. ``"noisy"``: the first point has Laplace
        noise, the last one is a step like the others.

    Notes
    -----
    *Privacy.* Neighbours: two walks that differ in one interior location. Claimed: epsilon.
    Proved: epsilon / 2; epsilon with noisy ends, for any location. Exact ends are not protected,
    and whole walks of n interior points only at n times that.
    """

    epsilon: float
    ends: Literal["exact", "noisy"] = "exact"

    def law(self, reach: float) -> StepLaw:
        """Return the law of one step, given the public bound on its length."""
        epsilon = require_epsilon(self.epsilon)
        return StepLaw(
            TruncatedExponential(epsilon / (8 * reach), reach),
            TruncatedExponential(epsilon / (8 * TURN), TURN),
        )

    def _noise_scale(self, reach: float) -> float:
        """Return the scale of the Laplace noise on a noisy first point."""
        return float(2 * np.sqrt(2)) * reach / require_epsilon(self.epsilon)

    def _reach_left(self, steps: int, reach: float) -> float:
        """Return how far the last point may be away with this many steps to go."""
        return steps * reach if self.ends == "exact" else np.inf

    def _drawn(self, visits: int) -> range:
        """Return which points are drawn as steps."""
        return range(1, visits - 1 if self.ends == "exact" else visits)

    def publish(self, instance: Instance, rng: np.random.Generator) -> Release:
        """Return a walk of drawn steps, between the two true ends if these are exact."""
        reach, true = instance.scene.reach, instance.points
        law, out, last = self.law(reach), true.copy(), len(true) - 1
        if self.ends == "noisy":
            out[0] += rng.laplace(scale=self._noise_scale(reach), size=2)
        for i in self._drawn(len(true)):
            left = self._reach_left(last - i, reach)
            out[i] = law.draw(out[i - 1], true[i], true[-1], left, rng)
        if self.ends == "exact":
            return Release(out, self.epsilon / 2, (0, last))
        return Release(out, self.epsilon)

    def visit_logs(self, release: Release, scene: Scene) -> FloatArray:
        """Return the log-density of each point by vertex."""
        law, out, last = self.law(scene.reach), release.points, len(release.points) - 1
        logs = np.empty((len(out), len(scene.vertices)))
        if self.ends == "noisy":
            off = np.abs(scene.positions - out[0]).sum(axis=1)
            logs[0] = -off / self._noise_scale(scene.reach)
        else:
            for end in (0, last):
                logs[end] = np.where((scene.positions == out[end]).all(axis=1), 0.0, -np.inf)
        for i in self._drawn(len(out)):
            left = self._reach_left(last - i, scene.reach)
            logs[i] = law.log_density(out[i], out[i - 1], scene.positions, out[-1], left)
        return logs
