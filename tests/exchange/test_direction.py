"""Which reading is ahead, computed on shares and in the plain."""

from __future__ import annotations

from itertools import permutations, product

import numpy as np
import pytest

from pathveil.exchange.field import PRIME, Computation, Numbers, numbers, split
from pathveil.exchange.protocol import (
    ByClass,
    ByName,
    ByRoot,
    Direction,
    Untold,
    compare_readings,
    needs_coin,
    reads_both_ways,
)
from tests.exchange.test_computation import plain, together

SIZE = 4


def shared(path: tuple[int, ...], steps: int) -> list[Numbers]:
    """A reading as shares: one-hot rows, then rows of zeros once the walk has ended."""
    rows = np.zeros((steps, SIZE), dtype=np.int64)
    rows[range(len(path)), list(path)] = 1
    return [part.reshape(steps, SIZE) for part in split(numbers(rows.reshape(-1)), 3)]


def compared(direction: ByRoot | ByClass, path: tuple[int, ...]) -> int:
    onward, backward = shared(path, SIZE), shared(path[::-1], SIZE)

    async def part(computation: Computation) -> list[int]:
        me = computation.me
        found = await compare_readings(computation, direction, onward[me], backward[me])
        return plain(await computation.open("ahead", found))

    one, two, three = together(3, part)
    assert one == two == three
    told = int(one[0])
    return told - PRIME if told > PRIME // 2 else told


PATHS = [(0, 1), (2, 0, 3), (3, 1, 2, 0), (1, 0, 2, 3)]


@pytest.mark.parametrize("path", PATHS)
def test_the_first_root_from_either_end_decides(path: tuple[int, ...]) -> None:
    for roots in product((False, True), repeat=SIZE):
        at = [k for k, p in enumerate(path) if roots[p]]
        expected = int(np.sign(len(path) - 1 - at[-1] - at[0])) if at else 0
        assert compared(ByRoot(roots), path) == expected


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("sorts_before", [True, False])
def test_the_first_difference_of_classes_decides(
    path: tuple[int, ...], sorts_before: object
) -> None:
    for classes in [(0, 0, 0, 0), (0, 1, 0, 1), (1, 0, 0, 1), *list(permutations(range(4)))[::5]]:
        read = [classes[p] for p in path]
        ahead = (read < read[::-1]) - (read > read[::-1])
        direction = ByClass(classes, bool(sorts_before))
        assert compared(direction, path) == (ahead if sorts_before else -ahead)


def test_a_coin_is_thrown_where_a_tie_is_possible() -> None:
    directions: list[Direction] = [
        ByName(first_sorts_first=True),
        Untold(),
        ByRoot(()),
        ByClass((), True),
    ]
    assert [needs_coin(direction) for direction in directions] == [False, True, True, True]
    assert [reads_both_ways(direction) for direction in directions] == [False, False, True, True]
