"""The loops of the colouring, piece by piece; their plain twin is compared in test_colouring."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from pathveil.chance.colouring_kernels import (
    DRY,
    STUCK,
    count_set,
    draw_below,
    draw_kernel,
    nth_set,
)
from pathveil.layering.kernels.running import compiled
from pathveil.model.network import Network


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


def test_neighbours_and_neighbours_of_a_neighbour_get_other_colours() -> None:
    starts, links = Network.parse("ab bc")._rows
    words = np.random.default_rng(1).integers(0, 1 << 63, 100).astype(np.uint64)
    colour = np.empty(3, dtype=np.int64)
    run = compiled(draw_kernel)
    assert run(starts, links, 2, 2, words, colour) == STUCK
    assert run(starts, links, 3, 1, words, colour) > 0
    assert sorted(colour.tolist()) == [0, 1, 2]
    assert run(starts, links, 3, 1, words[:0], colour) == DRY
