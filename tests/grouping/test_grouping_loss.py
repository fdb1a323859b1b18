from __future__ import annotations

from copy import copy
from dataclasses import replace
from math import inf
from typing import Any

import numpy as np
import pytest

from pathveil.chance.intervals import proportion
from pathveil.chance.source import Seeded
from pathveil.errors import BadGrouping, NotHarmonious
from pathveil.grouping import grouping_loss
from pathveil.grouping.draw_grouping import group
from pathveil.grouping.grouping_loss import estimate_loss
from pathveil.model.grouping import Grouping, GroupingTerms
from pathveil.model.network import Network
from tests.grouping.test_colouring import random_network


def test_a_loss_adds_up() -> None:
    network = random_network(200, 240, 1)
    grouping = group(network, classes=50, source=Seeded(1))
    loss = estimate_loss(network, grouping, source=Seeded(2), effort=(4, 30, 10))
    assert loss.worst > 0
    assert loss.one_time == loss.worst + loss.failed_tries
    assert loss.load == pytest.approx(240 / (50 * 49 / 2))
    # The insider gains by the load alone, and by the chaff on top of it.
    assert 0.25 < loss.insider() < loss.insider(chaff=0.5) < 1


def test_a_link_costs_what_its_grouping_is_likelier_by_over_all_orders(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Two orders, three links: the chances without a link are averaged over orders, not links."""
    ratios = np.array([[1.0, 2.0, 4.0], [1.0, 1.0, 2.0]])
    orders = iter(np.log(ratios))
    monkeypatch.setattr(grouping_loss, "_order_losses", lambda *_: next(orders))
    path = Network.parse("ab bc cd")
    grouping = Grouping.of(["ad", "be", "cf"], terms=GroupingTerms(4, 3))
    loss = estimate_loss(path, grouping, source=Seeded(1), effort=(2, 3, 1))
    assert loss.worst == pytest.approx(np.log(8 / 3))
    assert replace(loss, success=proportion(0, 9)).failed_tries == inf


def test_tight_groupings_are_dear() -> None:
    """Few classes: more is given away once, and failed tries have no useful bound."""
    network = random_network(120, 150, 1)
    losses = [
        estimate_loss(
            network,
            group(network, classes=classes, source=Seeded(3)),
            source=Seeded(4),
            effort=(3, 60, 20),
        )
        for classes in (23, 27, 34)
    ]
    assert losses[0].one_time > losses[1].one_time > losses[2].one_time
    assert losses[0].load > losses[1].load > losses[2].load
    assert losses[0].failed_tries > 1


def test_the_share_of_tries_that_succeed() -> None:
    """Most where there is room; none where the floor of two is out of reach."""
    ring = Network.from_links([(i, (i + 1) % 300) for i in range(300)])
    grouping = group(ring, classes=50, source=Seeded(1))
    roomy = estimate_loss(ring, grouping, source=Seeded(1), effort=(1, 1, 20))
    tight: Any = copy(grouping)
    object.__setattr__(tight, "terms", GroupingTerms(149, 3, 2))
    assert roomy.success == proportion(17, 20)
    assert estimate_loss(ring, tight, source=Seeded(1), effort=(1, 1, 20)).success.value == 0


def test_a_grouping_of_another_network_has_no_loss() -> None:
    with pytest.raises(NotHarmonious):
        estimate_loss(
            Network.parse("ab bc cd"), Grouping.of([["a", "b"], ["c", "d"]]), source=Seeded(1)
        )


def test_a_grouping_that_could_not_be_drawn_here_has_no_loss(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its terms may come from a file: they are looked at before memory is asked for."""
    path = Network.parse("ab bc cd")
    grouping = Grouping.of(["ad", "be", "cf"], terms=GroupingTerms(4, 3))
    monkeypatch.setattr("pathveil.grouping.draw_grouping.MOST_CLASSES", 3)
    monkeypatch.setattr(grouping_loss, "_order_losses", None)
    with pytest.raises(BadGrouping, match="4 classes, more than 3"):
        estimate_loss(path, grouping, source=Seeded(1))
