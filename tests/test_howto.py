"""The how-to of the ledger is run, command by command, and must print what it says."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pyrage
import pytest

from pathveil.cli.main import run

DOCUMENT = Path(__file__).parents[1] / "docs" / "a-month-of-releases.md"
BLOCK = re.compile(r"```(text|console)([^\n]*)\n(.*?)```", re.DOTALL)


def plain(text: str) -> str:
    return " ".join(text.split())


def test_a_month_of_releases(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    Path("depots.txt").write_text(f"{pyrage.x25519.Identity.generate().to_public()}\n")
    commands = 0
    for kind, name, body in BLOCK.findall(DOCUMENT.read_text("utf-8")):
        if kind == "text":
            Path(name.strip()).write_text(body)
            continue
        command, *expected = body.splitlines()
        assert command.startswith("$ pathveil ")
        code = run(shlex.split(command)[2:])
        told = capsys.readouterr()
        said = plain(told.out + told.err)
        assert code == (2 if any(line.startswith("pathveil:") for line in expected) else 0), said
        for line in expected:
            assert plain(line) in said, f"{command}\n{line}"
        commands += 1
    assert commands == 9
