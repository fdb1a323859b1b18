"""Rows made up so that the verdict is known before a judge sees them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from pathveil.lab.reproduction.figures import FIGURES
from pathveil.lab.reproduction.measures import Clock, Tally
from pathveil.lab.reproduction.sweep import Cell
from pathveil.lab.reproduction.sweep_store import Row

RUNS = 1000


def told(share: float, *, usable: float = 1.0) -> Tally:
    """Return a tally in which the order is told in a share of the outputs, and else tied."""
    outputs = round(RUNS * usable)
    right = round((2 * share - 1) * outputs)
    return Tally(
        runs=RUNS, usable=outputs, told=right, tied=outputs - right, read=RUNS, copies=6 * RUNS
    )


def steps(mean: float, *, struck: int = 0) -> Tally:
    """Return a tally of searches that all take about as many steps."""
    total = round(mean * RUNS)
    return Tally(
        runs=RUNS,
        told=RUNS,
        usable=RUNS,
        struck=struck,
        steps=total,
        steps_squared=round(mean * mean * RUNS) + RUNS,
        steps_most=round(mean),
    )


def table(name: str, tally: Callable[[Cell], Tally]) -> list[Row]:
    """Return the rows of a figure for the paper's engine, each with the tally of its cell."""
    (figure,) = [figure for figure in FIGURES if figure.name == name]
    cells = (replace(cell, engine="backtracking") for cell in figure.cells)
    return [Row(cell, tally(cell), Clock()) for cell in cells]
