"""Labels take free room where there is some, and the least bad where there is none."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from pathveil.drawing.network_picture import Box, Room, crossing_lengths, sides

numbers = st.integers(-50, 50).map(float)


@st.composite
def boxes(draw: st.DrawFn) -> Box:
    x, y = draw(numbers), draw(numbers)
    return (x, y, x + draw(st.integers(1, 30)), y + draw(st.integers(1, 30)))


def _overlap(a: Box, b: Box) -> float:
    wide, high = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
    return max(wide, 0.0) * max(high, 0.0)


@given(st.lists(boxes(), max_size=6), st.lists(boxes(), min_size=1, max_size=6))
def test_the_place_that_overlaps_least_is_taken(taken: list[Box], places: list[Box]) -> None:
    room = Room(list(taken))
    chosen = room.choose(places)
    costs = [sum(_overlap(place, held) for held in taken) for place in places]
    assert chosen == int(np.argmin(costs))
    assert room.taken == [*taken, places[chosen]]


def test_a_dear_place_is_left_for_a_cheap_one() -> None:
    places: list[Box] = [(0, 0, 1, 1), (2, 2, 3, 3)]
    assert Room().choose(places) == 0
    assert Room().choose(places, [5.0, 0.0]) == 1


@given(numbers, numbers, st.floats(1, 20), st.floats(1, 90), st.floats(1, 20))
def test_no_side_lies_on_its_disc(
    x: float, y: float, away: float, wide: float, high: float
) -> None:
    for left, top, right, bottom in sides(x, y, away, wide, high):
        across = max(left - x, x - right, 0.0)
        along = max(top - y, y - bottom, 0.0)
        assert np.hypot(across, along) >= away * 0.99


@given(boxes(), numbers, numbers, numbers, numbers)
def test_a_line_is_as_long_in_a_box_as_its_points_say(
    box: Box, x1: float, y1: float, x2: float, y2: float
) -> None:
    found = crossing_lengths([box], np.array([[x1, y1]]), np.array([[x2, y2]]))[0]
    along = np.linspace(0, 1, 2001)
    x, y = x1 + along * (x2 - x1), y1 + along * (y2 - y1)
    inside = (x >= box[0]) & (x <= box[2]) & (y >= box[1]) & (y <= box[3])
    length = float(np.hypot(x2 - x1, y2 - y1))
    assert abs(found - inside.mean() * length) <= length / 500 + 1e-6


def test_without_lines_nothing_crosses() -> None:
    nothing = np.zeros((0, 2))
    assert crossing_lengths([(0, 0, 1, 1)], nothing, nothing).tolist() == [0.0]
