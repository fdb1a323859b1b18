"""The commands of an exchange, as far as one process can try them; tests/exchange does more."""

from __future__ import annotations

import json
import socket
import sys
from pathlib import Path

import pytest

from pathveil.cli.main import run
from pathveil.exchange import field
from pathveil.exchange.cards import Card
from pathveil.files.networks.network_reader import read_network


def test_init_makes_a_key_and_a_card(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = ["party", "init", "ann", "--at", "127.0.0.1:4001", "-o", str(tmp_path)]
    assert run([*made, "--holds", "a", "--holds", "b", "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    card = Card.from_json(Path(result["card"]).read_text(), where="card")
    assert (card.name, card.port, card.vertices) == ("ann", 4001, ("a", "b"))
    assert card.fingerprint == result["fingerprint"]
    assert Path(result["key"]).stat().st_mode & 0o777 == 0o600
    assert "PRIVATE KEY" not in Path(result["card"]).read_text()
    assert run([*made, "--holds", "a"]) == 2
    assert "exists" in capsys.readouterr().err


@pytest.mark.regression("after a kill inside init nothing said that the key was in the way")
def test_a_key_without_its_card_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = ["party", "init", "ann", "--at", "127.0.0.1:4001", "-o", str(tmp_path), "--holds", "a"]
    (tmp_path / "ann.key.pem").touch()
    assert run(made) == 2
    assert f"rm {tmp_path}/ann.key.pem" in capsys.readouterr().err


@pytest.mark.regression("party init with a long or empty name ended with a traceback")
@pytest.mark.parametrize(
    ("name", "at", "holds"),
    [
        ("", "h:1", "a"),
        ("n" * 5000, "h:1", "a"),
        ("../ann", "h:1", "a"),
        ("ann", "h:\u00b2", "a"),
        ("ann", "h:" + "9" * 5000, "a"),
        ("ann", "h:1", None),
        ("ann ", "h:1", "a"),
        ("ann", "host name:1", "a"),
    ],
)
def test_init_refuses_what_no_card_can_hold(
    name: str, at: str, holds: str | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 2, one message, and nothing written."""
    holding = [] if holds is None else ["--holds", holds]
    assert run(["party", "init", name, "--at", at, *holding, "-o", str(tmp_path / "new")]) == 2
    said = capsys.readouterr().err
    assert said.startswith("pathveil: ")
    assert "Traceback" not in said
    assert not list(tmp_path.iterdir())


@pytest.mark.regression("a rehearsal said that a process ended, a run waited for the others first")
@pytest.mark.parametrize("words", [["rehearse"], ["run", "--cards", "c", "--key", "k"]])
def test_without_its_extra_an_exchange_does_not_start(
    words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    field.mpyc.cache_clear()
    monkeypatch.setitem(sys.modules, "mpyc", None)
    assert run(["party", *words, "no-file", "no-network"]) == 2
    assert "pip install 'pathveil[mpc]'" in capsys.readouterr().err


@pytest.mark.regression("a port in use was called standard output, with the advice to make room")
def test_an_address_that_is_taken_is_named(
    example: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["publish", "network.csv", "walk.txt", "-o", "x.veil.json"]) == 0
    vertices = read_network("network.csv").vertices
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        for i in range(3):
            at = ["--at", f"127.0.0.1:{port if i == 0 else i + 1}", "-o", "cards"]
            holds = [word for name in vertices[i::3] for word in ("--holds", name)]
            assert run(["party", "init", f"p{i}", *at, *holds]) == 0
        words = ["--cards", "cards", "--key", "cards/p0.key.pem"]
        assert run(["party", "run", "x.veil.json", "network.csv", *words]) == 2
    said = capsys.readouterr().err
    assert f"127.0.0.1:{port}: the address on your card cannot be used" in said
    assert run(["network", "digest", "/proc/self/mem"]) == 2
    assert "/proc/self/mem: cannot be read" in capsys.readouterr().err


@pytest.mark.regression("a time limit that is no number was answered in the words of a library")
@pytest.mark.parametrize("limit", ["0x1", "soon", ""])
def test_a_time_limit_that_is_no_number_is_answered_with_what_is_expected(
    limit: str, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["party", "run", "r.veil", "n.csv", "--cards", "c", "--key", "k"]
    assert run([*given, "--time-limit", limit]) == 2
    said = capsys.readouterr().err
    assert "--time-limit: expected a number, such as 2.5" in said
    assert "parse" not in said
