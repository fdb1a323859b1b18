"""docs/explanation/how-many-walks-fit.md is run, and its numbers are those of the tables."""

from __future__ import annotations

from pathveil.chance.intervals import proportion
from tests.paper.pages import ROOT, printed_table, rows, said

PAGE = "docs/explanation/how-many-walks-fit.md"


def test_the_page_is_short() -> None:
    assert len((ROOT / PAGE).read_text("utf-8").split()) <= 1500


def test_what_annealing_reads_at_the_edge() -> None:
    series = [row for row in rows("cover_edge.csv") if int(row["walks"] or 0) > 1]
    read = [row for row in series if int(row["read"])]
    found = proportion(len(read), len(series))
    said(
        f"It read a walk in {len(read)} of {len(series)} series "
        f"(95 %: {100 * found.low:.1f} to {100 * found.high:.1f} %)",
        PAGE,
    )
    assert len(read) / len(series) <= 0.02
    assert len(series) >= 300
    plain = [row for row in series if row["kind"] != "grouped"]
    said(f"among {sum(int(row['walks']) for row in plain):,} plain walks, six walks in all", PAGE)
    assert sum(int(row["read"]) for row in plain) == 6
    assert sum(int(row["read"]) > 0 for row in plain) == 4
    small = [row for row in plain if int(row["vertices"]) < 25]
    assert not any(int(row["read"]) for row in small)
    said(f"Below 25 vertices: none of {len(small)}", PAGE)
    named = sum(int(row["links_named"]) for row in plain)
    used = sum(int(row["used"]) for row in plain)
    said(f"{100 * named / used:.1f} % of used links at the edge", PAGE)


def test_the_gate_closes_where_the_plan_says() -> None:
    table = printed_table(PAGE, "| network | vertices, links |")
    found = [row for row in rows("cover_closing.csv") if row["walks"] == "random"]
    assert len(found) == 10
    for row in found:
        most, median = int(row["most_walks"]), float(row["median"])
        assert abs(median - most) <= 0.15 * most
        size = f"{row['vertices']}, {row['links']}"
        assert table[row["network"]] == [size, row["most_walks"], f"{median:g}"]


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
