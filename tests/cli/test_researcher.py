"""The researcher's commands refuse before they work: bad names, finished folders, files in the way.

That they compute what they say is tested where that is done, and once from end to end in test_cli.
"""

from __future__ import annotations

import io
from pathlib import Path

import pytest
import typer

from pathveil.cli.console import SafeConsole
from pathveil.cli.lab import _chosen_systems, _findings_table, _numbers
from pathveil.cli.results import ReproductionResult, result
from pathveil.errors import BadBudget
from pathveil.lab.reproduction.claims import JudgedClaim
from pathveil.lab.reproduction.evaluation import ReproductionReport, Table


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_systems_are_all_or_those_named() -> None:
    known = ("A", "B, with a comma", "C")
    assert _chosen_systems(None, known) == known
    assert _chosen_systems("C; B, with a comma", known) == ("C", "B, with a comma")
    with pytest.raises(typer.BadParameter, match="'D' is not known"):
        _chosen_systems("A;D", known)


def test_budgets_are_numbers_with_commas() -> None:
    assert _numbers("0.5, 1,20") == [0.5, 1.0, 20.0]
    assert _numbers("1/4") == [0.25]
    with pytest.raises(BadBudget, match="a budget"):
        _numbers("1,much")


NONE = Table((), ())


def reported() -> ReproductionReport:
    claims = (
        JudgedClaim(4, "it is small", "", "2 of 3", "1 of 3", "disagrees"),
        JudgedClaim(5, "it is fast", "", "yes", "yes", "agrees"),
    )
    return ReproductionReport(claims, 10, NONE, NONE, (Path("res/report.md"),))


def test_a_verdict_is_beside_the_numbers_it_is_on() -> None:
    screen = SafeConsole(file=io.StringIO(), width=100)
    screen.print(_findings_table(reported()))
    assert isinstance(screen.file, io.StringIO)
    said = screen.file.getvalue()
    assert "2 of 3" in said
    assert "1 of 3" not in said


def test_a_report_counts_its_verdicts() -> None:
    data = result(ReproductionResult, reported())
    assert data["verdicts"] == {"disagrees": 1, "agrees": 1}
    assert data["files"] == ["res/report.md"]
    assert [finding["ours"] for finding in data["findings"]] == ["1 of 3", "yes"]
