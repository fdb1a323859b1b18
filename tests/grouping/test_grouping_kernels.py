"""The loops of the colouring, piece by piece; their plain twin is compared in test_colouring."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from math import log
from typing import cast

import numpy as np
import numpy.typing as npt
import pytest

from pathveil.grouping.draw_grouping import _reader, colour_in_turn
from pathveil.grouping.grouping_kernels import (
    DRY,
    STUCK,
    bar,
    count_set,
    draw_below,
    draw_kernel,
    filling_times,
    grouped,
    nth_set,
    order_kernel,
)
from pathveil.grouping.grouping_loss import _link_numbers
from pathveil.layering.kernels.running import compiled
from pathveil.model.grouping import Grouping, GroupingTerms
from pathveil.model.network import Network
from tests.chance.exact_orders import order_ratios
from tests.grouping.test_colouring import random_network
from tests.laws.test_grouping_law import Classes


def words_of(*tops: int, bits: int) -> np.ndarray:
    return np.array([top << (64 - bits) for top in tops], dtype=np.uint64)


def test_numbers_below_a_bound_are_the_top_bits_or_thrown_away() -> None:
    words = words_of(7, 6, 3, bits=3)
    assert draw_below(8, words, 0) == (7, 1)
    assert draw_below(7, words, 0) == (6, 2)
    assert draw_below(5, words, 0) == (3, 3)
    assert draw_below(5, words[:2], 0)[0] == DRY
    assert draw_below(1, words[:0], 0) == (0, 0), "without a choice no word is read"


@pytest.mark.parametrize("bound", [2, 3, 5, 6])
def test_every_number_is_as_likely_as_any_other(bound: int) -> None:
    """Over all words of three top bits, each once: exact, so there is no false alarm."""
    found = Counter(draw_below(bound, words_of(top, bits=3), 0)[0] for top in range(8))
    wasted = found.pop(DRY, 0)
    assert set(found) == set(range(bound))
    assert len(set(found.values())) == 1
    assert sum(found.values()) + wasted == 8


def test_bits_are_counted_and_found_in_order() -> None:
    words = np.array([0, 0x8000000000000001, 0xFF], dtype=np.uint64)
    assert [compiled(count_set)(word) for word in words] == [0, 2, 8]
    found = [compiled(nth_set)(words, pick) for pick in range(10)]
    assert found == [64, 127, *range(128, 136)]
    assert compiled(nth_set)(words, 10) == -1, "there is no eleventh"


def test_neighbours_and_neighbours_of_a_neighbour_get_other_colours() -> None:
    starts, links = Network.parse("ab bc")._rows
    words = np.random.default_rng(1).integers(0, 1 << 63, 100).astype(np.uint64)
    colour = np.empty(3, dtype=np.int64)
    run = compiled(draw_kernel)
    assert run(starts, links, 2, 2, words, colour) == STUCK
    assert run(starts, links, 3, 1, words, colour) > 0
    assert sorted(colour.tolist()) == [0, 1, 2]
    assert run(starts, links, 3, 1, words[:0], colour) == DRY


WordArray = npt.NDArray[np.uint64]


def words(seed: int, count: int) -> WordArray:
    return np.random.default_rng(seed).integers(0, 1 << 64, count, dtype=np.uint64)


def drawn(
    network: Network, terms: GroupingTerms, stream: WordArray
) -> tuple[int, npt.NDArray[np.int64]]:
    starts, links = network._rows
    colours = np.empty(len(network), dtype=np.int64)
    with np.errstate(over="ignore"):
        read = draw_kernel(starts, links, terms.classes, terms.cap, stream, colours)
    return read, colours


CASES = [
    (12, 14, 7, 3),
    (30, 40, 12, 4),
    (30, 40, 40, 1),
    (60, 80, 64, 2),
    (60, 80, 65, 60),
    (60, 70, 130, 2),
]


@pytest.mark.parametrize(("size", "links", "classes", "cap"), CASES)
def test_a_draw_is_the_law_read_from_the_same_words(
    size: int, links: int, classes: int, cap: int
) -> None:
    network, terms = random_network(size, links, classes), GroupingTerms(classes, cap)
    for seed in range(4):
        stream = words(seed, 4 * size + 64)
        reads = 0

        def counted(stream: WordArray = stream) -> Iterator[WordArray]:
            nonlocal reads
            for word in stream.tolist():
                reads += 1
                yield np.array([word], dtype=np.uint64)

        expected = colour_in_turn(network, terms, _reader(counted()))
        read, colours = drawn(network, terms, stream)
        if expected is None:
            assert read == STUCK
        else:
            assert colours.tolist() == expected.tolist()
            assert read == reads
            assert drawn(network, terms, stream[:read])[0] == read
            assert drawn(network, terms, stream[: read - 1])[0] == DRY
            assert drawn(network, terms, stream[: size // 2])[0] == DRY
            blocks = {tuple(sorted(block)) for block in colours[network.pairs].tolist()}
            assert len(blocks) == len(network.pairs), "no two links share a block"
            assert np.bincount(colours).max() <= cap


def test_a_number_beyond_the_bound_is_thrown_away_not_folded() -> None:
    """Three vertices: the order is cut from two bits, and 3 is none of 0, 1, 2."""
    path = Network.parse("ab bc")
    terms = GroupingTerms(3, 3)
    high, zero = np.uint64(0xFFFFFFFFFFFFFFFF), np.uint64(0)
    plain = drawn(path, terms, np.array([zero, zero, zero, zero, zero], dtype=np.uint64))
    folded = drawn(path, terms, np.array([high, *[zero] * 5], dtype=np.uint64))
    assert folded[0] == plain[0] + 1
    assert folded[1].tolist() == plain[1].tolist()


def test_no_colour_left_is_said() -> None:
    triangle = Network.parse("ab bc ca")
    assert drawn(triangle, GroupingTerms(2, 3), words(1, 100))[0] == STUCK


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
    ratios = order_ratios(network, cast("Grouping", grouping), order.tolist())
    exact = [log(Fraction(ratios[link])) for link in asked]
    assert np.allclose(order_kernel(*arguments), exact, rtol=0, atol=1e-12)
    assert np.allclose(compiled(order_kernel)(*arguments), exact, rtol=0, atol=1e-12)
