"""From answers to numbers: credits, intervals, differences to the control, verdicts.

A trial gives an attack the credit it would earn on average by guessing among its answers, so that
no coin is tossed in scoring. A credit lies between 0 and 1, a difference of two between -1 and 1;
beyond that nothing is known of its law, and few trials tell little of it. So the interval of a
difference is one that holds for *every* bounded law and *every* number of trials (by betting,
after Waudby-Smith and Ramdas, JRSS B 2023): with one trial it is as wide as the range, and no run
of luck makes it zero-width.

One level serves the printed intervals and the verdicts made from them: :data:`CONFIDENCE` for all
attacks on a system at a budget together, shared out evenly.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from pathveil.chance.intervals import Interval, wilson
from pathveil.lab.baselines.baseline_release import FloatArray
from pathveil.lab.baselines.view import Pair

CONFIDENCE = 0.95
FEWEST_TRIALS = 100
"""Below this no verdict is given: an interval that holds is too wide there to say anything."""
CERTAIN = 0.99
"""Success above which an attack is said to find the edge *definitely*."""
G1 = "any candidate"
LARGEST_STAKE = 0.75  # below 1, so that no single value takes all the capital
HALVINGS = 30


def credit(answer: tuple[Pair, ...], truth: Pair) -> float:
    """Return the chance that a guess among the answers is right; 0 for an abstention.

    >>> credit(((0, 1), (2, 3)), (2, 3)), credit((), (2, 3))
    (0.5, 0.0)
    """
    return (truth in answer) / max(1, len(answer))


def shared_level(attacks: int) -> float:
    """Return the level of each of several intervals that together hold at :data:`CONFIDENCE`.

    >>> round(shared_level(5), 4)
    0.99
    """
    return 1 - (1 - CONFIDENCE) / max(1, attacks)


def paired_difference(
    credits_: FloatArray, controls: FloatArray, *, confidence: float = CONFIDENCE
) -> Interval:
    """Return the mean of credit minus control over trials, with an interval for any law.

    Trials must come in an order that does not depend on their outcomes.

    >>> paired_difference(np.array([1.0]), np.array([0.25]))
    Interval(value=0.75, low=-1.0, high=1.0)
    """
    gaps = np.asarray(credits_ - controls, dtype=np.float64)
    low, high = _bounded_mean((gaps + 1) / 2, 1 - confidence)
    mean = float(gaps.mean())
    return Interval(mean, min(2 * low - 1, mean), max(2 * high - 1, mean))


def _bounded_mean(x: FloatArray, alpha: float) -> tuple[float, float]:
    """Return an interval for the mean of independent values in [0, 1], valid for every law.

    Against the claim *the mean is m* one bets on each value a stake fitted to the values before
    it; if the claim is true the capital is a fair game's, and by Ville's inequality it ever grows
    by 2 / alpha with probability alpha / 2 at most. The claims that neither a bet on larger nor
    one on smaller values ruins make up the interval.
    """
    count = len(x)
    times = np.arange(1, count)
    means = (0.5 + np.cumsum(x[:-1])) / (times + 1)
    spread = (0.25 + np.cumsum((x[:-1] - means) ** 2)) / (times + 1)
    before = np.concatenate([[0.25], spread])
    stake = np.minimum(np.sqrt(2 * np.log(2 / alpha) / (before * count)), LARGEST_STAKE)
    return _ruined_below(x, stake, alpha), 1 - _ruined_below(1 - x, stake, alpha)


def _ruined_below(x: FloatArray, stake: FloatArray, alpha: float) -> float:
    """Return the largest mean that a bet on larger values ruins; 0 if it ruins none.

    The capital falls as the claimed mean grows, so the border is found by halving.
    """
    wanted = np.log(2 / alpha)
    low, high = 0.0, 1.0
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        if np.cumsum(np.log1p(stake * (x - middle))).max() >= wanted:
            low = middle
        else:
            high = middle
    return low


def baseline_control(controls: Mapping[str, FloatArray]) -> str:
    """Return the name of the control that attacks are measured against.

    It is the most successful of those shown to beat the random guess among the candidates, at a
    level shared by all of them; if none is shown to, that guess itself. (To take the largest mean
    as it comes would be to pick the luckiest.)
    """
    level = shared_level(len(controls) - 1)
    better = {
        name: float(earned.mean())
        for name, earned in controls.items()
        if name != G1 and paired_difference(earned, controls[G1], confidence=level).low > 0
    }
    return max(better, key=lambda name: better[name]) if better else G1


def certainty_trials(attacks: int) -> int:
    """Return how many trials, all won, show success above :data:`CERTAIN` at the shared level.

    >>> certainty_trials(1)
    381
    """
    low, high = 1, 1 << 20
    while low < high:
        middle = (low + high) // 2
        if wilson(1.0, middle, confidence=shared_level(attacks))[0] > CERTAIN:
            high = middle
        else:
            low = middle + 1
    return low


def word_verdict(
    difference: Interval, *, trials: int, success_low: float, placebo_low: float, control: float
) -> str:
    """Return what the numbers allow one to say about one attack.

    Parameters
    ----------
    difference
        Success less the baseline control's.
    success_low
        Lower end of the interval of the success.
    placebo_low
        Lower end of the interval of the success on the placebo.
    control
        Mean success of the baseline control.

    Examples
    --------
    >>> word_verdict(
    ...     Interval(0.2, 0.1, 0.3), trials=1000, success_low=0.5, placebo_low=0.3, control=0.36
    ... )
    'leaks'
    """
    if trials < FEWEST_TRIALS:
        return f"too few trials: {trials} of {FEWEST_TRIALS}"
    if placebo_low > control:
        return "attack unsound: it finds the edge in a placebo"
    if difference.low <= 0:
        return "no leak shown"
    return "definitely" if success_low > CERTAIN else "leaks"
