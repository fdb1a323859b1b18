from __future__ import annotations

from collections.abc import Callable
from typing import Any

import networkx as nx
import numpy as np
import pytest

from pathveil.layering import annealing
from pathveil.layering.adjacency import Adjacency
from pathveil.layering.annealing import annealed_order, cooling, mended_order, settled_order
from pathveil.layering.kernels.forcing import opposite_entries
from pathveil.layering.kernels.running import run
from pathveil.layering.splitting import Split, bad_vertices, layered_arcs
from tests.layering.graphs import adjacency, families, fixed_graphs, told, watched_work


def bad_count(graph: Adjacency, order: np.ndarray[tuple[int], np.dtype[np.int32]]) -> int:
    assert sorted(order.tolist()) == list(range(graph.size))
    return int(bad_vertices(graph, order).sum())


def opposite_of(graph: Adjacency) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return run(opposite_entries, 0, graph.indptr, graph.indices)


def test_annealing_comes_near_the_fewest_and_depends_on_the_graph_alone() -> None:
    for name, fewest in (("karate", 6), ("ring", 1)):
        graph = {
            "karate": nx.karate_club_graph(),
            "ring": nx.cycle_graph(31),
        }[name]
        lists = adjacency(graph)
        order = annealed_order(lists, work=300_000)
        assert fewest <= bad_count(lists, order) <= fewest + 1, name
        again = annealed_order(Adjacency.from_pairs(lists.size, lists.pairs()), work=300_000)
        assert (order == again).all()


def test_more_work_is_never_spent_for_a_worse_order() -> None:
    lists = adjacency(nx.gnp_random_graph(40, 0.3, seed=3))
    cuts = [bad_count(lists, annealed_order(lists, work=w)) for w in (2_000, 50_000, 1_000_000)]
    assert cuts[2] <= cuts[1] <= cuts[0]


def test_whole_vertices_of_a_two_sided_rest_stay_whole() -> None:
    """Cut one vertex of an odd ring: the others are two-sided and none of them is bad."""
    ring = adjacency(nx.cycle_graph(9))
    whole = np.ones(9, dtype=np.int32)
    whole[4] = 0
    opposite = opposite_of(ring)
    assert bad_count(ring, mended_order(ring, opposite, whole, work=20_000)) == 1
    unaffordable = mended_order(ring, opposite, whole, work=1)
    assert np.flatnonzero(bad_vertices(ring, unaffordable)).tolist() == [4]


def test_settling_spares_cover_arcs_and_cuts_no_more() -> None:
    fewer = 0
    for _, graph in families(30, 6):
        lists = adjacency(graph)
        order = np.random.default_rng(1).permutation(lists.size).astype(np.int32)
        settled = settled_order(lists, order)
        before, after = (Split(o, bad_vertices(lists, o)) for o in (order, settled))
        assert after.pieces <= before.pieces
        fewer += len(layered_arcs(lists, after)[2]) < len(layered_arcs(lists, before)[2])
    assert fewer >= 4


def test_cooling_falls_from_first_to_last() -> None:
    ladder = cooling(1 << 19, 64)
    assert (ladder[:, 0] == 1 << 20).all()
    assert ladder[0, 1] == 1 << 19
    assert 60 <= ladder[-1, 1] <= 64
    assert (np.diff(ladder[:, 1]) < 0).all()
    assert (np.diff(ladder, axis=1) <= 0).all()
    halves = ladder[0, 1] / ladder[0, 0]
    assert abs(ladder[0, 3] / ladder[0, 2] - halves) < 1e-3


ORDERED = [
    "3f47babb2ce1",
    "6d2a8152aecc",
    "4a89390cbc23",
    "e56b91cd1ad5",
    "ec09ed3384d5",
    "cb2642186f02",
    "021f243a15dd",
]


def test_the_same_graph_is_ordered_alike_on_every_machine_and_in_every_version() -> None:
    """Drawings are canonical: whoever changes these names redraws every file handed out before."""
    found = []
    for lists in fixed_graphs():
        orders = [annealed_order(lists, work=work) for work in (40, 3_000, 30_000)]
        found.append(told(*orders, settled_order(lists, orders[0])))
    assert found == ORDERED


def test_steps_are_said_beforehand_and_never_more_than_allowed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lists = adjacency(nx.cycle_graph(9))  # 18 entries, every degree 2
    noted = watched_work(monkeypatch, annealing)
    mended_order(lists, opposite_of(lists), np.ones(9, dtype=np.int32), work=500)
    assert noted == [
        ("forced_order", 8 * 18),
        ("anneal_order", 500),
        ("settle", 8 * 9 * 4),
    ]
    noted.clear()
    settled_order(lists, np.arange(9, dtype=np.int32))
    assert noted == [("settle", 8 * 9 * 4)]
    noted.clear()
    annealed_order(lists, work=30_000)
    assert dict(noted[:2]) == {"opposite_entries": 36, "neighbour_bundles": 4 * 18 * (1 + 18 // 9)}
    # First the most it may take, four times its share; afterwards what the last attempt took.
    tries = [work for name, work in noted if name == "anneal_bundles"]
    assert tries[0] == 4 * annealing._SHARE * 9 * 9
    assert all(work < tries[0] for work in tries[1:])
    noted.clear()
    annealed_order(lists, work=100)
    assert all(work <= 144 for _, work in noted)
    assert ("neighbour_bundles", 100) in noted
    assert ("anneal_bundles", 100) in noted


def test_the_ladder_kept_for_all_cannot_be_changed_by_one() -> None:
    with pytest.raises(ValueError, match="read-only"):
        cooling(1 << 19, 64)[0, 0] = 1


def test_each_attempt_begins_afresh_and_the_best_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Five attempts of a hundred steps each: the second leaves most vertices whole, first."""
    lists = adjacency(nx.cycle_graph(17))
    found = iter([(7, 100), (8, 100), (8, 100), (6, 100), (8, 100)])
    seeds, limits = [], []

    def run(kernel: Callable[..., Any], work: int, *given: Any) -> Any:
        if kernel.__name__ != "anneal_bundles":
            return kernel(*given)
        seeds.append(given[5])
        limits.append((given[6], given[7], given[8], work))
        count, spent = next(found)
        marks = np.zeros(17, dtype=np.int32)
        marks[len(seeds) - 1 : len(seeds) - 1 + count] = 1
        return marks, spent

    monkeypatch.setattr(annealing, "run", run)
    opposite = opposite_entries(lists.indptr, lists.indices)
    whole = annealing._annealed_signs(lists, opposite, 550)
    assert seeds == [(lists.key + fresh * 7919) % (1 << 31) for fresh in range(5)]
    share, patience = 550 // 2, 8 + 17 // 8
    assert limits == [
        (share, patience, 550, 550),
        (share, patience, 450, 100),
        (share, patience, 350, 100),
        (share, patience, 250, 100),
        (share, patience, 150, 100),
    ]
    assert np.flatnonzero(whole).tolist() == list(range(1, 9))
