from __future__ import annotations

from itertools import combinations

import networkx as nx
import numpy as np

from pathveil.layering.kernels.bundle_annealing import happens, next_below
from pathveil.layering.kernels.running import compiled
from pathveil.layering.kernels.settling import (
    SPACING,
    STEP_OUT,
    count_violations,
    place_between,
    renumber,
    settle,
    sorted_neighbours,
    weigh_gaps,
)
from pathveil.layering.minimum import bad_vertices
from tests.layering.graphs import adjacency, families

Keys = np.ndarray[tuple[int], np.dtype[np.int64]]


def separated(graph: nx.Graph[int], key: Keys, v: int) -> int:
    """Pairs of strangers among the neighbours of v that lie on different sides of it."""
    return sum(
        (key[a] < key[v]) != (key[b] < key[v]) and not graph.has_edge(a, b)
        for a, b in combinations(graph[v], 2)
    )


def random_keys(size: int, seed: int) -> Keys:
    return np.random.default_rng(seed).permutation(size) * SPACING


def test_numbers_are_drawn_evenly_below_the_bound_and_never_end() -> None:
    state = np.array([1], dtype=np.int64)
    drawn = [next_below(state, 10) for _ in range(2_000)]
    assert set(drawn) == set(range(10))
    assert all(150 <= drawn.count(value) <= 250 for value in range(10))
    assert 0 < state[0] < 1 << 32
    twin = np.array([1], dtype=np.int64)
    assert [compiled(next_below)(twin, 1 << 30) for _ in range(3)] == [
        411863116,
        1024954755,
        1035992413,
    ]
    assert twin[0] == 2647435461, "Marsaglia's third number after 1"
    twin[0] = 1
    assert [compiled(next_below)(twin, 10) for _ in range(2_000)] == drawn


def test_what_has_all_chances_happens_and_what_has_none_does_not() -> None:
    for seed in range(1, 40):
        state = np.array([seed], dtype=np.int64)
        assert happens(state, 1, 1)
        assert not happens(state, 0, 1)
        twin = state.copy()
        assert happens(state, 2, 4) == (next_below(twin, 4) in {0, 1})


def test_keys_are_renumbered_in_order() -> None:
    key = np.random.default_rng(1).integers(0, 20, 50)
    order = np.argsort(key, kind="stable")
    renumber(key)
    assert (np.argsort(key) == order).all()
    assert (np.diff(key[order]) == SPACING).all()


def test_neighbours_come_by_key() -> None:
    graph = nx.gnp_random_graph(12, 0.5, seed=2)
    lists, key = adjacency(graph), random_keys(12, 2)
    nearby = np.empty(12, dtype=np.int32)
    many = sorted_neighbours(lists.indptr, lists.indices, key, 3, nearby)
    assert nearby[:many].tolist() == sorted(graph[3], key=lambda w: key[w])


def test_violations_are_separated_strangers() -> None:
    for seed in range(6):
        graph = nx.gnp_random_graph(12, 0.2 + seed / 8, seed=seed)
        lists, key = adjacency(graph), random_keys(12, seed)
        found = count_violations(lists.indptr, lists.indices, key)
        assert found.tolist() == [separated(graph, key, v) for v in range(12)]


def test_every_gap_is_weighed_as_if_the_vertex_were_put_there() -> None:
    for seed in range(8):
        graph = nx.gnp_random_graph(10, 0.3 + seed % 4 / 6, seed=seed)
        lists, key = adjacency(graph), random_keys(10, seed)
        mark = np.full(10, -1, np.int32)
        violations = count_violations(lists.indptr, lists.indices, key)
        for v in range(10):
            nearby, weights = np.empty(11, np.int32), np.zeros((11, 7), np.int64)
            many = sorted_neighbours(lists.indptr, lists.indices, key, v, nearby)
            weigh_gaps(lists.indptr, lists.indices, key, violations, v, nearby, many, mark, weights)
            for gap in range(many + 1):
                moved = key.copy()
                if many:
                    place_between(moved, v, nearby, many, gap)
                counts = {w: separated(graph, moved, w) for w in [v, *graph[v]]}
                assert weights[gap, 0] == sum(count > 0 for count in counts.values())
                assert weights[gap, 1] == counts[v]
                for t in range(many):
                    column = 3 if t < gap else 2
                    assert weights[t, column] == counts[int(nearby[t])]
                good = [w for w, count in counts.items() if count == 0]
                middles = sum(
                    sum(moved[a] < moved[w] for a in graph[w])
                    * sum(moved[b] > moved[w] for b in graph[w])
                    for w in good
                )
                assert weights[gap, 6] == middles


def test_a_vertex_is_put_between_even_where_there_is_no_room() -> None:
    key = np.array([0, 1, 5 * SPACING], dtype=np.int64)
    nearby = np.array([0, 1, 0], dtype=np.int32)
    place_between(key, 2, nearby, 2, 1)
    assert key[0] < key[2] < key[1]
    place_between(key, 2, nearby, 2, 2)
    assert key[2] > key[1] > key[0]
    far = np.array([-(1 << 61), 0], dtype=np.int64)
    place_between(far, 1, np.array([0, 0], dtype=np.int32), 1, 0)
    assert -(1 << 61) < far[1] < far[0]
    # Keys stay below 2^61 either way: their differences fit a word.
    for last, moved in (((1 << 61) - STEP_OUT, True), ((1 << 61) - STEP_OUT - 1, False)):
        for side in (1, -1):
            edge = np.array([side * last, 0], dtype=np.int64)
            place_between(edge, 1, np.array([0, 0], dtype=np.int32), 1, 1 if side > 0 else 0)
            assert (edge[0] != side * last) == moved
            assert side * edge[1] > side * edge[0]
            assert abs(int(edge[1])) < 1 << 61


def test_settling_ends_when_nothing_can_be_moved_for_the_better() -> None:
    ring = adjacency(nx.cycle_graph(9))
    key = random_keys(9, 3)
    settle(ring.indptr, ring.indices, key, 1 << 40)
    again = key.copy()
    settle(ring.indptr, ring.indices, again, 1 << 40)
    assert (key == again).all()


def test_settling_moves_nothing_where_no_work_may_be_spent() -> None:
    star = adjacency(nx.star_graph(2))
    begun = np.array([1, 0, 2]) * SPACING  # its centre lies between strangers
    for work in (0, 1):
        key = begun.copy()
        settle(star.indptr, star.indices, key, work)
        assert (key == begun).all() == (work == 0), "with any at all a first vertex is moved"


def test_settling_makes_no_order_worse_plain_or_compiled() -> None:
    better = 0
    for seed, (_, graph) in enumerate(families(20, 6)):
        lists = adjacency(graph)
        key = random_keys(lists.size, seed)
        before = bad_vertices(lists, np.argsort(key, kind="stable").astype(np.int32)).sum()
        twin = key.copy()
        settle(lists.indptr, lists.indices, key, 40_000)
        after = bad_vertices(lists, np.argsort(key, kind="stable").astype(np.int32)).sum()
        assert after <= before
        better += after < before
        compiled(settle)(lists.indptr, lists.indices, twin, 40_000)
        assert (key == twin).all()
    assert better >= 8
