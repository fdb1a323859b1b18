"""What stands on a screen: text that is text, marks that mean what they say, nothing cut off."""

from __future__ import annotations

import io
import json
from types import ModuleType

import pytest

from pathveil import Network, Publication, Seeded, Walk, publish
from pathveil.cli import console as screens
from pathveil.cli import inspect
from pathveil.cli.console import SafeConsole, arrows, print_json
from pathveil.cli.inspect import print_certificate
from tests.cli.conftest import LINKS

NETWORK = Network.parse(LINKS)


def put_screen(module: ModuleType, monkeypatch: pytest.MonkeyPatch) -> SafeConsole:
    """Give a module a screen of a hundred columns that can be read."""
    made = SafeConsole(highlight=False, file=io.StringIO(), width=100)
    for one in (module, screens):
        monkeypatch.setattr(one, "console", made)
    return made


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> SafeConsole:
    made = put_screen(screens, monkeypatch)
    monkeypatch.setattr(inspect, "console", made)
    return made


@pytest.fixture(scope="module")
def route() -> Publication:
    return publish(NETWORK, Walk("abcdef"), source=Seeded(1))


def shown(screen: SafeConsole) -> str:
    assert isinstance(screen.file, io.StringIO)
    return " ".join(screen.file.getvalue().split())


def test_json_is_one_document_whose_value_is_kept(capsys: pytest.CaptureFixture[str]) -> None:
    for value in ({"b": "é", "a": 1}, {"name": "x\u202ey"}):
        print_json(value)
        text = capsys.readouterr().out
        assert json.loads(text) == value
        assert "\u202e" not in text
        assert ("é" in text) == ("b" in value)  # what is harmless stays readable


@pytest.mark.regression("JSON on a screen without UTF-8 was no JSON")
@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_json_is_json_in_every_encoding(monkeypatch: pytest.MonkeyPatch, encoding: str) -> None:
    narrow = io.TextIOWrapper(io.BytesIO(), encoding=encoding, errors="backslashreplace")
    monkeypatch.setattr("sys.stdout", narrow)
    print_json({"name": "Zürich"})
    narrow.seek(0)
    assert json.loads(narrow.buffer.read().decode("ascii")) == {"name": "Zürich"}


def test_arrows_are_signs_that_the_screen_has(monkeypatch: pytest.MonkeyPatch) -> None:
    narrow = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(screens, "console", SafeConsole(file=narrow))
    assert arrows("ab") == "a -> b"
    wide = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    monkeypatch.setattr(screens, "console", SafeConsole(file=wide))
    assert arrows("ab") == "a → b"


def test_a_certificate_is_never_shown_without_what_it_does_not_say(
    screen: SafeConsole, route: Publication
) -> None:
    print_certificate(route)
    said = shown(screen)
    assert "ln 2" in said
    assert "the paper claims" not in said
    assert len(route.certificate.not_protected) > 0
    assert said.count("•") == len(route.certificate.not_protected)
