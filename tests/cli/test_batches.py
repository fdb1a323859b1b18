"""Many walks by one command: what became of each line, codes, and nothing replaced unasked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pathveil.cli.main import run

BATCH = ["batch", "network.csv", "walks.txt", "--workers", "1"]
OPEN = [*BATCH, "--policy", "balanced"]


def flat(text: str) -> str:
    return " ".join(text.split())


def test_one_certificate_for_all_and_a_walk_given_twice_is_pointed_out(
    example: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("walks.txt").write_text("a,b,c\na,b,c\n")
    assert run([*OPEN, "-o", "out.jsonl"]) == 0
    said = flat(capsys.readouterr().out)
    assert "2 walks published to out.jsonl" in said
    assert "one certificate for all: out.jsonl.certificate.json" in said
    assert Path("out.jsonl.certificate.json").exists()
    assert "line 2: is the walk of line 1 once more; it was released again" in said
    assert not Path("out.jsonl.errors.csv").exists()
    assert not Path("out.jsonl.journal").exists()


def test_direction_is_a_choice_of_a_batch_too(example: Path) -> None:
    Path("walks.txt").write_text("a,b,c\nc,b,a\n")
    for direction, bits in (("public", {True, False}), ("hidden", {None})):
        out = Path(f"{direction}.jsonl")
        assert run([*OPEN, "-o", str(out), "--direction", direction]) == 0
        rows = [json.loads(line)["publication"] for line in out.read_text().splitlines()]
        assert {row["direction"] for row in rows} == bits


def test_one_walk_is_one_walk(example: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("walks.txt").write_text("a,b,c\n")
    assert run([*OPEN, "-o", "out.jsonl"]) == 0
    assert "1 walk published to out.jsonl" in flat(capsys.readouterr().out)


def test_a_bad_line_is_named_the_others_are_published_and_the_code_is_two(
    example: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("walks.txt").write_text("# of today\na,b,c,d\na,x\nf,e,d\n")
    assert run([*OPEN, "-o", "out.jsonl", "--json"]) == 2
    told = json.loads(capsys.readouterr().out)
    assert told["published"] == 2
    assert [failure["line"] for failure in told["failures"]] == [3]
    rows = [json.loads(line) for line in Path("out.jsonl").read_text("utf-8").splitlines()]
    assert [row["number"] for row in rows] == [1, 2]  # no gap tells that a walk failed
    assert "line 3" in Path("out.jsonl.errors.csv").read_text("utf-8")


def test_lists_are_named_only_where_they_are(
    example: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where every line failed, a list of lines was named that is not written."""
    for number, text, lists, after in (
        (1, "a,x\nb,x\n", {"errors"}, False),
        (2, "a,b\nb,x\n", {"errors"}, True),
        (3, "b,x\na,b\n", {"errors", "lines"}, True),
    ):
        Path("walks.txt").write_text(text)
        assert run([*OPEN, "-o", f"out{number}.jsonl"]) == 2
        said = capsys.readouterr().out.replace("\n", "")
        for name in ("errors", "lines"):
            file = f"out{number}.jsonl.{name}.csv"
            assert (file in said) == (name in lists) == Path(file).exists()
        assert ("--after" in said) == after


def test_a_batch_without_a_policy_is_told_which(
    example: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("walks.txt").write_text("a,b,c\nf,e,d\n")
    for more in ([], ["--ledger", "l.db"]):
        if more:
            assert run(["ledger", "init", "l.db", "-q"]) == 0
        assert run([*BATCH, "-o", "out", *more]) == 2
        assert "usage" in capsys.readouterr().err
        assert not Path("out").exists()


def test_releases_in_a_folder_are_not_replaced_unasked(
    example: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("walks.txt").write_text("a,b,c\n")
    first = Path("out/000001.veil.json")
    first.parent.mkdir()
    Path("route.veil.json").rename(first)
    before = first.read_bytes()
    assert run([*OPEN, "-o", "out"]) == 2
    said = capsys.readouterr().err
    assert f"{first} exists" in said
    assert "--force" in said
    assert first.read_bytes() == before


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["-o", "-"], "give -o a name"),
        (["-o", "walks.txt", "--force"], "an input is never replaced"),
        (["-o", "out.xlsx"], "out.xlsx"),
        (["-o", "out.jsonl", "--workers", "0"], "--workers"),
        (["-o", "out.jsonl", "--fresh"], "needs --ledger"),
    ],
)
def test_what_is_refused_writes_nothing(
    example: Path, capsys: pytest.CaptureFixture[str], more: list[str], said: str
) -> None:
    Path("walks.txt").write_text("a,b,c\n")
    before = {path.name: path.read_bytes() for path in example.iterdir()}
    assert run([*OPEN, *more]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.count("\n") == 1
    assert said in shown.err
    assert {path.name: path.read_bytes() for path in example.iterdir()} == before


@pytest.mark.parametrize("kind", ["errors.csv", "lines.csv", "certificate.json", "journal"])
def test_what_is_written_beside_replaces_no_input(
    example: Path, capsys: pytest.CaptureFixture[str], kind: str
) -> None:
    """The list of walks could be called like the list of errors: it would have been overwritten."""
    given = Path(f"out.jsonl.{kind}")
    given.write_text("a,b,c\n")
    assert run(["batch", "network.csv", str(given), "-o", "out.jsonl", "--policy", "balanced"]) == 2
    assert "an input is never replaced" in capsys.readouterr().err
    assert given.read_text() == "a,b,c\n"


def test_a_file_without_walks_is_refused(example: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("walks.txt").write_text("# none today\n\n")
    assert run([*OPEN, "-o", "out.jsonl"]) == 2
    assert "walks.txt: holds no walk" in capsys.readouterr().err
    assert not Path("out.jsonl").exists()
