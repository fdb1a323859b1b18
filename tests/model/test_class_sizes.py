"""Sizes of classes as numbers: what they say is what the classes themselves say."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathveil.errors import BadGrouping
from pathveil.model.grouping import ClassSizes, Grouping


@given(st.lists(st.integers(2, 5), min_size=1, max_size=7))
def test_they_say_what_the_classes_say(sizes: list[int]) -> None:
    found = ClassSizes.of(sizes)
    blocks = [a * b for a, b in combinations(sizes, 2)]
    assert (found.classes, found.smallest, found.largest) == (len(sizes), min(sizes), max(sizes))
    assert found.pairs_in_a_block == ((min(blocks), max(blocks)) if blocks else (0, 0))
    names = iter(f"v{i:02d}" for i in range(sum(sizes)))
    grouping = Grouping.of([[next(names) for _ in range(size)] for size in sizes])
    assert grouping.class_sizes == found


@pytest.mark.parametrize(
    "counts", [(), ((3, 1), (2, 1)), ((2, 1), (2, 2)), ((1, 1),), ((2, 0),), ((2, 1), (3, -1))]
)
def test_what_is_no_list_of_sizes_is_refused(counts: tuple[tuple[int, int], ...]) -> None:
    with pytest.raises(BadGrouping, match="sizes of classes; expected one or more"):
        ClassSizes(counts)
