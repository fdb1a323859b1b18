"""Would this publication tell the event? The check of PriSTE's loop, compiled.

For one event let, from each state i at time 1, a be the chance of the event, b of the event
together with the release and c of the release. For a belief p about the start, A = p.a, B = p.b
and C = p.c, and event privacy asks ``B/A <= E (C - B)/(1 - A)`` and the same the other way round,
with E = e^epsilon. Three looks, cheapest first; the first that can decide does:

* *Accept.* B/A is a mean of the ratios q_i = b_i/a_i, weighted by p_i a_i, and (C - B)/(1 - A) one
  of r_i = (c_i - b_i)/(1 - a_i). So if no q exceeds E times any r, and the other way round, no
  belief can break privacy. O(m), and it settles most releases that are private at all.
* *Refuse.* A known start (p on one state) that breaks it. O(m).
* *Scan.* All beliefs on two states, which is exact (see :mod:`pathveil.baselines.priste`). O(m^2).

A publication is refused if one event refuses it, so the scan over events ends there; the event that
refused last is asked first.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

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
    out = np.zeros(table.shape[1], dtype=np.bool_)
    _kernel()(chance, event, release, np.ascontiguousarray(table), shrink, slack, out)
    return out


@cache
def _kernel() -> Any:
    import numba

    breaks = numba.njit(cache=True, nogil=True)(_breaks)

    def refuse(  # noqa: PLR0917 - compiled: takes no keywords
        chance: Floats,
        event: Floats,
        release: Floats,
        table: Floats,
        shrink: float,
        slack: float,
        out: Bools,
    ) -> None:
        events, size = chance.shape
        b, c = np.empty(size), np.empty(size)
        last = 0  # the event that refused last
        for column in range(table.shape[1]):
            top = 0.0
            for i in range(size):
                any_ = 0.0
                for k in range(size):
                    any_ += release[i, k] * table[k, column]
                c[i] = any_
                top = max(top, any_)
            for i in range(size):
                c[i] /= top
            for turn in range(events):
                e = (last + turn) % events
                for i in range(size):
                    both = 0.0
                    for k in range(size):
                        both += event[e, i, k] * table[k, column]
                    b[i] = both / top
                if breaks(chance[e], b, c, shrink, slack):
                    out[column] = True
                    last = e
                    break

    return numba.njit(nogil=True)(refuse)


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
