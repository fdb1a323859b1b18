"""The picture of docs/explanation/how-many-walks-fit.md shows what its sentence says."""

from __future__ import annotations

from tests.paper.pages import rows


def test_walks_become_readable_past_the_edge() -> None:
    table = rows("cover_transition.csv")

    def share(low: float, high: float) -> float:
        inside = [row for row in table if low <= float(row["headroom"]) < high]
        return sum(int(row["read"]) for row in inside) / sum(int(row["walks"]) for row in inside)

    assert share(0, 99) < 0.02
    assert share(-99, -2) > 0.5
