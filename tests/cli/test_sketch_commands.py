"""Sketches and compact files on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pathveil.cli.main import run


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "n.csv").write_text("a,b\nb,c\nc,d\nd,e\ne,f\nb,d\n")
    (tmp_path / "w.txt").write_text("a\nb\nc\nd\ne\nf\n")
    monkeypatch.chdir(tmp_path)
    assert run(["publish", "n.csv", "w.txt", "-o", "s.veil", *SKETCH]) == 0
    return tmp_path


SKETCH = ["--form", "sketch", "--capacity", "20"]


def test_a_sketch_from_end_to_end(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert run(["reconstruct", "s.veil", "n.csv"]) == 0
    assert "a → b → c → d → e → f" in capsys.readouterr().out
    assert run(["reconstruct", "s.veil", "n.csv", "--as", "b"]) == 0
    assert "between a and c" in capsys.readouterr().out
    assert run(["reconstruct", "s.veil", "n.csv", "--as-link", "b", "d"]) == 0
    assert "does not use" in capsys.readouterr().out
    assert run(["verify", "s.veil"]) == 0
    assert run(["verify", "s.veil", "n.csv", "w.txt"]) == 0
    assert capsys.readouterr().out.count("holds") == 7
    assert run(["attack", "s.veil", "n.csv", "--lacking", "c", "d"]) == 0
    assert "c - d (true)" in capsys.readouterr().out


def test_verify_finds_another_walk(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (files / "v.txt").write_text("a\nb\nd\n")
    assert run(["verify", "s.veil", "n.csv", "v.txt"]) == 1
    assert "another walk reads back" in capsys.readouterr().out


def test_inspect_shows_the_public_numbers(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert run(["inspect", "s.veil"]) == 0
    assert "20 links at most" in capsys.readouterr().out
    assert run(["inspect", "s.veil", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["capacity"] == 20
    assert found["bytes"] == (files / "s.veil").stat().st_size


def test_publish_tells_the_size_and_as_json(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    assert run(["publish", "n.csv", "w.txt", "-o", "u.veil", *SKETCH]) == 0
    assert "bytes" in capsys.readouterr().out
    assert run(["publish", "n.csv", "w.txt", "-o", "t.veil", *SKETCH, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["pieces"] is None


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["publish", "n.csv", "w.txt", "-o", "x.veil", "--form", "sketch"], "needs a capacity"),
        (["publish", "n.csv", "w.txt", "-o", "x.veil.json", *SKETCH], "ends with .veil"),
        (["publish", "n.csv", "w.txt", "-o", "x.veil", *SKETCH, "--policy", "sealed"], "sealed"),
        (["draw", "s.veil", "-o", "x.svg"], "lists no vertices"),
        (["convert", "s.veil", "x.veil.json"], "ends with .veil"),
    ],
)
def test_what_cannot_be_is_one_line_and_no_file(
    files: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    capsys.readouterr()
    before = sorted(files.iterdir())
    assert run(arguments) == 2
    error = capsys.readouterr().err
    assert said in error
    assert "Traceback" not in error
    assert sorted(files.iterdir()) == before


def test_convert_there_and_back(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["publish", "n.csv", "w.txt", "-o", "p.veil"]) == 0
    assert run(["convert", "p.veil", "p.veil.json"]) == 0
    assert run(["convert", "p.veil.json", "q.veil", "--json"]) == 0
    assert (files / "p.veil").read_bytes() == (files / "q.veil").read_bytes()
    assert run(["convert", "p.veil.json", "q.veil"]) == 2
    assert "--force" in capsys.readouterr().err


def test_an_audit_of_sketches_holds_them_to_their_certificate(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    command = ["lab", "audit", "n.csv", "w.txt", "--lacking", "c", "d", "--capacity", "20"]
    assert run([*command, "--samples", "150", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["verdict"] != "refuted"
