"""Rows and places of nodes."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from hypothesis import given, settings

from pathveil.drawing.layer_layout import ordered_rows, spread
from pathveil.model.layered import LayeredGraph
from tests.drawing.samples import figure3, small_graphs


def test_the_order_has_no_crossing_where_none_is_needed() -> None:
    rows = ordered_rows(figure3().layered)
    place = {item: i for row in rows.rows for i, item in enumerate(row)}
    layer = figure3().layered.layer
    ways = [(layer[w[0]], place[w[0]], place[w[-1]]) for w in rows.ways]
    assert not any(a[0] == b[0] and a[1] < b[1] and a[2] > b[2] for a in ways for b in ways)


@settings(max_examples=50)
@given(small_graphs())
def test_rows_hold_each_node_once_and_keep_their_distance(graph: LayeredGraph) -> None:
    rows = ordered_rows(graph)
    nodes = [item for row in rows.rows for item in row if item < rows.nodes]
    assert sorted(nodes) == list(range(len(graph.position_of)))
    for depth, row in enumerate(rows.rows):
        assert all(graph.layer[item] == depth for item in row if item < rows.nodes)
    for way in rows.ways:
        depths = rows.row_of()[list(way)].tolist()
        assert depths == list(range(depths[0], depths[-1] + 1))
    x = spread(rows, np.full(rows.items, 2.0), gap=1.0, stagger=[1] * len(rows.rows))
    for row in rows.rows:
        assert all(x[b] - x[a] >= 3 - 1e-9 for a, b in pairwise(row))
