"""Nothing is lost: inputs are never replaced, existing files only on demand, devices never."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
import typer

from pathveil.apps.cli import run
from pathveil.apps.outputs import STANDARD, claim_folder, claim_output

EDGES = "a,b\nb,c\nc,d\nb,d\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "net.csv").write_text(EDGES)
    (tmp_path / "walk.txt").write_text("a\nb\nc\n")
    (tmp_path / "walks.txt").write_text("a,b,c\n")
    return tmp_path


@pytest.mark.parametrize(
    "words",
    [
        ["publish", "net.csv", "walk.txt", "-o", "net.csv", "--force"],
        ["publish", "net.csv", "walk.txt", "-o", "./walk.txt", "--force"],
        ["publish", "net.csv", "walk.txt", "-o", "link.csv", "--force"],
        ["publish", "net.csv", "walk.txt", "-o", "x.veil.json", "--universe", "x.veil.json"],
        ["batch", "net.csv", "walks.txt", "-o", "net.csv", "--force"],
        ["draw", "--network", "net.svg", "-o", "net.svg", "--force"],
    ],
)
def test_an_input_is_never_replaced(
    folder: Path, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    os.link(folder / "net.csv", folder / "link.csv")  # another name of the same file
    (folder / "x.veil.json").write_text(EDGES)
    (folder / "net.svg").write_text(EDGES)
    before = {p.name: p.read_bytes() for p in folder.iterdir()}
    assert run(words) == 2
    said = " ".join(capsys.readouterr().err.replace("│", " ").split())
    assert "an input is never replaced" in said
    assert {p.name: p.read_bytes() for p in folder.iterdir()} == before


@pytest.mark.parametrize(
    ("words", "output"),
    [
        (["publish", "net.csv", "walk.txt", "-o", "keep.veil.json"], "keep.veil.json"),
        (
            ["batch", "net.csv", "walks.txt", "-o", "keep.jsonl", "--accept-outsider"],
            "keep.jsonl",
        ),
        (["draw", "net.csv", "--network", "-o", "keep.svg"], "keep.svg"),
    ],
)
def test_an_existing_file_is_kept_unless_forced(
    folder: Path, words: list[str], output: str
) -> None:
    (folder / output).write_text("precious")
    assert run(words) == 2
    assert (folder / output).read_text() == "precious"
    assert run([*words, "--force"]) == 0
    assert (folder / output).read_text() != "precious"


def test_a_device_is_written_to_and_stays_one(folder: Path) -> None:
    device = folder / "null"
    try:
        os.mknod(device, 0o666 | stat.S_IFCHR, os.makedev(1, 3))
    except PermissionError:
        device = Path(os.devnull)
    assert run(["publish", "net.csv", "walk.txt", "-o", str(device)]) == 0
    assert stat.S_ISCHR(device.stat().st_mode)
    assert run(["publish", "net.csv", "walk.txt", "-o", str(folder)]) == 2


def test_standard_input_and_output(folder: Path) -> None:
    command = [sys.executable, "-m", "pathveil.apps", "publish", "net.csv", "-", "-o", "-"]
    done = subprocess.run(command, input=b"a\nb\nc\n", capture_output=True, check=True, cwd=folder)
    assert json.loads(done.stdout)["format"] == "pathveil/publication"
    assert b"policy" in done.stderr
    read = [sys.executable, "-m", "pathveil.apps", "reconstruct", "-", "net.csv", "--json"]
    again = subprocess.run(read, input=done.stdout, capture_output=True, check=True, cwd=folder)
    assert json.loads(again.stdout)["walk"] == ["a", "b", "c"]
    assert run(["publish", "net.csv", "walk.txt", "-o", "-", "--json"]) == 2


def test_folders(tmp_path: Path) -> None:
    claim_folder(tmp_path / "new", ["table.csv"])
    (tmp_path / "table.csv").touch()
    claim_folder(tmp_path, ["table.csv"], force=True)
    with pytest.raises(typer.BadParameter, match=r"table\.csv exists"):
        claim_folder(tmp_path, ["other.csv", "table.csv"])
    with pytest.raises(typer.BadParameter, match="is a file, expected a folder"):
        claim_folder(tmp_path / "table.csv", [])


def test_nothing_there_nothing_to_ask(tmp_path: Path) -> None:
    claim_output(tmp_path / "new", inputs=[None, tmp_path / "missing"])
    claim_output(STANDARD)
    claim_output(tmp_path / "new")  # and what is said goes to standard output again
