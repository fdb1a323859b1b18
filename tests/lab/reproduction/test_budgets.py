"""The judges of Figures 9 and 10 on made-up shares."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pathveil.lab.reproduction import judges as budgets
from pathveil.lab.reproduction.figures import ALL_VERTICES, SAME_VISITS
from pathveil.lab.reproduction.measures import Tally
from pathveil.lab.reproduction.sweep import Cell
from tests.lab.reproduction.made import RUNS, table, told


def copies(tally: Tally, mean: float) -> Tally:
    total = round(mean * RUNS)
    return replace(tally, copies=total, copies_squared=round(mean * mean * RUNS) + RUNS)


def as_claimed(cell: Cell) -> Tally:
    vertex, edge = (float(b or 0) for b in (cell.vertex_budget, cell.edge_budget))
    share = 0.75 + 0.02 * vertex + 0.02 * edge
    if cell.vertex_budget is None:
        share += 0.1
    if cell.walk == "cyclic":
        share -= 0.05
    fakes = cell.vertices * (1 - vertex / 6) + (2 if cell.walk == "cyclic" else 0)
    return copies(told(share), cell.vertices + fakes)


BOTH = (
    ("budgets", budgets.rises("vertex_budget")),
    ("budgets", budgets.rises("edge_budget")),
    ("budgets", budgets.fewer_copies),
    ("budgets", budgets.vertices_hurt_more),
    ("cyclic", budgets.rises("vertex_budget", walk="cyclic")),
    ("cyclic", budgets.rises("edge_budget", walk="cyclic")),
    ("cyclic", budgets.acyclic_better(SAME_VISITS)),
    ("cyclic", budgets.acyclic_better(ALL_VERTICES)),
    ("cyclic", budgets.cyclic_copies),
)


@pytest.mark.parametrize(("name", "judge"), BOTH)
def test_trends_as_the_paper_says_agree(name: str, judge: object) -> None:
    found = judge(table(name, as_claimed))  # type: ignore[operator]
    assert found.verdict == "agrees"
    assert "in all curves" in found.found


@pytest.mark.parametrize(("name", "judge"), BOTH)
def test_trends_turned_round_disagree(name: str, judge: object) -> None:
    def turned(cell: Cell) -> Tally:
        tally = as_claimed(cell)
        mirrored = replace(tally, told=tally.tied, tied=tally.told)
        return copies(mirrored, 30 - tally.copies / RUNS)

    assert judge(table(name, turned)).verdict == "disagrees"  # type: ignore[operator]


def test_one_curve_for_each_size() -> None:
    """Half of the sizes rise, the others are level: "some", not "agrees" by the mean gain."""
    rows = table("budgets", lambda cell: as_claimed(cell) if cell.vertices > 7 else told(0.8))
    found = budgets.rises("vertex_budget")(rows)
    assert "rises in some curves (surely in 3 of 6, surely falls in 0)" in found.found
    assert found.verdict == "in part"


def test_acyclic_against_cyclic_point_by_point() -> None:
    """33 pairs of budgets: better at one edge budget of three only is borne out in part."""

    def tally(cell: Cell) -> Tally:
        return as_claimed(cell) if cell.edge_budget == "5" else told(0.8)

    found = budgets.acyclic_better(SAME_VISITS)(table("cyclic", tally))
    assert "surely in 11 of 33, surely falls in 0" in found.found
    assert found.verdict == "in part"


def test_a_missing_output_or_an_unread_walk_is_seen() -> None:
    rows = table("budgets", as_claimed)
    assert budgets.always_output(rows).verdict == "agrees"
    for flaw in ({"told": rows[0].tally.told - 1}, {"read": RUNS - 1}):
        flawed = [replace(rows[0], tally=replace(rows[0].tally, **flaw)), *rows[1:]]
        assert budgets.always_output(flawed).verdict == "disagrees"
