from __future__ import annotations

from itertools import combinations

import networkx as nx
import numpy as np

from pathveil.layering.kernels.running import compiled
from pathveil.layering.kernels.small_graphs import (
    close_class,
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


def test_a_class_holds_what_an_arc_forces() -> None:
    path = masks_of(nx.path_graph(4))
    for whole, arcs in ((0b1111, {(0, 1), (2, 1), (2, 3)}), (0b1011, {(0, 1), (2, 1)})):
        room = scratch()
        found, centres = close_class(0, 1, whole, path, room)
        assert centres == 0
        assert {(int(room[2][k]), int(room[3][k])) for k in range(found)} == arcs


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


def test_no_smaller_set_of_cuts_suffices_and_its_order_makes_no_other_vertex_bad() -> None:
    """By trying all smaller sets on the oracle for forced arcs, which are necessary."""
    for seed in range(24):
        graph = nx.gnp_random_graph(7, (0.4, 0.6, 0.75)[seed % 3], seed=seed)
        order = np.zeros(64, dtype=np.int64)
        cut, tries, proved = search_cuts(masks_of(graph), 1 << 40, order, scratch())
        assert tries > 0
        assert proved
        assert searched(graph, fast=True) == (cut, tries, proved)
        chosen = members(int(cut))
        rank = {v: r for r, v in enumerate(order[:7].tolist())}
        for v in set(graph) - set(chosen):
            sides = [[w for w in graph[v] if (rank[w] < rank[v]) == side] for side in (True, False)]
            assert all(graph.has_edge(a, b) for a in sides[0] for b in sides[1])
        for fewer in combinations(range(7), len(chosen) - 1) if chosen else ():
            assert not consistent(graph, [v for v in graph if v not in fewer])


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


def test_it_gives_up_after_so_many_tries() -> None:
    graph = nx.gnp_random_graph(14, 0.6, seed=3)
    cut, tries, _ = searched(graph, fast=True)
    assert cut != 0
    assert searched(graph, tries - 1)[1] == -1
    assert searched(graph, tries + 1, fast=True)[:2] == (cut, tries)


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


def test_bits_are_found_and_counted() -> None:
    for bit in range(63):
        assert lowest(1 << bit) == bit
        assert lowest((1 << bit) | (1 << 62)) == bit
    assert lowest(np.int64(-(1 << 63))) == 63
    assert [count_bits(word) for word in (0, 1, 0b1011, (1 << 40) | 1)] == [0, 1, 3, 2]
    assert [everyone(size) for size in (0, 1, 7, 63, 64)] == [0, 1, 127, (1 << 63) - 1, -1]
