"""The custodian's two commands: a release tells public facts only, and each claim is checked."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from pathveil import Policy, Publication
from pathveil.checking.certificate_check import earned_certificate
from pathveil.cli.main import run
from tests.cli.conftest import promise_no_loss
from tests.cli.json_schemas import parsed

PUBLISH = ["publish", "network.csv", "walk.txt"]


def flat(text: str) -> str:
    return " ".join(text.split())


def test_a_release_says_where_it_is_and_what_it_promises(
    example: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*PUBLISH, "-o", "x.veil.json"]) == 0
    said = flat(capsys.readouterr().out)
    assert "written x.veil.json" in said
    assert "policy balanced(copies=1)" in said
    assert "What this does not protect:" in said
    assert "unsafe" not in said
    assert not Publication.load("x.veil.json").unsafe


def test_a_compact_release_tells_its_size(
    example: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*PUBLISH, "-o", "x.veil"]) == 0
    assert f"size {Path('x.veil').stat().st_size:,} bytes" in flat(capsys.readouterr().out)


def test_nothing_of_the_walk_is_said_unless_asked_for(
    example: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two walks of one seedless release differ in no word of what is printed as JSON."""
    told = []
    for walk in ("a\nb\nc\nd\ne\nf\n", "f\ne\nd\nc\nb\na\n"):
        Path("walk.txt").write_text(walk)
        assert run([*PUBLISH, "-o", "x.veil", "--force", "--json"]) == 0
        shown = capsys.readouterr()
        assert shown.err == ""
        data = json.loads(shown.out)
        assert data.pop("direction") in (True, False)  # public: it is in the file
        told.append(data)
    assert told[0] == told[1]


def test_a_seed_is_admitted_twice(example: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*PUBLISH, "-o", "x.veil.json", "--seed", "7", "--unsafe"]) == 0
    assert "unsafe: the coins came from a seed" in flat(capsys.readouterr().out)
    assert Publication.load("x.veil.json").unsafe


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["-o", "x.veil.json", "--seed", "1"], "go together"),
        (["-o", "x.veil.json", "--unsafe"], "go together"),
        (["-o", "-", "--json"], "both want standard output"),
        (["-o", "route.veil.json"], "should not be replaced unnoticed"),
        (["-o", "walk.txt", "--force"], "an input is never replaced"),
        (["-o", "network.csv", "--force"], "an input is never replaced"),
        (["-o", "x.veil.json", "--ledger", "l.db", "--after", "route.veil.json"], "leave --after"),
        (["-o", "-", "--ledger", "l.db"], "a ledger hands out files"),
    ],
)
def test_what_is_refused_writes_nothing(
    example: Path, capsys: pytest.CaptureFixture[str], more: list[str], said: str
) -> None:
    before = {path.name: path.read_bytes() for path in example.iterdir()}
    assert run([*PUBLISH, *more]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.count("\n") == 1
    assert said in shown.err
    assert {path.name: path.read_bytes() for path in example.iterdir()} == before


def test_an_error_names_no_link_that_is_not_there(
    example: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("walk.txt").write_text("a\nd\n")
    assert run([*PUBLISH, "-o", "x.veil.json"]) == 2
    assert "'a' -> 'd'" in capsys.readouterr().err
    assert not Path("x.veil.json").exists()


def test_verify_checks_more_the_more_it_is_given(
    example: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    counts = []
    for more in ([], ["network.csv"], ["network.csv", "walk.txt"]):
        assert run(["verify", "route.veil.json", *more, "--json"]) == 0
        findings = json.loads(capsys.readouterr().out)["findings"]
        assert all(finding["holds"] for finding in findings)
        counts.append(len(findings))
    assert counts[0] < counts[1] < counts[2]


def test_verify_tells_which_claim_fails_and_leaves_with_one(
    example: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("other.txt").write_text("a\nb\nc\n")
    assert run(["verify", "route.veil.json", "network.csv", "other.txt"]) == 1
    said = flat(capsys.readouterr().out)
    assert said.count("fails claim:") == 1
    assert "fails claim: the walk reads back exactly" in said
    promise_no_loss(example / "route.veil.json")
    assert run(["verify", "route.veil.json", "--json"]) == 1  # a finding, not an error
    found = json.loads(capsys.readouterr().out)["findings"]
    assert [one["holds"] for one in found].count(False) >= 1


def test_a_restated_file_is_consistent_and_no_release_of_the_ledger(
    example: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Balanced restated as frontier: only the ledger can tell, and the command says so."""
    assert run(["ledger", "init", "l.db", "--budget", "5"]) == 0
    assert run([*PUBLISH, "-o", "true.veil.json", "--ledger", "l.db"]) == 0
    true = Publication.load("true.veil.json")
    other = replace(true, policy=Policy.frontier(walk_loss=1).terms())
    other = replace(other, certificate=earned_certificate(other))
    other.save(example / "other.veil.json")
    for file, code in (("true.veil.json", 0), ("other.veil.json", 1)):
        capsys.readouterr()
        assert run(["verify", file, "--json"]) == 0
        assert parsed("verify", capsys.readouterr().out)["unconfirmed"][0] == "policy"
        assert run(["verify", file, "--ledger", "l.db", "--json"]) == code
        assert parsed("verify", capsys.readouterr().out)["unconfirmed"] == []
    assert run(["verify", "other.veil.json"]) == 0
    assert capsys.readouterr().out.splitlines()[-1].startswith("all ")
    assert run(["verify", "other.veil.json", "--ledger", "l.db"]) == 1
    assert capsys.readouterr().out.splitlines()[-1].endswith("does not hold")
