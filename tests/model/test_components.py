"""Components by rounds of merging: the same as scipy's, numbered by first vertices."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathveil.model import components
from pathveil.model.components import connected_parts


@st.composite
def graphs(draw: st.DrawFn) -> tuple[int, list[tuple[int, int]]]:
    size = draw(st.integers(1, 40))
    vertex = st.integers(0, size - 1)
    return size, draw(st.lists(st.tuples(vertex, vertex), max_size=60))


@given(graphs())
def test_both_ways_agree(graph: tuple[int, list[tuple[int, int]]]) -> None:
    size, links = graph
    pairs = np.array(links, dtype=np.int64).reshape(-1, 2)
    count, part = connected_parts(size, pairs)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(components, "FEW_PAIRS", -1)
        searched, same = connected_parts(size, pairs)
    assert (count, part.tolist()) == (searched, same.tolist())
    firsts = [part.tolist().index(i) for i in range(count)]
    assert firsts == sorted(firsts)


def test_a_long_path_in_any_order_is_one() -> None:
    order = np.random.default_rng(7).permutation(5_000).astype(np.int64)
    pairs = np.stack([order[:-1], order[1:]], axis=1)
    assert connected_parts(5_000, pairs)[0] == 1
    assert connected_parts(5_001, pairs)[0] == 2
    assert connected_parts(5_000, np.delete(pairs, 2_499, axis=0))[0] == 2
