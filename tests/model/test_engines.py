"""The table of engines: facts, not names, and who is shown the walk."""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

import pytest

from pathveil.layering.exact import layer_exactly
from pathveil.model.bits import PairBits
from pathveil.model.engines import LAYERINGS, Layering, LayeringEngine, engine_named
from pathveil.model.layered import LayeredGraph
from pathveil.model.positions import Positions


def test_every_name_has_its_row() -> None:
    assert get_args(Layering) == LAYERINGS
    assert [engine_named(name).name for name in LAYERINGS] == list(LAYERINGS)


def test_what_follows_the_walk_is_carried_and_tells_by_its_roots() -> None:
    exact, paper = engine_named("exact"), engine_named("backtracking")
    assert [exact.carried, exact.follows_walk, exact.tells] == [False, False, True]
    assert [paper.carried, paper.follows_walk, paper.tells] == [True, True, False]
    with pytest.raises(ValueError, match="layering is 'other', expected one of exact, "):
        engine_named("other")


def test_an_engine_that_follows_the_walk_cannot_be_drawn_by_who_reads() -> None:
    with pytest.raises(ValueError, match="must be carried"):
        LayeringEngine("exact", engine_named("exact").drawer, follows_walk=True)


@pytest.mark.parametrize("follows", [False, True])
def test_only_who_follows_the_walk_is_shown_it(*, follows: bool) -> None:
    """A carried drawing that is a matter of chance alone, say, must not see the walk either."""
    seen: list[tuple[int, ...]] = []

    def drawer(
        bits: PairBits, positions: Positions, *, upright: bool, visits: Sequence[int]
    ) -> LayeredGraph:
        seen.append(tuple(visits))
        return layer_exactly(bits, positions, upright=upright)

    engine = LayeringEngine("exact", drawer, carried=True, follows_walk=follows)
    positions = Positions.uniform(("a", "b", "c"), 1)
    engine.draw(PairBits.from_pairs(3, [(0, 2)]), positions, upright=True, visits=(2, 1))
    assert seen == [(2, 1) if follows else ()]
