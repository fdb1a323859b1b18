from __future__ import annotations

from xml.etree import ElementTree as ET

from hypothesis import given
from hypothesis import strategies as st

from pathveil.drawing.budget import budget_svg


@given(
    st.lists(st.floats(0, 1000) | st.just(float("inf")), max_size=40),
    st.none() | st.floats(0.01, 1000),
    st.none() | st.floats(0, 30),
)
def test_every_ledger_can_be_drawn(
    spent: list[float], budget: float | None, cover: float | None
) -> None:
    drawn = budget_svg(spent, budget=budget, title="<Network & more>", cover=cover)
    assert ET.fromstring(drawn).tag.endswith("svg")  # noqa: S314


def test_a_long_story_stays_a_small_picture() -> None:
    long = budget_svg([float(k) for k in range(100_000)], budget=None, title="x")
    assert len(long) < 100_000
