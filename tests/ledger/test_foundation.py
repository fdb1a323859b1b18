"""A ledger and its key belong together from the first entry on, or there is neither."""

from __future__ import annotations

import sqlite3
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path

import pytest

from pathveil.errors import BadBudget, BadKey, LedgerError
from pathveil.ledger.keys import create_key
from pathveil.ledger.ledger import Ledger, find_foundation, lay_foundation, require_budget
from pathveil.ledger.store import Store, create_tables

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


def test_what_was_begun_is_found_again(folder: Path) -> None:
    begun = lay_foundation(folder / "l.db", key=None, budget=Fraction(7, 2), now=NOON)
    begun.store.close()
    found = find_foundation(folder / "l.db", key=None)
    found.store.close()
    assert (found.uid, found.key) == (begun.uid, folder / "l.db.key")
    assert found.ring.text("x") == begun.ring.text("x")
    with Ledger.open(folder / "l.db") as ledger:
        (entry,) = ledger.entries()
    assert (entry["kind"], entry["time"]) == ("begun", "2026-05-01T12:00:00Z")
    assert '"budget": "7/2"' in entry["body"]


def test_the_key_must_be_the_ledgers_own(folder: Path, ledger: Ledger) -> None:
    Ledger.begin(folder / "other.db").close()
    with pytest.raises(BadKey, match="another ledger"):
        Ledger.open(folder / "ledger.db", key=folder / "other.db.key")
    with pytest.raises(BadKey, match="--key"):
        Ledger.open("postgresql://nobody@nowhere/none")


def test_what_cannot_be_begun_leaves_no_key(folder: Path, ledger: Ledger) -> None:
    with pytest.raises(LedgerError, match="exists; a ledger is not begun over another file"):
        Ledger.begin(folder / "ledger.db", key=folder / "second.key")
    with pytest.raises(BadBudget, match="out of range"):
        Ledger.begin(folder / "poor.db", budget=Fraction(0))
    assert {path.name for path in folder.iterdir()} == {"ledger.db", "ledger.db.key"}
    with pytest.raises(BadKey, match="a key is never written over"):
        Ledger.begin(folder / "second.db", key=folder / "ledger.db.key")
    Ledger.open(folder / "ledger.db").close()


def test_tables_without_a_first_entry_are_no_ledger(folder: Path) -> None:
    store = Store(folder / "l.db")
    store.create_file()
    create_tables(store)
    store.close()
    create_key(folder / "l.db.key")
    with pytest.raises(LedgerError, match="was never begun"):
        Ledger.open(folder / "l.db")
    with sqlite3.connect(folder / "l.db") as connection:  # nothing was entered by the attempt
        assert connection.execute("SELECT count(*) FROM events").fetchone() == (0,)


def test_a_budget_lets_something_pass() -> None:
    require_budget(None)
    require_budget(Fraction(1, 10**9))
    with pytest.raises(BadBudget, match="-1"):
        require_budget(Fraction(-1))
