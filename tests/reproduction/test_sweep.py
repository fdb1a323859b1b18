from __future__ import annotations

import math

import numpy as np
import pytest

from pathveil.chance.copies import copy_mechanism
from pathveil.maps import random_map
from pathveil.reproduction.fast.draws import draw
from pathveil.reproduction.fast.stints import run_stint, run_task
from pathveil.reproduction.figures import FIGURES, SIZES, WORST, chosen_engines, chosen_figures
from pathveil.reproduction.measures import Tally
from pathveil.reproduction.sweep import STINT, Cell, Sweep

CELLS = (Cell("backtracking", 6, 10, edge_budget="1"), Cell("exact", 6, 10, edge_budget="1"))


@pytest.mark.parametrize("runs", [1, 49, 50, 51, 500])
@pytest.mark.parametrize("stints", [1, 3, 100])
def test_tasks_cover_every_stint_once(runs: int, stints: int) -> None:
    sweep = Sweep("cover", CELLS, runs=runs)
    done = {(0, 1), (1, 0)}
    seen = [
        (task.number, stint)
        for task in sweep.tasks(stints=stints, done=done)
        for stint in range(task.first, task.last)
    ]
    wanted = {(c, b) for c in range(2) for b in range(sweep.stints)} - done
    assert len(seen) == len(set(seen))
    assert set(seen) == wanted
    assert all(task.last - task.first <= stints for task in sweep.tasks(stints=stints, done=done))
    first = next(sweep.tasks(stints=100))
    assert sum(first.stint_runs(b) for b in range(sweep.stints)) == runs


def test_results_do_not_depend_on_chunks() -> None:
    sweep = Sweep("chunks", CELLS[:1], runs=220)
    sums = [
        sum((run_task(task)[1] for task in sweep.tasks(stints=stints)), Tally())
        for stints in (1, 2, 5)
    ]
    assert sums[0] == sums[1] == sums[2]
    assert sums[0].runs == 220


def test_both_engines_face_the_same_draws_and_other_cells_others() -> None:
    first = next(Sweep("same", CELLS).tasks())
    second = list(Sweep("same", CELLS).tasks(stints=100))[1]
    assert first.stream(3) == second.stream(3)
    assert first.stream(3) != first.stream(4)
    assert next(Sweep("other", CELLS).tasks()).stream(3) != first.stream(3)
    more = Cell("exact", 6, 10, edge_budget="2")
    assert next(Sweep("same", (more,)).tasks()).stream(3) != first.stream(3)
    tallies = [run_stint(cell, "same", STINT)[0] for cell in CELLS]
    assert tallies[0].leak_twelfths == tallies[1].leak_twelfths


def test_another_grid_has_another_fingerprint() -> None:
    names = {
        Sweep("a", CELLS).fingerprint,
        Sweep("b", CELLS).fingerprint,
        Sweep("a", CELLS[:1]).fingerprint,
        Sweep("a", CELLS, runs=5).fingerprint,
    }
    assert len(names) == 4


def test_cells_survive_a_table() -> None:
    for figure in FIGURES:
        for cell in figure.cells:
            assert Cell.from_row(cell.as_row()) == cell


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"engine": "other"}, "engine is 'other'"),
        ({"edges": 4}, "from 5 to 15 edges"),
        ({"visits": 7}, "as many visits"),
        ({"walk": "cyclic", "visits": 2}, "cannot revisit"),
    ],
)
def test_impossible_cells_are_refused(wrong: dict[str, object], message: str) -> None:
    given = {"engine": "exact", "vertices": 6, "edges": 10, **wrong}
    with pytest.raises(ValueError, match=message):
        Cell(**given)  # type: ignore[arg-type]


def test_impossible_sweeps_are_refused() -> None:
    with pytest.raises(ValueError, match="at least one"):
        Sweep("none", CELLS, runs=0)
    with pytest.raises(ValueError, match="twice"):
        Sweep("twice", (CELLS[0], CELLS[0]))


def test_the_declared_figures() -> None:
    assert len(SIZES) == 122
    assert [len(figure.cells) for figure in FIGURES] == [488, 122, 10, 132, 99]
    assert all((v, e) in SIZES for v, e in WORST.items())
    assert [f.number for f in chosen_figures(None)] == [7, 8, 8, 9, 10]
    assert [f.name for f in chosen_figures(["run-time", 9])] == ["run-time", "budgets"]
    with pytest.raises(ValueError, match="no figure '3'"):
        chosen_figures([3])
    assert chosen_engines("both") == ("backtracking", "exact")
    assert chosen_engines("exact") == ("exact",)
    with pytest.raises(ValueError, match="expected both"):
        chosen_engines("fast")


# The draws of a stint have the laws of the package's own generators. Fixed streams, so the tests
# cannot fail by chance; the bounds are those of a false alarm of 1e-6 for an arbitrary stream.


def within(hits: int, runs: int, chance: float) -> bool:
    return abs(hits - runs * chance) <= 4.9 * math.sqrt(runs * chance * (1 - chance))


def test_paths_and_further_edges_are_uniform() -> None:
    runs = 4000
    drawn = draw(Cell("exact", 5, 6), "uniform", runs)
    firsts = np.bincount(drawn.visits[:, 0], minlength=5)
    assert all(within(int(count), runs, 1 / 5) for count in firsts)
    steps = drawn.visits[:, 1] == (drawn.visits[:, 0] + 1) % 5
    assert within(int(steps.sum()), runs, 1 / 4)
    assert (drawn.linked.sum(axis=(1, 2)) == 12).all()
    # A pair two steps apart on the path is one of the two further edges with probability 2/6.
    rows = np.arange(runs)
    chords = drawn.linked[rows, drawn.visits[:, 0], drawn.visits[:, 2]]
    assert within(int(chords.sum()), runs, 1 / 3)
    rng = np.random.default_rng(1)
    made = [random_map(5, 6, rng) for _ in range(500)]
    same = sum(network.has_edge(walk.vertices[0], walk.vertices[2]) for network, walk in made)
    assert within(same, 500, 1 / 3)


def test_copies_and_coins_follow_the_mechanisms() -> None:
    runs = 2000
    cell = Cell("exact", 6, 8, vertex_budget="0.5", edge_budget="1")
    drawn = draw(cell, "laws", runs)
    law = copy_mechanism(1, 2, 0, largest_degree=0, budget=cell.policy.kind.copy_budget or 0)  # type: ignore[arg-type]
    twice = float(law.law()[1])
    assert within(int((drawn.counts == 2).sum()), drawn.counts.size, twice)
    assert within(int((~drawn.coins).sum()), drawn.coins.size, float(cell.policy.chaff))
    assert not draw(Cell("exact", 6, 8), "laws", 10).coins.any()


def test_a_walk_with_one_ring_visits_one_vertex_twice() -> None:
    drawn = draw(Cell("exact", 6, 7, walk="cyclic", visits=6), "rings", 300)
    for run in range(300):
        walk, network = drawn.walk(run), drawn.network(run)
        walk.require_in(network)
        network.require_connected()
        assert sorted(walk.visits.values()) == [1, 1, 1, 1, 2]
        assert len(network.pairs) == 7
