"""Kernels that carry a stint, each on a case one can see through."""

from __future__ import annotations

import numpy as np
import pytest

from pathveil.lab.reproduction.draws import draw_runs
from pathveil.lab.reproduction.run_chunks import Lifted
from pathveil.lab.reproduction.run_kernels import (
    TIE,
    TOLD,
    WRONG,
    in_order,
    order_told,
    path_read,
)
from pathveil.lab.reproduction.sweep import Cell
from pathveil.layering.kernels.running import compiled


def array(*numbers: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.array(numbers, dtype=np.int64)


def words(size: int, *pairs: tuple[int, int]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    found = np.zeros(size, dtype=np.int64)
    for i, j in pairs:
        found[i] |= 1 << j
        found[j] |= 1 << i
    return found


def test_lifted_bits_are_those_of_the_readable_draws() -> None:
    draws = draw_runs(Cell("exact", 6, 9, vertex_budget="0.5", edge_budget="1"), "lift", 15)
    lifted = Lifted.of(draws)
    for run in range(15):
        bits, size = draws.bits(run), int(lifted.sizes[run])
        assert [
            [bool(lifted.words[run, i] >> j & 1) for j in range(size)] for i in range(size)
        ] == bits.matrix().tolist()
        visits = draws.lifted_visits(run)
        assert lifted.order[run, : len(visits)].tolist() == list(visits)


@pytest.mark.parametrize(
    ("above", "below", "told"),
    [
        # Four visits a b c d, ranks 0 to 3. Roots hold a: told.
        ((0, 1, 1, 1), (14, 0, 0, 0), TOLD),
        # A bare path: nothing above, nothing below, both ends are roots: tie.
        ((0, 0, 0, 0), (0, 0, 0, 0), TIE),
        # b and d are roots, a and c leaves: Rule 5 turns them, and a is told.
        ((2, 0, 8, 0), (0, 1, 0, 4), TOLD),
        # b above a above c, d apart: roots b and d, leaves c and d; d is an end, a is not told.
        ((2, 0, 3, 0), (4, 5, 0, 0), WRONG),
    ],
)
def test_order_told(above: tuple[int, ...], below: tuple[int, ...], told: int) -> None:
    ranks = array(0, 1, 2, 3)
    assert compiled(order_told)(4, ranks, array(*above), array(*below), 4) == told


def test_a_walk_is_read_only_as_it_goes() -> None:
    """a-b-c with the chord a-c off the walk; a chord shown on the walk makes a ring."""
    edges = words(3, (0, 1), (1, 2), (0, 2))
    shown, ring = words(3, (0, 2)), words(3)
    read = compiled(path_read)
    assert read(shown, edges, array(0, 1, 2), 3, 3) == 1
    assert read(ring, edges, array(0, 1, 2), 3, 3) == 0
    assert read(shown, edges, array(0, 2, 1), 3, 3) == 0


def test_renumbering_by_insertion() -> None:
    ranked = np.zeros(3, dtype=np.int64)
    compiled(in_order)(words(3, (0, 2)), array(2, 1, 0), 3, ranked)
    assert ranked.tolist() == words(3, (0, 2)).tolist()
    compiled(in_order)(words(3, (0, 1)), array(2, 1, 0), 3, ranked)
    assert ranked.tolist() == words(3, (1, 2)).tolist()
