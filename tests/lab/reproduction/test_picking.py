"""Rows are picked by what their cells say, and curves are cells that differ in one knob."""

from __future__ import annotations

from pathveil.lab.reproduction.judges import (
    VERDICTS,
    Opinion,
    by_knob,
    pooled,
    rows_at,
    sum_tallies,
)
from pathveil.lab.reproduction.measures import Tally
from tests.lab.reproduction.made import RUNS, table, told


def test_a_curve_is_every_budget_once_and_in_order() -> None:
    rows = table("budgets", lambda _: told(0.8))
    curves = by_knob(list(reversed(rows)), "vertex_budget")
    assert len(curves) == 6
    for cell, part in curves.items():
        assert cell.vertex_budget is None
        budgets = [float(row.cell.vertex_budget or -1) for row in part]
        assert budgets == sorted(set(budgets))
        assert len(budgets) == 11


def test_cells_of_equal_weight_whatever_their_outputs() -> None:
    """A mean over cells is no mean over maps: that is how 0.80 and 0.84 came to differ."""
    rows = table("quality", lambda c: told(0.6) if c.vertices < 10 else told(1.0, usable=0.1))
    by_cell = pooled(rows, Tally.order_share).value
    by_map = sum_tallies(rows).order_share().value
    assert by_cell > by_map + 0.05


def test_picking_and_adding() -> None:
    rows = table("quality", lambda _: told(0.75))
    assert {row.cell.edges for row in rows_at(rows, vertices=5)} == set(range(4, 11))
    assert sum_tallies(rows).runs == 122 * RUNS


def test_a_plain_opinion_holds_or_does_not() -> None:
    assert Opinion.plain("x", holds=True).verdict == "agrees"
    assert Opinion.plain("x", holds=False).verdict == "disagrees"
    assert {"agrees", "in part", "disagrees"} < set(VERDICTS)
