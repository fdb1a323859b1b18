"""Spatiotemporal events and the two worlds in which they did or did not happen.

An event is a statement about where the walker is when. Doubling the states, once for *not (yet)
true* and once for *true*, turns its probability into a product of matrices: 2 m states instead of
m to the power n walks. Times are 1 .. n; matrix k moves time k to time k + 1.

PRESENCE and PATTERN are the events of PriSTE. EDGE, the walker crossing a given link at some time,
is ours: it is the secret of edge-private publishing, and aiming PriSTE at it is the strongest fair
use of that system here.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from pathveil.baselines.release import FloatArray
from pathveil.errors import BadBudget


class Event(Protocol):
    """A statement that is decided at time ``last``."""

    @property
    def last(self) -> int:
        """Return the time after which the event is settled."""
        ...

    def opening(self, size: int) -> FloatArray:
        """Return the states in which the event is already true at time 1, as 0 and 1."""
        ...

    def phase(self, k: int) -> Hashable:
        """Return a key that is equal for two moves with the same matrix."""
        ...

    def move(self, k: int, matrix: FloatArray) -> FloatArray:
        """Return the ``(2 m, 2 m)`` matrix from time k to k + 1: false world first."""
        ...


def _indicator(states: frozenset[int], size: int) -> FloatArray:
    out = np.zeros(size)
    out[sorted(states)] = 1.0
    return out


def _four_parts(ff: FloatArray, ft: FloatArray, tf: FloatArray, tt: FloatArray) -> FloatArray:
    return np.asarray(np.block([[ff, ft], [tf, tt]]), dtype=np.float64)


def _window(first: int, last: int) -> None:
    if not 1 <= first <= last:
        raise BadBudget(f"the event runs from time {first} to {last}; times count from 1 upwards")


@dataclass(frozen=True, slots=True)
class Presence:
    """The walker is in a region at some time from ``first`` to ``last``."""

    region: frozenset[int]
    first: int
    last: int

    def __post_init__(self) -> None:
        _window(self.first, self.last)

    def opening(self, size: int) -> FloatArray:
        """Return the region if the window opens at time 1."""
        return _indicator(self.region if self.first == 1 else frozenset(), size)

    def phase(self, k: int) -> Hashable:
        """Return whether time k + 1 is in the window."""
        return self.first <= k + 1 <= self.last

    def move(self, k: int, matrix: FloatArray) -> FloatArray:
        """Return the move that turns true on entering the region within the window."""
        none = np.zeros_like(matrix)
        if not self.phase(k):
            return _four_parts(matrix, none, none, matrix)
        inside = _indicator(self.region, len(matrix))
        return _four_parts(matrix * (1 - inside), matrix * inside, none, matrix)


@dataclass(frozen=True, slots=True)
class Pattern:
    """The walker is in the first region at time ``first``, in the second one step on, and so on."""

    regions: tuple[frozenset[int], ...]
    first: int

    def __post_init__(self) -> None:
        _window(self.first, self.last)

    @property
    def last(self) -> int:
        """The time of the last region."""
        return self.first + len(self.regions) - 1

    def opening(self, size: int) -> FloatArray:
        """Return the first region if the pattern begins at time 1."""
        return _indicator(self.regions[0] if self.first == 1 else frozenset(), size)

    def phase(self, k: int) -> Hashable:
        """Return the place of time k + 1 in the pattern, or None."""
        return k + 1 - self.first if self.first <= k + 1 <= self.last else None

    def move(self, k: int, matrix: FloatArray) -> FloatArray:
        """Return the move that turns true at the first region and false on leaving the pattern."""
        none = np.zeros_like(matrix)
        place = k + 1 - self.first
        if not 0 <= place < len(self.regions):
            return _four_parts(matrix, none, none, matrix)
        inside = _indicator(self.regions[place], len(matrix))
        if place == 0:
            return _four_parts(matrix * (1 - inside), matrix * inside, none, matrix)
        return _four_parts(matrix, none, matrix * (1 - inside), matrix * inside)


@dataclass(frozen=True, slots=True)
class EdgeUse:
    """The walker crosses the link between two states, in either direction, by time ``last``."""

    u: int
    v: int
    last: int

    def __post_init__(self) -> None:
        _window(1, self.last)

    def opening(self, size: int) -> FloatArray:
        """Return no state: at time 1 no link has been crossed."""
        return np.zeros(size)

    def phase(self, k: int) -> Hashable:
        """Return whether time k + 1 still counts."""
        return k + 1 <= self.last

    def move(self, k: int, matrix: FloatArray) -> FloatArray:
        """Return the move that turns true on crossing the link."""
        none = np.zeros_like(matrix)
        if not self.phase(k):
            return _four_parts(matrix, none, none, matrix)
        crossing = np.zeros_like(matrix)
        crossing[self.u, self.v] = crossing[self.v, self.u] = 1.0
        return _four_parts(matrix * (1 - crossing), matrix * crossing, none, matrix)


@dataclass(frozen=True, eq=False)
class Worlds:
    """Two worlds for each of several events over one horizon; read-only, so it can be shared.

    Parameters
    ----------
    opening
        ``(events, m, 2 m)``: from the state at time 1 to the doubled state.
    moves
        ``moves[k - 1]`` is ``(events, 2 m, 2 m)``, for k = 1 .. horizon - 1.
    tails
        ``tails[t - 1]`` is ``(events, 2 m)``: the chance that the event comes true from each
        doubled state at time t.
    """

    opening: FloatArray
    moves: tuple[FloatArray, ...]
    tails: tuple[FloatArray, ...]

    @classmethod
    def of(cls, events: Sequence[Event], matrix: FloatArray, horizon: int) -> Worlds:
        """Return the two worlds of each event.

        The tail looks past the horizon where an event is settled later: leaving it out would
        miss what is given away before the window opens.
        """
        size = len(matrix)
        end = max([horizon, *(event.last for event in events)])
        begun = np.stack([event.opening(size) for event in events])
        eye = np.eye(size)
        opening = np.concatenate([eye * (1 - begun)[:, None], eye * begun[:, None]], axis=2)
        cache: dict[tuple[Hashable, ...], FloatArray] = {}
        moves = []
        for k in range(1, end):
            key = tuple(event.phase(k) for event in events)
            if key not in cache:
                cache[key] = np.stack([event.move(k, matrix) for event in events])
            moves.append(cache[key])
        tail = np.tile(np.repeat([0.0, 1.0], size), (len(events), 1))
        tails = [tail]
        for move in reversed(moves):
            tail = np.einsum("eij,ej->ei", move, tail)
            tails.append(tail)
        return cls(opening, tuple(moves[: horizon - 1]), tuple(reversed(tails))[:horizon])

    @cached_property
    def steps(self) -> tuple[tuple[FloatArray, FloatArray, FloatArray | None], ...]:
        """The moves taken apart for a fast forward sum: what both worlds together do, and false.

        Both worlds together move by the mobility model alone, whatever the event. So with A the
        sum over both and F over the false world, one move is A' = A T and F' = F S + A B, where
        S = (false to false) - (true to false) and B = (true to false), None where that is zero.
        """
        size = self.opening.shape[1]
        seen: dict[int, tuple[FloatArray, FloatArray, FloatArray | None]] = {}
        out = []
        for move in self.moves:
            if id(move) not in seen:
                back = move[:, size:, :size]
                free = np.ascontiguousarray(move[0, :size, :size] + move[0, :size, size:])
                stay = np.ascontiguousarray(move[:, :size, :size] - back)
                seen[id(move)] = (free, stay, back if back.any() else None)
            out.append(seen[id(move)])
        return tuple(out)

    @property
    def chance(self) -> FloatArray:
        """``(events, m)``: the probability of each event from each state at time 1."""
        return np.asarray(np.einsum("eij,ej->ei", self.opening, self.tails[0]))
