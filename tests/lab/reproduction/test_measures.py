"""Sums over runs, and what is made of them."""

from __future__ import annotations

from dataclasses import astuple

from pathveil.lab.reproduction.run_chunks import run_stint
from pathveil.lab.reproduction.sweep import Cell


def test_tallies_add_up_in_any_order() -> None:
    cell = Cell("backtracking", 6, 10, edge_budget="1")
    parts = [run_stint(cell, f"adding {k}", 10)[0] for k in range(3)]
    assert parts[0] + parts[1] + parts[2] == parts[2] + (parts[1] + parts[0])
    assert (parts[0] + parts[1]).steps_most == max(parts[0].steps_most, parts[1].steps_most)
    assert all(isinstance(value, int) for value in astuple(parts[0]))
