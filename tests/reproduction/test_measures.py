"""Sums over runs, and what is made of them."""

from __future__ import annotations

import math
from dataclasses import astuple

import pytest

from pathveil.chance.policy import Policy
from pathveil.reproduction.fast.stints import run_stint
from pathveil.reproduction.measures import (
    Clock,
    Tally,
    walk_edge_loss,
)
from pathveil.reproduction.sweep import Cell


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


def test_the_clock_scales_to_a_run() -> None:
    clock = Clock.of(1_000_000) + Clock.of(3_000_000)
    assert clock.seconds(100).value == pytest.approx(4e-5)
