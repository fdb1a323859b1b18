from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import pytest

from pathveil.layering import bounds
from pathveil.layering.adjacency import Adjacency
from pathveil.layering.bounds import (
    _bound_by_cliques,
    _bound_by_sets,
    _breadth_first,
    _Bundles,
    _Hitting,
    _integer_bound,
    _packing,
    _relaxed_bound,
    lower_bound,
)
from pathveil.layering.splitting import Split, bad_vertices, split_order, take_apart
from tests.layering import exact_minimum as exact
from tests.layering.exact_minimum import exact_minimum, solve_part
from tests.layering.graphs import (
    adjacency,
    assert_layers_the_graph,
    both_ways_graph,
    families,
    fixed_graphs,
    networkx_of,
    watched_work,
)
from tests.layering.sat import fewest_cuts_by_sat


def well_known() -> dict[str, tuple[nx.Graph[int], int | None]]:
    return {
        "karate": (nx.karate_club_graph(), 6),
        "les miserables": (nx.les_miserables_graph(), 8),
        "small world": (nx.watts_strogatz_graph(100, 6, 0.1, seed=1), None),
        "caveman": (nx.relaxed_caveman_graph(10, 10, 0.1, seed=1), None),
        "geometric": (nx.random_geometric_graph(100, 0.16, seed=1), None),
    }


@pytest.mark.compiled
@pytest.mark.parametrize("name", list(well_known()))
def test_known_graphs_are_cut_as_little_as_can_be(name: str) -> None:
    graph, expected = well_known()[name]
    lists = adjacency(graph)
    split = split_order(lists)
    lower, upper, best = exact_minimum(lists, 600.0)
    assert lower <= upper == best.pieces <= split.pieces
    assert lower == upper == split.pieces
    assert expected is None or split.bad.sum() == expected
    assert lower_bound(lists) <= lower
    assert_layers_the_graph(lists, best)


def test_the_exact_minimum_goes_by_parts() -> None:
    small = nx.disjoint_union(nx.cycle_graph(5), nx.complete_bipartite_graph(3, 3))
    lower, upper, split = exact_minimum(adjacency(small))
    assert lower == upper == split.pieces == 12
    joined = nx.complement(nx.disjoint_union(nx.cycle_graph(5), nx.cycle_graph(5)))
    assert exact_minimum(adjacency(joined))[:2] == (12, 12)
    assert exact_minimum(Adjacency.from_pairs(0, []))[:2] == (0, 0)


@pytest.mark.compiled
def test_no_way_to_cut_goes_below_the_bound() -> None:
    """Against the SAT formulation, on graphs too large for the search that always ends."""
    for seed in range(12):
        graph = nx.gnp_random_graph(20, (0.15, 0.25, 0.4)[seed % 3], seed=seed)
        lists = adjacency(graph)
        fewest = 20 + fewest_cuts_by_sat(graph)
        assert lower_bound(lists) <= fewest <= split_order(lists).pieces
        lower, upper, _ = exact_minimum(lists, 5.0)
        assert lower <= fewest <= upper


@pytest.mark.compiled
def test_integers_raise_the_bound_where_walks_are_short() -> None:
    """Never above what the exact minimum says, which is found on another way."""
    graph = adjacency(nx.watts_strogatz_graph(100, 6, 0.1, seed=1))
    relaxed, integer = lower_bound(graph), lower_bound(graph, integer=6)
    assert relaxed < integer <= 143
    sparse = adjacency(nx.gnp_random_graph(90, 3 / 90, seed=1))
    assert lower_bound(sparse) <= lower_bound(sparse, integer=2) <= split_order(sparse).pieces


def test_the_bound_of_a_small_part_is_not_that_of_its_best_order() -> None:
    lists = adjacency(both_ways_graph())
    assert lower_bound(lists) == 12
    assert exact_minimum(lists)[:2] == (12, 12)


@pytest.mark.compiled
@pytest.mark.parametrize("seed", [1, 2])
def test_families_are_layered_near_the_limit(seed: int) -> None:
    for name, graph in families(60, seed):
        lists = adjacency(graph)
        split = split_order(lists)
        assert_layers_the_graph(lists, split)
        limit = 1.6 if name in {"dense", "very dense"} else 1.2 if name == "middling" else 1.1
        bound = lower_bound(lists)
        assert bound <= split.pieces <= limit * bound, name


