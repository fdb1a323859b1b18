from __future__ import annotations

from fractions import Fraction

import pytest

from pathveil import Network, Policy, Seeded, Walk
from pathveil.chance.losses import fresh_loss, pattern_loss, series_use
from pathveil.chance.urn import History, Urn
from pathveil.errors import BrokenSeries
from pathveil.publishing.release import publish_series


def test_the_custodian_sees_the_dearest_of_his_links() -> None:
    network, policy = Network.parse("ab bc cd bd"), Policy.remembering(prior=("1/2", "1/2"))
    walks = [Walk("abc"), Walk("abd"), Walk("abc"), Walk("ab")]
    history = History.of(publish_series(network, walks, policy=policy, source=Seeded(1)))
    used = series_use(network, history, policy)
    # ab lies on four of four, bc on two, bd on one, cd on none: half and half is the dearest.
    assert used.uses_per_link == Fraction(7, 4)
    assert (used.link, used.shown, used.releases) == (("b", "c"), 2, 4)
    assert used.presence == pattern_loss(Urn(), 2, 4)
    assert used.fresh == fresh_loss(policy, 4)
    assert repr(used) == "<SeriesUse: for the custodian>"


def test_one_release_is_a_series() -> None:
    network, policy = Network.parse("ab bc"), Policy.remembering(prior=("1/2", "1/2"))
    history = History.of(publish_series(network, [Walk("ab")], policy=policy, source=Seeded(1)))
    used = series_use(network, history, policy)
    assert (used.uses_per_link, used.releases) == (Fraction(1, 2), 1)
    assert used.presence == pattern_loss(Urn(), used.shown, 1)


def test_before_the_first_release_nothing_was_lost() -> None:
    with pytest.raises(BrokenSeries, match="publish first"):
        series_use(Network.parse("ab bc"), History(), Policy.remembering(usage="0.2"))
