"""Pairs that are no links read as fair coins; each check has a broken twin that it catches.

False alarms: every count is of N fair coins and may lie 5.5 standard deviations off, which happens
once in 2.6e7; there are four counts, on fixed sources.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from pathveil.chance.source import Seeded
from pathveil.model import sketch as sketch_rows
from pathveil.model.sketch import SketchedBits, SketchShape
from pathveil.sketching import equations as sketching
from pathveil.sketching.equations import Equations, draw_solution

NAMES = tuple(f"v{i:03d}" for i in range(400))
LINKS = np.array([(i, i + 1) for i in range(40)])


def sketch(seed: int, capacity: int = 2000) -> SketchedBits:
    ones = np.ones(len(LINKS), dtype=np.uint32)
    values = np.arange(len(LINKS), dtype=np.uint32) % 2
    equations = Equations(NAMES, LINKS, values, ones)
    shape = SketchShape.holding(capacity)
    return SketchedBits(shape=shape, **_drawn(equations, shape, capacity, seed))


def _drawn(equations: Equations, shape: SketchShape, capacity: int, seed: int) -> dict[str, Any]:
    drawn, words = draw_solution(equations, shape, capacity, Seeded(seed))
    return {"seed": drawn, "words": words}


def others(bits: SketchedBits) -> np.ndarray:
    """The bits of all pairs among the vertices that have no link."""
    asked = bits.positions_of(NAMES)
    first, second = np.triu_indices(300, 1)
    return bits.same_branch(asked, np.stack([first, second], axis=1) + 100)


def deviates(shown: np.ndarray) -> bool:
    count, total = int(shown.sum()), shown.size
    return (2 * count - total) ** 2 > 5.5**2 * total


def test_other_pairs_are_fair() -> None:
    assert not deviates(others(sketch(1)))


def test_free_variables_left_zero_are_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    class Zeros(Seeded):
        def take(self, count: int) -> bytes:
            return bytes(count)

    honest = sketching.draw_words
    monkeypatch.setattr(sketching, "draw_words", lambda reduced, source: honest(reduced, Zeros(0)))
    assert deviates(others(sketch(1)))


def around_squares(bits: SketchedBits) -> np.ndarray:
    """The parity of the bits around many cycles of four pairs."""
    asked = bits.positions_of(NAMES)
    i = np.arange(100, 380)
    sides = [(i, i + 1), (i + 1, i + 7), (i + 7, i + 13), (i + 13, i)]
    shown = [bits.same_branch(asked, np.stack(side, axis=1)) for side in sides]
    return np.asarray(np.logical_xor.reduce(shown))


def test_cycles_of_pairs_are_independent() -> None:
    assert not deviates(np.concatenate([around_squares(sketch(seed)) for seed in range(4)]))


def test_names_mixed_by_addition_are_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """With rows that are sums of one half for each name every cycle of pairs reads zero."""

    def added(_: Any, keys: Any, ends: Any, *__: Any) -> Iterator[Any]:
        half = np.repeat(keys, 2, axis=1)
        row = half[ends[:, 0]] ^ half[ends[:, 1]]
        yield slice(0, len(ends)), np.zeros(len(ends), dtype=np.int64), row

    monkeypatch.setattr(sketch_rows.RowHash, "rows", added)
    bits = SketchedBits(
        bytes(16), SketchShape(1), np.frombuffer(Seeded(3).take(32), "<u8").reshape(1, 4).copy()
    )
    assert deviates(around_squares(bits))


def test_a_pair_is_fair_over_fresh_sketches() -> None:
    pair = np.array([[200, 300], [200, 301]])
    asked = sketch(0, 50).positions_of(NAMES)
    shown = np.array([sketch(seed, 50).same_branch(asked, pair) for seed in range(600)])
    assert not deviates(shown[:, 0])
    assert not deviates(shown[:, 0] ^ shown[:, 1])