@pytest.mark.compiled
def test_dense_graphs_are_bounded_by_cliques() -> None:
    source = np.random.default_rng(5)
    upper = np.triu(source.random((150, 150)) < 0.5, 1)
    graph = Adjacency.from_pairs(150, np.argwhere(upper))
    assert lower_bound(graph, rounds=0) >= 1.3 * 150


def test_every_bound_of_a_part_is_below_its_fewest_cuts_and_they_sharpen() -> None:
    """Small parts without a transitive orientation, each bound by itself, against SAT."""
    found, sharp = [], []
    for lists in fixed_graphs():
        for _, part, order in take_apart(lists):
            if order is not None:
                continue
            bundles = _Bundles.of(part)
            packed, programme = _packing(bundles), _Hitting(bundles)
            assert len({v for walk in packed for v in walk.tolist()}) == sum(map(len, packed))
            relaxed, choice = _relaxed_bound(programme, 6)
            integer = _integer_bound(programme, 4)
            before = programme.turn
            assert programme.add_missed(np.ones(part.size)) == 0, "all chosen misses no walk"
            assert programme.turn == before + 1, "another time it begins at other bundles"
            dense = _bound_by_sets(part), _bound_by_cliques(part)
            fewest = fewest_cuts_by_sat(networkx_of(part))
            assert max(len(packed), relaxed, integer, *dense) <= fewest
            assert len(packed) <= relaxed <= integer
            assert choice.sum() > relaxed - 1
            found.append((fewest, len(packed), *dense))
            sharp.append((relaxed, integer))
            assert sorted(_breadth_first(part).tolist()) == list(range(part.size))
    # Fewest cuts; packing, small sets, cliques.
    assert found == [
        (1, 1, 1, 0),
        (1, 1, 1, 0),
        (4, 3, 3, 0),
        (10, 5, 7, 0),
        (4, 3, 4, 0),
        (4, 3, 4, 0),
        (1, 1, 1, 1),
        (3, 2, 3, 1),
    ]
    # Linear and integer programmes depend on a solver; of the 28 cuts they prove this many.
    assert sum(relaxed for relaxed, _ in sharp) >= 24
    assert sum(integer for _, integer in sharp) >= 26


