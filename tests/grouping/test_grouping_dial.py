from __future__ import annotations

from math import log

import pytest

from pathveil.chance.source import Seeded, Source
from pathveil.errors import BadGrouping
from pathveil.grouping import grouping_loss as grouping_dial
from pathveil.grouping.draw_grouping import (
    Recommendation,
    group,
    recommend,
    recommended_classes,
    rounded_up,
)
from pathveil.grouping.grouping_loss import one_time_loss, turn_dial
from pathveil.model.grouping import Grouping
from pathveil.model.network import Network
from tests.grouping.test_colouring import random_network


def test_rows_run_from_small_classes_to_large_ones() -> None:
    rows = list(turn_dial(random_network(120, 140, 1), source=Seeded(1)))
    assert len(rows) >= 2
    classes = [grouping.classes for grouping, _ in rows]
    assert classes == sorted(classes, reverse=True)
    loads = [loss.load for _, loss in rows]
    assert loads == sorted(loads)
    insiders = [loss.insider(chaff=0.5) for _, loss in rows]
    assert insiders == sorted(insiders)


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
    for largest, orders in ((120, 8), (119, 2)):
        monkeypatch.setattr(grouping_dial, "LARGE", largest)
        assert next(turn_dial(network, source=Seeded(1)))[1].orders == orders


def test_the_dial_runs_from_four_times_the_recommended_classes_down_to_two(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """And says each number of classes once, however often it is drawn."""
    network = random_network(120, 140, 1)
    asked: list[int] = []

    def drawn(network: Network, *, classes: int, source: Source, tries: int) -> Grouping:
        asked.append(classes)
        members = [list(network.vertices[k :: min(classes, 17)]) for k in range(min(classes, 17))]
        return Grouping.of(members)

    few = Recommendation(classes=5, links=1, degree=1, rounded=True, size=120)
    monkeypatch.setattr(grouping_dial, "recommend", lambda network: few)
    monkeypatch.setattr(grouping_dial, "group", drawn)
    monkeypatch.setattr(grouping_dial, "estimate_loss", lambda *_, **__: None)
    monkeypatch.setattr(grouping_dial, "MEANS", (4, 5, 6, 7, 30, 60, 61, 40))
    rows = list(turn_dial(network, source=Seeded(1)))
    assert [grouping.classes for grouping, _ in rows] == [17, 4, 2]
    assert asked == [20, 17, 4, 2]
