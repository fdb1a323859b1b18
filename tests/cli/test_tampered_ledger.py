"""Whatever somebody writes into a ledger's columns, `show` and `publish` end with an error."""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

import pytest

from pathveil.cli.main import run
from pathveil.ledger.ledger_tables import metadata

NASTY = ("1/0", "1e999999999", "", 10**18 * 9)
"""What a column could hold; SQLite keeps anything anywhere."""

ALL = os.environ.get("PATHVEIL_WIDE") == "1"
"""Whether every column is tampered with, and not only those that something is computed from."""

COLUMNS = [
    "ledgers.counter",
    "ledgers.latest",
    "events.body",
    "networks.lineage",
    "releases.lineage",
    "releases.network",
    "releases.series",
    "releases.place",
    "releases.spent_decimal",
    "releases.sealed_charges",
    "handouts.public",
]


@pytest.mark.regression("tampered columns of a ledger gave an exception")
def test_no_value_of_a_column_is_a_fault(example: Path, capsys: pytest.CaptureFixture[str]) -> None:
    through = ["--ledger", "l.db", "-q"]
    assert run(["ledger", "init", "l.db", "--budget", "9", "-q"]) == 0
    assert run(["publish", "network.csv", "walk.txt", "-o", "0.veil", *through]) == 0
    Path("other.txt").write_text("a,b,c")
    shutil.copy("l.db", "whole.db")
    columns = [f"{table.name}.{one.name}" for table in metadata.sorted_tables for one in table.c]
    assert set(COLUMNS) <= set(columns)
    for column in columns if ALL else COLUMNS:
        table, _, name = column.partition(".")
        for value in NASTY:
            shutil.copy("whole.db", "l.db")
            with (
                suppress(sqlite3.IntegrityError),  # SQLite itself refuses it
                sqlite3.connect("l.db", isolation_level=None) as connection,
            ):
                connection.execute(f"UPDATE OR IGNORE {table} SET {name} = ?", [value])  # noqa: S608
            for words in (
                ["ledger", "show", "l.db", "-q"],
                ["publish", "network.csv", "other.txt", "-o", "1.veil", *through],
            ):
                assert run(words) in {0, 2}, (column, value, words, capsys.readouterr().err)
            for written in (*Path().glob("*.mark"), *Path().glob(".*.mark"), Path("1.veil")):
                written.unlink(missing_ok=True)


@pytest.mark.regression("verify --ledger confirmed a forged row; deleted rows gave cover back")
def test_nothing_is_confirmed_shown_or_released_from_rows_nobody_entered(example: Path) -> None:
    through = ["--ledger", "l.db", "-q"]
    assert run(["ledger", "init", "l.db", "-q"]) == 0
    assert run(["publish", "network.csv", "walk.txt", "-o", "0.veil", *through]) == 0
    assert run(["publish", "network.csv", "walk.txt", "-o", "other.veil", "-q"]) == 0
    assert run(["ledger", "verify", "l.db", "0.veil", "-q"]) == 0
    shutil.copy("l.db", "whole.db")
    digest = sha256(Path("other.veil").read_bytes()).hexdigest()
    for change in (
        "UPDATE handouts SET digest = :forged",
        "UPDATE releases SET digest = :forged",
        "INSERT INTO handouts SELECT 1, release, :forged, 1, 1 FROM handouts",
        "DELETE FROM handouts",
        "UPDATE releases SET spent_decimal = '0.1'",
        "UPDATE networks SET lineage = 1 << 62",
    ):
        shutil.copy("whole.db", "l.db")
        with sqlite3.connect("l.db", isolation_level=None) as connection:
            connection.execute(change, {"forged": digest})
        assert run(["ledger", "verify", "l.db", "other.veil", "-q"]) == 1, change
        assert run(["ledger", "show", "l.db", "-q"]) == 2, change
        assert run(["publish", "network.csv", "walk.txt", "-o", "1.veil", *through]) == 2, change
        assert not Path("1.veil").exists()


@pytest.mark.regression("ledger show said nothing of an old copy")
def test_an_old_copy_is_not_shown_as_what_stands(example: Path) -> None:
    through = ["--ledger", "l.db", "-q"]
    assert run(["ledger", "init", "l.db", "-q"]) == 0
    shutil.copy("l.db", "old.db")
    assert run(["publish", "network.csv", "walk.txt", "-o", "0.veil", *through]) == 0
    assert run(["ledger", "show", "l.db"]) == 0
    assert run(["ledger", "show", "old.db", "--key", "l.db.key"]) == 2


def test_a_note_that_a_file_was_written_may_be_lost(example: Path) -> None:
    """It is keyed, so nobody makes one; without it the same bytes go out again."""
    through = ["--ledger", "l.db", "-q"]
    assert run(["ledger", "init", "l.db", "-q"]) == 0
    assert run(["publish", "network.csv", "walk.txt", "-o", "0.veil", *through]) == 0
    with sqlite3.connect("l.db", isolation_level=None) as connection:
        connection.execute("UPDATE handouts SET written = ''")
    assert run(["publish", "network.csv", "walk.txt", "-o", "1.veil", *through]) == 0
    assert Path("1.veil").read_bytes() == Path("0.veil").read_bytes()
    assert run(["ledger", "verify", "l.db", "0.veil", "1.veil", "-q"]) == 0
