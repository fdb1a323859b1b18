"""The researcher's commands refuse before they work: bad names, finished folders, files in the way.

That they compute what they say is tested where that is done, and once from end to end in test_cli.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from pathveil.cli.main import run
from pathveil.cli.results import ReproductionResult, result
from pathveil.lab.reproduction.claims import JudgedClaim
from pathveil.lab.reproduction.evaluation import ReproductionReport, Table


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (["lab", "reproduce", "--figure", "3"], "there is no figure '3'"),
        (["lab", "reproduce", "--runs", "0"], "--runs"),
        (["lab", "reproduce", "-o", "-"], "give -o a folder's name"),
        (["lab", "reproduce", "-o", "file"], "is a file, expected a folder"),
        (["lab", "reproduce", "-o", "done"], "report.md exists"),
        (["lab", "reproduce", "-o", "tabled"], "quality.csv exists"),
        (["lab", "compare", "-o", "-"], "give -o a folder's name"),
        (["lab", "compare", "--system", "nobody"], "nobody: expected one of"),
        (["lab", "compare", "--budget", "much"], "--budget"),
        (["lab", "compare", "-o", "compared"], "comparison.csv exists"),
    ],
)
def test_what_is_refused_is_one_line_and_leaves_no_file(
    folder: Path, capsys: pytest.CaptureFixture[str], command: list[str], said: str
) -> None:
    Path("file").write_text("mine")
    for name in ("done/report.md", "tabled/tables/quality.csv", "compared/comparison.csv"):
        Path(name).parent.mkdir(parents=True)
        Path(name).write_text("mine")
    before = sorted(path for path in folder.rglob("*") if path.is_file())
    assert run(command) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.count("\n") == 1
    assert said in shown.err
    assert sorted(path for path in folder.rglob("*") if path.is_file()) == before
    assert {path.read_text() for path in before} == {"mine"}


NONE = Table((), ())


def reported() -> ReproductionReport:
    claims = (
        JudgedClaim(4, "it is small", "", "2 of 3", "1 of 3", "disagrees"),
        JudgedClaim(5, "it is fast", "", "yes", "yes", "agrees"),
    )
    return ReproductionReport(claims, 10, NONE, NONE, (Path("res/report.md"),))


def test_a_report_counts_its_verdicts() -> None:
    data = result(ReproductionResult, reported())
    assert data["verdicts"] == {"disagrees": 1, "agrees": 1}
    assert data["files"] == ["res/report.md"]
    assert [finding["ours"] for finding in data["findings"]] == ["1 of 3", "yes"]
