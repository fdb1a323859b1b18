"""Links in any order become the paths they are part of, or are refused."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathveil.errors import DoesNotFit
from pathveil.model.positions import Positions, linear_forest

SIX = Positions(("a", "b", "c"), (1, 2, 3))


def forest(*links: tuple[int, int]) -> tuple[tuple[int, ...], ...]:
    return linear_forest(np.array(links, dtype=np.int64).reshape(-1, 2), SIX)


@given(st.permutations(range(12)), st.sets(st.integers(1, 11)), st.randoms())
def test_cut_and_shuffled_paths_come_back(order: list[int], cuts: set[int], random: object) -> None:
    places = [0, *sorted(cuts), 12]
    pieces = [order[a:b] for a, b in pairwise(places)]
    links = [step if random.random() < 0.5 else step[::-1] for p in pieces for step in pairwise(p)]  # type: ignore[attr-defined]
    random.shuffle(links)  # type: ignore[attr-defined]
    found = linear_forest(
        np.array(links, dtype=np.int64).reshape(-1, 2), Positions.uniform(tuple("abcdefghijkl"), 1)
    )
    wanted = [p if p[0] < p[-1] else p[::-1] for p in map(tuple, pieces) if len(p) > 1]
    assert found == tuple(sorted(wanted))


def test_a_crowded_copy_is_named() -> None:
    with pytest.raises(DoesNotFit, match="copy 1 of 'b' has 3 walk links, expected at most 2"):
        forest((2, 0), (2, 1), (2, 3))


def test_rings_are_refused_beside_paths_or_alone() -> None:
    with pytest.raises(DoesNotFit, match="3 copies are joined in rings"):
        forest((0, 1), (3, 4), (4, 5), (5, 3))
    with pytest.raises(DoesNotFit, match="6 copies"):
        forest((0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3))


def test_no_link_no_path() -> None:
    assert forest() == ()
