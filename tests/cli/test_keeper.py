from __future__ import annotations

import json
import stat
from pathlib import Path

import pyrage
import pytest

from pathveil import Publication
from pathveil.cli.main import run

LINKS = "a,b\na,f\nb,c\nb,d\nb,e\nb,f\nc,d\nc,e\nc,f\nd,e\nd,f\ne,f\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "network.csv").write_text(LINKS)
    (tmp_path / "walk.txt").write_text("a\nb\nc\nd\ne\nf\n")
    (tmp_path / "other.txt").write_text("b\nc\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def publish(name: str, *options: str, walk: str = "walk.txt") -> int:
    command = ["publish", "network.csv", walk, "-o", name, "--ledger", "l.db", *options]
    return run(command)


def test_a_ledger_from_beginning_to_limit(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["ledger", "init", "l.db", "--budget", "3/2"]) == 0
    assert stat.S_IMODE(Path("l.db").stat().st_mode) == 0o600
    assert stat.S_IMODE(Path("l.db.key").stat().st_mode) == 0o600
    assert publish("1.veil.json", "--json") == 0
    told = json.loads(capsys.readouterr().out.partition("you included.\n")[2])
    assert told["ledger"]["spent"]["expression"] == "ln 2"
    assert publish("2.veil.json") == 0
    assert "the same release given back" in " ".join(capsys.readouterr().out.split())
    assert Path("1.veil.json").read_bytes() == Path("2.veil.json").read_bytes()
    assert publish("3.veil.json", "--fresh") == 0
    assert "2 ln 2 = 1.3863" in capsys.readouterr().out
    assert publish("4.veil.json", walk="other.txt") == 2
    refused = capsys.readouterr().err
    assert refused.count("\n") == 1
    for number in ("3 ln 2 = 2.0795", "budget of 1.5", "2 ln 2 = 1.3863", "0.1137 is left"):
        assert number in refused
    assert not Path("4.veil.json").exists()
    assert publish("4.veil.json", "--budget", "5", walk="other.txt") == 0

    assert run(["ledger", "show", "l.db", "--json", "-o", "b.svg"]) == 0
    shown = json.loads(capsys.readouterr().out.partition("\n{")[2].join(["{", ""]))
    (stand,) = shown["networks"]
    assert stand["left"] == "2.9205"
    assert [r["place"] for r in stand["releases"]] == [1, 2, 3]
    assert Path("b.svg").read_text().startswith("<svg")
    assert run(["ledger", "show", "l.db"]) == 0
    text = capsys.readouterr().out
    assert "3 ln 2 = 2.0795" in text
    assert "█" in text

    assert run(["ledger", "export", "l.db", "-o", "x.jsonl", "--files", "again"]) == 0
    lines = [json.loads(line) for line in Path("x.jsonl").read_text().splitlines()]
    assert [line["counter"] for line in lines] == list(range(1, len(lines) + 1))
    copies = {p.read_bytes() for p in Path("again").iterdir()}
    assert copies == {Path(f"{n}.veil.json").read_bytes() for n in (1, 3, 4)}

    assert run(["ledger", "verify", "l.db", "."]) == 0
    assert "fails" not in capsys.readouterr().out
    Path("3.veil.json").write_text(Path("3.veil.json").read_text() + " ")
    assert run(["ledger", "verify", "l.db", ".", "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert [f["claim"] for f in found["findings"] if not f["holds"]] == ["3.veil.json is recorded"]


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (["ledger", "show", "none.db"], "none.db.key"),
        (["ledger", "init", "x.db", "--budget", "much"], "expected a number"),
        (["ledger", "init", "x.db", "--budget", "-1"], "out of range"),
        (["ledger", "init", ""], "is empty"),
        (["ledger", "init", "x.db", "--budget", "1e999999999"], "no finite number"),
        (["ledger", "init", "mysql://host/x", "--key", "k"], "is no place for a ledger"),
        (["publish", "network.csv", "walk.txt", "-o", "1.veil.json", "--fresh"], "needs --ledger"),
        (["batch", "network.csv", "walk.txt", "-o", "x", "--budget", "1"], "needs --ledger"),
    ],
)
def test_bad_input_is_one_clear_line(
    folder: Path, command: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before = sorted(Path().iterdir())
    assert run(command) == 2
    told = capsys.readouterr()
    assert words in " ".join(told.err.replace("│", " ").split())
    assert "Traceback" not in told.err
    assert sorted(Path().iterdir()) == before


def test_a_seed_does_not_go_with_a_ledger(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["ledger", "init", "l.db"]) == 0
    assert publish("1.veil.json", "--seed", "1", "--unsafe") == 2
    assert "protects nothing" in " ".join(capsys.readouterr().err.replace("│", " ").split())


def test_sealed_to_readers(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    reader, other = (pyrage.x25519.Identity.generate() for _ in range(2))
    Path("me.txt").write_text(f"# my key\n{reader}\n")
    Path("you.txt").write_text(f"{other}\n")
    to = ["--to", str(reader.to_public())]
    command = ["publish", "network.csv", "walk.txt", "-o", "1.age", *to, "--json"]
    assert run(command) == 0
    assert json.loads(capsys.readouterr().out)["unsafe"] is False
    assert b"pathveil" not in Path("1.age").read_bytes()
    reading = ["reconstruct", "1.age", "network.csv", "--json"]
    assert run([*reading, "--identity", "me.txt"]) == 0
    assert json.loads(capsys.readouterr().out)["walk"] == list("abcdef")
    assert run(["reconstruct", "1.age", "network.csv", "--as", "b", "--identity", "me.txt"]) == 0
    capsys.readouterr()
    assert run(reading) == 2
    assert "--identity" in capsys.readouterr().err
    assert run([*reading, "--identity", "you.txt"]) == 2
    assert "other readers" in capsys.readouterr().err

    Path("walks.txt").write_text("a,b,c\nb,c,d\n")
    batch = ["batch", "network.csv", "walks.txt", *to, "--workers", "1", "--policy", "balanced"]
    assert run([*batch, "-o", "many"]) == 0
    files = sorted(Path("many").iterdir())
    assert [file.name for file in files] == ["000001.veil.json.age", "000002.veil.json.age"]
    capsys.readouterr()
    assert run(["reconstruct", str(files[1]), "network.csv", "--identity", "me.txt"]) == 0
    assert "b → c → d" in capsys.readouterr().out
    assert run([*batch, "-o", "many.jsonl"]) == 2

    assert run(["ledger", "init", "l.db"]) == 0
    assert run([*batch, "-o", "kept", "--ledger", "l.db", "--json"]) == 0
    assert run(["ledger", "verify", "l.db", "kept", "--identity", "me.txt"]) == 0
    assert not list(Path("kept").glob("*.veil.json"))


def test_a_plain_file_needs_no_identity(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["publish", "network.csv", "walk.txt", "-o", "1.veil.json"]) == 0
    Path("me.txt").write_text(f"{pyrage.x25519.Identity.generate()}\n")
    command = ["reconstruct", "1.veil.json", "network.csv", "--identity", "me.txt", "--json"]
    capsys.readouterr()
    assert run(command) == 0
    assert json.loads(capsys.readouterr().out)["walk"] == list("abcdef")
    assert Publication.load("1.veil.json").direction is not None


def test_what_a_ledger_writes_replaces_nothing(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An export over the ledger's own file, or its key, would have ended it."""
    assert run(["ledger", "init", "l.db", "-q"]) == 0
    Path("keep.jsonl").write_text("precious")
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    for words in (
        ["ledger", "export", "l.db", "-o", "keep.jsonl"],
        ["ledger", "export", "l.db", "-o", "l.db", "--force"],
        ["ledger", "export", "l.db", "-o", "l.db.key", "--force"],
        ["publish", "network.csv", "walk.txt", "--ledger", "l.db", "-o", "l.db", "--force"],
        ["publish", "network.csv", "walk.txt", "--ledger", "l.db", "-o", "l.db.key", "--force"],
        ["batch", "network.csv", "other.txt", "--ledger", "l.db", "-o", "l.db", "--force"],
        ["ledger", "show", "l.db", "-o", "keep.jsonl"],
        ["ledger", "show", "l.db", "-o", "-", "--json"],
    ):
        assert run(words) == 2, words
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    assert run(["ledger", "export", "l.db", "-o", "keep.jsonl", "--force", "-q"]) == 0
    assert Path("keep.jsonl").read_text() != "precious"
