from __future__ import annotations

from math import log

import pytest

from pathveil.chance.source import Seeded
from pathveil.errors import BadGrouping
from pathveil.grouping import grouping_loss
from pathveil.grouping.draw_grouping import (
    Recommendation,
    group,
    recommend,
    recommended_classes,
    rounded_up,
)
from pathveil.grouping.grouping_loss import estimate_loss, one_time_loss
from tests.grouping.test_colouring import random_network


def test_bounds_given_by_hand_decide_alone() -> None:
    """Two networks under the same bounds are recommended the same: nothing of them shows."""
    thin, dense = random_network(300, 310, 1), random_network(300, 480, 2)
    advice = [recommend(network, links=500, degree=20) for network in (thin, dense)]
    assert {one.classes for one in advice} == {recommended_classes(300, 500, 20)}
    assert not advice[0].rounded
    with pytest.raises(BadGrouping, match="give bounds that hold"):
        recommend(thin, links=39, degree=30)


def test_a_recommendation_that_is_called_useful_can_be_drawn_and_hides_every_link() -> None:
    """On sparse and dense, small and large networks; each link among more pairs than it lost."""
    useful = 0
    for size, links in ((60, 70), (90, 95), (150, 170), (200, 260), (300, 500), (800, 900)):
        network = random_network(size, links, 3)
        advice = recommend(network)
        if not advice.useful:
            continue
        useful += 1
        grouping = group(network, classes=advice.classes, source=Seeded(1))
        members = dict(
            zip(
                network.vertices,
                grouping.sizes[grouping.classes_of(network.vertices)].tolist(),
                strict=True,
            )
        )
        fewest = min(members[u] * members[v] for u, v in network.links)
        assert log(fewest) > one_time_loss(network, grouping)
    assert useful == 4


def test_classes_are_twice_as_many_as_needed_or_half_as_many_again_where_vertices_are_few() -> None:
    assert recommended_classes(1000, links=10, degree=10) == 22, "a star: its hub needs eleven"
    assert recommended_classes(1000, links=8, degree=2) == 8, "sixteen is four times four"
    assert recommended_classes(1000, links=9, degree=2) == 10, "eighteen needs a fifth class"
    assert recommended_classes(20, links=9, degree=2) == 8, "five, and three more"
    for size, useful in ((80, True), (79, False)):
        assert Recommendation(20, 1, 1, rounded=True, size=size).useful is useful


def test_a_bound_is_one_two_three_or_five_times_a_power_of_ten() -> None:
    found = [rounded_up(number) for number in (1, 2, 3, 4, 6, 11, 21, 31, 51, 100, 101)]
    assert found == [1, 2, 3, 5, 10, 20, 30, 50, 100, 100, 200]


def test_a_large_network_is_looked_at_less_closely(monkeypatch: pytest.MonkeyPatch) -> None:
    network = random_network(120, 140, 1)
    grouping = group(network, classes=40, source=Seeded(1))
    widths = []
    for largest in (120, 119):
        monkeypatch.setattr(grouping_loss, "LARGE", largest)
        success = estimate_loss(network, grouping, source=Seeded(1)).success
        widths.append(success.high - success.low)
    assert widths[0] < widths[1]
