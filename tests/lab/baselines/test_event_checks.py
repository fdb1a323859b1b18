from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from pathveil.lab.baselines.events import refusals
from pathveil.lab.baselines.priste import SLACK, worst_excess


@settings(deadline=None, max_examples=60)
@given(
    st.integers(2, 7),
    st.integers(1, 4),
    st.sampled_from([0.01, 0.3, 1.0, 4.0, 20.0]),
    st.sampled_from([0.02, 0.3, 1.0]),
    st.integers(0, 10**6),
)
def test_the_compiled_check_decides_as_the_scan_of_all_pairs(
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
