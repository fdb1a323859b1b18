"""The declared sweeps: sizes, budgets and limits, and what the committed tables say of them."""

from __future__ import annotations

import pytest

from pathveil.lab.reproduction.evaluation import read_results
from pathveil.lab.reproduction.figures import (
    FIGURES,
    RUN_TIME_LIMITS,
    RUN_TIME_PANELS,
    SIZES,
    WORST,
    chosen_figures,
)
from tests.paper.pages import RESULTS

TABLES = read_results(RESULTS)


def test_the_declared_figures() -> None:
    assert len(SIZES) == 122
    assert [len(figure.cells) for figure in FIGURES] == [488, 122, 10, 132, 99]
    assert all((v, e) in SIZES for v, e in WORST.items())
    assert [f.number for f in chosen_figures(None)] == [7, 8, 8, 9, 10]
    assert [f.name for f in chosen_figures(["run-time", 9])] == ["run-time", "budgets"]
    with pytest.raises(ValueError, match="no figure '3'"):
        chosen_figures([3])


def test_the_committed_tables_are_of_the_declared_cells() -> None:
    """Changing a size, a budget or a limit without running it again turns this red."""
    assert set(TABLES) == {figure.name for figure in FIGURES}
    for figure in FIGURES:
        rows = TABLES[figure.name]
        assert [row.cell for row in rows] == list(figure.sweep(runs=1).cells)
        assert {row.tally.runs for row in rows} == {1000 * figure.more}
        ours = [row.tally for row in rows if row.cell.engine == "exact"]
        assert all(tally.told == tally.outputs and tally.read == tally.runs for tally in ours)


def test_worst_sizes_are_those_with_the_fewest_usable_maps() -> None:
    """Chosen in 8000 maps; in 1000 maps of the committed table none is surely lower."""
    rows = [row for row in TABLES["quality"] if row.cell.engine == "exact"]
    shares = {(r.cell.vertices, r.cell.edges): r.tally.usable_share() for r in rows}
    for v, e in WORST.items():
        assert all(shares[v, e].low <= one.high for (w, _), one in shares.items() if w == v)


def struck(vertices: int, panel: tuple[str | None, str | None]) -> int:
    return sum(
        row.tally.struck
        for row in TABLES["run-time"]
        if (row.cell.vertex_budget, row.cell.edge_budget) == panel and row.cell.vertices == vertices
    )


def test_no_search_was_cut_short_where_the_limit_was_raised() -> None:
    for panel in RUN_TIME_PANELS:
        assert all(struck(v, panel) == 0 for v in WORST if v <= max(RUN_TIME_LIMITS))


@pytest.mark.regression("no run of the link panels was struck")
def test_no_run_of_the_edge_panels_was_struck() -> None:
    assert all(struck(v, panel) == 0 for panel in RUN_TIME_PANELS[2:] for v in WORST)
    for name in ("quality", "base-map", "budgets", "cyclic"):
        assert all(row.tally.struck == 0 for row in TABLES[name])


def test_where_the_limit_still_strikes_is_known() -> None:
    """Copies of vertices on maps of nine and ten: told in the report, budgets not compared."""
    for panel in RUN_TIME_PANELS[:2]:
        assert {v for v in WORST if struck(v, panel)} == {9, 10}
    report = (RESULTS / "report.md").read_text("utf-8")
    assert "cut short or one run decides: \\|V\\| = 9, 10" in report
