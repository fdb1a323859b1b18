"""The report says the same in both its forms, and each number for what it is a mean of."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest

from pathveil.lab.reproduction.evaluation import read_results
from pathveil.lab.reproduction.judges import sum_tallies
from pathveil.lab.reproduction.report import (
    ReproductionReport,
    compare_engines,
    count_strikes,
    judge_tables,
    write_markdown,
    write_page,
)

RESULTS = Path(__file__).parents[3] / "studies" / "results"
TABLES = read_results(RESULTS)


@pytest.fixture(scope="module")
def report() -> ReproductionReport:
    return judge_tables(TABLES, runs=1000)


def measured(figure: str) -> dict[str, tuple[str, ...]]:
    rows = compare_engines(TABLES).rows
    return {row[1]: row[2:] for row in rows if row[0].endswith(figure)}


def test_three_means_of_the_order_are_told_apart() -> None:
    """Over cells, over outputs, and with unusable maps as failures: 0.841, 0.801 and 0.469."""
    found = measured("quality")
    assert found["order confirmed, mean over its cells"][0] == "0.841"
    assert found["order confirmed, mean over all outputs"][0] == "0.801"
    assert found["order confirmed, no output counted as a failure"][0] == "0.469"


def test_where_every_run_has_an_output_there_are_no_failures_to_count() -> None:
    assert "order confirmed, no output counted as a failure" not in measured("budgets")


def test_strikes_are_counted_with_every_limit_there_is() -> None:
    rows = {row[0]: row for row in count_strikes(TABLES).rows}
    paper = [row for row in TABLES["run-time"] if row.cell.engine == "backtracking"]
    assert rows["7 run-time"][1] == "100,000 or 100,000,000"
    assert rows["7 run-time"][3].startswith(f"{sum_tallies(paper).struck:,} (")
    for figure in ("8 quality", "8 base-map", "9 budgets", "10 cyclic"):
        assert rows[figure][3:] == ("0 (0.00%)", "-")


def test_page_and_text_hold_the_same_cells(report: ReproductionReport, tmp_path: Path) -> None:
    write_markdown(report, tmp_path / "report.md", [])
    write_page(report, tmp_path / "report.html", [])
    text = (tmp_path / "report.md").read_text("utf-8")
    page = (tmp_path / "report.html").read_text("utf-8")
    cells = [unescape(cell) for cell in re.findall(r"<td[^>]*>(.*?)</td>", page)]
    listed = [
        cell.replace("\\|", "|")
        for line in text.splitlines()
        if line.startswith("| ") and not line.startswith(("| ---", "| figure"))
        for cell in re.split(r"(?<!\\)\|", line[1:-1])
    ]
    assert [cell.strip() for cell in cells] == [cell.strip() for cell in listed]


def test_verdicts_are_marked_on_the_page(report: ReproductionReport, tmp_path: Path) -> None:
    write_page(report, tmp_path / "report.html", [])
    page = (tmp_path / "report.html").read_text("utf-8")
    for verdict, count in report.verdicts.items():
        assert page.count(f">{verdict}</td>") == count
    assert "<td class='in-part'>in part</td>" in page


def test_the_introduction_says_how_trends_are_judged(
    report: ReproductionReport, tmp_path: Path
) -> None:
    write_markdown(report, tmp_path / "report.md", [])
    text = (tmp_path / "report.md").read_text("utf-8")
    assert "direction only" in text
    assert "none surely against it" in text
    assert "Curves in which the limit struck are not counted" in text
