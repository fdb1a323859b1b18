"""The secure exchange over a publication between classes: the same walk, told by classes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pathveil import Grouping, Network, Policy, Walk, publish
from pathveil.apps.cli import run
from pathveil.recovery.exchange.credentials import make_certificate
from pathveil.recovery.exchange.direction import ByClass
from pathveil.recovery.exchange.roster import Card, Roster
from pathveil.recovery.secure import agree

RING = Network.from_edges([(i, (i + 1) % 8) for i in range(8)])
GROUPS = Grouping.of([["0", "3"], ["1", "6"], ["2"], ["4"], ["5"], ["7"]])


def test_parties_read_a_grouped_walk_together(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Both ends in one class: the direction is decided further in."""
    GROUPS.require_harmonious(RING)
    walk = Walk("0123")
    publication = publish(RING, walk, policy=Policy.sealed(), grouping=GROUPS)
    publication.save(tmp_path / "a.veil.json")
    GROUPS.save(tmp_path / "groups.json")
    rows = "".join(f"{u},{v}\n" for u, v in RING.edges)
    (tmp_path / "ring.csv").write_text(rows)
    arguments = ["a.veil.json", "ring.csv", "--groups", "groups.json"]
    paths = [str(tmp_path / name) if not name.startswith("--") else name for name in arguments]
    options = ["--learn", "walk", "--plaintext-on-loopback", "--json", "--time-limit", "600"]
    assert run(["rehearse", *paths, *options]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["as_reconstruct"] is True


def test_the_agreement_goes_by_classes() -> None:
    publication = publish(RING, Walk("0123"), grouping=GROUPS)
    cards = [
        Card(name, "127.0.0.1", 7000 + place, tuple(holds), 0, make_certificate(name)[1])
        for place, (name, holds) in enumerate((("k", "012"), ("l", "345"), ("m", "67")))
    ]
    direction = agree(publication, Roster.of(cards)).agreement.direction
    assert isinstance(direction, ByClass)
    assert direction.classes == tuple(GROUPS.class_of.tolist())
    assert direction.sorts_before_reverse is GROUPS.forward("0123")
