from __future__ import annotations

import pytest

from pathveil.chance.source import Seeded, Source
from pathveil.errors import BadGrouping
from pathveil.grouping import grouping_loss as grouping_dial
from pathveil.grouping.grouping_loss import (
    MEANS,
    Recommendation,
    recommend,
    recommended_classes,
    rounded_up,
    share_alone,
    turn_dial,
)
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
    found = {recommend(network, links=500, degree=20).classes for network in (thin, dense)}
    assert found == {recommended_classes(500, 20)}
    assert not recommend(thin, links=500, degree=20).rounded


def test_bounds_that_do_not_hold_are_refused() -> None:
    with pytest.raises(BadGrouping, match="give bounds that hold"):
        recommend(random_network(30, 40, 1), links=39, degree=30)


def test_the_recommendation_can_be_drawn() -> None:
    from pathveil.grouping.draw_grouping import group

    for size, links in ((300, 500), (800, 900)):
        network = random_network(size, links, 3)
        group(network, classes=recommend(network).classes, source=Seeded(1))


def test_no_fewer_classes_than_a_hub_or_the_blocks_need_twice_over() -> None:
    assert recommended_classes(links=10, degree=10) == 22, "a star: its hub needs eleven"
    assert recommended_classes(links=8, degree=2) == 8, "sixteen is four times four"
    assert recommended_classes(links=9, degree=2) == 10, "eighteen needs a fifth class"


def test_classes_of_three_hide_a_link_among_nine_pairs() -> None:
    def useful(size: int) -> bool:
        return Recommendation(classes=20, links=1, degree=1, rounded=True, size=size).useful

    assert useful(60)
    assert not useful(59)


def test_a_bound_is_one_two_three_or_five_times_a_power_of_ten() -> None:
    found = [rounded_up(number) for number in (1, 2, 3, 4, 6, 11, 21, 31, 51, 100, 101)]
    assert found == [1, 2, 3, 5, 10, 20, 30, 50, 100, 100, 200]


def test_the_dial_is_turned_by_a_third_or_a_half_at_a_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """No step is wider than twice, and a large network is looked at less closely."""
    assert MEANS[0] == 2
    assert MEANS[-1] == 1024
    assert MEANS[6:] == (10, 12, 16, 20, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 1024)
    assert MEANS[:6] == (2, 3, 4, 5, 6, 8)
    network = random_network(120, 140, 1)
    for largest, orders in ((120, 12), (119, 2)):
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


def test_alone_is_who_shares_both_classes_with_nobody() -> None:
    first = Grouping.of([["a", "b"], ["c", "x"]])
    assert share_alone(first, first) == 0.0
    assert share_alone(first, Grouping.of(["az", "bcx"])) == 0.5
    assert share_alone(first, Grouping.of([["a", "y"]])) == 1.0, "one vertex in both"
    assert share_alone(first, Grouping.of([["y", "z"]])) == 0.0, "none in both"
