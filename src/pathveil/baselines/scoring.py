"""From answers to numbers: credits, intervals, differences to the control.

A trial gives an attack the credit it would earn on average by guessing among its answers, so that
no coin is tossed in scoring. Intervals over trials treat credits as proportions: a credit between
0 and 1 varies less than a coin of the same mean, so they err on the wide side.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pathveil.baselines.figure1 import Answer
from pathveil.baselines.release import FloatArray
from pathveil.baselines.view import Pair


@dataclass(frozen=True, slots=True)
class Credit:
    """What an attack earned in one trial.

    Parameters
    ----------
    success
        Chance that a guess among the answers is right; 0 for an abstention.
    fallback
        The same, with a random candidate guessed instead of abstaining.
    abstained
        Whether there was no answer.
    """

    success: float
    fallback: float
    abstained: bool


def credit(answer: Answer, truth: Pair, *, guess: float) -> Credit | None:
    """Return the credit of an answer, None if the attack did not apply.

    >>> credit(((0, 1), (2, 3)), (2, 3), guess=0.25)
    Credit(success=0.5, fallback=0.5, abstained=False)
    >>> credit((), (2, 3), guess=0.25)
    Credit(success=0.0, fallback=0.25, abstained=True)
    """
    if answer is None:
        return None
    if not answer:
        return Credit(0.0, guess, abstained=True)
    success = (truth in answer) / len(answer)
    return Credit(success, success, abstained=False)


@dataclass(frozen=True, slots=True)
class Difference:
    """A mean paired difference with its bootstrap interval."""

    mean: float
    low: float
    high: float


def resamples(trials: int, rng: np.random.Generator, *, count: int = 2000) -> FloatArray:
    """Return ``(count, trials)`` bootstrap weights; share them between cells of one table."""
    return rng.multinomial(trials, np.full(trials, 1 / trials), size=count) / trials


def paired_difference(
    credits_: FloatArray, controls: FloatArray, weights: FloatArray, *, confidence: float = 0.95
) -> Difference:
    """Return the mean of success minus control over trials, by the percentile bootstrap.

    Parameters
    ----------
    weights
        From :func:`resamples`, for as many trials.
    """
    gaps = credits_ - controls
    means = weights @ gaps
    low, high = np.quantile(means, [(1 - confidence) / 2, (1 + confidence) / 2])
    return Difference(float(gaps.mean()), float(low), float(high))


def advantage(credits_: FloatArray, controls: FloatArray) -> float:
    """Return (s - G1) / (1 - G1) over the trials with two candidates or more; nan if none.

    0: no better than the random guess. 1: always right.

    >>> advantage(np.array([1.0, 1.0, 0.0]), np.array([1.0, 0.5, 0.5]))
    0.0
    """
    open_ = controls < 1
    if not open_.any():
        return float("nan")
    mean = float(controls[open_].mean())
    return (float(credits_[open_].mean()) - mean) / (1 - mean)


def verdict(difference: Difference, placebo: tuple[float, float], control: float) -> str:
    """Return what the numbers allow one to say about one attack.

    Parameters
    ----------
    placebo
        Interval of the attack's success on the placebo.
    control
        Mean of G1.

    Examples
    --------
    >>> verdict(Difference(0.2, 0.1, 0.3), (0.3, 0.4), 0.36)
    'leaks'
    """
    if placebo[0] > control:
        return "attack unsound: it beats chance on a placebo"
    return "leaks" if difference.low > 0 else "no leak shown"
