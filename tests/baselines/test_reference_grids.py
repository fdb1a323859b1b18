from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pathveil.baselines.reference_grids import START, STOP, ReferenceGrids, vertical
from pathveil.errors import BadBudget

GRIDS = ReferenceGrids(np.zeros(2), 8.0, (8, 4, 2))
coordinate = st.floats(-1, 9, allow_nan=False)
trajectories = st.lists(st.tuples(coordinate, coordinate), min_size=1, max_size=8)


@settings(deadline=None)
@given(trajectories, st.sampled_from([(0, 1, 2), (0, 2), (1, 2), (2,), (0,), (0, 1)]))
def test_every_move_fits_and_the_marks_are_in_place(
    points: list[tuple[float, float]], kept: tuple[int, ...]
) -> None:
    segments = GRIDS.write(np.array(points), kept)
    assert segments[0].symbols[0] == START
    assert segments[-1].symbols[-1] == STOP
    for place, segment in enumerate(segments):
        assert segment.system in kept
        cells = [s for s in segment.symbols if s >= 0]
        assert cells
        for here, there in zip(cells, cells[1:], strict=False):  # noqa: RUF007
            assert there in GRIDS.around(segment.system, here)
        if place + 1 < len(segments):
            assert segment.symbols[-1] == vertical(segments[place + 1].system)


def test_slow_moves_are_fine_and_fast_ones_coarse() -> None:
    slow = GRIDS.write(np.array([[0.5, 0.5], [1.5, 0.5]]), (0, 1, 2))
    fast = GRIDS.write(np.array([[0.5, 0.5], [7.5, 0.5]]), (0, 1, 2))
    assert [s.system for s in slow] == [0]
    assert [s.system for s in fast] == [2]


def test_a_move_too_long_for_the_coarsest_grid_is_cut() -> None:
    segments = GRIDS.write(np.array([[0.5, 0.5], [7.5, 0.5]]), (0,))
    assert segments[0].symbols == (START, 0, 1, 2, 3, 4, 5, 6, 7, STOP)


def test_points_come_from_their_cell() -> None:
    rng = np.random.default_rng(0)
    for system, cell in ((0, 63), (1, 5), (2, 2)):
        for _ in range(20):
            assert GRIDS.cell(system, GRIDS.point(system, cell, rng)) == cell
        assert GRIDS.cell(system, GRIDS.centre(system, cell)) == cell
    assert GRIDS.around(0, 0) == [0, 1, 8, 9]


def test_sides_must_double() -> None:
    for cells in ((), (6, 4)):
        with pytest.raises(BadBudget, match="twice"):
            ReferenceGrids(np.zeros(2), 1.0, cells)
