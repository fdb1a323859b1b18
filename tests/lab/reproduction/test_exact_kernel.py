"""Our engine in one call: layers that keep the order, pieces that are counted right."""

from __future__ import annotations

import numpy as np

from pathveil.lab.reproduction.run_kernels import layer_all, stack_layers
from pathveil.layering.kernels.running import compiled
from pathveil.model.bits import PairBits


def words_of(bits: PairBits) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    matrix = bits.matrix()
    return np.array(
        [[sum(1 << int(j) for j in np.flatnonzero(row)) for row in matrix]], dtype=np.int64
    )


def layered(bits: PairBits, tries: int = 100_000) -> list[int]:
    found = np.zeros((1, 4), dtype=np.int64)
    compiled(layer_all)(words_of(bits), np.array([bits.size]), tries, found)
    return [int(number) for number in found[0]]


def test_too_few_tries_are_reported_not_guessed() -> None:
    """-1 sends the run to the readable engine; see the stints."""
    ring = PairBits.from_pairs(5, [(0, 1), (1, 2), (2, 3), (3, 4), (0, 4)])
    assert layered(ring, tries=0)[0] == -1


def test_layers_follow_what_lies_below() -> None:
    """A chain 0 > 1 > 2, and 3 by itself; with 1 cut, 2 hangs from its upper piece."""
    near = np.array([0b110, 0b101, 0b011, 0], dtype=np.int64)
    order, layer = np.arange(4, dtype=np.int64), np.zeros(4, dtype=np.int64)
    for whole, height, layers in ((0b1111, 3, [0, 1, 2, 0]), (0b1101, 2, [0, 1, 1, 0])):
        assert compiled(stack_layers)(whole, near, order, layer) == height
        assert layer.tolist() == layers
