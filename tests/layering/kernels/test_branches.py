from __future__ import annotations

import networkx as nx
import numpy as np

from pathveil.layering.kernels.branches import longest_branches
from pathveil.layering.kernels.running import compiled


def arcs_of(diagram: nx.DiGraph[int]) -> np.ndarray[tuple[int, int], np.dtype[np.int32]]:
    return np.array(sorted(diagram.edges), dtype=np.int32).reshape(-1, 2)


def test_a_layer_is_the_length_of_the_longest_branch_from_above() -> None:
    for seed in range(10):
        source = nx.gnp_random_graph(12, 0.25, seed=seed)
        diagram: nx.DiGraph[int] = nx.DiGraph()
        diagram.add_nodes_from(range(12))
        # Downwards by numbers, or upwards: the numbers of nodes say nothing of who is above.
        ends = (min, max) if seed % 2 else (max, min)
        diagram.add_edges_from((ends[0](e), ends[1](e)) for e in source.edges)
        expected = [0] * 12
        for node in nx.topological_sort(diagram):
            for above in diagram.predecessors(node):
                expected[node] = max(expected[node], expected[above] + 1)
        assert longest_branches(12, arcs_of(diagram)).tolist() == expected
        assert compiled(longest_branches)(12, arcs_of(diagram)).tolist() == expected


def test_a_circle_is_left_alone_and_ends() -> None:
    circle: nx.DiGraph[int] = nx.DiGraph([(0, 1), (1, 2), (2, 0), (3, 4)])
    assert longest_branches(5, arcs_of(circle)).tolist()[3:] == [0, 1]
