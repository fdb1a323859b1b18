from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathveil.chance.source import Seeded, System
from pathveil.errors import BadGrouping
from pathveil.grouping import draw_grouping as colouring
from pathveil.grouping.draw_grouping import (
    choose_terms,
    draw_colouring,
    group,
    require_possible,
    try_colouring,
)
from pathveil.model.grouping import GroupingTerms
from pathveil.model.network import Network
from tests.strategies import networks


def random_network(size: int, links: int, seed: int) -> Network:
    random = np.random.default_rng(seed)
    tree = {(int(random.integers(v)), v) for v in range(1, size)}
    while len(tree) < links:
        u, v = sorted(random.integers(size, size=2).tolist())
        if u != v:
            tree.add((u, v))
    return Network.from_links((f"{u:04d}", f"{v:04d}") for u, v in tree)


@given(networks(largest=9), st.integers(2, 12), st.integers(0, 1000))
def test_every_draw_is_harmonious(network: Network, classes: int, seed: int) -> None:
    terms = GroupingTerms(classes, len(network))
    colours = try_colouring(network, terms, Seeded(seed))
    if colours is not None:
        blocks = {tuple(sorted(block)) for block in colours[network.pairs].tolist()}
        assert all(one != other for one, other in blocks)
        assert len(blocks) == len(network.pairs), "no two links share a block"


def test_what_is_read_from_the_source_depends_on_public_numbers_alone() -> None:
    """Two networks, same size and terms: after one try both streams stand at the same byte."""
    ring = Network.from_links([(i, (i + 1) % 30) for i in range(30)])
    star = Network.from_links([(0, i) for i in range(1, 30)])
    one, other = Seeded(1), Seeded(1)
    assert try_colouring(ring, GroupingTerms(30, 2), one) is not None
    assert try_colouring(star, GroupingTerms(30, 2), other) is not None
    assert one.take(8) == other.take(8)


def test_group_keeps_floor_and_cap() -> None:
    network = random_network(400, 450, 2)
    grouping = group(network, classes=100, source=Seeded(1))
    assert grouping.sizes.min() >= 2
    assert grouping.sizes.max() <= grouping.terms.cap
    assert grouping.unsafe
    assert not group(network, classes=90, source=System()).unsafe


def test_terms_come_from_public_numbers_alone() -> None:
    """A try at cheating: two networks of one size get the same terms, however dense they are."""
    thin, dense = random_network(200, 210, 1), random_network(200, 400, 1)
    assert (
        group(thin, classes=50, source=Seeded(1)).terms
        == group(dense, classes=50, source=Seeded(1)).terms
        == choose_terms(200, 50)
    )


@pytest.mark.parametrize(
    ("classes", "said"), [(None, "too small"), (1, "expected 5 at most"), (6, "expected 5 at most")]
)
def test_numbers_that_make_no_grouping(classes: int | None, said: str) -> None:
    path = Network.from_links([(i, i + 1) for i in range(10)])
    with pytest.raises(BadGrouping, match=said):
        group(path, classes=classes)


def test_too_dense_is_said_before_anything_is_drawn() -> None:
    star = Network.from_links([(0, i) for i in range(1, 10)])
    with pytest.raises(BadGrouping, match="needs 10 at the very least"):
        require_possible(star, GroupingTerms(9, 3))
    require_possible(star, GroupingTerms(10, 3))
    complete = Network.from_links([(i, j) for i in range(6) for j in range(i)])
    require_possible(complete, GroupingTerms(6, 1))  # fifteen links, fifteen blocks
    rings = [Network.from_links([(i, (i + 1) % size) for i in range(size)]) for size in (28, 29)]
    require_possible(rings[0], GroupingTerms(8, 4))
    with pytest.raises(BadGrouping, match="29 links apart; this network needs 9 at the very least"):
        require_possible(rings[1], GroupingTerms(8, 4))


def test_classes_too_small_to_hold_everybody() -> None:
    path = Network.from_links([(i, i + 1) for i in range(10)])
    with pytest.raises(BadGrouping, match="cannot hold 11 vertices"):
        require_possible(path, GroupingTerms(5, 2))
    require_possible(path, GroupingTerms(11, 1))


def test_no_more_classes_than_bit_sets_are_made_for(monkeypatch: pytest.MonkeyPatch) -> None:
    path = Network.from_links([(i, i + 1) for i in range(10)])
    monkeypatch.setattr(colouring, "MOST_CLASSES", 8)
    require_possible(path, GroupingTerms(8, 2))
    with pytest.raises(BadGrouping, match="9 classes, more than 8; take larger classes"):
        require_possible(path, GroupingTerms(9, 2))


def test_a_tight_network_is_refused_after_its_tries(monkeypatch: pytest.MonkeyPatch) -> None:
    complete = Network.from_links([(i, j) for i in range(6) for j in range(i)] + [(0, 6)])
    tried: list[bool] = []

    def watched(*given: Any) -> Any:
        tried.append(True)
        return try_colouring(*given)

    monkeypatch.setattr(colouring, "try_colouring", watched)
    with pytest.raises(BadGrouping, match="in 3 tries; this network needs 7 classes"):
        draw_colouring(complete, GroupingTerms(7, 2, at_least=2), Seeded(1), tries=3)
    assert len(tried) == 3


def test_a_try_fails_exactly_where_a_class_in_use_is_below_the_floor() -> None:
    """The same coins with each floor: what is drawn does not depend on it, only whether it does."""
    network, least = random_network(40, 45, 2), set()
    for seed in range(12):
        colours = try_colouring(network, GroupingTerms(16, 5), Seeded(seed))
        if colours is None:
            continue
        smallest = min(np.bincount(colours)[np.unique(colours)])
        least.add(int(smallest))
        for floor in range(1, 4):
            terms = GroupingTerms(16, 5, at_least=floor)
            kept = try_colouring(network, terms, Seeded(seed))
            assert (kept is None) == (smallest < floor)
    assert {1, 2} <= least
