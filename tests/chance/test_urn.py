"""The urn and the losses of a series as numbers."""

from __future__ import annotations

from fractions import Fraction
from math import comb, log, pi

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import betaln

from pathveil import Network, Policy, Seeded, Walk
from pathveil.chance import urn
from pathveil.chance.losses import exact_pattern_loss, fresh_loss, pattern_loss, urn_of
from pathveil.chance.urn import LARGEST_BOUND, History, Urn
from pathveil.errors import BadBudget
from pathveil.model.bits import unflatten
from pathveil.publishing.release import publish_series
from tests.chance.choices import Counting
from tests.chance.late_links import late_loss

BALLS = st.fractions(min_value=Fraction(1, 10), max_value=20, max_denominator=10)


@given(BALLS, BALLS, st.integers(0, 12))
def test_a_pattern_is_drawn_step_by_step(a: Fraction, b: Fraction, total: int) -> None:
    urn, chance, shown = Urn(a, b), Fraction(1), 0
    for release in range(total):
        on = release % 3 == 1
        rate = urn.rate(shown, release)
        chance *= rate if on else 1 - rate
        shown += on
    assert chance == urn.chance(shown, total)
    assert sum(comb(total, k) * urn.chance(k, total) for k in range(total + 1)) == 1


@given(BALLS, BALLS, st.integers(0, 30), st.integers(1, 15))
def test_the_costliest_pattern_is_the_least_likely(
    a: Fraction, b: Fraction, total: int, states: int
) -> None:
    urn = Urn(a, b)
    chances = [urn.chance(k, total) / states**k for k in range(total + 1)]
    assert chances[urn.costliest(total, states=states)] == min(chances)


def test_figures_of_the_theory() -> None:
    assert float(pattern_loss(Urn(), 0, 100)) == pytest.approx(2.87, abs=0.01)
    assert float(pattern_loss(Urn(), 0, 100)) == pytest.approx(log(pi * 100) / 2, abs=0.01)
    assert str(fresh_loss(Policy.remembering(prior=("1/2", "1/2")), 100)) == "100 ln 2 = 69.3148"
    assert float(late_loss(Urn(), (20, 20), 0, 10)) == pytest.approx(18.95, abs=0.01)
    assert float(pattern_loss(Urn(), 4, 20, states=4)) == pytest.approx(17.3, abs=0.05)
    assert float(pattern_loss(Urn(), 0, 20, states=4)) == pytest.approx(2.08, abs=0.01)


@given(st.integers(1, 60), st.data())
def test_half_and_half_is_within_a_constant_of_the_best(total: int, data: st.DataObject) -> None:
    """loss(k, T) <= T h(k/T) + (1/2) ln T + ln 2 for every k at once."""
    k = data.draw(st.integers(0, total))
    share = k / total
    entropy = -sum(p * log(p) for p in (share, 1 - share) if p)
    assert float(pattern_loss(Urn(), k, total)) <= total * entropy + log(total) / 2 + log(2) + 1e-3


@pytest.mark.parametrize("shown", [0, 1, 3])
def test_a_coin_shows_as_many_of_all_numbers_as_its_rate_says(shown: int) -> None:
    """After three of them there are four balls: every byte is tried, so every eighth of them."""

    class Listed(Seeded):
        def take(self, count: int) -> bytes:
            return bytes(range(count))

    drawn = Urn().coins(Listed(1), np.full(256, shown), 3)
    assert drawn.sum() == 256 * Urn().rate(shown, 3)


def test_coins_read_the_same_bytes_whatever_the_counts() -> None:
    """One whole number a coin: how much is read depends on the source alone."""
    few, many = Counting(1), Counting(1)
    Urn().coins(few, np.zeros(1000, dtype=np.int64), 9)
    Urn().coins(many, np.full(1000, 9, dtype=np.int64), 9)
    assert sum(few.read) == sum(many.read)
    assert len(few.read) < 50, "many numbers at a time"


def test_coins_of_several_chunks_lie_end_to_end(monkeypatch: pytest.MonkeyPatch) -> None:
    counts = np.arange(77) % 10
    source = Seeded(4)
    parts = [Urn().coins(source, counts[first : first + 16], 9) for first in range(0, 77, 16)]
    monkeypatch.setattr(urn, "CHUNK", 16)
    assert Urn().coins(Seeded(4), counts, 9).tolist() == np.concatenate(parts).tolist()


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: Urn(Fraction(0), Fraction(1)), "two positive numbers"),
        (
            lambda: Policy.remembering(prior=(Fraction(9999, 10**9 - 1), "9999.123456789")),
            "2\\^-62",
        ),
        (lambda: urn_of(Policy.balanced()), "fresh coins in every release"),
    ],
)
def test_what_is_no_urn_is_refused(make: object, said: str) -> None:
    with pytest.raises(BadBudget, match=said):
        make()  # type: ignore[operator]


def test_rates_are_drawn_as_finely_as_whole_numbers_of_62_bits() -> None:
    finest = Urn(Fraction(1 << 61), Fraction(1 << 61))
    assert finest.require_drawable(0) == LARGEST_BOUND == 1 << 62
    with pytest.raises(BadBudget, match=r"finer than 2\^-62"):
        finest.require_drawable(1)


def test_impossible_counts_are_refused() -> None:
    with pytest.raises(ValueError, match="cannot be"):
        Urn().rate(3, 2)
    with pytest.raises(ValueError, match="counts outside"):
        Urn().coins(Seeded(1), np.array([4]), 3)


def test_losses_of_many_releases_stay_exact() -> None:
    exact = exact_pattern_loss(Urn(), 300, 2000).loss()
    assert float(exact) == pytest.approx(betaln(0.5, 0.5) - betaln(300.5, 1700.5), abs=1e-3)


NETWORK = Network.parse("ab bc cd de bd ae")
WALKS = [Walk("abc"), Walk("bde"), Walk("eab"), Walk("cde")]
PAIRS = unflatten(np.arange(10), 5)


@pytest.fixture(params=[1, 1 << 22], ids=["counted when asked", "kept"])
def history(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> History:
    monkeypatch.setattr("pathveil.chance.urn.LARGEST_TALLY", request.param)
    releases = publish_series(
        NETWORK, WALKS, policy=Policy.remembering(prior=("1/2", "1/2"), copies=2), source=Seeded(1)
    )
    return History.of(releases)


def test_a_pair_is_counted_once_for_each_release_that_showed_it(history: History) -> None:
    """Against what publications answer: is any of its copy pairs not in one branch?"""
    counts = [0] * 10
    for publication in history.releases:
        for k, (i, j) in enumerate(PAIRS.tolist()):
            u, v = NETWORK.vertices[i], NETWORK.vertices[j]
            copies = [((u, a), (v, b)) for a in range(2) for b in range(2)]
            counts[k] += not all(publication.same_branch(x, y) for x, y in copies)
    assert history.shown(PAIRS).tolist() == counts
    assert history.shown(PAIRS[[7, 2, 2]]).tolist() == [counts[7], counts[2], counts[2]]
    links = history.shown(NETWORK.pairs).tolist()
    assert dict(zip(NETWORK.links, links, strict=True))["a", "b"] == 2


def test_before_the_first_release_nothing_was_shown() -> None:
    empty = History.of([])
    assert len(empty) == 0
    assert empty.last is None
    assert empty.shown(PAIRS).tolist() == [0] * 10


def test_the_last_release_is_named_by_its_digest(history: History) -> None:
    last = history.releases[-1]
    assert last.series is not None
    assert history.last == last.series.release
    assert len(history) == 4
    assert repr(history) == "<History: 4 releases>"
