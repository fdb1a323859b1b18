"""Every command that reads a network reads it by the same options."""

from __future__ import annotations

import inspect
import json
from pathlib import Path
from typing import Any

import pytest

from pathveil.cli import main as cli
from pathveil.cli.main import run
from pathveil.cli.network_options import NetworkReader

OPTIONS = {"names", "columns", "simplify", "largest_component"}
TWINS = {
    "nodes": [{"id": i, "label": name} for i, name in enumerate(["Ulm", "Bonn", "Ulm", "Trier"])],
    "links": [{"source": i, "target": i + 1} for i in range(3)],
}


def commands() -> dict[str, Any]:
    """The functions behind all commands, by their words."""
    found = {str(c.name): c.callback for c in cli.app.registered_commands}
    for group in cli.app.registered_groups:
        assert group.typer_instance is not None
        for command in group.typer_instance.registered_commands:
            found[f"{group.name} {command.name}"] = command.callback
    return found


def test_no_command_reads_a_network_another_way() -> None:
    for words, command in commands().items():
        shown = set(inspect.signature(command).parameters)
        reads = "network" in shown and words != "ledger show"  # there it is a number
        assert (shown >= OPTIONS) == (reads or words == "attack"), words
        assert not shown & OPTIONS or shown >= OPTIONS, words


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "twins.json").write_text(json.dumps(TWINS))
    (tmp_path / "walk.txt").write_text("0\n1\n2\n")
    (tmp_path / "orders.csv").write_text("nr,firma,kunde\n1,0,1\n2,1,2\n3,2,3\n")
    return tmp_path


def test_labels_that_repeat_are_refused_with_what_to_say(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    publish = ["publish", "twins.json", "walk.txt", "-o", "x.veil.json", "-q"]
    assert run([*publish, "--names", "label"]) == 2
    assert "names='id' (--names id)" in capsys.readouterr().err
    assert run([*publish, "--names", "id"]) == 0
    for words in (
        ["reconstruct", "x.veil.json", "twins.json"],
        ["reconstruct", "x.veil.json", "twins.json", "--as", "1"],
        ["reconstruct", "x.veil.json", "twins.json", "--as-link", "1", "2"],
        ["verify", "x.veil.json", "twins.json", "walk.txt"],
        ["attack", "x.veil.json", "twins.json", "--lacking", "2", "3"],
        ["draw", "twins.json", "--network", "-o", "twins.svg"],
        ["group", "twins.json", "--no-dial"],
        ["network", "digest", "twins.json"],
    ):
        assert run([*words, "--names", "id", "-q"]) == 0, words
        assert run([*words, "--names", "label", "-q"]) == 2 or "--as" in words, words
    capsys.readouterr()


def test_columns_are_asked_for_and_then_the_same_everywhere(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    publish = ["publish", "orders.csv", "walk.txt", "-o", "x.veil.json", "-q"]
    assert run(publish) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "--columns firma,kunde" in said
    asked = ["--columns", "firma,kunde", "-q"]
    assert run([*publish, *asked]) == 0
    assert run(["reconstruct", "x.veil.json", "orders.csv", *asked]) == 0
    assert run(["reconstruct", "x.veil.json", "orders.csv", "--as", "1", *asked]) == 0
    out = capsys.readouterr().out
    assert out.split()[:5] == ["0", "→", "1", "→", "2"]
    assert "between 0 and 2" in out
    assert run(["reconstruct", "x.veil.json", "twins.json", *asked]) == 2
    assert "is no table" in capsys.readouterr().err


def test_a_reader_reads_rows_of_topohub_too() -> None:
    pytest.importorskip("topohub")
    row = NetworkReader().row(Path("topohub:sndlib/germany50"), "Aachen")
    assert row == ("Koeln", "Trier", "Wesel")
