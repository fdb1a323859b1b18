from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import networkx as nx
import numpy as np
import pytest

from pathveil.layering.kernels.running import compiled
from pathveil.layering.kernels.small_graphs import (
    contradiction,
    count_bits,
    disjoint_chains,
    everyone,
    lowest,
    order_fits,
    search_cuts,
)
from tests.layering.graphs import (
    adjacency,
    both_ways_graph,
    consistent,
    fixed_graphs,
    masks_of,
    networkx_of,
    told,
)
from tests.layering.sat import fewest_cuts_by_sat


@pytest.mark.parametrize("run", [lowest, compiled(lowest)])
def test_the_lowest_bit_up_to_the_sign_bit(run: Callable[[np.int64], int]) -> None:
    for place in range(64):
        assert run(np.int64(-1) << place) == place


def scratch() -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    return np.zeros((6, 64 * 64), dtype=np.int64)


def searched(
    graph: nx.Graph[int], tries: int = 1 << 40, *, fast: bool = False
) -> tuple[int, int, bool]:
    search = compiled(search_cuts) if fast else search_cuts
    order = np.zeros(64, dtype=np.int64)
    cut, used, proved = search(masks_of(graph), tries, order, scratch())
    return int(cut), int(used), bool(proved)


def members(word: int) -> list[int]:
    return [v for v in range(64) if word >> v & 1]


def test_a_contradiction_is_found_exactly_where_the_oracle_sees_one() -> None:
    seen = []
    for seed in range(60):
        graph = nx.gnp_random_graph(9, (0.3, 0.5, 0.7)[seed % 3], seed=seed)
        whole = [v for v in range(9) if (v * 5 + seed) % 4]
        word = sum(1 << v for v in whole)
        centres = contradiction(word, masks_of(graph), scratch())
        assert (centres == 0) == consistent(graph, whole)
        seen.append(centres != 0)
        if centres:
            assert set(members(int(centres))) <= set(whole)
            assert not consistent(graph, members(int(centres)))
    assert 10 < sum(seen) < 55


def test_disjoint_chains_are_as_many_cuts_at_least() -> None:
    three = nx.disjoint_union_all([nx.cycle_graph(5)] * 3)
    assert disjoint_chains(everyone(15), masks_of(three), scratch()) == 3
    assert disjoint_chains(everyone(10), masks_of(three), scratch()) == 2
    for seed in range(20):
        graph = nx.gnp_random_graph(9, 0.5, seed=seed)
        chains = disjoint_chains(everyone(9), masks_of(graph), scratch())
        assert chains <= fewest_cuts_by_sat(graph)


def test_nothing_is_proved_where_an_edge_drawn_both_ways_would_spare_a_cut() -> None:
    """6 and 9 are the only pair whose cut leaves no contradiction, and no order fits it."""
    graph = both_ways_graph()
    near, order = masks_of(graph), np.zeros(64, dtype=np.int64)
    free = [
        pair
        for pair in combinations(range(10), 2)
        if contradiction(everyone(10) & ~(1 << pair[0] | 1 << pair[1]), near, scratch()) == 0
    ]
    assert free == [(6, 9)]
    assert not order_fits(everyone(10) & ~(1 << 6 | 1 << 9), near, order, scratch())
    cut, _, proved = searched(graph)
    assert count_bits(cut) == 3
    assert not proved


def test_a_ring_is_cut_once_if_it_is_odd_and_a_word_holds_sixty_four() -> None:
    assert searched(nx.cycle_graph(62)) == (0, 1, True)
    assert count_bits(searched(nx.cycle_graph(61))[0]) == 1
    assert searched(nx.cycle_graph(64), fast=True) == (0, 1, True)


CUT = [
    "ab27cecf247d",
    "b5ec7bcc87d2",
    "35aa5f3007ac",
    "da5c919c0434",
    "12ae41caf060",
    "117524df7af9",
    "ce32fd12d946",
    "1f988bcc8c4f",
]


def test_the_same_graph_is_cut_alike_on_every_machine_and_in_every_version() -> None:
    """Drawings are canonical: whoever changes these names redraws every file handed out before."""
    found = []
    for lists in (*fixed_graphs(), adjacency(both_ways_graph())):
        near, room = masks_of(networkx_of(lists)), scratch()
        order = np.zeros(64, dtype=np.int64)
        cut = search_cuts(near, 300, order, room)
        chains = disjoint_chains(everyone(lists.size), near, room)
        found.append(told(*cut, order if cut[1] > 0 else 0, chains))
    assert found == CUT


def test_a_word_has_room_for_sixty_four() -> None:
    for size, word in ((0, 0), (1, 1), (62, 2**62 - 1), (63, 2**63 - 1), (64, -1)):
        assert everyone(size) == compiled(everyone)(size) == word
