"""One call gives tables, figures and a report; done again it only takes up what is missing."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from pathveil.errors import FileTaken, MissingExtra
from pathveil.lab.reproduction.claims import sum_tallies
from pathveil.lab.reproduction.evaluation import (
    ReproductionReport,
    compare_engines,
    count_strikes,
    read_results,
    reproduce,
)
from pathveil.lab.reproduction.figures import FIGURES
from pathveil.lab.reproduction.plots import draw_figure
from tests.paper.pages import RESULTS


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, ReproductionReport]:
    folder = tmp_path_factory.mktemp("results")
    report = reproduce(folder, runs=10, figures=[8, 10])
    return folder, report


def test_everything_is_written(made: tuple[Path, ReproductionReport]) -> None:
    folder, report = made
    assert all(path.stat().st_size > 0 for path in report.files)
    names = {path.name for path in report.files}
    assert {"quality.csv", "quality.clock.csv", "figure08-quality.svg"} <= names
    assert {"figure10-cyclic.svg", "report.md"} <= names
    assert sum(report.verdicts.values()) == len(report.findings)
    assert report.verdicts["cannot be compared"] == 4
    assert report.runs == 10
    text = (folder / "report.md").read_text()
    assert "36 of 122" in text or "of 122" in text
    assert "Our engine beside the paper's" in text
    assert "How often the step limit struck" in text
    assert "(figures/figure08-quality.svg)" in text


@pytest.mark.regression("results that came while a sweep ran were replaced without --force")
def test_what_is_no_result_of_its_own_is_kept(made: tuple[Path, ReproductionReport]) -> None:
    folder, report = made
    for path in (*report.files[:2], *report.files[-2:]):
        kept = path.read_bytes()
        path.write_text("precious")
        with pytest.raises(FileTaken, match=f"{path.name}: exists"):
            reproduce(folder, runs=10, figures=[8, 10], replacing=False)
        assert path.read_text() == "precious"
        path.write_bytes(kept)
    assert reproduce(folder, runs=10, figures=[8, 10], replacing=False) == report


def test_without_matplotlib_the_extra_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtra, match=r"pathveil\[plot\]"):
        draw_figure(FIGURES[0], (), tmp_path)


def test_three_means_of_the_order_are_told_apart() -> None:
    """Over cells, over outputs, and with unusable maps as failures: 0.841, 0.801 and 0.469."""
    tables = read_results(RESULTS)
    rows = {(row[0], row[1]): row[2] for row in compare_engines(tables).rows}
    assert rows["8 quality", "order confirmed, mean over its cells"] == "0.841"
    assert rows["8 quality", "order confirmed, mean over all outputs"] == "0.801"
    assert rows["8 quality", "order confirmed, no output counted as a failure"] == "0.469"
    assert ("9 budgets", "order confirmed, no output counted as a failure") not in rows
    struck = {row[0]: row for row in count_strikes(tables).rows}
    paper = [row for row in tables["run-time"] if row.cell.engine == "backtracking"]
    assert struck["7 run-time"][1] == "100,000 or 100,000,000"
    assert struck["7 run-time"][3].startswith(f"{sum_tallies(paper).struck:,} (")
    for figure in ("8 quality", "8 base-map", "9 budgets", "10 cyclic"):
        assert struck[figure][3:] == ("0 (0.00%)", "-")
