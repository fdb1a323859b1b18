"""Success rates with their uncertainty: what every attack reports.

An attack is judged by three figures of the same trials: how often it *found* the secret, how often
a *control* without the release would have, and how often the attack itself succeeds on a *placebo*,
data made like a release but without the signal. An attack whose placebo beats its control reads the
answer from somewhere it should not; its figures mean nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

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


@dataclass(frozen=True)
class Rate:
    """How often something happened, with its Clopper-Pearson interval.

    Examples
    --------
    >>> print(Rate(95, 100))
    0.950 [0.836, 0.994]
    """

    successes: int
    trials: int
    confidence: float = 0.999

    @classmethod
    def of(cls, outcomes: Iterable[bool]) -> Rate:
        """Return the rate of the true ones."""
        listed = [bool(outcome) for outcome in outcomes]
        return cls(sum(listed), len(listed))

    @property
    def value(self) -> float:
        """The plain quotient."""
        return self.successes / self.trials

    @property
    def interval(self) -> tuple[float, float]:
        """The two-sided Clopper-Pearson interval at the confidence."""
        tail = (1 - self.confidence) / 2
        return clopper_pearson(self.successes, self.trials, below=tail, above=tail)

    @property
    def low(self) -> float:
        """The lower end of the interval."""
        return self.interval[0]

    @property
    def high(self) -> float:
        """The upper end of the interval."""
        return self.interval[1]

    def holds(self, value: float) -> bool:
        """Return whether a value lies in the interval."""
        return self.low <= value <= self.high

    def __str__(self) -> str:
        return f"{self.value:.3f} [{self.low:.3f}, {self.high:.3f}]"


@dataclass(frozen=True)
class AttackOutcome:
    """What an attack achieved over many trials.

    Attributes
    ----------
    attack
        Its name.
    found
        How often it named the secret.
    control
        How often a guess succeeds that does not use what the attack uses.
    placebo
        How often the attack succeeds on data without the signal.
    """

    attack: str
    found: Rate
    control: Rate
    placebo: Rate

    @property
    def beats_control(self) -> bool:
        """Whether the attack is better than its control beyond doubt: the intervals part."""
        return self.found.low > self.control.high

    @property
    def sound(self) -> bool:
        """Whether the placebo is no better than the control: the attack reads no answer key."""
        return self.placebo.low <= self.control.high

    def __str__(self) -> str:
        return f"{self.attack}: {self.found}, control {self.control}, placebo {self.placebo}"


def generator(source: Source) -> np.random.Generator:
    """Return a fast generator for guesses and samples, keyed by a source.

    Guesses of an adversary are no secret, so they need speed and replay, not cryptography.
    """
    return np.random.default_rng(int.from_bytes(source.take(16)))
