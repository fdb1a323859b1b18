"""Kernels on machine words: a set of at most 64 things is one signed word, bit by bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from pathveil.layering.kernels.running import kernel

Words = npt.NDArray[np.int64]
Word = Any
"""A signed machine word when compiled; plain integers serve as well."""


@kernel
def lowest(mask: Word) -> int:
    """Return the number of the lowest set bit of a word that is not zero."""
    # By halves and not by a loop over bits: this stands in the innermost loops of every search.
    # Right shifts bring copies of the sign bit in from above, which the masks below never see.
    place = 0
    if mask & 0xFFFFFFFF == 0:
        place = 32
        mask >>= 32
    if mask & 0xFFFF == 0:
        place += 16
        mask >>= 16
    if mask & 0xFF == 0:
        place += 8
        mask >>= 8
    if mask & 0xF == 0:
        place += 4
        mask >>= 4
    if mask & 0x3 == 0:
        place += 2
        mask >>= 2
    if mask & 0x1 == 0:
        place += 1
    return place


@kernel
def count_bits(mask: Word) -> int:
    """Return how many bits of a word are set."""
    count = 0
    while mask != 0:
        mask &= mask - 1  # the lowest set bit, and no other, is cleared
        count += 1
    return count


@kernel
def everyone(size: int) -> Word:
    """Return the word of the first ``size`` things."""
    # 2^63 - 1 by subtraction would overflow on the way, and a shift by 64 is undefined.
    return ~(np.int64(-1) << size) if size < 64 else np.int64(-1)
