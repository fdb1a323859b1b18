"""The running example as files: what most commands of the tests in this folder work on."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer.main

from pathveil import Network, Seeded, Walk, publish
from pathveil.cli.main import app, run

LINKS = "ab af bc bd be bf cd ce cf de df ef"
FOUR_LINKS = "a,b\nb,c\nc,d\nb,d\n"


def commands(command: Any = None, words: tuple[str, ...] = ()) -> Iterator[tuple[str, Any]]:
    """Every command and group with its words."""
    command = typer.main.get_command(app) if command is None else command
    yield " ".join(words), command
    for name, inner in getattr(command, "commands", {}).items():
        yield from commands(inner, (*words, name))


@pytest.fixture(scope="module", autouse=True)
def _open_gate() -> Iterator[None]:
    """Commands are tested on tiny networks, which no gate would open for; it has its own tests."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("pathveil.batching.batch_run.require_open", lambda *_: None)
        for name in ("require_one_way", "require_open"):
            patched.setattr(f"pathveil.ledger.release_walks.{name}", lambda *_: None)
        yield


@pytest.fixture
def example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder, made the working one, with a network, a walk and its publication from a seed."""
    network, walk = Network.parse(LINKS), Walk("abcdef")
    (tmp_path / "network.csv").write_text("".join(f"{u},{v}\n" for u, v in network.links))
    (tmp_path / "walk.txt").write_text("\n".join(walk))
    publish(network, walk, source=Seeded(1)).save(tmp_path / "route.veil.json")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder, made the working one, with a network of four links, a walk and a file of walks."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "net.csv").write_text(FOUR_LINKS)
    (tmp_path / "walk.txt").write_text("a\nb\nc\n")
    (tmp_path / "walks.txt").write_text("a,b,c\n")
    return tmp_path


class Typed:
    """Commands as they are typed, and what they print."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self.read = capsys.readouterr

    def data(self, *words: str, code: int = 0) -> Any:
        """What a command prints with --json."""
        self.read()
        assert run([*words, "--json"]) == code, self.read().err
        return json.loads(self.read().out)

    def shown(self, *words: str, code: int = 0) -> str:
        """What a command prints for a person, on one line."""
        self.read()
        assert run(list(words)) == code, self.read().err
        return " ".join(self.read().out.split())


@pytest.fixture
def typed(example: Path, capsys: pytest.CaptureFixture[str]) -> Typed:
    """Commands in the folder of the example."""
    return Typed(capsys)


def promise_no_loss(file: Path) -> None:
    """Rewrite the certificate of a publication as a forger would: nobody gains anything."""
    data = json.loads(file.read_text("utf-8"))
    for row in data["certificate"]["rows"]:
        row["presence"] = row["absence"] = {"expression": "ln 1", "decimal": "0"}
    file.write_text(json.dumps(data), "utf-8")
