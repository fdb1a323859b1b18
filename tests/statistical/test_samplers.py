"""Samplers against their exact laws, each with a broken twin that must be caught.

Sources are fixed, so these tests give the same answer every time. The false-alarm rate says how
unlucky the seed would have to be: each test refuses a true sampler with probability at most 1e-6
(one-sided tail of an exact binomial or a chi-square statistic; the expected counts are all above
200, where the chi-square tail is good to a few per cent). The number of draws is chosen so that
the broken twin is far beyond that line.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np
import numpy.typing as npt
import pytest
from scipy.stats import binom, chi2

from pathveil.chance.coins import _any_pattern
from pathveil.chance.exponential import (
    ExactProbability,
    ExponentialMechanism,
    bernoulli,
    bernoulli_packed,
)
from pathveil.chance.source import Seeded, shuffled, take_bytes

ALARM = 1e-6
DRAWS = 400_000

Coin = Callable[[Seeded, ExactProbability, int], npt.NDArray[np.bool_]]


def coin_fits(successes: int, draws: int, p: float) -> bool:
    """Two-sided exact binomial test."""
    tail = min(binom.cdf(successes, draws, p), binom.sf(successes - 1, draws, p))
    return bool(2 * tail > ALARM)


def counts_fit(counts: Sequence[int] | npt.NDArray[np.int64], law: Sequence[float]) -> bool:
    """Chi-square test of counts against a law."""
    expected = np.asarray(law) * np.sum(counts)
    assert expected.min() > 200, "too few draws for a chi-square test"
    statistic = float(((np.asarray(counts) - expected) ** 2 / expected).sum())
    return bool(chi2.sf(statistic, len(expected) - 1) > ALARM)


# -- the coin -------------------------------------------------------------------------------------

COINS = {
    "half": ExactProbability.rational(Fraction(1, 2)),
    "third": ExactProbability.rational(Fraction(1, 3)),
    "logistic 1/4": ExactProbability.logistic(Fraction(1, 4)),
    "logistic 5/2": ExactProbability.logistic(Fraction(5, 2)),
    "tiny": ExactProbability.exponential(Fraction(9)),
    "near one": ExactProbability.exponential(Fraction(9)).complement(),
}


def packed(source: Seeded, p: ExactProbability, count: int) -> npt.NDArray[np.bool_]:
    return np.unpackbits(bernoulli_packed(source, p, count), count=count).astype(bool)


@pytest.mark.parametrize("draw", [bernoulli, packed])
@pytest.mark.parametrize("name", COINS)
def test_coins(name: str, draw: Coin) -> None:
    p = COINS[name]
    coins = draw(Seeded(f"coin {name}"), p, DRAWS)
    assert coin_fits(int(coins.sum()), DRAWS, float(p))
    # Neighbouring coins do not know each other.
    both = coins[:-1:2] & coins[1::2]
    assert coin_fits(int(both.sum()), len(both), float(p) ** 2)


def truncated(source: Seeded, p: ExactProbability, count: int) -> npt.NDArray[np.bool_]:
    """Broken: one byte decides, the digits beyond are cut off."""
    return take_bytes(source, count) < p.digits(8)


@pytest.mark.parametrize("name", ["third", "logistic 5/2", "tiny", "near one"])
def test_a_truncated_coin_is_caught(name: str) -> None:
    p = COINS[name]
    draws = 10 * DRAWS
    coins = truncated(Seeded(f"coin {name}"), p, draws)
    assert not coin_fits(int(coins.sum()), draws, float(p))


# -- the exponential mechanism --------------------------------------------------------------------

MECHANISM = ExponentialMechanism.from_scores([0, 1, 2, 3], epsilon=1, sensitivity=1)
LAW = [float(p) for p in MECHANISM.law()]


def test_the_law_is_the_textbooks() -> None:
    weights = np.exp(np.arange(4) / 2)
    assert pytest.approx((weights / weights.sum()).tolist(), abs=1e-15) == LAW


def test_sample_many() -> None:
    drawn = MECHANISM.sample_many(Seeded("mechanism"), DRAWS)
    assert counts_fit(np.bincount(drawn, minlength=4), LAW)


def test_sample() -> None:
    source = Seeded("one by one")
    drawn = [MECHANISM.sample(source) for _ in range(4000)]
    assert counts_fit(np.bincount(drawn, minlength=4), LAW)


def permute_and_flip(source: Seeded, count: int) -> npt.NDArray[np.int64]:
    """Broken as an exponential mechanism: a better mechanism, but another law."""
    drawn = np.empty(count, dtype=np.int64)
    rates = [ExactProbability.exponential(Fraction(3 - q, 2)) for q in range(4)]
    for i in range(count):
        for option in shuffled(source, 4):
            if bernoulli(source, rates[option], 1)[0]:
                drawn[i] = option
                break
    return drawn


def test_permute_and_flip_is_caught() -> None:
    drawn = permute_and_flip(Seeded("flip"), 8000)
    assert not counts_fit(np.bincount(drawn, minlength=4), LAW)


# -- patterns -------------------------------------------------------------------------------------


def pattern_codes(rows: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
    return np.bincount(rows @ np.array([1, 2, 4, 8]), minlength=16)[1:]


def test_any_pattern_is_uniform_and_never_empty() -> None:
    rows = _any_pattern(Seeded("patterns"), 60_000, 4)
    assert rows.any(axis=1).all()
    assert counts_fit(pattern_codes(rows), [1 / 15] * 15)


def test_patterns_patched_instead_of_redrawn_are_caught() -> None:
    """Broken: an empty pattern is given its first copy pair instead of being drawn again."""
    drawn = np.unpackbits(take_bytes(Seeded("patterns"), 60_000)[:, None], axis=1, count=4)
    rows = drawn.astype(bool)
    rows[~rows.any(axis=1), 0] = True
    assert not counts_fit(pattern_codes(rows), [1 / 15] * 15)
