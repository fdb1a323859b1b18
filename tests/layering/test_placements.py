from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from pathveil.layering.backtracking import Placements, mask_of, members
from pathveil.model.positions import Positions


@given(st.sets(st.integers(0, 70)))
def test_masks_are_sets(pieces: set[int]) -> None:
    assert members(mask_of(pieces)) == sorted(pieces)


@given(st.integers(0, 2**32))
def test_what_is_pushed_and_popped_was_never_there(seed: int) -> None:
    rng = np.random.default_rng(seed)
    placed = Placements()
    for position in range(6):
        before = placed.copy()
        layer, mates = int(rng.integers(-2, 3)), int(rng.integers(1 << position))
        placed.push(position, layer, mates)
        assert before != placed
        placed.pop()
        assert before == placed
        placed.push(position, layer, mates)


def test_whoever_stands_above_a_mate_above_is_a_mate_too() -> None:
    """0 stands above 1. With both as mates any layer but theirs will do; with one it depends."""
    placed = Placements()
    placed.push(0, 0, 0)
    placed.push(1, 2, mask_of([0]))
    good = {
        mates: [layer for layer in range(-1, 4) if placed.is_good_layer(layer, mask_of(mates))]
        for mates in ((0, 1), (0,), (1,))
    }
    assert good == {(0, 1): [-1, 1, 3], (0,): [1, 2, 3], (1,): [-1, 0, 1]}


def test_covers_leave_out_what_follows() -> None:
    placed = Placements()
    placed.push(0, 0, 0)
    placed.push(1, 1, mask_of([0]))
    placed.push(2, 2, mask_of([0, 1]))
    layered = placed.layered(Positions.uniform(("a", "b", "c"), 1))
    assert len(layered.arcs) == 2


def test_candidate_layers_are_those_in_use_and_one_beyond_on_either_side() -> None:
    placed = Placements()
    assert list(placed.layer_range()) == [0]
    placed.push(0, 0, 0)
    placed.push(1, 2, 0)
    assert list(placed.layer_range()) == [3, 2, 1, 0, -1], "the lowest on the page first"