def test_dear_bounds_are_left_out_of_large_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cliques up to 220 vertices, programmes up to 60,000 entries, integers where walks are short.

    Each bound is a number of its own here, so that the best says which were asked.
    """
    monkeypatch.setattr(bounds, "_bound_by_sets", lambda _: 1)
    monkeypatch.setattr(bounds, "_bound_by_cliques", lambda _: 2)
    monkeypatch.setattr(bounds, "_packing", lambda _: [None] * 3)
    monkeypatch.setattr(bounds, "_relaxed_bound", lambda _, rounds: (rounds, None))
    monkeypatch.setattr(bounds, "_integer_bound", lambda _, rounds: rounds)
    ring = adjacency(nx.cycle_graph(9))

    def best(rounds: int, integer: int = 0) -> int:
        return bounds._part_bound(ring, rounds, integer)

    assert best(0, 6) == 3, "no rounds, no programme"
    assert best(5, 6) == 6
    monkeypatch.setattr(_Hitting, "has_short_walks", lambda _: False)
    assert best(5, 6) == 5
    monkeypatch.setattr(bounds, "_PROGRAMME_UP_TO", 18)
    assert best(5) == 5
    monkeypatch.setattr(bounds, "_PROGRAMME_UP_TO", 17)
    assert best(5) == 2
    monkeypatch.setattr(bounds, "_CLIQUES_UP_TO", 9)
    assert best(5) == 2
    monkeypatch.setattr(bounds, "_CLIQUES_UP_TO", 8)
    assert best(5) == 1


def test_walks_are_short_if_half_of_them_have_five_vertices_or_fewer() -> None:
    programme = _Hitting(_Bundles.of(adjacency(nx.cycle_graph(5))))
    programme.known = {(0, 1, 2, 3, 4), (0, 1, 2, 3, 4, 5)}
    assert programme.has_short_walks()
    programme.known.add((0, 1, 2, 3, 4, 6))
    assert not programme.has_short_walks()


def test_few_walks_through_one_vertex_are_added_at_once() -> None:
    """Six at most, the most missed first, then the shorter ones; none twice."""
    programme = _Hitting(_Bundles.of(adjacency(nx.cycle_graph(20))))
    walks = [np.array([0, v, v + 1], dtype=np.int32) for v in range(1, 17, 2)]
    weight = np.arange(20, 0, -1) / 20
    assert programme.add(walks, weight) == 6
    assert programme.known == {(0, v, v + 1) for v in range(5, 17, 2)}
    assert programme.add(walks[:3], weight) == 2
    assert programme.add(walks[:3], weight) == 0


def test_steps_are_said_beforehand(monkeypatch: pytest.MonkeyPatch) -> None:
    noted = watched_work(monkeypatch, bounds)
    bundles = _Bundles.of(adjacency(nx.cycle_graph(5)))
    assert noted == [("opposite_entries", 10), ("neighbour_bundles", 20 * 10)]
    bundles.walks(np.ones(5, dtype=np.int64), 8)
    assert noted[2:] == [("odd_walks", len(bundles.owner) * len(bundles.joined))]


def test_a_part_cut_too_often_is_mended_and_its_bound_is_no_higher_than_the_truth(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Every vertex is cut at first; one suffices for an odd ring."""
    monkeypatch.setattr(exact, "MENDING", 20_000)
    for graph, fewest in ((nx.cycle_graph(5), 1), (nx.cycle_graph(9), 1)):
        part = adjacency(graph)
        found = Split(np.arange(part.size, dtype=np.int32), np.ones(part.size, dtype=np.bool_))
        lower, better = solve_part(part, found, 60.0, 20)
        assert (lower, int(better.bad.sum())) == (fewest, fewest)
        assert (better.bad == bad_vertices(part, better.order)).all()
        assert solve_part(part, found, 60.0, 0) == (0, found), "no round, no bound"


def test_what_the_programme_does_not_choose_is_to_stay_whole(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    part = adjacency(nx.cycle_graph(9))
    found = Split(np.arange(9, dtype=np.int32), np.ones(9, dtype=np.bool_))
    asked = []

    def order(
        _: Adjacency, __: Any, whole: np.ndarray[tuple[int], np.dtype[np.int32]], *, work: int
    ) -> Any:
        assert work > 9 * 9, "enough to look at every vertex and its neighbours"
        asked.append(int(whole.sum()))
        return found.order

    monkeypatch.setattr(exact, "mended_order", order)
    solve_part(part, found, 60.0, 20)
    assert asked == [8]


def test_no_integer_programme_is_solved_where_the_linear_one_proves_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ring = adjacency(nx.cycle_graph(9))
    found = split_order(ring)
    monkeypatch.setattr(_Hitting, "integer", None)
    assert solve_part(ring, found, 60.0, 20) == (1, found)


def test_one_round_of_the_linear_programme_is_no_worse_than_the_packing() -> None:
    """The only odd walk of a ring of fifteen is too long for the short ones it begins with."""
    bundles = _Bundles.of(adjacency(nx.cycle_graph(15)))
    assert len(_packing(bundles)) == 1
    assert _relaxed_bound(_Hitting(bundles), 1)[0] == 1


@pytest.mark.parametrize(
    ("graph", "cuts"),
    [
        (nx.cycle_graph(5), 5 - 2 * 2),
        (nx.cycle_graph(7), 7 - 2 * 3),
        (nx.paley_graph(13).to_undirected(), 13 - 3 * 3),
        (nx.paley_graph(17).to_undirected(), 17 - 3 * 3),
        (nx.complete_graph(4), 0),
        (nx.path_graph(4), 0),
    ],
)
def test_more_than_cliques_times_independent_sets_cannot_stay_whole(
    graph: nx.Graph[int], cuts: int
) -> None:
    assert _bound_by_cliques(adjacency(graph)) == cuts
