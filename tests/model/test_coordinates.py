from __future__ import annotations

import math

import pytest

from pathveil.model.network import as_point, point_of


def test_two_numbers_are_a_point_and_nothing_else_is() -> None:
    assert as_point("1.5", 2) == (1.5, 2.0)
    assert as_point(-1, "1e3") == (-1.0, 1000.0)
    for x, y in ((None, 1), (1, None), ("north", 1), (math.inf, 1), (1, math.nan), (10**400, 1)):
        assert as_point(x, y) is None


@pytest.mark.parametrize("across", ["x", "X", "Longitude", "lon", "LNG", "long"])
@pytest.mark.parametrize("upwards", ["y", "Y", "Latitude", "LAT"])
def test_usual_names_are_known_in_any_case(across: str, upwards: str) -> None:
    assert point_of({upwards: 2, across: 1, "label": "x y"}) == (1.0, 2.0)
    assert point_of({across: 1}) is None
    assert point_of({upwards: 2}) is None


@pytest.mark.parametrize(
    "pos", [(1.5, 2), [1.5, 2], "1.5, 2", "1.5,2!", "(1.5 2)", "[1.5, 2, 9]", (1.5, 2, 9)]
)
def test_a_position_is_a_pair_or_a_text(pos: object) -> None:
    """It goes before x and y, which some programs write in units of the screen."""
    assert point_of({"Pos": pos, "x": 7, "y": 8}) == (1.5, 2.0)


@pytest.mark.parametrize("pos", ["1.5, 2e", "n 1.5", "{1.5, 2}", (1.5,), "1.5", "", 3])
def test_what_is_no_position_says_nothing(pos: object) -> None:
    assert point_of({"pos": pos}) is None


def test_a_position_of_one_number_leaves_the_word_to_x_and_y() -> None:
    assert point_of({"pos": (1.5,), "x": 7, "y": 8}) == (7.0, 8.0)
