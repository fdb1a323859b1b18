"""Parties beside a holder of links: what they are told, what they must give."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from pathveil import Network, Seeded, Walk, publish
from pathveil.cli.main import run
from pathveil.exchange.cards import Card, make_certificate
from tests.exchange.stage import Ending, Stage
from tests.exchange.transcript import PARCEL, STREETS

HOLDS = {
    "ann": ("depot", "harbour", "mill", "station"),
    "bob": ("market", "school"),
    "cem": (),
}
OPTIONS = ["--cards", ".", "--plaintext-on-loopback", "--time-limit", "600"]


@pytest.fixture(scope="module")
def stage() -> Iterator[Stage]:
    opened = Stage()
    yield opened
    opened.close()


def lay_out(folder: Path, held: str) -> None:
    """Give each its files: the link that Cem holds is in nobody's rows."""
    town = Network.from_links([(row.split(",")[0], row.split(",")[1]) for row in STREETS])
    publication = publish(town, Walk(PARCEL), source=Seeded(3))
    listeners = [socket.create_server(("127.0.0.1", 0)) for _ in HOLDS]
    ports = [int(listener.getsockname()[1]) for listener in listeners]
    for listener in listeners:
        listener.close()
    cards = [
        Card(name, "127.0.0.1", port, holds, 0 if holds else 2, make_certificate(name, days=2)[1])
        for (name, holds), port in zip(HOLDS.items(), ports, strict=True)
    ]
    for name, holds in HOLDS.items():
        (folder / name).mkdir()
        publication.save(folder / name / "parcel.veil.json")
        for card in cards:
            (folder / name / f"{card.name}.card.json").write_text(card.to_json())
        rows = [row for row in STREETS if row != held and set(row.split(",")) & set(holds)]
        (folder / name / "my-streets.csv").write_text("\n".join(rows) + "\n")
    (folder / "cem" / "links.csv").write_text(f"{held}\n")


def play(stage: Stage, folder: Path, words: dict[str, list[str]]) -> dict[str, Ending]:
    parts = [
        {
            "folder": str(folder / name),
            "arguments": ["party", "run", "parcel.veil.json", *more, "--me", name, *OPTIONS],
        }
        for name, more in words.items()
    ]
    return dict(zip(words, stage.play(parts), strict=True))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the stage forks its parts")
@pytest.mark.parametrize(
    ("held", "bob_infers", "cem_learns"),
    [
        ("depot,market", "station at 1 or 3", "depot – market at 1 and 2"),
        ("market,station", "depot at 1 or 3", "market – station at 2 and 3"),
    ],
)
def test_nothing_false_is_said_beside_a_holder_who_needs_no_network(
    stage: Stage, tmp_path: Path, held: str, bob_infers: str, cem_learns: str
) -> None:
    """The walk: depot, market, station, mill. Bob sees one link of the market, at 2."""
    lay_out(tmp_path, held)
    streets = ["my-streets.csv"]
    words = {"ann": streets, "bob": streets, "cem": ["--held-links", "links.csv"]}
    endings = play(stage, tmp_path, words)
    assert {ending.code for ending in endings.values()} == {0}, endings
    said = {name: " ".join(ending.out.split()) for name, ending in endings.items()}
    assert f"learnt market at 2, school off the walk follows {bob_infers} wire" in said["bob"]
    assert f"learnt {cem_learns} follows" in said["cem"]
    assert "learnt depot at 1, harbour off the walk, mill at 4, station at 3" in said["ann"]
    told = said["ann"].split("follows ")[1]
    assert told.startswith("market at 2; at least 4 visits wire")


def test_who_holds_vertices_gives_their_rows_and_who_holds_links_gives_these(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lay_out(tmp_path, "depot,market")
    words = ["party", "run", "parcel.veil.json", *OPTIONS]
    for name, missing in (("ann", "NETWORK: is missing"), ("cem", "--held-links: is missing")):
        monkeypatch.chdir(tmp_path / name)
        assert run([*words, "--me", name]) == 2
        said = capsys.readouterr().err
        assert said.startswith(f"pathveil: {missing}; the card of '{name}' names ")
        assert said.count("\n") == 1
    monkeypatch.chdir(tmp_path / "cem")  # both may be given: then he waits for the others
    both = ["my-streets.csv", "--held-links", "links.csv", "--me", "cem", "--time-limit", "1"]
    assert run([*words, *both]) == 2
    assert "missing" not in capsys.readouterr().err
