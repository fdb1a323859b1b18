"""Commands read networks without options; `network clean` alone has them."""

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


def commands() -> dict[str, Any]:
    """The functions behind all commands, by their words."""
    found = {str(c.name): c.callback for c in cli.app.registered_commands}
    for group in cli.app.registered_groups:
        assert group.typer_instance is not None
        for command in group.typer_instance.registered_commands:
            found[f"{group.name} {command.name}"] = command.callback
    return found


def test_only_network_clean_has_options_about_reading() -> None:
    for words, command in commands().items():
        shown = set(inspect.signature(command).parameters)
        assert shown & OPTIONS == (OPTIONS if words == "network clean" else set()), words


def test_commands_decide_by_themselves_and_say_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    links = [{"source": i, "target": j} for i, j in ((0, 1), (1, 0), (1, 2), (2, 3))]
    for names in (["Ulm", "Bonn", "Ulm", "Trier"], ["Ulm", "Bonn", "Trier", "Aix"]):
        nodes = [{"id": i, "label": name} for i, name in enumerate(names)]
        Path("net.json").write_text(json.dumps({"directed": True, "nodes": nodes, "links": links}))
        walk = ["0", "1", "2"] if len(set(names)) < 4 else names[:3]
        Path("walk.txt").write_text("\n".join(walk))
        assert run(["publish", "net.json", "walk.txt", "-o", "x.veil.json", "--force", "-q"]) == 0
        capsys.readouterr()
        assert run(["reconstruct", "x.veil.json", "net.json"]) == 0
        shown = capsys.readouterr()
        assert shown.out.split()[:5:2] == walk
        assert "1 parallel link merged" in shown.err
        assert "undirected" in shown.err


@pytest.mark.parametrize(
    "text", ["nr,firma,kunde\n1,a,b\n2,b,c\n", "a,b\nb,b\n", "a,b\na,c\nx,y\n"]
)
def test_what_needs_a_decision_names_network_clean(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    (tmp_path / "net.csv").write_text(text)
    assert run(["network", "digest", str(tmp_path / "net.csv")]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "network clean --" in said


def test_a_reader_reads_rows_of_topohub_too() -> None:
    pytest.importorskip("topohub")
    row = NetworkReader().row(Path("topohub:sndlib/germany50"), "Aachen")
    assert row == ("Koeln", "Trier", "Wesel")


def test_a_reader_with_another_network_is_told_in_what_it_differs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("net.csv").write_text("a,b\nb,Lyon Stamping\nLyon Stamping,d\n")
    Path("own.csv").write_text("a,b\n")
    Path("newer.csv").write_text("a,b\nb,Lyon Stamping\nLyon Stamping,d\nd,e\n")
    Path("walk.txt").write_text("a\nb\nLyon Stamping\n")
    assert run(["publish", "net.csv", "walk.txt", "-o", "x.veil.json", "-q"]) == 0
    capsys.readouterr()
    for words, said in (
        ("x.veil.json own.csv", ["differs from the one published over", "lacks: Lyon", "--as"]),
        ("x.veil.json newer.csv", ["only your network has: e"]),
        ("x.veil.json net.csv --as Lyon", ["'Lyon Stamping'"]),
        ("net.csv x.veil.json", []),
        ("x.veil.json x.veil.json", ["another order"]),
    ):
        assert run(["reconstruct", *words.split()]) == 2, words
        shown = " ".join(capsys.readouterr().err.split())
        assert all(part in shown for part in said), shown
    assert run(["reconstruct", "x.veil.json", "own.csv", "--as", "a", "-q"]) == 0
    Path("map.gml").write_text("graph [ ]")
    assert run(["publish", "net.csv", "map.gml", "-o", "y.veil.json"]) == 2
    assert "another order" in " ".join(capsys.readouterr().err.split())
