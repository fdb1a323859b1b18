"""Spatiotemporal events and the two worlds in which they did or did not happen.

An event is a statement about where the walker is when. Doubling the states, once for *not (yet)
true* and once for *true*, turns its probability into a product of matrices: 2 m states instead of
m to the power n walks. Times are 1 .. n; matrix k moves time k to time k + 1.

PRESENCE is an event of PriSTE (its PATTERN is left out). EDGE, the walker crossing a given link at
some time, is ours: it is the secret of edge-private publishing, and aiming PriSTE at it is the
strongest fair use of that system here.

Would this publication tell the event? The check of PriSTE's loop.

For one event let, from each state i at time 1, a be the chance of the event, b of the event
together with the release and c of the release. For a belief p about the start, A = p.a, B = p.b
and C = p.c, and event privacy asks ``B/A <= E (C - B)/(1 - A)`` and the same the other way round,
with E = e^epsilon. Three looks, cheapest first; the first that can decide does:

* *Accept.* B/A is a mean of the ratios q_i = b_i/a_i, weighted by p_i a_i, and (C - B)/(1 - A) one
  of r_i = (c_i - b_i)/(1 - a_i). So if no q exceeds E times any r, and the other way round, no
  belief can break privacy. O(m), and it settles most releases that are private at all.
* *Refuse.* A known start (p on one state) that breaks it. O(m).
* *Scan.* All beliefs on two states, which is exact (see :mod:`pathveil.lab.baselines.priste`).
O(m^2).

A publication is refused if one event refuses it: what a known start has refused is not scanned.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from pathveil.errors import BadBudget
from pathveil.lab.baselines.baseline_release import FloatArray


class Event(Protocol):
    """A statement that some moves make true for good, decided at time ``last``."""

    @property
    def last(self) -> int:
        """Return the time after which the event is settled."""
        ...

    def opening(self, size: int) -> FloatArray:
        """Return the states in which the event is already true at time 1, as 0 and 1."""
        ...

    def counts(self, k: int) -> bool:
        """Return whether a move from time k to k + 1 can make it true."""
        ...

    def turning(self, size: int) -> FloatArray:
        """Return the moves, from row to column, that make it true where they count, as 0 and 1."""
        ...


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
        return np.asarray(self.turning(size)[0] * (self.first == 1))

    def counts(self, k: int) -> bool:
        """Return whether time k + 1 is in the window."""
        return self.first <= k + 1 <= self.last

    def turning(self, size: int) -> FloatArray:
        """Return the moves into the region."""
        into = np.zeros((size, size))
        into[:, sorted(self.region)] = 1.0
        return into


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

    def counts(self, k: int) -> bool:
        """Return whether time k + 1 still counts."""
        return k + 1 <= self.last

    def turning(self, size: int) -> FloatArray:
        """Return the moves over the link."""
        crossing = np.zeros((size, size))
        crossing[self.u, self.v] = crossing[self.v, self.u] = 1.0
        return crossing


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
        turning = np.stack([event.turning(size) for event in events])
        cache: dict[tuple[bool, ...], FloatArray] = {}
        moves = []
        for k in range(1, end):
            key = tuple(event.counts(k) for event in events)
            if key not in cache:
                turns = turning * np.array(key)[:, None, None]
                cache[key] = move = np.zeros((len(events), 2 * size, 2 * size))
                move[:, :size, :size] = matrix * (1 - turns)
                move[:, :size, size:] = matrix * turns
                move[:, size:, size:] = matrix
            moves.append(cache[key])
        tail = np.tile(np.repeat([0.0, 1.0], size), (len(events), 1))
        tails = [tail]
        for move in reversed(moves):
            tail = np.einsum("eij,ej->ei", move, tail)
            tails.append(tail)
        return cls(opening, tuple(moves[: horizon - 1]), tuple(reversed(tails))[:horizon])

    @property
    def chance(self) -> FloatArray:
        """``(events, m)``: the probability of each event from each state at time 1."""
        return np.asarray(np.einsum("eij,ej->ei", self.opening, self.tails[0]))


Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

MARGIN = 1e-9
"""The accepting look must be clear by this share; what is closer is left to the exact scan."""


def refusals(
    chance: Floats, event: Floats, release: Floats, table: Floats, *, shrink: float, slack: float
) -> Bools:
    """Return which columns of an emission table would break event privacy for some event.

    Parameters
    ----------
    chance
        ``(events, m)``: a.
    event, release
        ``(events, m, m)`` and ``(m, m)``: from a state at time 1 (row) to the present one (column),
        the chance of what was published so far, with the event in ``event``. Times an emission
        they give b and c.
    table
        ``(m, columns)``: from each present state, the chance of each publication.
    shrink
        e^-epsilon.
    slack
        Rounding allowed, with c scaled to at most 1.
    """
    c = release @ table
    top = c.max(axis=0)
    b, c = event @ table / top, c / top
    place, column = np.nonzero(_is_unclear(chance[..., None], b, c, shrink))
    out = np.zeros(table.shape[1], dtype=np.bool_)
    # One row for each event and publication that the first look leaves open.
    a, b, c = chance[place], b[place, :, column], c[:, column].T
    keep = 1 - shrink
    ab, ac = keep * a * b, a * c
    broken = (shrink * b + ab - ac > slack) | (shrink * ac - b + ab > slack)
    out[column[broken.any(axis=1)]] = True
    left = ~out[column]
    if left.any():
        scanned = _breaks(a[left], b[left], c[left], shrink=shrink, slack=slack)
        out[column[left][scanned]] = True
    return out


def _is_unclear(a: Floats, b: Floats, c: Floats, shrink: float) -> Bools:
    """Return where the bounds of the ratios leave open whether a belief breaks event privacy."""
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = ((a > 0, b / a), (a < 1, (c - b) / (1 - a)))
    (least_q, most_q), (least_r, most_r) = (
        (
            found.min(axis=1, where=is_one, initial=np.inf),
            found.max(axis=1, where=is_one, initial=0),
        )
        for is_one, found in ratios
    )
    clear = 1 - MARGIN
    unclear: Bools = (shrink * most_q > clear * least_r) | (shrink * most_r > clear * least_q)
    return unclear


def _breaks(a: Floats, b: Floats, c: Floats, *, shrink: float, slack: float) -> Bools:
    """Return in which rows some belief on two states breaks event privacy, and no known start."""
    keep = 1 - shrink
    i, j = np.triu_indices(a.shape[1], k=1)
    # belief s on state i, 1 - s on state j: quadratics in s, by falling powers
    a0, b0, c0 = a[:, j], b[:, j], c[:, j]
    da, db, dc = a[:, i] - a0, b[:, i] - b0, c[:, i] - c0
    ab2, ab1, ab0 = da * db, da * b0 + a0 * db, a0 * b0
    ac2, ac1, ac0 = da * dc, da * c0 + a0 * dc, a0 * c0
    broken = np.zeros(da.shape, dtype=np.bool_)
    for square, linear, constant in (
        (keep * ab2 - ac2, shrink * db + keep * ab1 - ac1, shrink * b0 + keep * ab0 - ac0),
        (shrink * ac2 + keep * ab2, shrink * ac1 - db + keep * ab1, shrink * ac0 - b0 + keep * ab0),
    ):
        # the ends s = 0 and s = 1 are known starts; only a top inside is new
        inside = (square < 0) & (linear > 0) & (linear < -2 * square)
        with np.errstate(divide="ignore", invalid="ignore"):
            broken |= inside & (constant - linear * linear / (4 * square) > slack)
    return np.asarray(broken.any(axis=1))
