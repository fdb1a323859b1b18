"""Rehearsals: every party in a process of its own."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

import pytest

from pathveil import Network, Seeded, Walk, publish
from pathveil.errors import DoesNotFit, ExchangeFailed
from pathveil.exchange import rehearse
from pathveil.exchange.rehearse import _key_file, rehearse_exchange

KITE = Network.parse("ab ac bc bd cd ce de ef fg eg dg")


def test_a_party_that_fails_fails_the_rehearsal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parts: Any = [["complain"], ["die"]]
    answers = [rehearse._run_all(each, _fail, patience=600)[0] for each in parts]  # type: ignore[arg-type]
    assert answers == ["the row is missing", "its process ended without an answer"]
    file = tmp_path / "route.veil"
    publish(KITE, Walk("abdc"), source=Seeded(2)).save(file)
    monkeypatch.setattr(rehearse, "_run_all", lambda *_, **__: [*answers, ""])
    with pytest.raises(ExchangeFailed, match="party 'party-1': the row is missing"):
        rehearse_exchange(file, KITE, 3)


def _fail(how: str) -> None:
    if how == "die":
        os._exit(9)
    raise DoesNotFit("the row is missing")


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="a file without a name needs /proc")
@pytest.mark.regression("a party killed while it read together left its private key in a file")
def test_the_key_of_a_party_has_no_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with _key_file("secret") as key:
        assert key.read_text() == "secret"
        assert not list(tmp_path.iterdir())
