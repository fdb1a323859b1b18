"""A sketch costs what its certificate says: the whole law of tiny systems, by enumeration.

Seeds are all assignments of rows to the pairs, solutions all settings of the free bits, values all
that read as the truth; the production kernels do the rest. The largest ratio of probabilities must
*equal* the price, the seed's term included. Two broken twins show why "at most" would not do.
"""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from pathveil.model.sketch import SketchShape
from pathveil.sketching.elimination_kernels import add_rows
from pathveil.sketching.equations import Reduced, draw_words

Row = tuple[int, int]  # start, coefficients
Links = dict[str, bool]  # whether the link is on the walk
Output = tuple[tuple[Row, ...], tuple[int, ...]]


class Tape:
    """A source that reads what it is given."""

    unsafe = True

    def __init__(self, planes: tuple[int, ...]) -> None:
        self._data = np.array(planes, dtype="<u8").tobytes()

    def take(self, count: int) -> bytes:
        assert count == len(self._data)
        return self._data


def all_rows(shape: SketchShape) -> list[Row]:
    return list(product(range(shape.starts), range(1 << shape.width)))


def echelon(rows: list[Row], values: tuple[int, ...], shape: SketchShape) -> tuple[Reduced, int]:
    band, right = np.zeros((shape.columns, 4), np.uint64), np.zeros(shape.columns, np.uint32)
    starts = np.array([start for start, _ in rows], dtype=np.int64)
    words = np.zeros((len(rows), 4), dtype=np.uint64)
    words[:, 0] = [coefficients for _, coefficients in rows]
    stopped = add_rows(starts, words, np.array(values, dtype=np.uint32), band, right)
    return Reduced(shape, band, right), stopped


def solutions(reduced: Reduced, *, zero: bool) -> list[tuple[int, ...]]:
    shape = reduced.shape
    every = [range(1) if zero else range(1 << shape.columns)] * shape.planes
    return [
        tuple(int(plane[0]) for plane in draw_words(reduced, Tape(free)))
        for free in product(*every)
    ]


def truths(*, on_walk: bool, threshold: int, planes: int) -> range:
    return range(threshold) if on_walk else range(threshold, 1 << planes)


def law(
    links: Links,
    pairs: str,
    shape: SketchShape,
    threshold: int,
    *,
    zero: bool = False,
    consistent: bool = False,
) -> tuple[dict[Output, Fraction], Fraction]:
    """Return the chance of every (seed, solution), and of a seed to be kept."""
    names = sorted(links)
    choices = [
        truths(on_walk=links[name], threshold=threshold, planes=shape.planes) for name in names
    ]
    found: dict[Output, Fraction] = defaultdict(Fraction)
    seeds = list(product(all_rows(shape), repeat=len(pairs)))
    kept = Fraction(0)
    for seed in seeds:
        rows = [seed[pairs.index(name)] for name in names]
        for values in product(*choices):
            weight = Fraction(1, len(seeds))
            for choice in choices:
                weight /= len(choice)
            used, right_sides = rows, values
            reduced, stopped = echelon(used, right_sides, shape)
            if stopped >= 0:
                if not consistent or not agrees(rows, values, shape):
                    continue
                keep = independent(rows, shape)
                used = [rows[k] for k in keep]
                reduced, stopped = echelon(used, tuple(values[k] for k in keep), shape)
            kept += weight
            every = solutions(reduced, zero=zero)
            for words in every:
                found[seed, words] += weight / len(every)
    return {output: chance / kept for output, chance in found.items()}, kept


def independent(rows: list[Row], shape: SketchShape) -> list[int]:
    keep: list[int] = []
    for k in range(len(rows)):
        trial = [rows[i] for i in [*keep, k]]
        if echelon(trial, (0,) * len(trial), shape)[1] < 0:
            keep.append(k)
    return keep


