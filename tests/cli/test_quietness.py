"""--quiet: results and errors, nothing else, on every command."""

from __future__ import annotations

import inspect
import json
from pathlib import Path

import pytest

from pathveil.cli.command_line import aloud
from pathveil.cli.console import console
from pathveil.cli.main import app, run


def test_every_command_can_be_quiet() -> None:
    groups = [group.typer_instance for group in app.registered_groups]
    for each in (app, *groups):
        assert each is not None
        for command in each.registered_commands:
            assert command.callback is not None
            assert "quiet" in inspect.signature(command.callback).parameters, command.name


def test_files_are_written_without_a_word_and_results_are_still_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("net.csv").write_text("a,b\nb,c\nc,d\nb,d\n")
    Path("walk.txt").write_text("a\nb\nc\n")
    Path("walks.txt").write_text("a,b,c\n")
    for words in (
        ["publish", "net.csv", "walk.txt", "-o", "x.veil.json"],
        ["convert", "x.veil.json", "x.veil"],
        ["draw", "x.veil.json", "-o", "x.svg"],
        ["verify", "x.veil.json", "net.csv", "walk.txt"],
        ["inspect", "x.veil.json"],
        ["together", "net.csv", "walks.txt", "-o", "many"],
    ):
        assert run([*words, "--quiet"]) == 0
        assert capsys.readouterr().out + capsys.readouterr().err == "", words
    assert run(["reconstruct", "x.veil.json", "net.csv", "-q"]) == 0
    assert capsys.readouterr().out == "a → b → c\n"
    assert run(["reconstruct", "x.veil.json", "net.csv", "-q", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["walk"] == ["a", "b", "c"]
    assert run(["reconstruct", "x.veil.json", "nowhere.csv", "-q"]) == 2
    assert "nowhere.csv" in capsys.readouterr().err
    # The next command is loud again.
    assert run(["inspect", "x.veil.json"]) == 0
    assert capsys.readouterr().out


def test_aloud_ends(capsys: pytest.CaptureFixture[str]) -> None:
    console.quiet = True
    try:
        with aloud():
            console.print("said")
        console.print("unsaid")
    finally:
        console.quiet = False
    assert capsys.readouterr().out == "said\n"
