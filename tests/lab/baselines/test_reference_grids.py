from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pathveil.errors import BadBudget
from pathveil.lab.baselines.prefix_trees import START, STOP
from pathveil.lab.baselines.reference_grids import ReferenceGrids, vertical

GRIDS = ReferenceGrids(np.zeros(2), 8.0, (8, 4, 2))
coordinate = st.floats(-1, 9, allow_nan=False)
trajectories = st.lists(st.tuples(coordinate, coordinate), min_size=1, max_size=8)


def adjoin(count: int, here: int, there: int) -> bool:
    """Return whether two cells of a grid with so many in a row are in one 3 x 3 square."""
    (r, c), (s, d) = divmod(here, count), divmod(there, count)
    return abs(r - s) <= 1 and abs(c - d) <= 1


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


def test_a_move_too_long_for_the_coarsest_grid_is_cut() -> None:
    segments = GRIDS.write(np.array([[0.5, 0.5], [7.5, 0.5]]), (0,))
    assert segments[0].symbols == (START, 0, 1, 2, 3, 4, 5, 6, 7, STOP)


@settings(deadline=None, max_examples=100)
@given(
    st.lists(st.tuples(*[st.floats(0, 1)] * 2), min_size=2, max_size=6),
    st.sampled_from([(8, 4), (4,), (6, 3), (14, 7)]),
    st.sampled_from([(0.0, 1.0), (0.1, 0.7), (-104.9, 0.043)]),
)
def test_grids_with_a_coarsest_side_over_two_survive_rounding(
    shares: list[tuple[float, float]], cells: tuple[int, ...], box: tuple[float, float]
) -> None:
    """Parts exactly as long as a cell: both ends of one can round to beyond the cell between."""
    low, side = box
    grids = ReferenceGrids(np.full(2, low), side, cells)
    for segment in grids.write(low + side * np.array(shares), range(len(cells))):
        inside = [s for s in segment.symbols if s >= 0]
        assert all(adjoin(grids.cells[segment.system], a, b) for a, b in pairwise(inside))


def test_a_grid_below_rounding_is_refused() -> None:
    grids = ReferenceGrids(np.full(2, 1e9), 1e-6, (64,))
    with pytest.raises(BadBudget, match="fewer cells"):
        grids.write(np.array([[1e9, 1e9], [1e9 + 1e-6, 1e9]]), (0,))


def test_points_come_from_their_cell() -> None:
    rng = np.random.default_rng(0)
    for system, cell in ((0, 63), (1, 5), (2, 2)):
        for _ in range(20):
            assert GRIDS.cell(system, GRIDS.point(system, cell, rng)) == cell
    assert GRIDS.around(0, 0) == [0, 1, 8, 9]


def test_sides_must_double() -> None:
    for cells in ((), (6, 4)):
        with pytest.raises(BadBudget, match="twice"):
            ReferenceGrids(np.zeros(2), 1.0, cells)
