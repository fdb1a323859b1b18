"""The database: where it may be, what it refuses, and that no cell holds a name."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from pathveil.errors import LedgerBroken, LedgerError, LedgerUnreachable
from pathveil.ledger import store as store_module
from pathveil.ledger.ledger import Ledger
from pathveil.ledger.store import Store, locate
from tests.ledger.releasing import NETWORK, OVER_AB, release


def test_tables_of_another_version_are_not_touched(ledger: Ledger, folder: Path) -> None:
    with sqlite3.connect(folder / "ledger.db") as connection:
        connection.execute("UPDATE ledgers SET version = 9999")
    with pytest.raises(LedgerError, match="are of version 9999"):
        Ledger.open(folder / "ledger.db")


def test_what_is_no_ledger_is_said_so(folder: Path) -> None:
    (folder / "l.db.key").write_bytes(b"")
    for name, data, words in (
        ("missing.db", None, "there is no such ledger"),
        ("text.db", b"hello, this is no database at all" * 50, "damaged, or no ledger"),
        ("empty.db", b"", "lacks tables of a ledger"),
    ):
        Ledger.begin(folder / f"other-{name}")
        path = folder / name
        (folder / f"other-{name}.key").rename(folder / f"{name}.key")
        if data is not None:
            path.write_bytes(data)
        with pytest.raises(LedgerError, match=words):
            Ledger.open(path)
        assert path.exists() == (data is not None)


def test_where_a_ledger_may_be() -> None:
    assert locate("sqlite:///some/file.db").database == "some/file.db"
    shown = Store("postgresql://me:secret@host/db").name
    assert "secret" not in shown
    assert "host" in shown
    for bad in ("", "mysql://host/db", "nonsense://", "sqlite://", "sqlite:///:memory:"):
        with pytest.raises(LedgerError):
            locate(bad)


@pytest.mark.regression("a ledger named like a part file kept its journal in memory")
def test_whatever_its_name_a_ledger_keeps_its_journal_on_the_disk(folder: Path) -> None:
    path = folder / "ledger.pvpart"
    with Ledger.begin(path) as ledger, ledger.store.reading() as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar_one() == "delete"
    assert {file.name for file in folder.iterdir()} == {path.name, f"{path.name}.key"}


def test_a_full_disk_records_nothing(
    ledger: Ledger, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database itself is told to stop growing, so the error is the real one."""
    release(ledger, NETWORK, "ef", folder / "1.veil.json")
    connect = Store._connect_file
    pages = (folder / "ledger.db").stat().st_size // 4096

    def small(self: Store) -> sqlite3.Connection:
        found = connect(self)
        found.execute(f"PRAGMA max_page_count = {pages + 1}")
        return found

    with monkeypatch.context() as patched:
        patched.setattr(Store, "_connect_file", small)
        cramped = Ledger.open(folder / "ledger.db")

    def until_full() -> None:
        for number, walk in enumerate(OVER_AB):
            release(cramped, NETWORK, walk, folder / f"x{number}.veil.json")

    with pytest.raises(LedgerUnreachable, match="disk is full"):
        until_full()
    made = ledger.standings()[0].rows
    assert len(list(folder.glob("*.veil.json"))) == len(made)
    assert release(ledger, NETWORK, "bce", folder / "2.veil.json").place == len(made) + 1


def test_a_writer_who_waits_too_long_says_so(
    ledger: Ledger, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_module, "PATIENCE", 0)
    other = sqlite3.connect(folder / "ledger.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(LedgerUnreachable, match="another process has been writing"):
        release(ledger, NETWORK, "abc", folder / "1.veil.json")
    other.execute("ROLLBACK")
    other.close()
    assert not (folder / "1.veil.json").exists()
    assert release(ledger, NETWORK, "abc", folder / "1.veil.json").place == 1


def test_a_damaged_file_is_noticed(ledger: Ledger, folder: Path) -> None:
    release(ledger, NETWORK, "abc", folder / "1.veil.json")
    path = folder / "ledger.db"
    path.write_bytes(path.read_bytes()[:4096].ljust(path.stat().st_size, b"\xff"))
    with pytest.raises((LedgerBroken, LedgerUnreachable)):
        release(ledger, NETWORK, "abcd", folder / "2.veil.json")
    assert not (folder / "2.veil.json").exists()
