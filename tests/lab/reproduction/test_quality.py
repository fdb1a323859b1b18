"""Figure 8's judges on made-up shares."""

from __future__ import annotations

import pytest

from pathveil.lab.reproduction import judges as quality
from pathveil.lab.reproduction.figures import SIZES
from pathveil.lab.reproduction.measures import Tally
from pathveil.lab.reproduction.sweep import Cell
from tests.lab.reproduction.made import RUNS, table, told


def is_complete(cell: Cell) -> bool:
    return 2 * cell.edges == cell.vertices * (cell.vertices - 1)


def as_claimed(cell: Cell) -> Tally:
    """The sizes the paper describes always usable, 52 others in a third of the maps."""
    size = (cell.vertices, cell.edges)
    order = 0.5 if cell.edges == cell.vertices - 1 else min(0.99, 0.7 + cell.edges / 150)
    if is_complete(cell):
        order = 1.0
    if size in quality.described_sizes():
        return told(order)
    rare = sorted(set(SIZES) - quality.described_sizes(), reverse=True)[:52]
    return told(order, usable=1 / 3 if size in rare else 0.9)


def test_shares_as_the_paper_says_agree() -> None:
    rows = table("quality", as_claimed)
    for judge in (
        quality.sizes,
        quality.under_half,
        quality.always_share,
        quality.always_which,
        quality.at_least_half,
        quality.at_least_two_thirds,
        quality.trees_half,
        quality.complete_told,
        quality.more_edges_better,
        quality.product,
    ):
        assert judge(rows).verdict == "agrees", judge
    # The paper's 30 contradicts the sizes it describes, which are 36.
    assert quality.always_count(rows).verdict == "disagrees"


@pytest.mark.parametrize(
    ("judge", "size", "tally"),
    [
        (quality.at_least_half, (7, 9), told(0.5, usable=0.5)),
        (quality.at_least_two_thirds, (8, 8), told(0.6)),
        (quality.trees_half, (6, 5), told(0.6)),
        (quality.complete_told, (6, 15), told(0.99)),
        (quality.always_which, (6, 9), told(0.8, usable=0.999)),
    ],
)
def test_one_size_is_enough_to_refute(judge: object, size: tuple[int, int], tally: Tally) -> None:
    if judge is quality.at_least_half:
        tally = Tally(runs=RUNS, usable=RUNS, tied=RUNS // 2, wrong=RUNS // 2, read=RUNS)
    rows = table(
        "quality",
        lambda cell: tally if (cell.vertices, cell.edges) == size else as_claimed(cell),
    )
    assert judge(rows).verdict == "disagrees"  # type: ignore[operator]


def test_two_thirds_excepts_the_bare_path_and_names_sizes() -> None:
    rows = table("quality", lambda cell: told(0.6) if cell.vertices == 9 else as_claimed(cell))
    found = quality.at_least_two_thirds(rows)
    assert "(9, 9)" in found.found
    assert "(9, 8)" not in found.found
    assert "(8, 8)" not in found.found


@pytest.mark.parametrize(
    ("left", "here", "right", "verdict"),
    [
        (0.90, 0.85, 0.90, "agrees"),
        (0.90, 0.85, 0.85, "agrees"),
        (0.80, 0.85, 0.90, "disagrees"),
        (0.85, 0.85, 0.85, None),
    ],
)
def test_a_local_minimum_lies_below_one_side_and_above_none(
    left: float, here: float, right: float, verdict: str | None
) -> None:
    shares = {8: 0.9, 9: left, 10: here, 11: right, 12: 0.9}
    rows = table("base-map", lambda cell: told(shares[cell.edges]))
    assert quality.local_minimum(splitting=True)(rows).verdict == verdict
