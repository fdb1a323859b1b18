"""docs/explanation/how-many-walks-fit.md is run, and its numbers are those of the tables."""

from __future__ import annotations

from tests.paper.pages import rows, said

PAGE = "docs/explanation/how-many-walks-fit.md"


def test_walks_become_readable_past_the_edge() -> None:
    table = rows("cover_transition.csv")

    def share(low: float, high: float) -> float:
        inside = [row for row in table if low <= float(row["headroom"]) < high]
        return sum(int(row["read"]) for row in inside) / sum(int(row["walks"]) for row in inside)

    assert share(0, 99) < 0.02
    assert share(-99, -2) > 0.5


def test_someone_who_lacks_one_link() -> None:
    for uses, text in (
        ("1", "a link on one walk in {} of 100"),
        ("2", "on two walks in {} of 100"),
    ):
        table = [row for row in rows("many_walks_insiders.csv") if row["link_on_walks"] == uses]
        cases = sum(int(row["cases"]) for row in table)
        right = sum(float(row["right"]) * int(row["cases"]) for row in table) / cases
        said(text.format(round(100 * right)), PAGE)
