from __future__ import annotations

import numpy as np

from pathveil.baselines.scoring import (
    Difference,
    advantage,
    credit,
    paired_difference,
    resamples,
    verdict,
)


def test_credits() -> None:
    assert credit(None, (0, 1), guess=0.5) is None
    wrong = credit(((1, 2),), (0, 1), guess=0.5)
    assert wrong is not None
    assert (wrong.success, wrong.fallback, wrong.abstained) == (0.0, 0.0, False)


def test_paired_differences_cover_as_often_as_they_say() -> None:
    """400 intervals at 95 %: fewer than 88 % right has probability below 1e-6, seeds are fixed."""
    rng = np.random.default_rng(0)
    weights = resamples(150, rng, count=1000)
    assert np.allclose(weights.sum(axis=1), 1)
    right = wrong = 0
    for _ in range(400):
        control = rng.choice([0.25, 0.5], size=150)
        success = (rng.random(150) < control + 0.2).astype(float)
        found = paired_difference(success, control, weights)
        right += found.low <= 0.2 <= found.high
        wrong += found.low <= 0.05 <= found.high  # the broken twin: another truth
    assert right >= 350
    assert wrong < 200


def test_advantage_skips_settled_trials() -> None:
    credits_ = np.array([1.0, 1.0, 1.0])
    assert advantage(credits_, np.array([1.0, 0.25, 0.5])) == 1.0
    assert np.isnan(advantage(credits_, np.ones(3)))


def test_verdicts() -> None:
    assert verdict(Difference(0.1, -0.01, 0.2), (0.3, 0.4), 0.35) == "no leak shown"
    assert verdict(Difference(0.1, 0.01, 0.2), (0.36, 0.4), 0.35).startswith("attack unsound")
