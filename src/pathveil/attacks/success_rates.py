"""What attacks and audits share: exact bounds on a rate, and a generator for guesses."""

from __future__ import annotations

import numpy as np

from pathveil.chance.source import Source


def clopper_pearson(
    successes: int, trials: int, *, below: float, above: float
) -> tuple[float, float]:
    """Return bounds on a probability, each one-sided and each with its own error.

    Parameters
    ----------
    below, above
        The chance that the true value lies under the lower bound, over the upper one: at most
        these, for every true value. No approximation but rounding.

    Examples
    --------
    >>> low, high = clopper_pearson(0, 100, below=0.025, above=0.025)
    >>> low, round(high, 4)
    (0.0, 0.0362)
    """
    from scipy.special import betaincinv

    if not 0 <= successes <= trials or trials < 1:
        raise ValueError(f"{successes} successes in {trials} trials is no rate")
    low = 0.0 if successes == 0 else float(betaincinv(successes, trials - successes + 1, below))
    high = (
        1.0
        if successes == trials
        else float(betaincinv(successes + 1, trials - successes, 1 - above))
    )
    return low, high


def generator(source: Source) -> np.random.Generator:
    """Return a fast generator for guesses and samples, keyed by a source.

    Guesses of an adversary are no secret, so they need speed and replay, not cryptography.
    """
    return np.random.default_rng(int.from_bytes(source.take(16)))
