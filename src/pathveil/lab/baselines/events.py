"""Spatiotemporal events and the two worlds in which they did or did not happen.

An event is a statement about where the walker is when. Doubling the states, once for *not (yet)
true* and once for *true*, turns its probability into a product of matrices: 2 m states instead of
m to the power n walks. Times are 1 .. n; matrix k moves time k to time k + 1.

PRESENCE is an event of PriSTE (its PATTERN is left out). EDGE, the walker crossing a given link at
some time, is ours: it is the secret of edge-private publishing, and aiming PriSTE at it is the
strongest fair use of that system here.

Would this publication tell the event? The check of PriSTE's loop, a kernel.

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

A publication is refused if one event refuses it, so the scan over events ends there; the event that
refused last is asked first.

In plain Python the check runs on lists: their numbers are read in a third of the time that those of
an array take, and a few games end before compiling would.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from pathveil.errors import BadBudget
from pathveil.lab.baselines.baseline_release import FloatArray
from pathveil.layering.kernels.running import chosen, kernel


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
    columns, size = table.shape[1], len(release)
    given: list[Any] = [chance, event, release, np.ascontiguousarray(table.T)]
    given += [np.empty(size), np.empty(size), np.zeros(columns, dtype=np.bool_)]
    check = chosen(_refuse, columns * event.size // 4)
    if check is _refuse:
        given = [array.tolist() for array in given]
    check(shrink, slack, *given)
    return np.asarray(given[-1])


@kernel
def _breaks(a: Floats, b: Floats, c: Floats, shrink: float, slack: float) -> bool:
    """Return whether some belief about the start breaks event privacy."""
    size, keep = len(a), 1 - shrink
    most_q, least_q, most_r, least_r = 0.0, np.inf, 0.0, np.inf
    for i in range(size):
        if a[i] > 0:
            q = b[i] / a[i]
            most_q, least_q = max(most_q, q), min(least_q, q)
        if a[i] < 1:
            r = (c[i] - b[i]) / (1 - a[i])
            most_r, least_r = max(most_r, r), min(least_r, r)
    clear = 1 - MARGIN
    if shrink * most_q <= clear * least_r and shrink * most_r <= clear * least_q:
        return False
    for i in range(size):
        ab, ac = keep * a[i] * b[i], a[i] * c[i]
        if shrink * b[i] + ab - ac > slack or shrink * ac - b[i] + ab > slack:
            return True
    for i in range(size):
        for j in range(i + 1, size):
            # belief s on state i, 1 - s on state j: quadratics in s, by falling powers
            da, db, dc = a[i] - a[j], b[i] - b[j], c[i] - c[j]
            ab2, ab1, ab0 = da * db, da * b[j] + a[j] * db, a[j] * b[j]
            ac2, ac1, ac0 = da * dc, da * c[j] + a[j] * dc, a[j] * c[j]
            square, linear = keep * ab2 - ac2, shrink * db + keep * ab1 - ac1
            # the ends s = 0 and s = 1 are known starts, looked at above; only a top inside is new
            if square < 0 and 0 < linear < -2 * square:
                constant = shrink * b[j] + keep * ab0 - ac0
                if constant - linear * linear / (4 * square) > slack:
                    return True
            square, linear = shrink * ac2 + keep * ab2, shrink * ac1 - db + keep * ab1
            if square < 0 and 0 < linear < -2 * square:
                constant = shrink * ac0 - b[j] + keep * ab0
                if constant - linear * linear / (4 * square) > slack:
                    return True
    return False


@kernel
def _refuse(  # noqa: PLR0917 - compiled: takes no keywords
    shrink: float,
    slack: float,
    chance: Floats,
    event: Floats,
    release: Floats,
    columns: Floats,
    b: Floats,
    c: Floats,
    out: Bools,
) -> None:
    """Fill in which publications some event refuses; b and c are scratch."""
    events, size = len(chance), len(release)
    last = 0  # the event that refused last
    for column in range(len(columns)):
        shown = columns[column]
        top = 0.0
        for i in range(size):
            c[i] = _total(release[i], shown)
            top = max(top, c[i])
        for i in range(size):
            c[i] /= top
        for turn in range(events):
            e = (last + turn) % events
            rows = event[e]
            for i in range(size):
                b[i] = _total(rows[i], shown) / top
            if _breaks(chance[e], b, c, shrink, slack):
                out[column] = True
                last = e
                break


@kernel
def _total(chances: Floats, shown: Floats) -> float:
    """Return the sum of the products, added up in order."""
    total = 0.0
    for k in range(len(chances)):
        total += chances[k] * shown[k]
    return total
