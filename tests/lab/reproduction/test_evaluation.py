"""One call gives tables, figures and a report; done again it only takes up what is missing."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from pathveil.errors import MissingExtra
from pathveil.lab.reproduction.claims import judge_claims
from pathveil.lab.reproduction.evaluation import read_results, reproduce, write_results
from pathveil.lab.reproduction.figures import FIGURES
from pathveil.lab.reproduction.plots import draw_figure
from pathveil.lab.reproduction.report import ReproductionReport

RESULTS = Path(__file__).parents[3] / "studies" / "results"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, ReproductionReport]:
    folder = tmp_path_factory.mktemp("results")
    report = reproduce(folder, runs=10, figures=[8, "budgets", 10], workers=1)
    return folder, report


def test_everything_is_written(made: tuple[Path, ReproductionReport]) -> None:
    folder, report = made
    assert all(path.stat().st_size > 0 for path in report.files)
    names = {path.name for path in report.files}
    assert {"quality.csv", "quality.clock.csv", "figure08-quality.svg"} <= names
    assert {"figure10-cyclic.pdf", "figure09-budgets.png", "report.md", "report.html"} <= names
    assert sum(report.verdicts.values()) == len(report.findings)
    assert report.verdicts["cannot be compared"] == 4
    assert report.runs == 10
    text = (folder / "report.md").read_text()
    assert "36 of 122" in text or "of 122" in text
    assert "Our engine beside the paper's" in text
    assert "How often the step limit struck" in text
    assert "(figures/figure08-quality.svg)" in text


def test_the_page_stands_alone(made: tuple[Path, ReproductionReport]) -> None:
    page = (made[0] / "report.html").read_text()
    sources = re.findall(r"(?:src|href)=['\"]([^'\"]{0,30})", page)
    assert sources
    assert all(source.startswith("data:image/svg+xml;base64,") for source in sources)
    assert "<script" not in page


def test_what_is_recorded_is_not_run_again(
    made: tuple[Path, ReproductionReport], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a stint was run again")

    monkeypatch.setattr("pathveil.lab.reproduction.run_chunks.run_stint", refuse)
    seen: list[tuple[int, int]] = []
    again = reproduce(
        made[0],
        runs=10,
        figures=[8, "budgets", 10],
        workers=1,
        progress=lambda *at: seen.append(at),
    )
    assert again.findings == made[1].findings
    assert seen == [(seen[0][1], seen[0][1])]


def test_tables_are_enough_to_report_again(
    made: tuple[Path, ReproductionReport], tmp_path: Path
) -> None:
    tables = read_results(made[0])
    assert "run-time" not in tables
    again = write_results(tmp_path, tables, runs=10, formats=("svg",))
    assert again.findings == made[1].findings
    name = "figures/figure08-quality.svg"
    assert (tmp_path / name).read_bytes() == (made[0] / name).read_bytes()


def test_our_engine_alone(tmp_path: Path) -> None:
    report = reproduce(
        tmp_path, runs=5, figures=["quality"], engine="exact", workers=1, formats=("svg",)
    )
    assert set(report.verdicts) == {"not run", "cannot be compared"}
    quality = [f for f in report.findings if f.claim.startswith("Good output with usable map")]
    assert quality[0].ours.startswith("smallest 1.000")
    assert report.strikes.rows == ()


def test_without_matplotlib_the_extra_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtra, match=r"pathveil\[plot\]"):
        draw_figure(FIGURES[0], (), tmp_path)


def test_the_committed_tables_show_what_the_report_must() -> None:
    tables = read_results(RESULTS)
    assert set(tables) == {figure.name for figure in FIGURES}
    for figure in FIGURES:
        rows = tables[figure.name]
        assert len(rows) == 2 * len(figure.cells)
        assert {row.tally.runs for row in rows} == {1000 * figure.more}
        ours = [row.tally for row in rows if row.cell.engine == "exact"]
        assert all(tally.told == tally.outputs and tally.read == tally.runs for tally in ours)
    said = {finding.claim: finding for finding in judge_claims(tables)}
    assert said["Number of sizes that are always usable"].found == "36 [36, 36]"
    under_half = said["Sizes usable with less than 50 %"].found
    assert 52 <= int(under_half.split()[0]) <= 56
    for claim in (
        "They are the complete graphs and |E| in [|V| - 1, |V| + 3]",
        "Good output with usable map: at least 50 %",
        "... exactly one half where the map is just the path",
        "... and certain on complete maps",
        "A smaller vertex budget makes more copies",
        "Good output increases with the edge budget",
        "With splitting every map gives an output",
    ):
        assert said[claim].verdict == "agrees", said[claim]
