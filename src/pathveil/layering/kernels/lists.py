"""Kernels between the forms of a graph: packed bits, neighbour lists, rows of machine words."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pathveil.layering.kernels.running import kernel

ListStarts = npt.NDArray[np.int64]
ListEntries = npt.NDArray[np.int32]


@kernel
def lists_of_bits(packed: npt.NDArray[np.uint8], size: int) -> tuple[ListStarts, ListEntries]:
    """Return the starts and entries of the neighbour lists of a packed upper triangle.

    Bits are read twice, to count and to fill. Rows come in ascending order and columns within a
    row, so every list is filled in ascending order: first its smaller neighbours, whose rows are
    earlier, then its own row.
    """
    starts = np.zeros(size + 1, np.int64)
    place = 0
    for i in range(size):
        for j in range(i + 1, size):
            if (packed[place >> 3] >> (7 - (place & 7))) & 1:
                starts[i + 1] += 1
                starts[j + 1] += 1
            place += 1
    # Counts to starts; the counts stood one place further on for this.
    for v in range(size):
        starts[v + 1] += starts[v]
    cursor = starts.copy()
    entries = np.empty(starts[size], np.int32)
    # The bits are read again: pairs kept from the first time would take 64 times their room.
    place = 0
    for i in range(size):
        for j in range(i + 1, size):
            if (packed[place >> 3] >> (7 - (place & 7))) & 1:
                entries[cursor[i]] = j
                cursor[i] += 1
                entries[cursor[j]] = i
                cursor[j] += 1
            place += 1
    return starts, entries


@kernel
def rows_of_lists(starts: ListStarts, entries: ListEntries) -> npt.NDArray[np.uint64]:
    """Return the adjacency matrix, 64 columns to a word, lowest bit first."""
    size = len(starts) - 1
    one = np.uint64(1)  # unsigned throughout: the last bit is a bit, no sign
    rows = np.zeros((size, (size + 63) // 64), np.uint64)
    for v in range(size):
        for k in range(starts[v], starts[v + 1]):
            w = entries[k]
            rows[v, w >> 6] |= one << np.uint64(w & 63)
    return rows
