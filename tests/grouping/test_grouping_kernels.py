"""What colours are drawn from, and the loops of what a grouping gives away, piece by piece."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from fractions import Fraction
from math import log
from typing import cast

import numpy as np
import pytest

from pathveil.chance.source import Seeded
from pathveil.grouping.draw_grouping import _bit, _drawer, try_colouring
from pathveil.grouping.grouping_kernels import LinkRows, bar, grouped, order_kernel, order_of
from pathveil.grouping.grouping_loss import _link_numbers
from pathveil.layering.kernels.running import compiled
from pathveil.model.grouping import Grouping, GroupingTerms
from tests.chance.exact_orders import order_ratios
from tests.grouping.test_colouring import random_network
from tests.laws.test_grouping_law import Classes


class Words:
    """A source that gives out these words of 64 bits, one portion after another."""

    unsafe = True

    def __init__(self, *words: int) -> None:
        self.words = list(words)

    def take(self, count: int) -> bytes:
        given = self.words[: count // 8]
        del self.words[: count // 8]
        if not given:
            raise EOFError
        return b"".join(word.to_bytes(8) for word in given)


def test_numbers_below_a_bound_are_the_top_bits_or_thrown_away() -> None:
    words = [top << 61 for top in (7, 6, 3)]
    assert [_drawer(Words(*words), 1)(bound) for bound in (8, 7, 5)] == [7, 6, 3]
    assert _drawer(Words(), 1)(1) == 0, "without a choice no word is read"


@pytest.mark.parametrize("bound", [2, 3, 5, 6])
def test_every_number_is_as_likely_as_any_other(bound: int) -> None:
    """Over all words of three top bits, each once: exact, so there is no false alarm."""
    found = Counter[int]()
    for top in range(8):
        with suppress(EOFError):
            found[_drawer(Words(top << 61), 1)(bound)] += 1
    assert set(found) == set(range(bound))
    assert len(set(found.values())) == 1


def test_bits_are_found_in_order() -> None:
    places = [0, 1, 63, 64, 130]
    bits = sum(1 << place for place in places)
    assert [_bit(bits, rank) for rank in range(len(places))] == places


def test_members_are_grouped_in_order() -> None:
    begins, members = grouped(np.array([2, 0, 2, 0, 3]), 4)
    assert begins.tolist() == [0, 2, 2, 4, 5]
    assert members.tolist() == [1, 3, 0, 2, 4]


def test_a_class_is_full_from_the_turn_of_its_last_member_on() -> None:
    colour, turn = np.array([0, 0, 1, 0]), np.array([3, 0, 1, 2])
    order = order_of(np.array([[1, 2]]), colour, turn, 3, 2)
    assert order.full.tolist() == [2, 4, 4], "vertices 1 and 3, turns 0 and 2, fill class 0"
    assert order.full_by.tolist() == [0, 0, 0, 1, 1]


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
    tries = (try_colouring(network, terms, Seeded(number)) for number in range(2_000))
    colours = next(colours for colours in tries if colours is not None)
    grouping = Classes(colours.tolist(), terms)
    order = np.random.default_rng(seed).permutation(len(network))
    turn = np.empty(len(order), dtype=np.int64)
    turn[order] = np.arange(len(order))
    asked = np.array([3, 0, 17, 5, 3])
    rows = LinkRows(*network._rows, _link_numbers(network))
    there = order_of(network.pairs, colours, turn, classes, cap)
    arguments = (rows, there, network.pairs, classes, asked)
    ratios = order_ratios(network, cast("Grouping", grouping), order.tolist())
    exact = [log(Fraction(ratios[link])) for link in asked]
    assert np.allclose(order_kernel(*arguments), exact, rtol=0, atol=1e-12)
    assert np.allclose(compiled(order_kernel)(*arguments), exact, rtol=0, atol=1e-12)
