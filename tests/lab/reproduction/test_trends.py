"""The one rule for trends, on curves made up so that the answer is known."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathveil.chance.intervals import Interval
from pathveil.lab.reproduction.judges import Curve, Extent, Trend, Verdict, contrast, judge_trend


def curve(*values: float, within: float = 0.01) -> Curve:
    return [(float(x), Interval(y, y - within, y + within)) for x, y in enumerate(values)]


UP, DOWN, FLAT = curve(0.1, 0.2, 0.3), curve(0.3, 0.2, 0.1), curve(0.2, 0.2, 0.2)


def named(*curves: Curve) -> dict[str, Curve]:
    return {str(place): one for place, one in enumerate(curves)}


CASES: list[tuple[tuple[Curve, ...], Extent, Verdict]] = [
    ((UP, UP, UP), "all", "agrees"),
    ((UP, UP, FLAT), "most", "agrees"),
    ((UP, UP, DOWN), "most", "in part"),
    ((UP, FLAT, FLAT), "some", "in part"),
    ((UP, UP, FLAT, FLAT), "some", "in part"),  # half is not most
    ((UP, FLAT, DOWN), "some", "disagrees"),
    ((FLAT, FLAT, FLAT), "no", "disagrees"),
    ((DOWN, DOWN), "no", "disagrees"),
]
"""Every line of the rule's table."""

Rule = Callable[[tuple[Curve, ...]], tuple[Extent, Verdict | None]]


def ours(curves: tuple[Curve, ...]) -> tuple[Extent, Verdict | None]:
    found = judge_trend(named(*curves), "rises")
    return found.extent, found.verdict


def by_mean_gain(curves: tuple[Curve, ...]) -> tuple[Extent, Verdict | None]:
    """The broken twin: what claims were judged by before, the mean gain over all curves."""
    gain = sum(one[-1][1].value - one[0][1].value for one in curves) / len(curves)
    return ("all", "agrees") if gain > 0 else ("no", "disagrees")


def passes(rule: Rule) -> bool:
    return all(rule(curves) == (extent, verdict) for curves, extent, verdict in CASES)


@pytest.mark.parametrize(("curves", "extent", "verdict"), CASES)
def test_every_line_of_the_rule(
    curves: tuple[Curve, ...], extent: Extent, verdict: Verdict
) -> None:
    assert ours(curves) == (extent, verdict)


def test_a_rule_that_looks_at_the_mean_gain_is_caught() -> None:
    assert passes(ours)
    assert not passes(by_mean_gain)


def test_falling_is_rising_turned_round() -> None:
    for curves, _, _ in CASES:
        turned = [[(x, Interval(-y.value, -y.high, -y.low)) for x, y in one] for one in curves]
        rising, falling = (
            judge_trend(named(*curves), "rises"),
            judge_trend(named(*turned), "falls"),
        )
        assert (rising.along, rising.against) == (falling.along, falling.against)


def test_the_middle_counts_not_only_the_ends() -> None:
    """The ends are level within their intervals; eleven points together rise for sure."""
    slowly = curve(*(0.5 + 0.003 * x for x in range(11)), within=0.03)
    assert slowly[-1][1].low < slowly[0][1].high
    assert contrast(slowly).low > 0
    assert contrast([slowly[0], slowly[-1]]).low < 0


def test_two_points_are_their_difference() -> None:
    found = contrast(curve(0.2, 0.5, within=0.1))
    assert found.value == pytest.approx(0.15)
    assert found.value - found.low == pytest.approx(0.1 / 2**0.5)


def test_one_curve_in_forty_does_not_decide() -> None:
    """600 claims of 33 flat curves each with noise: at most 5 % say that any curve goes a way.

    Fixed noise. With a stream drawn anew the count is binomial with 30 expected at most, so 62 or
    more is a false alarm below 1e-6. Intervals of 95 % for each curve alone, the broken twin, give
    1 - 0.95^33 = 82 %.
    """
    noise = random.Random(33)
    wrong = alone = 0
    for _ in range(600):
        curves = {
            str(k): [
                (x, Interval(y, y - 1.96, y + 1.96))
                for x in (0.0, 1.0)
                for y in [noise.gauss(0, 1)]
            ]
            for k in range(33)
        }
        found = judge_trend(curves, "rises")
        wrong += found.along + found.against > 0
        each = [contrast(one) for one in curves.values()]
        alone += any(one.low > 0 or one.high < 0 for one in each)
    assert wrong <= 62
    assert alone > 400


def test_curves_cut_short_are_named_and_not_counted() -> None:
    found = judge_trend({"|V| = 9": DOWN, "|V| = 5": UP}, "rises", cut=["|V| = 9"])
    assert (found.curves, found.along, found.against) == (1, 1, 0)
    assert found.verdict == "agrees"
    assert "|V| = 9" in found.opinion("shown").note
    assert "direction only" in found.opinion("shown").found


def test_without_a_curve_there_is_no_verdict() -> None:
    assert judge_trend({"a": UP}, "rises", cut=["a"]).verdict is None


@given(st.integers(0, 40), st.integers(0, 40), st.integers(0, 40))
def test_more_curves_that_go_along_never_make_a_verdict_worse(
    along: int, level: int, against: int
) -> None:
    order = {"disagrees": 0, "in part": 1, "agrees": 2}
    here = Trend("rises", along + level + against, along, against).verdict
    more = Trend("rises", along + 1 + level + against, along + 1, against).verdict
    if here is not None and more is not None:
        assert order[more] >= order[here]


def test_a_curve_that_is_exactly_level_goes_neither_way() -> None:
    level = curve(1.0, 1.0, 1.0, within=0.0)
    found = judge_trend({"level": level}, "rises")
    assert (found.along, found.against, found.verdict) == (0, 0, "disagrees")


def test_points_may_come_in_any_order() -> None:
    assert contrast(list(reversed(UP))) == contrast(UP)
