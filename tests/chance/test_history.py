from __future__ import annotations

import numpy as np
import pytest

from pathveil import Network, Policy, Seeded, Walk
from pathveil.chance.urn import History
from pathveil.model.bits import unflatten
from pathveil.publishing.release import publish_series

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
    assert empty.positions is None
    assert empty.shown(PAIRS).tolist() == [0] * 10


def test_the_last_release_is_named_by_its_digest(history: History) -> None:
    last = history.releases[-1]
    assert last.series is not None
    assert history.last == last.series.release
    assert len(history) == 4
    assert history.positions == last.positions
    assert repr(history) == "<History: 4 releases>"


def test_counts_are_kept_up_to_so_many_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    releases = list(
        publish_series(NETWORK, WALKS[:1], source=Seeded(1), policy="remembering:on=1/2,off=1/2")
    )
    for largest, kept in ((10, True), (9, False)):
        monkeypatch.setattr("pathveil.chance.urn.LARGEST_TALLY", largest)
        assert (History.of(releases).tally is not None) is kept
