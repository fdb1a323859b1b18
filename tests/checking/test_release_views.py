"""Views of drawn releases: what is told beside the link's own bits is seen, honest chaff is not."""

from __future__ import annotations

from math import inf, log

import numpy as np
import pytest

from pathveil import Seeded
from pathveil.checking.auditing import VIEWS, Pile, first_part, judge_piles, rows_needed, worst

SAMPLES = 1000
ROWS = rows_needed(SAMPLES)


def piles(leak: str = "", *, width: int = 12) -> dict[bool, Pile]:
    """Fair coins; the first column is the link's own, shown on the walk where it is there."""
    random = np.random.default_rng(1)
    found = {}
    for known in (True, False):
        bits = random.random((ROWS, width)) < 0.5
        told = np.ones(ROWS, dtype=np.int8)
        if known:
            bits[:, 0] = False
        if leak == "another bit":
            bits[:, 7] = known
        elif leak == "direction":
            told[:] = known
        elif leak == "no direction" and known:
            told[:] = -1
        found[known] = Pile(bits, told, np.array([0]))
    return found


def judged(leak: str, **given: int) -> str:
    found = judge_piles(
        piles(leak, **given),
        (log(2), inf),
        samples=SAMPLES,
        confidence=1 - 1e-6,  # false alarm: one in a million
        tests=VIEWS,
        source=Seeded(1),
    )
    assert len(found) == VIEWS
    return worst(found, SAMPLES, 1 - 1e-6).verdict


def test_honest_chaff_is_not_refuted() -> None:
    assert judged("") == "inconclusive"


@pytest.mark.parametrize("leak", ["another bit", "direction", "no direction"])
def test_what_is_told_beside_the_links_own_bits_is_seen(leak: str) -> None:
    assert judged(leak) == "refuted"


def test_more_columns_than_a_word_has_bits() -> None:
    """Rows of a link with many copy pairs are compared whole."""
    bits = np.zeros((ROWS, 90), dtype=np.bool_)
    other = bits.copy()
    other[:, 89] = True
    told = np.zeros(ROWS, dtype=np.int8)
    own = np.arange(90)
    given = {True: Pile(bits, told, own), False: Pile(other, told, own)}
    found = judge_piles(
        given, (1.0, 1.0), samples=SAMPLES, confidence=0.999, tests=2, source=Seeded(1)
    )
    assert all(one.forward.one_sided and one.verdict == "refuted" for one in found)


def test_parts_of_the_rows() -> None:
    assert (first_part(20_000), rows_needed(20_000)) == (5000, 35_000)
    assert (first_part(1), rows_needed(1)) == (1, 4)
