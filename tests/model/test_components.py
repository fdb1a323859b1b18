"""Components by rounds of merging: the same as scipy's, numbered by first vertices."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathveil.model import graph_index as components
from pathveil.model.graph_index import connected_parts


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


def test_few_pairs_do_not_load_scipy(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few thousand are few; where exactly it begins to pay is a matter of the machine."""
    searched: list[int] = []

    def noted(size: int, pairs: components.IndexArray) -> tuple[int, components.IndexArray]:
        searched.append(len(pairs))
        return 0, np.empty(0, dtype=np.int64)

    monkeypatch.setattr(components, "_searched_parts", noted)
    path = np.stack([np.arange(5_000), np.arange(1, 5_001)], axis=1)
    connected_parts(5_001, path)
    assert not searched
    monkeypatch.setattr(components, "FEW_PAIRS", 3)
    for few in (3, 4):
        connected_parts(5_001, path[:few])
    assert searched == [4]


def test_a_long_path_in_any_order_is_one() -> None:
    order = np.random.default_rng(7).permutation(5_000).astype(np.int64)
    pairs = np.stack([order[:-1], order[1:]], axis=1)
    assert connected_parts(5_000, pairs)[0] == 1
    assert connected_parts(5_001, pairs)[0] == 2
    assert connected_parts(5_000, np.delete(pairs, 2_499, axis=0))[0] == 2
