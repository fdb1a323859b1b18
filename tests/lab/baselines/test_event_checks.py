from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from pathveil.lab.baselines.baseline_release import FloatArray
from pathveil.lab.baselines.events import refusals
from pathveil.lab.baselines.priste import SLACK


def worst_excess(a: FloatArray, b: FloatArray, c: FloatArray, epsilon: float) -> FloatArray:
    """Return by how much the worst belief breaks event privacy; at most 0 means it holds.

    Parameters
    ----------
    a, b, c
        ``(..., m)``: from each state at time 1, the probability of the event, of the event
        together with the release, and of the release. For a belief p the three probabilities
        are A = p.a, B = p.b, C = p.c.

    Notes
    -----
    The two conditions, divided by e^epsilon and by the largest c, are
    ``B/E + (1 - 1/E) A B - A C <= 0`` and ``A C/E - B + (1 - 1/E) A B <= 0`` with E = e^epsilon.
    *Cost.* O(m^2) for each event.
    """
    scale = c.max(axis=-1, keepdims=True)
    b, c = b / scale, c / scale
    shrink = float(np.exp(-epsilon))
    i, j = np.triu_indices(a.shape[-1], k=1)
    if not len(i):
        i = j = np.zeros(1, dtype=np.int64)
    a0, b0, c0 = a[..., j], b[..., j], c[..., j]
    da, db, dc = a[..., i] - a0, b[..., i] - b0, c[..., i] - c0
    keep = 1 - shrink
    # coefficients, falling powers of s, of A B and A C for belief s on state i, 1 - s on state j
    ab = (da * db, da * b0 + a0 * db, a0 * b0)
    ac = (da * dc, da * c0 + a0 * dc, a0 * c0)
    just_b = (np.zeros_like(db), db, b0)
    first = [shrink * p + keep * q - r for p, q, r in zip(just_b, ab, ac, strict=True)]
    second = [shrink * r - p + keep * q for p, q, r in zip(just_b, ab, ac, strict=True)]
    return np.maximum(_largest(*first), _largest(*second))


def _largest(square: FloatArray, linear: FloatArray, constant: FloatArray) -> FloatArray:
    """Return the largest value on [0, 1] of a quadratic, over the last axis."""
    with np.errstate(divide="ignore", invalid="ignore"):
        top = np.clip(np.where(square < 0, -linear / (2 * square), 0.0), 0.0, 1.0)
    inside = constant + top * (linear + top * square)
    best = np.maximum(np.maximum(constant, constant + linear + square), inside)
    return np.asarray(best.max(axis=-1), dtype=np.float64)


@settings(deadline=None, max_examples=60)
@given(
    st.integers(2, 7),
    st.integers(1, 4),
    st.sampled_from([0.01, 0.3, 1.0, 4.0, 20.0]),
    st.sampled_from([0.02, 0.3, 1.0]),
    st.integers(0, 10**6),
)
def test_the_check_decides_as_the_scan_of_all_pairs(
    size: int, events: int, epsilon: float, telling: float, seed: int
) -> None:
    """Bounds first, scan last: never another answer than the scan alone, on tables near and far."""
    rng = np.random.default_rng(seed)
    chance = rng.random((events, size))
    release = rng.random((size, size))
    share = np.clip(chance[..., None] + telling * rng.normal(size=(events, size, size)), 0, 1)
    event = release * share
    table = rng.dirichlet(np.ones(size), size=size)
    found = refusals(chance, event, release, table, shrink=float(np.exp(-epsilon)), slack=SLACK)
    b, c = event @ table, np.broadcast_to(release @ table, (events, size, size))
    excess = worst_excess(chance[:, None], np.swapaxes(b, 1, 2), np.swapaxes(c, 1, 2), epsilon).max(
        axis=0
    )
    clear = np.abs(excess - SLACK) > 1e-12
    assert (found == (excess > SLACK))[clear].all()
