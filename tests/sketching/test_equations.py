"""Drawing a sketch: every link reads its value, plain and compiled alike; the source is read as
public numbers say."""

from __future__ import annotations

from fractions import Fraction
from math import exp

import numpy as np
import pytest

from pathveil.chance.source import Seeded
from pathveil.errors import NameClash
from pathveil.layering.kernels.running import compiled
from pathveil.model.sketch import RowHash, SketchedBits, SketchShape
from pathveil.sketching import equations as sketching
from pathveil.sketching.equations import Equations, below_each, draw_solution, seed_failure
from tests.chance.choices import Counting


def equations(links: int, *, planes: int = 1, threshold: int = 1) -> Equations:
    names = tuple(f"v{i}" for i in range(links + 1))
    ends = np.array([(i, i + 1) for i in range(links)]).reshape(-1, 2)
    on_walk = np.arange(links) % 3 == 0
    low = np.where(on_walk, 0, threshold).astype(np.uint32)
    size = np.where(on_walk, threshold, (1 << planes) - threshold).astype(np.uint32)
    return Equations(names, ends, low, size)


@pytest.mark.parametrize(("planes", "threshold"), [(1, 1), (8, 97), (3, 7)])
def test_every_link_reads_its_value(planes: int, threshold: int) -> None:
    known = equations(60, planes=planes, threshold=threshold)
    shape = SketchShape.holding(60, planes=planes)
    seed, words = draw_solution(known, shape, 60, Seeded(5))
    bits = SketchedBits(seed, shape, words, threshold=threshold)
    asked = bits.positions_of(known.names)
    order = [asked.vertices.index(name) for name in known.names]
    shown = bits.same_branch(asked, np.array(order)[known.ends])
    assert np.array_equal(shown, np.arange(60) % 3 != 0)


def test_what_is_read_follows_from_the_capacity() -> None:
    """Not from the number of links, nor from which of them are on the walk."""
    found = set()
    for links in (1, 7, 30):
        source = Counting(3)
        shape = SketchShape.holding(30, planes=4)
        draw_solution(equations(links, planes=4, threshold=5), shape, 30, source)
        found.add(tuple(source.read))
    assert found == {(8 * 30, 16, 8 * 4 * shape.words)}
    source, shape = Counting(3), SketchShape.holding(30)
    draw_solution(equations(7), shape, 30, source)
    assert source.read == [16, 8 * shape.words], "of one bit there is nothing to choose"


def test_a_seed_with_dependent_rows_is_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seven rows of seven columns are dependent more often than not; consistent or not."""
    source = Counting(1)
    shape = SketchShape(starts=4, width=4)
    seed, words = draw_solution(equations(6), shape, 6, source)
    assert source.read.count(16) > 1
    assert source.read[-1] == 8 * shape.words
    bits = SketchedBits(seed, shape, words)
    asked = bits.positions_of(f"v{i}" for i in range(7))
    pairs = np.array([(i, i + 1) for i in range(6)])
    assert np.array_equal(bits.same_branch(asked, pairs), np.arange(6) % 3 != 0)


def test_a_row_without_a_coefficient_is_dependent_were_it_the_first() -> None:
    """Of rows of one coefficient every other is empty, and no value could be read from it."""
    known, shape = equations(1), SketchShape(starts=4, width=1)
    found = []
    for seed in range(20):
        row_hash = RowHash(Seeded(seed).take(16))
        ((_, _, rows),) = row_hash.rows(row_hash.keys(known.names), known.ends, 4)
        empty = not int(rows[0, 0]) & 1
        found.append(empty)
        stopped = sketching.eliminate(known, known.low, shape, Seeded(seed).take(16)) is None
        assert stopped == empty
    assert {True, False} == set(found)


def test_plain_and_compiled_sketches_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows of four words, several planes: the same source gives the same bytes."""
    shape = SketchShape.holding(700, planes=3)
    known = equations(700, planes=3, threshold=5)
    found = []
    for engine in (lambda kernel, _: kernel, lambda kernel, _: compiled(kernel)):
        monkeypatch.setattr(sketching, "chosen", engine)
        found.append(draw_solution(known, shape, 700, Seeded(2)))
    assert found[0][0] == found[1][0]
    assert np.array_equal(found[0][1], found[1][1])


def test_below_each_is_uniform_over_every_remainder(monkeypatch: pytest.MonkeyPatch) -> None:
    """A word in the rest below 2^64 mod bound is drawn again, the next one counts."""

    class Words:
        unsafe = True
        words = iter([[0, 1], [7]])  # 2^64 mod 3 is 1, so 0 is rejected and 1 is the first to count

        def take(self, count: int) -> bytes:
            taken = np.array(next(self.words), dtype="<u8").tobytes()
            assert len(taken) == count
            return taken

    assert below_each(Words(), np.array([3, 3], dtype=np.uint32)).tolist() == [1, 1]


def test_names_that_are_one_after_normalisation_are_refused() -> None:
    ends = np.array([[0, 1]])
    ones = np.ones(1, dtype=np.uint32)
    twice = Equations(("e\u0301", "\u00e9"), ends, ones, ones)
    with pytest.raises(NameClash, match="two Unicode spellings"):
        draw_solution(twice, SketchShape.holding(1), 1, Seeded(1))
    sketching.require_distinct(("\u00e9", "\u00fc", "e", "u"))


def test_the_bound_of_the_seed_follows_from_its_proof() -> None:
    tilt = 0.15
    mean = (exp(tilt) - 1) / 1.08
    assert exp(-256 * tilt + mean) / (1 - exp(mean - tilt)) < 2**-sketching.FAILURE_EXPONENT
    for keys in (1, 10, 10**3, 10**6):
        shape = SketchShape.holding(keys)
        assert Fraction(keys, shape.starts) <= Fraction(25, 27)
        assert 1 <= seed_failure(shape) / Fraction(shape.starts, 2**42) < 2


def test_the_bound_of_the_seed_is_not_broken_by_chance() -> None:
    """Narrow rows fail often enough to count: 64 coefficients, load 1/1.08, 400 rows."""
    shape = SketchShape(starts=433, width=24)
    failed = sum(
        sketching.eliminate(equations(400), equations(400).low, shape, Seeded(k).take(16)) is None
        for k in range(60)
    )
    tilt = 0.14
    mean = (exp(tilt) - 1) * 400 / 433
    bound = 433 * exp(-24 * tilt + mean) / (1 - exp(mean - tilt))
    assert failed > 0
    assert failed / 60 <= bound
