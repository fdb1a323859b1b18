"""Figure 7's judges on made-up run times."""

from __future__ import annotations

from pathveil.lab.reproduction.judges import falls_with_edges, grows_with_vertices, slower
from pathveil.lab.reproduction.measures import Tally
from pathveil.lab.reproduction.sweep import Cell
from tests.lab.reproduction.made import steps, table


def as_claimed(cell: Cell) -> Tally:
    """More vertices cost more, more edges less, smaller budgets more."""
    budget = float(cell.vertex_budget or cell.edge_budget or 1)
    return steps(10.0**cell.vertices / cell.edges / budget)


def test_run_times_as_the_paper_says_agree() -> None:
    rows = table("run-time", as_claimed)
    for judge in (grows_with_vertices, falls_with_edges, slower(0, 1), slower(2, 3)):
        found = judge(rows)
        assert found.verdict == "agrees"
        assert "in all curves" in found.found
        assert "direction only" in found.found


def test_run_times_turned_round_disagree() -> None:
    rows = table("run-time", lambda cell: steps(1e14 / as_claimed(cell).steps))
    for judge in (grows_with_vertices, falls_with_edges, slower(0, 1), slower(2, 3)):
        assert judge(rows).verdict == "disagrees"


def test_each_number_of_vertices_is_a_curve_of_its_own() -> None:
    """Ten vertices have nearly all steps: they would decide the mean, but not the verdict.

    The broken verdict of old: the ratio of means over all sizes.
    """

    def tally(cell: Cell) -> Tally:
        if cell.vertices == 10:
            return steps(1e7)  # the same at both budgets, as a limit makes it
        return steps(100 * (2 if cell.vertex_budget == "0.5" else 1))

    rows = table("run-time", tally)
    found = slower(0, 1)(rows)
    assert found.verdict == "agrees"
    assert "surely in 5 of 6" in found.found
    sums = [
        sum(r.tally.steps for r in rows if r.cell.vertex_budget == b)
        for b in ("0.5", "1")
        for budget in ("0.5", "1")
    ]
    assert sums[0] / sums[1] < 1.001


def test_curves_with_struck_runs_are_left_out_by_name() -> None:
    def tally(cell: Cell) -> Tally:
        if cell.vertices >= 9 and cell.vertex_budget:
            return steps(50.0 if cell.vertex_budget == "0.5" else 100.0, struck=1)
        return as_claimed(cell)

    rows = table("run-time", tally)
    found = slower(0, 1)(rows)
    assert found.verdict == "agrees"
    assert "surely in 4 of 4" in found.found
    assert found.note.endswith("|V| = 9, |V| = 10")
    assert "(9)" not in found.found
    edges = slower(2, 3)(rows)
    assert "step limit" not in edges.note
    assert "surely in 6 of 6" in edges.found


def test_one_rising_curve_of_twelve_is_seen() -> None:
    """Five vertices at one budget rise with |E|; all others fall: borne out in part."""

    def tally(cell: Cell) -> Tally:
        against = cell.vertices == 5 and cell.edge_budget == "1"
        return steps(10 * cell.edges) if against else as_claimed(cell)

    found = falls_with_edges(table("run-time", tally))
    assert found.verdict == "in part"
    assert "surely in 11 of 12, surely rises in 1" in found.found
