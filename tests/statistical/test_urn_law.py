"""The urn against its exact law, with broken twins that must be caught.

Counts of 40,000 pairs over 6 releases, drawn release by release as ``publish`` draws them, against
the Beta-binomial law: chi-square, false-alarm rate 1e-6, fixed source, expected counts above 200.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb

import numpy as np
import pytest
from scipy.stats import chi2

from pathveil.chance.source import Seeded
from pathveil.chance.urn import Urn
from pathveil.model.bits import IndexArray

ALARM, PAIRS, RELEASES = 1e-6, 40_000, 6
URNS = {
    "half and half": Urn(),
    "even": Urn(Fraction(1), Fraction(1)),
    "centred": Urn(Fraction(2), Fraction(4)),
    "thirds": Urn(Fraction(2, 3), Fraction(4, 3)),
}


def drawn(urn: Urn, *, forgets: bool = False, lags: bool = False) -> IndexArray:
    source, shown = Seeded("urn law"), np.zeros(PAIRS, dtype=np.int64)
    last = shown
    for release in range(RELEASES):
        known = np.zeros_like(shown) if forgets else last if lags else shown
        last = shown.copy()
        shown = shown + urn.coins(source, known, 0 if forgets else release)
    return shown


def fits(urn: Urn, counts: IndexArray) -> bool:
    law = [comb(RELEASES, k) * urn.chance(k, RELEASES) for k in range(RELEASES + 1)]
    expected = np.array([float(p) * PAIRS for p in law])
    assert expected.min() > 200, "too few draws for a chi-square test"
    found = np.bincount(counts, minlength=RELEASES + 1)
    statistic = float(((found - expected) ** 2 / expected).sum())
    return bool(chi2.sf(statistic, RELEASES) > ALARM)


@pytest.mark.parametrize("name", URNS)
def test_the_urn_follows_its_law(name: str) -> None:
    assert fits(URNS[name], drawn(URNS[name]))


@pytest.mark.parametrize("name", URNS)
def test_an_urn_that_forgets_is_caught(name: str) -> None:
    assert not fits(URNS[name], drawn(URNS[name], forgets=True))


def test_an_urn_that_learns_a_release_late_is_caught() -> None:
    assert not fits(Urn(), drawn(Urn(), lags=True))
