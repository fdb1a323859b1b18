"""Who knows all links but one and holds every release of a series."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from pathveil.attacks.series.insider import SeriesInference, joining_insider
from pathveil.attacks.series.observed_pairs import Sightings
from pathveil.model.bits import PairBits
from pathveil.model.positions import Positions

ABCDE = Positions.uniform(tuple("abcde"), 1)
HALF = Fraction(1, 2)
KNOWN = np.array([[0, 1], [2, 3], [3, 4]])


def release(*shown: tuple[int, int]) -> PairBits:
    kept = [pair for pair in combinations(range(5), 2) if pair not in shown]
    return PairBits.from_pairs(5, kept)


def test_one_release_leaves_the_joins_that_its_chaff_shows() -> None:
    """Pieces ab and cde: four joins, and he sees which of them are shown."""
    walk = [(0, 1), (1, 2), (2, 3), (3, 4)]
    alone = joining_insider(Sightings.of(ABCDE, [release(*walk)]), HALF, KNOWN)
    assert (alone.pairs, alone.control) == (((1, 2),), 4)
    assert alone.success((2, 1)) == 1
    company = joining_insider(Sightings.of(ABCDE, [release(*walk, (0, 4))]), HALF, KNOWN)
    assert set(company.pairs) == {(1, 2), (0, 4)}
    assert company.posterior == pytest.approx((0.5, 0.5))
    assert company.success((1, 2)) == 0.5
    assert company.chance_of((0, 2)) == company.success((0, 2)) == 0


def test_chaff_that_breaks_one_release_is_no_candidate_for_both() -> None:
    """a - e joins the pieces the first time; the second time it would make a third end."""
    releases = [
        release((0, 1), (1, 2), (2, 3), (3, 4), (0, 4)),
        release((0, 1), (1, 2), (2, 3), (1, 3)),
    ]
    found = joining_insider(Sightings.of(ABCDE, releases), HALF, KNOWN)
    assert found.pairs == ((1, 2),)


def test_a_link_that_was_shown_where_it_fits_nothing_is_none() -> None:
    """What is on a walk of one path makes it longer at an end or not at all."""
    path = [(2, 3), (3, 4)]
    found = joining_insider(Sightings.of(ABCDE, [release(*path, (1, 2), (0, 3))]), HALF, KNOWN)
    assert (1, 2) in found.pairs, "longer at an end"
    assert (0, 3) not in found.pairs, "from the middle"


def test_series_with_copies_are_refused() -> None:
    bits = PairBits.from_pairs(10, [])
    twice = Sightings.of(Positions.uniform(tuple("abcde"), 2), [bits])
    with pytest.raises(ValueError, match="one copy of each vertex"):
        joining_insider(twice, HALF, KNOWN)


def test_nobody_left_is_nobody_named() -> None:
    nobody = SeriesInference((), (), 0)
    assert nobody.success((0, 1)) == nobody.chance_of((0, 1)) == 0
