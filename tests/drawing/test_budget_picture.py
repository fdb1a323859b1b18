from __future__ import annotations

from xml.etree import ElementTree as ET

from hypothesis import given
from hypothesis import strategies as st

from pathveil.drawing.budget import budget_bars, budget_svg


@given(
    st.lists(st.floats(0, 1000) | st.just(float("inf")), max_size=40),
    st.dictionaries(st.integers(0, 500), st.integers(0, 10**6), max_size=30),
    st.none() | st.floats(0.01, 1000),
)
def test_every_ledger_can_be_drawn(
    spent: list[float], uses: dict[int, int], budget: float | None
) -> None:
    drawn = ET.fromstring(budget_svg(spent, uses, budget=budget, title="<Network & more>"))  # noqa: S314
    assert drawn.tag.endswith("svg")
    lines = budget_bars(spent, budget=budget, width=20, height=5).split("\n")
    assert len(lines) == 5
    assert all(len(line) <= 20 + 25 for line in lines)


def test_it_says_what_is_left() -> None:
    drawn = budget_svg([0.7, 1.4, 2.1], {0: 3, 1: 4, 2: 1}, budget=3, title="Network 1")
    for words in (
        "3 releases",
        "largest loss of a link 2.1000",
        "budget 3",
        "0.9000 left",
        "custodian",
    ):
        assert words in drawn
    assert "left" not in budget_svg([0.7], {0: 3}, budget=None, title="Network 1")


def test_a_long_story_stays_a_small_picture() -> None:
    long = budget_svg([float(k) for k in range(100_000)], {0: 1}, budget=None, title="x")
    assert len(long) < 100_000
