"""What the kernels count for a stint is what the package's own words say of each run."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from pathveil.chance.copies import LiftedWalk
from pathveil.lab.reproduction import run_chunks as stints
from pathveil.lab.reproduction.draws import draw_runs
from pathveil.lab.reproduction.measures import Tally, order_confirmed
from pathveil.lab.reproduction.run_chunks import run_stint
from pathveil.lab.reproduction.run_kernels import insert, layer_all
from pathveil.lab.reproduction.sweep import ENGINES, Cell, Engine
from pathveil.layering.backtracking import insert_vertices, order_of_insertion, turn_roots_first
from pathveil.layering.exact import layer_exactly
from pathveil.layering.kernels.running import compiled
from pathveil.model.layered import LayeredGraph
from pathveil.model.publication import Publication

RUNS = 30
CASES = [
    {"edges": 10, "splitting": False},
    {"edges": 9, "edge_budget": "0.5"},
    {"edges": 9, "vertex_budget": "0.5"},
    {"edges": 12, "vertex_budget": "1", "edge_budget": "5"},
    {"edges": 10, "walk": "cyclic", "visits": 8, "vertex_budget": "1", "edge_budget": "1"},
    {"edges": 10, "walk": "cyclic", "visits": 6, "vertex_budget": "1", "edge_budget": "1"},
]


def is_usable(layered: LayeredGraph | None) -> bool:
    """Return whether there is a layered graph in which no vertex is cut: a "usable map"."""
    return layered is not None and len(layered.position_of) == len(layered.positions)


def one_by_one(cell: Cell, stream: str) -> Tally:
    """The tally of a stint from the package's own functions, run by run."""
    draws = draw_runs(cell, stream, RUNS)
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
            published = Publication.of_drawing(shown, cell.policy.terms())
            if cell.engine == "exact":
                published = replace(
                    published, layering="exact", direction=lifted.direction, drawing=None
                )
            order = order_confirmed(published, network, walk)
        total += Tally(
            runs=1,
            usable=is_usable(layered),
            told=order == 1,
            tied=order == Fraction(1, 2),
            wrong=order == 0,
            copies=len(lifted.positions),
            pieces=0 if layered is None else len(layered.position_of),
            steps=steps,
        )
    return total


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("case", CASES)
def test_a_stint_counts_what_its_runs_show(engine: Engine, case: dict[str, object]) -> None:
    cell = Cell(engine, 6, **case)  # type: ignore[arg-type]
    wanted = one_by_one(cell, "measures")
    found, nanoseconds = run_stint(cell, "measures", RUNS)
    names = ["runs", "usable", "told", "tied", "wrong", "copies"]
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


def test_a_limit_that_nothing_reaches_changes_nothing() -> None:
    """Why only cells that were struck need running again when the limit is raised."""
    cell = Cell("backtracking", 7, 9, vertex_budget="0.5", step_limit=1_000_000_000)
    raised, _ = run_stint(cell, "limits", 20)
    most = raised.steps_most
    at_most, _ = run_stint(
        Cell("backtracking", 7, 9, vertex_budget="0.5", step_limit=most), "limits", 20
    )
    assert at_most == raised
