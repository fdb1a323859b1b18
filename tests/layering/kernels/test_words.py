from __future__ import annotations

import numpy as np

from pathveil.layering.kernels.small_graphs import count_bits, everyone, lowest


def test_bits_are_found_and_counted() -> None:
    for bit in range(63):
        assert lowest(1 << bit) == bit
        assert lowest((1 << bit) | (1 << 62)) == bit
    assert lowest(np.int64(-(1 << 63))) == 63
    assert [count_bits(word) for word in (0, 1, 0b1011, (1 << 40) | 1)] == [0, 1, 3, 2]


def test_everyone_is_as_many_bits_up_to_a_whole_word() -> None:
    for size in (0, 1, 7, 63):
        assert everyone(size) == (1 << size) - 1
    assert everyone(64) == -1
