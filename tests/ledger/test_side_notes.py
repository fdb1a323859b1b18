"""Files that releases went to and coins that were refused: no row changes unseen."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from pathlib import Path

import pytest

from pathveil import Network
from pathveil.errors import LedgerBehind, LedgerBroken
from pathveil.ledger.entries import LedgerFinding
from pathveil.ledger.keys import load_key
from pathveil.ledger.ledger import Ledger
from tests.ledger.releasing import (
    SIDE_CHANGES,
    losses,
    note_releases_and_refusals,
    refuse,
    release,
    request,
)
from tests.ledger.test_checking import FILES, HELD


def changed(folder: Path, change: str) -> None:
    with contextlib.closing(sqlite3.connect(folder / "ledger.db")) as connection:
        connection.executescript(change)


def finding(ledger: Ledger, place: int) -> LedgerFinding:
    return ledger.check(losses)[place]


@pytest.mark.parametrize(("change", "wrong"), SIDE_CHANGES)
def test_a_change_is_found_out(
    ledger: Ledger, folder: Path, network: Network, change: str, wrong: str
) -> None:
    note_releases_and_refusals(ledger, network, folder)
    assert all(found.holds for found in ledger.check(losses))
    changed(folder, change)
    broken = [place for place, found in enumerate(ledger.check(losses)) if not found.holds]
    assert broken == [{"files": FILES, "held": HELD}[wrong]]


def test_a_file_for_a_release_that_is_none_is_found_out(
    ledger: Ledger, folder: Path, network: Network
) -> None:
    """A foreign file was taken for a recorded one: ``verify FILES`` asks this table."""
    release(ledger, network, "abc", folder / "1.veil.json")
    changed(folder, "INSERT INTO handouts SELECT 9, 77, 'f', sealed_path, 1 FROM handouts")
    assert ledger.find("f") == (77,)
    found = finding(ledger, FILES)
    assert (found.holds, found.detail) == (
        False,
        "1 files are listed that were not entered, the first of them for release 77",
    )


def test_coins_of_one_walk_do_not_open_for_another(
    ledger: Ledger, folder: Path, network: Network
) -> None:
    """Exchanged, a walk would have been released in a file recorded and charged for another."""
    refuse(ledger, network, "abc", "cde")
    past = ledger.past(network)
    assert past.held(request(network, "abc"), "") is not None
    changed(
        folder,
        "CREATE TABLE kept AS SELECT * FROM held; UPDATE held SET sealed_data = "
        "(SELECT sealed_data FROM kept WHERE kept.walk != held.walk)",
    )
    for walk in ("abc", "cde"):
        with pytest.raises(LedgerBroken, match="does not open"):
            past.held(request(network, walk), "")


def test_what_was_held_and_is_released_is_held_no_more(
    ledger: Ledger, folder: Path, network: Network
) -> None:
    refuse(ledger, network, "abc", "cde")
    entries = ledger.counter
    kept = ledger.past(network).held(request(network, "abc"), "")
    assert kept is not None
    ledger.hold([(request(network, "abc"), "", kept)])
    assert ledger.counter == entries, "the same coins, refused again, are entered once"
    with contextlib.closing(sqlite3.connect(folder / "ledger.db")) as connection:
        (before,) = [
            text for text in connection.iterdump() if text.startswith('INSERT INTO "held')
        ][:1]
    release(ledger, network, "abc", folder / "1.veil.json")
    release(ledger, network, "cde", folder / "2.veil.json")
    assert all(found.holds for found in ledger.check(losses))
    changed(folder, before)
    assert not finding(ledger, HELD).holds, "put back, fresh coins would be the old ones"


def test_a_ledger_put_back_to_before_a_refusal_is_noticed(
    ledger: Ledger, folder: Path, network: Network
) -> None:
    """Else its coins would be thrown again."""
    kept = (folder / "ledger.db").read_bytes()
    refuse(ledger, network, "abc")
    (folder / "ledger.db").write_bytes(kept)
    with pytest.raises(LedgerBehind, match="restored from an old backup"):
        refuse(ledger, network, "abc")


def test_entries_do_not_tell_which_walk_was_refused(
    ledger: Ledger, folder: Path, network: Network
) -> None:
    refuse(ledger, network, "abc")
    made = release(ledger, network, "abc", folder / "1.veil.json")
    bodies = {entry["kind"]: json.loads(entry["body"]) for entry in ledger.entries()}
    assert made.counter
    walk = bodies["release"]["walk"]
    assert walk not in bodies["held"].values()


def test_what_an_earlier_version_noted_is_counted_and_passed_over(
    ledger: Ledger, folder: Path, network: Network
) -> None:
    """Its releases name no file, its held coins are sealed for a basis alone."""
    release(ledger, network, "abc", folder / "1.veil.json")
    refuse(ledger, network, "cde")
    ring = load_key(folder / "ledger.db.key")
    kept = ledger.past(network).held(request(network, "cde"), "")
    assert kept is not None
    with contextlib.closing(sqlite3.connect(folder / "ledger.db")) as connection:
        rows = connection.execute("SELECT counter, kind, body FROM events").fetchall()
        for counter, kind, text in rows:
            body = json.loads(text)
            body.pop("handout", None)
            if kind == "release":
                new = json.dumps(body, sort_keys=True)
                connection.execute("UPDATE events SET body = ? WHERE counter = ?", (new, counter))
        connection.execute("UPDATE events SET kind = 'former' WHERE kind = 'held'")
        old = ring.seal(kept, about="held on ")
        connection.execute("UPDATE held SET sealed_data = ?", (old,))
        connection.commit()
    files, held = ledger.check(losses)[FILES:]
    assert (files.holds, held.holds) == (True, True)
    assert files.detail == (
        "1 files were not compared: their releases were recorded before files were entered"
    )
    assert held.detail.startswith("coins held for 1 walks were not compared")
    assert ledger.past(network).held(request(network, "cde"), "") == kept
