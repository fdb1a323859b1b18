from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from pathveil import Network, Policy, Seeded, Walk
from pathveil.chance.history import History, shown_in
from pathveil.chance.urn import Urn
from pathveil.model.bits import unflatten
from pathveil.publishing.release import publish_series, publish_together

NETWORK = Network.parse("ab bc cd de bd ae")
WALKS = [Walk("abc"), Walk("bde"), Walk("eab"), Walk("cde")]
PAIRS = unflatten(np.arange(10), 5)


@pytest.fixture(params=[1, 1 << 22], ids=["counted when asked", "kept"])
def history(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> History:
    monkeypatch.setattr("pathveil.chance.history.LARGEST_TALLY", request.param)
    releases = publish_series(NETWORK, WALKS, policy=Policy.remembering(copies=2), source=Seeded(1))
    return History.of(releases)


def test_a_pair_is_counted_once_for_each_release_that_showed_it(history: History) -> None:
    """Against what publications answer: is any of its copy pairs not in one branch?"""
    counts = [0] * 10
    for (publication,) in history.releases:
        for k, (i, j) in enumerate(PAIRS.tolist()):
            u, v = NETWORK.vertices[i], NETWORK.vertices[j]
            copies = [((u, a), (v, b)) for a in range(2) for b in range(2)]
            counts[k] += not all(publication.same_branch(x, y) for x, y in copies)
    assert history.shown(PAIRS).tolist() == counts
    assert history.shown(PAIRS[[7, 2, 2]]).tolist() == [counts[7], counts[2], counts[2]]
    links = history.shown(NETWORK.pairs).tolist()
    assert dict(zip(NETWORK.links, links, strict=True))["a", "b"] == 2


def test_rates_follow_the_counts(history: History) -> None:
    urn = Urn(Fraction(1), Fraction(3))
    expected = [Fraction(k + 1, 4 + 4) for k in history.shown(PAIRS).tolist()]
    assert history.rates(urn, PAIRS) == expected


def test_before_the_first_release_nothing_was_shown() -> None:
    empty = History.of([])
    assert len(empty) == 0
    assert empty.last is None
    assert empty.positions is None
    assert empty.shown(PAIRS).tolist() == [0] * 10
    assert set(empty.rates(Urn(), PAIRS)) == {Fraction(1, 2)}


def test_the_last_release_is_named_by_its_digest(history: History) -> None:
    last = history.releases[-1][0]
    assert last.series is not None
    assert history.last == last.series.release
    assert len(history) == 4
    assert history.positions == last.positions
    assert repr(history) == "<History: 4 releases>"


def test_a_pair_on_two_walks_of_one_release_counts_once() -> None:
    walks = [Walk("abc"), Walk("de")]
    release = publish_together(NETWORK, walks, policy=Policy.remembering(), source=Seeded(1))
    shown = shown_in(release, release[0].positions, NETWORK.pairs)
    linked = dict(zip(NETWORK.links, shown.tolist(), strict=True))
    assert [link for link, on in linked.items() if on] == [("a", "b"), ("b", "c"), ("d", "e")]
    assert History.of(release).shown(NETWORK.pairs).tolist() == shown.astype(int).tolist()


def test_a_series_of_sketches_is_kept_as_it_is() -> None:
    walks = [Walk("abc"), Walk("bd")]
    releases = publish_series(NETWORK, walks, form="sketch", capacity=9, source=Seeded(1))
    history = History.of(releases)
    assert (len(history), history.tally) == (2, None)


def test_counts_are_kept_up_to_so_many_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    releases = list(publish_series(NETWORK, WALKS[:1], source=Seeded(1)))
    for largest, kept in ((10, True), (9, False)):
        monkeypatch.setattr("pathveil.chance.history.LARGEST_TALLY", largest)
        assert (History.of(releases).tally is not None) is kept
