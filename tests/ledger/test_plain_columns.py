"""What stands in clear is what was entered, column by column."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from sqlalchemy import event

from pathveil import Network
from pathveil.ledger.entries import DrawnRelease, Request
from pathveil.ledger.keys import Keyring
from pathveil.ledger.ledger import Ledger, find_foundation
from pathveil.ledger.ledger_check import check_plain
from pathveil.ledger.views import Past
from tests.ledger.releasing import draw, losses, release, request
from tests.ledger.test_checking import PLAIN


def test_what_is_said_of_versions_and_groupings_is_what_was_entered(
    folder: Path, network: Network
) -> None:
    """Two versions of one network are one; another network is another; a grouping costs once."""
    far = Network.parse("xy yz")
    with Ledger.begin(folder / "l.db") as ledger:
        release(ledger, network, "abc", folder / "1.veil.json")
        release(ledger, Network.parse("ab bc cd bz"), "abz", folder / "2.veil.json")
        asked = [request(far, "xyz", grouping="g")]
        ledger.record(asked, once_priced, compose=losses)
        assert all(finding.holds for finding in ledger.check(losses))
        for change, detail in (
            ("UPDATE networks SET lineage = 2", "a version of network 2 was entered for another"),
            ("UPDATE networks SET lineage = 2 WHERE id = 2", "a version of network 2 was entered"),
            ("UPDATE lineages SET links = 7 WHERE id = 1", "network 1 is said to have 7 links, "),
            ("UPDATE lineages SET id = 5 WHERE id = 2", "network 5 is said to have 2 links, 0 "),
            ("DELETE FROM lineages WHERE id = 2", "1 networks that were entered are gone"),
            ("DELETE FROM networks WHERE id = 3", "a network that was entered is gone"),
            (
                "INSERT INTO networks SELECT 9, lineage, 'x', sealed_links FROM networks LIMIT 1",
                "1 networks are there that were not entered",
            ),
            ("UPDATE networks SET id = 99 WHERE id = 1", "the networks do not have the numbers"),
            ("UPDATE networks SET id = 99 WHERE id = 3", "the network of release "),
            (
                "UPDATE networks SET id = -id; UPDATE networks SET id = 4 + id",
                "the networks do not have the numbers",
            ),
            ("UPDATE groupings SET once = '0.1'", "the groupings, or what they cost, are not"),
            ("DELETE FROM groupings", "the groupings, or what they cost, are not"),
        ):
            with contextlib.closing(sqlite3.connect(folder / "l.db")) as connection:
                kept = list(connection.iterdump())
                connection.executescript(change)
            found = ledger.check(losses)[PLAIN]
            assert (found.holds, found.detail[: len(detail)]) == (False, detail)
            with contextlib.closing(sqlite3.connect(folder / "l.db")) as connection:
                connection.executescript(wiped(connection) + "".join(kept))
            assert all(finding.holds for finding in ledger.check(losses))


def once_priced(requests: Sequence[Request], history: Past) -> list[DrawnRelease]:
    return [replace(drawn, once="0.5") for drawn in draw(requests, history)]


def wiped(connection: sqlite3.Connection) -> str:
    """Return the statements that leave nothing in a database."""
    tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    return "".join(f"DROP TABLE {name};" for (name,) in tables if not name.startswith("sqlite_"))


def test_a_budget_that_was_entered_is_the_one_in_force(folder: Path, network: Network) -> None:
    with Ledger.begin(folder / "l.db", budget=Fraction(3)) as ledger:
        release(ledger, network, "abc", folder / "1.veil.json")
        asked = [request(network, "abd", folder / "2.veil.json")]
        ledger.record(asked, draw, compose=losses, budget=Fraction(4))
        assert all(finding.holds for finding in ledger.check(losses))
        with sqlite3.connect(folder / "l.db") as connection:
            connection.execute("UPDATE lineages SET budget = NULL")
        (found,) = (finding for finding in ledger.check(losses) if not finding.holds)
        assert found.detail == "the budget of network 1 is none, 4 was entered"


def test_releases_from_before_prices_were_sealed_hold(
    ledger: Ledger, folder: Path, network: Network, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are passed over and counted, and what was recorded since is compared as ever."""
    seal = Keyring.seal

    def as_before(ring: Keyring, data: bytes, *, about: str, room: int | None = None) -> bytes:
        if room is None:
            return seal(ring, data, about=about)
        told = json.loads(data)
        assert told.pop("losses")
        return seal(ring, json.dumps(told).encode(), about=about)

    with monkeypatch.context() as patched:
        patched.setattr(Keyring, "seal", as_before)
        release(ledger, network, "abc", folder / "1.veil.json")
    found = ledger.check(losses)
    assert all(finding.holds for finding in found)
    assert found[PLAIN].detail.startswith("2 of 2 prices were not compared: ")
    release(ledger, network, "abd", folder / "2.veil.json")
    found = ledger.check(losses)
    assert all(finding.holds and not finding.detail for finding in found)
    with contextlib.closing(sqlite3.connect(folder / "ledger.db")) as connection:
        connection.executescript("UPDATE kinds SET decimal = '0.1' WHERE id = 1")
    assert [finding.holds for finding in ledger.check(losses)][PLAIN] is False


def test_the_networks_are_read_once(ledger: Ledger, folder: Path, network: Network) -> None:
    """Each row holds all links of a version, sealed; of a large network these are megabytes."""
    release(ledger, network, "abc", folder / "1.veil.json")
    asked: list[str] = []
    found = find_foundation(folder / "ledger.db", key=None)
    with found.store.reading() as connection:
        event.listen(
            connection, "before_cursor_execute", lambda *given: asked.append(str(given[2]))
        )
        assert check_plain(connection, found.ring) is None
    found.store.close()
    assert sum("sealed_links" in statement for statement in asked) == 1
