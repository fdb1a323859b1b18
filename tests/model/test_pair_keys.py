"""Pairs as single numbers: there and back."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from pathveil.model.graph_index import link_keys, pairs_of_keys


@given(st.integers(2, 2**31), st.data())
def test_there_and_back(size: int, data: st.DataObject) -> None:
    place = st.integers(0, size - 1)
    ends = np.array(data.draw(st.lists(st.tuples(place, place), min_size=1)), dtype=np.int64)
    keys = link_keys(None, ends, size)
    assert pairs_of_keys(keys, size).tolist() == np.sort(ends, axis=1).tolist()
    kept = link_keys(None, ends, size, ordered=False)
    assert pairs_of_keys(kept, size).tolist() == ends.tolist()


def test_ranks_stand_for_ends() -> None:
    rank = np.array([2, 0, 1])
    assert link_keys(rank, np.array([[0, 1]]), 3).tolist() == [2]