def agrees(rows: list[Row], values: tuple[int, ...], shape: SketchShape) -> bool:
    keep = independent(rows, shape)
    reduced, _ = echelon([rows[k] for k in keep], tuple(values[k] for k in keep), shape)
    words = solutions(reduced, zero=True)[0]
    return all(read(words, row) == value for row, value in zip(rows, values, strict=True))


def read(words: tuple[int, ...], row: Row) -> int:
    start, coefficients = row
    return sum(
        ((word >> start & coefficients).bit_count() & 1) << k for k, word in enumerate(words)
    )


def largest_ratio(
    with_link: dict[Output, Fraction], without: dict[Output, Fraction]
) -> Fraction | None:
    """Return e to the loss, None where it is infinite."""
    if any(output not in without for output in with_link):
        return None
    return max(chance / without[output] for output, chance in with_link.items())


SMALL = SketchShape(starts=2, width=2)
TWO_PLANES = SketchShape(starts=1, width=2, planes=2)


@pytest.mark.parametrize("on_walk", [True, False])
def test_one_bit_costs_ln_two_and_the_seed(*, on_walk: bool) -> None:
    links = {"x": on_walk, "y": True}
    every, kept = law(links, "xy", SMALL, 1)
    fewer, kept_before = law({"y": True}, "xy", SMALL, 1)
    assert largest_ratio(every, fewer) == 2 * kept_before / kept
    assert kept < kept_before


@pytest.mark.parametrize("on_walk", [True, False])
@pytest.mark.parametrize("threshold", [1, 3])
def test_two_bits_cost_the_dyadic_rate_and_the_seed(*, threshold: int, on_walk: bool) -> None:
    links = {"x": on_walk, "y": False}
    every, kept = law(links, "xy", TWO_PLANES, threshold)
    fewer, kept_before = law({"y": False}, "xy", TWO_PLANES, threshold)
    rate = Fraction(threshold, 4) if on_walk else 1 - Fraction(threshold, 4)
    assert largest_ratio(every, fewer) == kept_before / kept / rate


def test_two_links_add_up_and_pay_for_the_seed_once() -> None:
    every, kept = law({"x": True, "y": False}, "xy", SMALL, 1)
    none, kept_before = law({}, "xy", SMALL, 1)
    assert kept_before == 1
    assert largest_ratio(every, none) == 4 / kept


def test_pairs_that_are_no_links_are_fair_and_independent_coins() -> None:
    every, _ = law({"x": True}, "xyz", SketchShape(starts=2, width=1), 1)
    for seed in {seed for seed, _ in every}:
        if echelon(list(seed), (0, 0, 0), SketchShape(starts=2, width=1))[1] >= 0:
            continue
        given = {words: p for (rows, words), p in every.items() if rows == seed}
        shown: dict[tuple[int, int], Fraction] = defaultdict(Fraction)
        for words, chance in given.items():
            shown[read(words, seed[1]), read(words, seed[2])] += chance
        assert len(set(shown.values())) == 1
        assert len(shown) == 4


def test_broken_twin_that_keeps_consistent_rows_lies_below_the_certificate() -> None:
    links = {"x": True, "y": True}
    every, kept = law(links, "xy", SMALL, 1, consistent=True)
    fewer, _ = law({"y": True}, "xy", SMALL, 1, consistent=True)
    honest, certified = law(links, "xy", SMALL, 1)[1], Fraction(2)
    certified *= law({"y": True}, "xy", SMALL, 1)[1] / honest
    found = largest_ratio(every, fewer)
    assert found is not None
    assert found < certified
    # And its harm: whether a seed is kept depends on what the links show.
    other = law({"x": True, "y": False}, "xy", SMALL, 1, consistent=True)[1]
    assert other != kept
    assert law({"x": True, "y": False}, "xy", SMALL, 1)[1] == honest


def test_broken_twin_with_free_variables_zero_is_caught() -> None:
    links = {"x": True, "y": False}
    every, kept = law(links, "xy", SMALL, 1, zero=True)
    fewer, kept_before = law({"y": False}, "xy", SMALL, 1, zero=True)
    assert largest_ratio(every, fewer) != 2 * kept_before / kept
