"""Banded equations over GF(2): dependent rows are found, and every solution solves them."""

from __future__ import annotations

import random

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathveil.layering.kernels.running import compiled
from pathveil.sketching.elimination_kernels import add_rows, solve_backwards, trailing_zeros

Words = npt.NDArray[np.uint64]


@given(st.binary(min_size=8, max_size=8))
def test_trailing_zeros(above: bytes) -> None:
    """At every place, whatever stands above it."""
    for place in range(64):
        word = (int.from_bytes(above) | 1) << place & (1 << 64) - 1
        assert trailing_zeros(np.uint64(word)) == place


def rank(rows: list[int]) -> int:
    """An independent oracle: rows as whole numbers."""
    led: dict[int, int] = {}
    for row in rows:
        while row:
            top = row.bit_length()
            if top not in led:
                led[top] = row
                break
            row ^= led[top]
    return len(led)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 63)), max_size=14), st.data())
def test_elimination_agrees_with_an_oracle(
    rows: list[tuple[int, int]], data: st.DataObject
) -> None:
    """Dependent exactly where the rank says so, and the solution solves; compiled and plain."""
    starts = np.array([start for start, _ in rows], dtype=np.int64)
    words = np.zeros((len(rows), 4), dtype=np.uint64)
    words[:, 0] = [row for _, row in rows]
    values = np.array(
        data.draw(st.lists(st.integers(0, 3), min_size=len(rows), max_size=len(rows))),
        dtype=np.uint32,
    )
    free = np.array(data.draw(st.lists(st.integers(0, (1 << 15) - 1), min_size=2, max_size=2)))
    whole = [row << start for start, row in rows]
    ends = []
    for add, solve in (
        (add_rows, solve_backwards),
        (compiled(add_rows), compiled(solve_backwards)),
    ):
        band, right = np.zeros((15, 4), dtype=np.uint64), np.zeros(15, dtype=np.uint32)
        stopped = add(starts, words, values, band, right)
        lines = [free[plane : plane + 1].astype(np.uint64) for plane in (0, 1)]
        for plane, line in enumerate(lines if stopped < 0 else ()):
            solve(band, right, plane, line)
        planes = [int(line[0]) for line in lines]
        if stopped >= 0:
            assert rank(whole[: stopped + 1]) == rank(whole[:stopped]) == stopped
        else:
            assert rank(whole) == len(rows)
            for plane, solved in enumerate(planes):
                read = [(row & solved).bit_count() & 1 for row in whole]
                assert read == [int(value) >> plane & 1 for value in values]
        ends.append((stopped, planes))
    assert ends[0] == ends[1]


def words_of(numbers: list[int], each: int) -> Words:
    """Whole numbers as rows of 64-bit words, the lowest first."""
    data = b"".join(number.to_bytes(8 * each, "little") for number in numbers)
    return np.frombuffer(data, dtype="<u8").astype(np.uint64).reshape(-1, each)


def number_of(words: Words) -> int:
    return int.from_bytes(words.astype("<u8").tobytes(), "little")


WIDE, COLUMNS = 256, 448


def wide_rows(seed: int, count: int, holes: int) -> tuple[npt.NDArray[np.int64], list[int]]:
    """Rows over all four words; some begin with up to three words of zeros, some are sparse."""
    drawn = random.Random(seed)
    starts = [drawn.randrange(COLUMNS - WIDE + 1) for _ in range(count)]
    rows = [drawn.getrandbits(WIDE) for _ in range(count)]
    for k in range(0, count, holes):
        rows[k] = rows[k] >> drawn.choice((70, 130, 200)) << drawn.choice((64, 65, 127, 128, 191))
        rows[k] = (rows[k] | 1 << 255) & ((1 << WIDE) - 1)
    return np.array(starts, dtype=np.int64), rows


@pytest.mark.parametrize("seed", range(6))
def test_rows_of_four_words_are_solved(seed: int) -> None:
    starts, rows = wide_rows(seed, 150, holes=3)
    whole = [row << int(start) for start, row in zip(starts, rows, strict=True)]
    values = np.random.default_rng(seed).integers(0, 8, len(rows)).astype(np.uint32)
    band, right = np.zeros((COLUMNS, 4), dtype=np.uint64), np.zeros(COLUMNS, dtype=np.uint32)
    assert add_rows(starts, words_of(rows, 4), values, band, right) == -1
    led = np.flatnonzero(band[:, 0]).tolist()
    assert rank(whole) == len(rows) == len(led)
    assert all(number_of(band[column]) & 1 for column in led)
    for plane in range(3):
        free = random.Random(100 + seed).getrandbits(COLUMNS)
        (line,) = words_of([free], COLUMNS // 64)
        solve_backwards(band, right, plane, line)
        solved = number_of(line)
        read = [(row & solved).bit_count() & 1 for row in whole]
        assert read == [int(value) >> plane & 1 for value in values]
        # Bits at columns where no row leads stay as they were drawn: they make it uniform.
        leading = sum(1 << column for column in led)
        assert solved & ~leading == free & ~leading


@pytest.mark.parametrize("value", [0, 1])
def test_a_dependent_row_is_told_whatever_it_shall_equal(value: int) -> None:
    """To go on where it happens to be consistent would make the seed depend on the walk."""
    starts, rows = wide_rows(7, 20, holes=4)
    starts[:3] = 5
    rows[3], starts[3] = rows[0] ^ rows[1] ^ rows[2], 5
    values = np.zeros(20, dtype=np.uint32)
    values[3] = value  # 0 is what the rows before it add up to
    band, right = np.zeros((COLUMNS, 4), dtype=np.uint64), np.zeros(COLUMNS, dtype=np.uint32)
    assert add_rows(starts, words_of(rows, 4), values, band, right) == 3
