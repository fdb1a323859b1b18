"""What the kernels count for a stint is what the package's own words say of each run."""

from __future__ import annotations

import math
from dataclasses import astuple
from fractions import Fraction
from typing import Any

import pytest

from pathveil.chance.copies import LiftedWalk
from pathveil.chance.policy import Policy
from pathveil.intervals import (
    average,
    count_below,
    difference,
    mean,
    proportion,
    rank_correlation,
    ratio,
)
from pathveil.layering.backtracking import insert_vertices
from pathveil.layering.exact import layer_exactly
from pathveil.layering.kernels.running import compiled
from pathveil.layering.walk_order import order_of_insertion, turn_roots_first
from pathveil.model.layered import LayeredGraph
from pathveil.model.publication import Publication
from pathveil.reproduction.fast import stints
from pathveil.reproduction.fast.draws import draw
from pathveil.reproduction.fast.exact_kernel import layer_all
from pathveil.reproduction.fast.run_kernels import insert
from pathveil.reproduction.fast.stints import run_stint
from pathveil.reproduction.measures import (
    Clock,
    Tally,
    edge_leakage,
    is_usable,
    order_confirmed,
    walk_edge_loss,
)
from pathveil.reproduction.sweep import ENGINES, Cell, Engine

RUNS = 30
CASES = [
    {"edges": 10, "splitting": False},
    {"edges": 9, "edge_budget": "0.5"},
    {"edges": 9, "vertex_budget": "0.5"},
    {"edges": 12, "vertex_budget": "1", "edge_budget": "5"},
    {"edges": 10, "walk": "cyclic", "visits": 8, "vertex_budget": "1", "edge_budget": "1"},
    {"edges": 10, "walk": "cyclic", "visits": 6, "vertex_budget": "1", "edge_budget": "1"},
]


def one_by_one(cell: Cell, stream: str) -> Tally:
    """The tally of a stint from the package's own functions, run by run."""
    draws = draw(cell, stream, RUNS)
    total = Tally()
    for run in range(RUNS):
        network, walk = draws.network(run), draws.walk(run)
        walk.require_in(network)
        network.require_connected()
        lifted = LiftedWalk(draws.positions(run), draws.lifted_visits(run))
        bits = draws.bits(run)
        steps = 0
        layered: LayeredGraph | None
        if cell.engine == "exact":
            layered = layer_exactly(bits, lifted.positions, upright=lifted.direction)
            shown = layered if cell.splitting or is_usable(layered) else None
        else:
            inserted = insert_vertices(
                bits,
                lifted.positions,
                order_of_insertion(lifted.visits, len(lifted.positions)),
                splitting=cell.splitting,
                compiled=False,
            )
            steps, layered = inserted.steps, inserted.layered
            shown = None if layered is None else turn_roots_first(layered, lifted.visits)
        order = None
        if shown is not None:
            direction = lifted.direction if cell.engine == "exact" else None
            published = Publication.of_drawing(
                shown, cell.policy.terms(), layering=cell.engine, direction=direction
            )
            order = order_confirmed(published, network, walk)
        leak, edges = edge_leakage(network, lifted, bits)
        total += Tally(
            runs=1,
            usable=is_usable(layered),
            told=order == 1,
            tied=order == Fraction(1, 2),
            wrong=order == 0,
            copies=len(lifted.positions),
            pieces=0 if layered is None else len(layered.position_of),
            steps=steps,
            leak_twelfths=int(12 * leak),
            leak_edges=edges,
        )
    return total


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("case", CASES)
def test_a_stint_counts_what_its_runs_show(engine: Engine, case: dict[str, object]) -> None:
    cell = Cell(engine, 6, **case)  # type: ignore[arg-type]
    wanted = one_by_one(cell, "measures")
    found, nanoseconds = run_stint(cell, "measures", RUNS)
    names = ["runs", "usable", "told", "tied", "wrong", "copies", "leak_twelfths", "leak_edges"]
    if engine == "backtracking":
        names.append("steps")
    if cell.splitting:
        names.append("pieces")
    assert {n: getattr(found, n) for n in names} == {n: getattr(wanted, n) for n in names}
    assert found.read == RUNS
    assert nanoseconds > 0


def test_runs_the_kernels_refuse_are_done_by_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    for engine in ENGINES:
        cell = Cell(engine, 6, 9, vertex_budget="1", edge_budget="1")
        wanted = run_stint(cell, "refused", 20)[0]

        def refuse(kernel: Any) -> object:
            twin = compiled(kernel)

            def run(*args: object) -> None:
                twin(*args)
                if kernel in (insert, layer_all):
                    args[-1][:, 0] = -1  # type: ignore[index]

            return run

        with monkeypatch.context() as patched:
            patched.setattr(stints, "compiled", refuse)
            found = run_stint(cell, "refused", 20)[0]
        assert found == wanted


def test_a_strike_of_the_limit_is_counted() -> None:
    cell = Cell("backtracking", 8, 14, vertex_budget="0.5", step_limit=50)
    tally, _ = run_stint(cell, "strikes", 50)
    assert 0 < tally.struck <= 50
    assert tally.outputs == tally.runs


def test_tallies_add_up_in_any_order() -> None:
    cell = Cell("backtracking", 6, 10, edge_budget="1")
    parts = [run_stint(cell, f"adding {k}", 10)[0] for k in range(3)]
    assert parts[0] + parts[1] + parts[2] == parts[2] + (parts[1] + parts[0])
    assert (parts[0] + parts[1]).steps_most == max(parts[0].steps_most, parts[1].steps_most)
    assert all(isinstance(value, int) for value in astuple(parts[0]))


def test_losses_are_those_of_the_theory() -> None:
    paper = Policy.paper(vertex=None, edge=1)
    assert walk_edge_loss(paper, uses=1, copy_pairs=1) == pytest.approx(0.974, abs=5e-4)
    assert walk_edge_loss(paper, uses=1, copy_pairs=4) == pytest.approx(2.40, abs=5e-3)
    assert walk_edge_loss(Policy.sealed(), uses=1, copy_pairs=1) == 0
    assert walk_edge_loss(Policy.sealed(), uses=1, copy_pairs=2) == math.inf
    tally = Tally(runs=1, walk_edges=2, walk_uses=2, copy_pairs=2)
    assert tally.mean_loss(paper) == pytest.approx(0.974, abs=5e-4)
    assert math.isnan(tally.leakage())


def test_intervals() -> None:
    assert proportion(0, 0).value != proportion(0, 0).value
    assert proportion(1000, 1000).low == pytest.approx(0.99617, abs=1e-4)
    assert mean(0, 0, 0).value != 0
    assert mean(3, 9, 1).high == math.inf
    assert (mean(10, 20, 10).value, mean(10, 10, 10).low) == (1, 1)
    assert difference(proportion(9, 10), proportion(1, 10)).value == pytest.approx(0.8)
    assert ratio(mean(40, 200, 10), mean(20, 50, 10)).value == 2
    assert rank_correlation([(1, 2), (2, 3), (3, 9)]) == 1
    assert rank_correlation([(1, 2), (2, 2)]) == 0
    assert average([mean(10, 20, 10), mean(30, 200, 10)]).value == 2
    sure = count_below([(1, 1000), (999, 1000), (2, 1000)], 0.5)
    assert (sure.value, sure.low, sure.high) == (2, 2, 2)
    near = count_below([(500, 1000)] * 4, 0.5)
    assert near.low < near.high


def test_the_clock_scales_to_a_run() -> None:
    clock = Clock.of(1_000_000) + Clock.of(3_000_000)
    assert clock.seconds(100).value == pytest.approx(4e-5)
