from __future__ import annotations

import pytest

from pathveil.lab.reproduction.run_chunks import run_stint
from pathveil.lab.reproduction.sweep import STINT, Cell, Sweep

CELLS = (Cell("backtracking", 6, 10, edge_budget="1"), Cell("exact", 6, 10, edge_budget="1"))


@pytest.mark.parametrize("runs", [1, 49, 50, 51, 500])
def test_tasks_cover_every_run_once(runs: int) -> None:
    sweep = Sweep("cover", CELLS, runs=runs)
    seen = [(t.numbers, stint) for t in sweep.tasks() for stint in range(t.first, t.last)]
    assert seen == [((0, 1), stint) for stint in range(sweep.stints)]
    first = next(sweep.tasks())
    assert sum(first.stint_runs(stint) for stint in range(sweep.stints)) == runs


def test_both_engines_face_the_same_draws_and_other_cells_others() -> None:
    first, second = (next(Sweep("same", (cell,)).tasks()) for cell in CELLS)
    assert first.stream(3) == second.stream(3)
    assert first.stream(3) != first.stream(4)
    assert next(Sweep("other", CELLS).tasks()).stream(3) != first.stream(3)
    more = Cell("exact", 6, 10, edge_budget="2")
    assert next(Sweep("same", (more,)).tasks()).stream(3) != first.stream(3)
    tallies = [run_stint(cell, "same", STINT)[0] for cell in CELLS]
    assert tallies[0].copies == tallies[1].copies


def test_another_grid_has_another_fingerprint() -> None:
    names = {
        Sweep("a", CELLS).fingerprint,
        Sweep("b", CELLS).fingerprint,
        Sweep("a", CELLS[:1]).fingerprint,
        Sweep("a", CELLS, runs=5).fingerprint,
    }
    assert len(names) == 4


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
