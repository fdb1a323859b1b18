"""PriSTE: a location mechanism whose budget is turned down until an event stays hidden.

Cao, Xiao, Xiong, Bai: *PriSTE: from location privacy to spatiotemporal event privacy*, ICDE 2019.

The publisher draws a location from a noisy mechanism, asks whether the whole release so far would
tell *event* from *no event* by more than a factor e^epsilon for any belief about the start, and
if it would, halves the mechanism's budget and draws again; below a floor it publishes a location
that depends on nothing. So it is a calibrator round another mechanism, not a way to choose fake
places.

Kept: the events, the two-world matrices, privacy for every initial belief, the loop.
Simplified: the location mechanism is the discrete exponential one on vertices, whose probabilities
are exact. Our interpretation: halving, the floor, the EDGE event, and the check for every belief
by scanning pairs of states. That scan is exact: with the probability of the event held fixed, the
condition is linear in the belief under two equality constraints, so some worst belief has at most
two states, and on a pair it is a quadratic in one number. No solver, no time-out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Literal

import numpy as np
import numpy.typing as npt

from pathveil.errors import BadBudget
from pathveil.lab.baselines.baseline_release import (
    FloatArray,
    Instance,
    Release,
    Scene,
    distance_kernel,
    require_epsilon,
    weighted_index,
)
from pathveil.lab.baselines.events import EdgeUse, Event, Presence, Worlds, refusals

BoolArray = npt.NDArray[np.bool_]

SLACK = 1e-13  # rounding allowed in a comparison of numbers scaled to 1


def edge_events(size: int, horizon: int) -> tuple[EdgeUse, ...]:
    """Return one event for each pair of vertices: a public list, hence it names no secret link."""
    return tuple(EdgeUse(u, v, horizon) for u, v in combinations(range(size), 2))


def central_presence(scene: Scene, horizon: int) -> tuple[Presence, ...]:
    """Return *in the middle of the map, in the middle of the walk*: a public default event.

    The region is the quarter of the vertices nearest to the centre of the box, the window the
    middle half of the times. Both are our choice.
    """
    low, side = scene.box
    order = np.argsort(np.hypot(*(scene.positions - low - side / 2).T), kind="stable")
    region = frozenset(order[: max(1, len(order) // 4)].tolist())
    first = 1 + horizon // 4
    return (Presence(region, first, max(first, horizon - horizon // 4)),)


@lru_cache(maxsize=32)
def _emissions(scene: Scene, alpha: float) -> FloatArray:
    """Return ``(m, m)`` probabilities of publishing each vertex (column) from each true one."""
    weights = np.exp(-alpha * scene.distances / (2 * scene.diameter))
    return np.asarray(weights / weights.sum(axis=1, keepdims=True), dtype=np.float64)


@lru_cache(maxsize=2)
def _worlds(scene: Scene, event: str, horizon: int) -> Worlds:
    events: Sequence[Event] = (
        edge_events(len(scene.vertices), horizon)
        if event == "edge"
        else central_presence(scene, horizon)
    )
    return Worlds.of(events, distance_kernel(scene), horizon)


@dataclass(eq=False)
class Watch:
    """How much a growing release has told about each event, from each starting state."""

    worlds: Worlds
    epsilon: float
    time: int = 0

    def __post_init__(self) -> None:
        size = self.worlds.opening.shape[1]
        self._false = self.worlds.opening[..., :size]
        self._any = np.eye(size)  # both worlds together: the same for every event
        self._chance = self.worlds.chance
        self._look()

    def _look(self) -> None:
        """Fold the tail in, so that a candidate release costs one small product."""
        size = len(self._any)
        tail = self.worlds.tails[self.time]
        false, true = tail[:, None, :size], tail[:, None, size:]
        self._event = self._any * true + self._false * (false - true)

    def refused(self, table: FloatArray) -> BoolArray:
        """Return which columns of an emission table would be refused now."""
        return refusals(
            self._chance,
            self._event,
            self._any,
            table,
            shrink=float(np.exp(-self.epsilon)),
            slack=SLACK,
        )

    def advance(self, emission: FloatArray) -> None:
        """Take a publication into account and move on to the next time."""
        both, false = self._any * emission, self._false * emission
        scale = both.sum(axis=1).max()
        both, false = both / scale, false / scale
        self.time += 1
        if self.time < len(self.worlds.tails):
            size = len(both)
            move = self.worlds.moves[self.time - 1]
            # Both worlds together move by the mobility model alone, whatever the event.
            self._any = both @ np.ascontiguousarray(move[0, :size, :size] + move[0, :size, size:])
            self._false = false @ np.ascontiguousarray(move[:, :size, :size])
            self._look()


@dataclass(frozen=True, eq=False)
class PriSTE:
    """Event privacy round a discrete exponential location mechanism.

    Parameters
    ----------
    epsilon
        Event privacy: the release is at most e^epsilon times likelier with the event than without.
    event
        ``"presence"`` (see :func:`central_presence`) or ``"edge"`` (every pair of vertices).
    alpha
        Budget of the location mechanism at first, over the diameter of the map: it publishes o at
        s with weight ``exp(-alpha d(s, o) / (2 diameter))``.
    halvings
        How often the budget may be halved before a uniform vertex is published.

    Notes
    -----
    *Privacy.* Unit: an event. Claimed: epsilon, for every initial belief, under the public
    mobility model. Not exact: what is drawn again changes the law of what is published, and the
    check uses the nominal one. :meth:`law` gives the true one, under which the loss of this form
    of the loop is often above epsilon. Event privacy holds against those only who know no more
    than the mobility model: an adversary who knows the rest of the walk is not covered. It neither
    implies nor follows from privacy of locations.
    *Cost.* O(events x m^2) for each draw, O(events x m^3) for each visit and for each budget that
    :meth:`law` must look at. ``"edge"`` has m^2 / 2 events: milliseconds at 10 vertices, many
    seconds at 25.
    """

    epsilon: float
    event: Literal["presence", "edge"] = "presence"
    alpha: float = 20.0
    halvings: int = 8

    def worlds(self, scene: Scene, horizon: int) -> Worlds:
        """Return the two worlds of the protected events."""
        return _worlds(scene, self.event, horizon)

    def publish(self, instance: Instance, rng: np.random.Generator) -> Release:
        """Return one vertex for each visit, and the budget that was used for it."""
        if not self.alpha > 0:
            raise BadBudget(f"alpha is {self.alpha!r}; give a number above 0")
        scene, horizon = instance.scene, len(instance.walk)
        watch = Watch(self.worlds(scene, horizon), require_epsilon(self.epsilon))
        out, used = np.empty(horizon, dtype=np.int64), np.empty(horizon)
        for t, state in enumerate(instance.indices.tolist()):
            for halving in range(self.halvings + 1):
                alpha = self.alpha / 2**halving
                table = _emissions(scene, alpha)
                choice = weighted_index(table[state], rng)
                if not watch.refused(table[:, choice : choice + 1])[0]:
                    break
            else:
                alpha, table = 0.0, _emissions(scene, 0.0)
                choice = weighted_index(table[state], rng)
            out[t], used[t] = choice, alpha
            watch.advance(table[:, choice])
        return Release(scene.positions[out], None, meta={"alpha": used})

    def visit_logs(self, release: Release, scene: Scene) -> FloatArray:
        """Return the log-probability of each vertex published, by true vertex.

        It is the true one: the draws that must have been refused before are accounted for.
        """
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(np.array(list(self.law(release, scene)))), dtype=np.float64)

    def law(self, release: Release, scene: Scene) -> Iterator[FloatArray]:
        """Yield, visit by visit, the probability from each state of what was published.

        That is the location together with the budget used for it, given what came before: the
        checks depend on public things only, so anybody can tell which draws would be refused.
        """
        places = scene.nearest(release.points).tolist()
        watch = Watch(self.worlds(scene, len(places)), self.epsilon)
        for place, used in zip(places, release.meta["alpha"].tolist(), strict=True):
            again = np.ones(len(scene.vertices))
            for halving in range(self.halvings + 1):
                table = _emissions(scene, self.alpha / 2**halving)
                if used == self.alpha / 2**halving:
                    break
                again = again * table[:, watch.refused(table)].sum(axis=1)
            else:
                table = _emissions(scene, 0.0)
            yield again * table[:, place]
            watch.advance(table[:, place])
