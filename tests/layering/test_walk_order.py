from __future__ import annotations

import pytest

from pathveil.layering import rules
from pathveil.layering.backtracking import (
    draw_in_walk_order,
    insert_vertices,
    order_of_insertion,
    turn_roots_first,
)
from pathveil.model.bits import PairBits
from pathveil.model.positions import Positions

PLACES = Positions.uniform(tuple("abcdef"), 1)
OFF_WALK = PairBits.from_pairs(6, [(0, 2), (2, 4), (0, 4), (1, 5)])


def test_the_walk_comes_first_in_its_order_then_what_it_leaves_out() -> None:
    assert order_of_insertion((4, 1, 3), 6) == [4, 1, 3, 0, 2, 5]
    assert order_of_insertion((), 3) == [0, 1, 2]


@pytest.mark.parametrize("visits", [(0, 1, 2, 3, 4, 5), (4, 3, 2, 1, 0), (5, 0, 3), (3, 4)])
def test_the_end_closer_to_the_first_vertex_is_turned_to_the_roots(visits: tuple[int, ...]) -> None:
    order = order_of_insertion(visits, 6)
    inserted = insert_vertices(OFF_WALK, PLACES, order).layered
    assert inserted is not None
    drawn = draw_in_walk_order(OFF_WALK, PLACES, visits)
    rules.check_shape(drawn)
    rules.check_bits(drawn, OFF_WALK)
    to_root, to_leaf = rules.walk_distances(drawn, visits)
    assert to_root <= to_leaf
    if to_root == to_leaf:
        assert drawn == inserted, "a tie is left as it was inserted"
    assert turn_roots_first(inserted.upside_down(), visits) in (drawn, drawn.upside_down())
    assert turn_roots_first(drawn, visits) == drawn
