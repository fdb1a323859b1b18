"""Kernels: banded equations over GF(2), brought into echelon form and solved backwards.

A row has a start column and 256 coefficients, four words with the coefficient of the start column
in the lowest bit. ``band[c]`` is the row that leads at column c, shifted so that its own lowest bit
is set, or zero; a reduced row never reaches further than 256 columns from its lead, because both
rows that are added lead at the same column. So elimination is a walk to the right, and whether rows
are independent is known without looking at what they shall equal.

The kernels are written for Numba: words are unsigned throughout, since one signed operand would
turn the other into a float. A small sketch runs them as plain Python and does not wait for a
compiler. Both give the same solution from the same bits.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pathveil.layering.kernels.running import kernel

WordArray = npt.NDArray[np.uint64]
IndexArray = npt.NDArray[np.int64]
ValueArray = npt.NDArray[np.uint32]


@kernel
def trailing_zeros(word: np.uint64) -> int:
    """Return the place of the lowest set bit of a word that is not zero."""
    one = np.uint64(1)
    below = ~word & (word - one)
    place = 0
    while below:  # counted by one instruction once compiled
        below &= below - one
        place += 1
    return place


@kernel
def add_rows(
    starts: IndexArray, rows: WordArray, values: ValueArray, band: WordArray, right: ValueArray
) -> int:
    """Reduce rows into the band; return the first that depends on those before, or -1.

    A dependent row stops everything, whatever it shall equal: going on where it happens to be
    consistent would make the seed depend on the walk.
    """
    one, word = np.uint64(1), np.uint64(64)
    for k in range(len(starts)):
        column = starts[k]
        a, b, c, d = rows[k, 0], rows[k, 1], rows[k, 2], rows[k, 3]
        value = values[k]
        while True:
            if not (a | b | c | d):
                return k
            if not a:
                # A whole word at once: a shift by 64 is undefined for the machine.
                a, b, c, d = b, c, d, np.uint64(0)
                column += 64
                continue
            shift = trailing_zeros(a)
            if shift:  # else left_by would be 64
                right_by, left_by = np.uint64(shift), word - np.uint64(shift)
                a = (a >> right_by) | (b << left_by)
                b = (b >> right_by) | (c << left_by)
                c = (c >> right_by) | (d << left_by)
                d >>= right_by
                column += shift
            if not band[column, 0] & one:
                band[column, 0], band[column, 1] = a, b
                band[column, 2], band[column, 3] = c, d
                right[column] = value
                break
            # Both lead here, so the sum leads further right: the walk ends.
            a ^= band[column, 0]
            b ^= band[column, 1]
            c ^= band[column, 2]
            d ^= band[column, 3]
            value ^= right[column]
    return -1


@kernel
def solve_backwards(band: WordArray, right: ValueArray, plane: int, words: WordArray) -> None:
    """Turn one plane of free bits into the solution: bits at leading columns are overwritten.

    The window holds the solution at the 256 columns after the present one.
    """
    one, top = np.uint64(1), np.uint64(63)
    a, b, c, d = np.uint64(0), np.uint64(0), np.uint64(0), np.uint64(0)
    for column in range(len(band) - 1, -1, -1):
        at, place = column >> 6, np.uint64(column & 63)
        d = (d << one) | (c >> top)
        c = (c << one) | (b >> top)
        b = (b << one) | (a >> top)
        a <<= one
        # Where no row leads the drawn bit stays: so the solution is uniform among all there are.
        bit = (words[at] >> place) & one
        if band[column, 0] & one:
            # The window's lowest bit is still clear, so the row's own lead does not count.
            mixed = (a & band[column, 0]) ^ (b & band[column, 1])
            mixed ^= (c & band[column, 2]) ^ (d & band[column, 3])
            # Folded half onto half, the lowest bit is the parity of all: the sum over GF(2).
            mixed ^= mixed >> np.uint64(32)
            mixed ^= mixed >> np.uint64(16)
            mixed ^= mixed >> np.uint64(8)
            mixed ^= mixed >> np.uint64(4)
            mixed ^= mixed >> np.uint64(2)
            mixed ^= mixed >> one
            solved = (mixed ^ (np.uint64(right[column]) >> np.uint64(plane))) & one
            words[at] ^= (solved ^ bit) << place
            bit = solved
        a |= bit
