"""What a link did to a colouring, piece by piece; the sum is compared in test_grouping_loss."""

from __future__ import annotations

from fractions import Fraction
from math import log

import numpy as np
import pytest

from pathveil.grouping.grouping_kernels import bar, filling_times, grouped, order_kernel
from pathveil.grouping.grouping_loss import _link_numbers
from pathveil.layering.kernels.running import compiled
from pathveil.model.grouping import GroupingTerms
from tests.chance.exact_orders import order_ratios
from tests.grouping.test_colouring import random_network
from tests.grouping.test_colouring_kernels import drawn, words
from tests.laws.test_grouping_law import Classes


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
    assert bar(0, 5, 2, full, mark) == 1, "its last member comes at this turn: not full before"


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize(("classes", "cap"), [(9, 14), (10, 2), (12, 3)])
def test_a_loss_is_the_exact_ratio_of_an_order(seed: int, classes: int, cap: int) -> None:
    """Full classes, blocks taken before and after, ends that come early and late."""
    network = random_network(14, 18, seed)
    terms = GroupingTerms(classes, cap)
    tries = (drawn(network, terms, words(number, 200)) for number in range(2_000))
    colours = next(colours for read, colours in tries if read > 0)
    grouping = Classes(colours.tolist(), terms)
    order = np.random.default_rng(seed).permutation(len(network))
    turn = np.empty(len(order), dtype=np.int64)
    turn[order] = np.arange(len(order))
    starts, row = network._rows
    asked = np.array([3, 0, 17, 5, 3])
    arguments = (
        starts, row, _link_numbers(network), network.pairs, colours, classes, cap,
        turn, asked,
    )  # fmt: skip
    ratios = order_ratios(network, grouping, order.tolist())
    exact = [log(Fraction(ratios[link])) for link in asked]
    assert np.allclose(order_kernel(*arguments), exact, rtol=0, atol=1e-12)
    assert np.allclose(compiled(order_kernel)(*arguments), exact, rtol=0, atol=1e-12)
