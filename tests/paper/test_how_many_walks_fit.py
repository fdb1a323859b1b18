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
    ranges = []
    for uses in ("1", "2"):
        table = [row for row in rows("many_walks_insiders.csv") if row["link_on_walks"] == uses]
        right = [round(100 * float(row["right"])) for row in table]
        ranges.append(f"{min(right)} to {max(right)}")
    once, twice = ranges
    said(f"named a link that one walk uses in {once} of 100 cases, by chaff, network", PAGE)
    said(f"a link that two walks use in {twice}", PAGE)
