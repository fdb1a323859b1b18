"""What a link did to a colouring, piece by piece; the sum is compared in test_colouring_cost."""

from __future__ import annotations

import numpy as np

from pathveil.chance.colouring_cost_kernels import bar, filling_times, grouped


def test_members_are_grouped_in_order() -> None:
    begins, members = grouped(np.array([2, 0, 2, 0, 3]), 4)
    assert begins.tolist() == [0, 2, 2, 4, 5]
    assert members.tolist() == [1, 3, 0, 2, 4]


def test_a_class_is_full_from_the_turn_of_its_last_member_on() -> None:
    colour, turn = np.array([0, 0, 1, 0]), np.array([3, 0, 1, 2])
    full, full_by = filling_times(colour, turn, 3, 2)
    assert full.tolist() == [2, 4, 4], "vertices 1 and 3, turns 0 and 2, fill class 0"
    assert full_by.tolist() == [0, 0, 0, 1, 1]


def test_a_colour_is_barred_once_and_not_if_full() -> None:
    mark, full = np.full(2, -1), np.array([5, 1])
    assert [bar(0, 3, 0, full, mark) for _ in range(2)] == [1, 0]
    assert bar(1, 3, 0, full, mark) == 0
    assert bar(0, 3, 1, full, mark) == 1, "a new question begins afresh"
