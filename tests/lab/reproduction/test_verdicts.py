"""The rules of verdicts, on numbers made up so that the answer is known."""

from __future__ import annotations

import math
import random
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathveil.chance.intervals import Interval, bounded_mean
from pathveil.lab.reproduction.verdicts import (
    Curve,
    Verdict,
    count_trend,
    fitted_change,
    judge_bound,
    judge_count,
    judge_size,
    judge_trend,
)


def within(value: float, width: float = 0.01) -> Interval:
    return Interval(value, value - width, value + width)


def curve(*values: float, width: float = 0.01) -> Curve:
    return [(float(x), within(y, width)) for x, y in enumerate(values)]


UP, DOWN, FLAT = curve(0.1, 0.2, 0.3), curve(0.3, 0.2, 0.1), curve(0.2, 0.2, 0.2)
OPEN = curve(0.2, 0.25, 0.3, width=0.4)

TRENDS: list[tuple[tuple[Curve, ...], Verdict]] = [
    ((UP, UP, UP), "agrees"),
    ((UP, UP, FLAT), "agrees"),
    ((UP, UP, OPEN), "agrees"),
    ((UP, UP, DOWN), "in part"),
    ((UP, FLAT, FLAT), "in part"),
    ((UP, UP, FLAT, FLAT), "in part"),  # half is not most
    ((UP, OPEN, OPEN), "undecided"),
    ((OPEN, OPEN, OPEN), "undecided"),  # lack of data is no disagreement
    ((UP, FLAT, DOWN), "disagrees"),
    ((FLAT, FLAT, FLAT), "disagrees"),
    ((DOWN, DOWN), "disagrees"),
]
"""Every line of the rule's table."""


def test_every_line_of_the_rule() -> None:
    for curves, verdict in TRENDS:
        named = {str(k): one for k, one in enumerate(curves)}
        assert judge_trend(named, "rises", runs=20).verdict == verdict, curves
        turned = {
            name: [(x, Interval(-y.value, -y.high, -y.low)) for x, y in one]
            for name, one in named.items()
        }
        assert judge_trend(turned, "falls", runs=20).verdict == verdict


def test_an_undecided_claim_says_how_many_runs_decide() -> None:
    """Widths of 0.4 at 20 runs; the change of 0.1 is sure at a width of about 0.08: 500 runs."""
    said = judge_trend({"a": OPEN}, "rises", runs=20)
    assert said.verdict == "undecided"
    runs = int(said.note.split()[1].replace(",", ""))
    assert 300 < runs < 1500
    enough = [(x, within(y.value, 0.4 * math.sqrt(20 / runs))) for x, y in OPEN]
    assert judge_trend({"a": enough}, "rises", runs=runs).verdict == "agrees"


def test_the_middle_counts_not_only_the_ends() -> None:
    """The ends are level within their intervals; eleven points together rise for sure."""
    slowly = curve(*(0.5 + 0.003 * x for x in range(11)), width=0.03)
    assert slowly[-1][1].low < slowly[0][1].high
    assert fitted_change(slowly).low > 0
    assert fitted_change([slowly[0], slowly[-1]]).low < 0
    assert fitted_change(list(reversed(slowly))) == fitted_change(slowly)
    assert fitted_change(curve(0.2, 0.5)).value == pytest.approx(0.3)


def test_one_curve_in_forty_does_not_decide() -> None:
    """600 claims of 33 flat curves each with noise: at most 5 % say that any curve goes a way.

    Fixed noise. With a stream drawn anew the count is binomial with 30 expected at most, so 62 or
    more is a false alarm below 1e-6. Intervals of 95 % for each curve alone, the broken twin, give
    1 - 0.95^33 = 82 %.
    """
    noise = random.Random(33)
    wrong = alone = 0
    for _ in range(600):
        effects = [within(noise.gauss(0, 1), 1.96) for _ in range(33)]
        counted = count_trend(effects, "rises")
        wrong += counted.along + counted.against > 0
        alone += any(one.low > 0 or one.high < 0 for one in effects)
    assert wrong <= 62
    assert alone > 400


def test_curves_cut_short_are_named_and_not_counted() -> None:
    both = {"|V| = 9": DOWN, "|V| = 5": UP}
    said = judge_trend(both, "rises", runs=20, left_out=["|V| = 9"])
    assert said.verdict == "agrees"
    assert "|V| = 9" in said.note
    assert judge_trend({"a": UP}, "rises", runs=20, left_out=["a"]).verdict == "undecided"


def test_words_of_size_are_judged_as_such() -> None:
    for times, width, verdict in (
        (3.0, 0.1, "agrees"),
        (1.4, 0.1, "in part"),
        (1.0, 0.02, "disagrees"),
        (0.5, 0.1, "disagrees"),
        (1.4, 0.5, "undecided"),
    ):
        assert judge_size([within(math.log(times), width)], "", runs=20).verdict == verdict, times
    assert judge_size([], "", runs=20).verdict == "undecided"


def _later(now: dict[float, tuple[int, int]], factor: float) -> tuple[int, int]:
    return now.get(factor, (54, 54))


def test_printed_counts_are_about_right_or_not_or_open() -> None:
    for low, high, verdict in (
        (52, 58, "agrees"),
        (49, 50, "agrees"),
        (30, 40, "disagrees"),
        (36, 80, "undecided"),
    ):
        interval = {1.0: (low, high)}
        said = judge_count(partial(_later, interval), 52, of=122, found="", note="", runs=20)
        assert said.verdict == verdict


def test_a_bound_is_refuted_by_one_sure_size_and_held_by_most() -> None:
    sizes = {(5, e): within(0.8) for e in range(20)}
    assert judge_bound(sizes, 0.5, runs=20).verdict == "agrees"
    assert judge_bound({**sizes, (6, 1): within(0.4)}, 0.5, runs=20).verdict == "disagrees"
    wide = {size: within(0.45, 0.3) for size in sizes}
    assert judge_bound(wide, 0.5, runs=20).verdict == "undecided"


@pytest.mark.regression("three ties in three maps had an interval of zero width")
@given(st.integers(1, 40), st.integers(0, 40), st.integers(0, 40))
def test_no_interval_of_shares_has_zero_width(ties: int, told: int, wrong: int) -> None:
    runs = ties + told + wrong
    share = bounded_mean(2 * told + ties, 4 * told + ties, runs, most=2).halved()
    assert 0 <= share.low < share.value < share.high <= 1
    if runs == 3 and ties == 3:
        assert share.low < 0.214  # 0.786, which 1000 runs show, is inside
