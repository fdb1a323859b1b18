from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

from pathveil.layering.adjacency import lists_of_bits, rows_of_lists
from pathveil.layering.kernels.running import compiled
from pathveil.model.bits import PairBits
from tests.layering.graphs import adjacency


@pytest.mark.parametrize("size", [1, 2, 9, 64, 67])
def test_lists_and_rows_are_those_of_the_matrix(size: int) -> None:
    graph = nx.gnp_random_graph(size, 0.4, seed=size)
    lists = adjacency(graph)
    bits = PairBits.from_pairs(size, [(min(e), max(e)) for e in graph.edges])
    for read in (lists_of_bits, compiled(lists_of_bits)):
        starts, entries = read(bits.packed, size)
        assert starts.tolist() == lists.indptr.tolist()
        assert entries.tolist() == lists.indices.tolist()
    expected = nx.to_numpy_array(graph, nodelist=range(size)).astype(bool)
    for write in (rows_of_lists, compiled(rows_of_lists)):
        rows = write(lists.indptr, lists.indices)
        assert rows.shape == (size, (size + 63) // 64)
        columns = np.unpackbits(rows.astype("<u8").view(np.uint8), axis=1, bitorder="little")
        assert (columns[:, :size] == expected).all()
        assert not columns[:, size:].any()
