"""The draws of a stint have the laws of the package's own generators.

Fixed streams, so the tests cannot fail by chance; the bounds are those of a false alarm of 1e-6
for an arbitrary stream.
"""

from __future__ import annotations

import math

import numpy as np

from pathveil.chance.copies import copy_mechanism
from pathveil.lab.reproduction.draws import draw_runs
from pathveil.lab.reproduction.sweep import Cell
from pathveil.model.bits import Relation
from tests.strategies import absent_places


def within(hits: int, runs: int, chance: float) -> bool:
    return abs(hits - runs * chance) <= 4.9 * math.sqrt(runs * chance * (1 - chance))


def test_paths_and_further_edges_are_uniform() -> None:
    runs = 4000
    drawn = draw_runs(Cell("exact", 5, 6), "uniform", runs)
    firsts = np.bincount(drawn.visits[:, 0], minlength=5)
    assert all(within(int(count), runs, 1 / 5) for count in firsts)
    steps = drawn.visits[:, 1] == (drawn.visits[:, 0] + 1) % 5
    assert within(int(steps.sum()), runs, 1 / 4)
    assert (drawn.linked.sum(axis=(1, 2)) == 12).all()
    # A pair two steps apart on the path is one of the two further edges with probability 2/6.
    rows = np.arange(runs)
    chords = drawn.linked[rows, drawn.visits[:, 0], drawn.visits[:, 2]]
    assert within(int(chords.sum()), runs, 1 / 3)


def test_copies_and_coins_follow_the_mechanisms() -> None:
    runs = 2000
    cell = Cell("exact", 6, 8, vertex_budget="0.5", edge_budget="1")
    drawn = draw_runs(cell, "laws", runs)
    law = copy_mechanism(1, 2, 0, largest_degree=0, budget=cell.policy.kind.copy_budget or 0)  # type: ignore[arg-type]
    twice = float(law.law()[1])
    assert within(int((drawn.counts == 2).sum()), drawn.counts.size, twice)
    assert within(int((~drawn.coins).sum()), drawn.coins.size, float(cell.policy.chaff))
    assert not draw_runs(Cell("exact", 6, 8), "laws", 10).coins.any()


def test_a_walk_with_one_ring_visits_one_vertex_twice() -> None:
    drawn = draw_runs(Cell("exact", 6, 7, walk="cyclic", visits=6), "rings", 300)
    for run in range(300):
        walk, network = drawn.walk(run), drawn.network(run)
        walk.require_in(network)
        network.require_connected()
        assert sorted(walk.visits.values()) == [1, 1, 1, 1, 2]
        assert len(network.pairs) == 7


def test_a_stint_is_a_function_of_its_stream() -> None:
    cell = Cell("exact", 6, 10, vertex_budget="1", edge_budget="1")
    one, again, other = (draw_runs(cell, stream, 5) for stream in ("a", "a", "b"))
    for name in ("linked", "visits", "counts", "coins"):
        assert (getattr(one, name) == getattr(again, name)).all()
    assert (one.visits != other.visits).any()


def test_bits_of_a_run_keep_the_relation() -> None:
    """Walk edges apart, other edges together, and the coins on what is left."""
    drawn = draw_runs(Cell("exact", 6, 9, vertex_budget="0.5", edge_budget="1"), "bits", 20)
    for run in range(20):
        positions, bits = drawn.positions(run), drawn.bits(run)
        relation = Relation.of(positions, drawn.network(run), drawn.lifted_visits(run))
        assert not bits.at(relation.on_walk).any()
        assert bits.at(relation.off_walk).all()
        absent = absent_places(relation)
        assert (bits.at(absent) == drawn.coins[run, absent]).all()
