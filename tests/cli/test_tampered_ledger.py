"""Whatever somebody writes into a ledger's columns, `show` and `publish` end with an error."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

import pytest

from pathveil.cli.main import run
from pathveil.files.envelopes import new_key_pair
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

LEDGER = ["--ledger", "l.db", "-q"]


@pytest.fixture
def recorded(example: Path) -> None:
    """A ledger with one release, 0.veil, and a copy of it, whole.db."""
    assert run(["ledger", "init", "l.db", "-q"]) == 0
    assert run(["publish", "network.csv", "walk.txt", "-o", "0.veil", *LEDGER]) == 0
    shutil.copy("l.db", "whole.db")


@pytest.mark.regression("tampered columns of a ledger gave an exception")
@pytest.mark.usefixtures("recorded")
def test_no_value_of_a_column_is_a_fault(capsys: pytest.CaptureFixture[str]) -> None:
    Path("other.txt").write_text("a,b,c")
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
                ["publish", "network.csv", "other.txt", "-o", "1.veil", *LEDGER],
            ):
                assert run(words) in {0, 2}, (column, value, words, capsys.readouterr().err)
            for written in (*Path().glob("*.mark"), *Path().glob(".*.mark"), Path("1.veil")):
                written.unlink(missing_ok=True)


@pytest.mark.regression("verify --ledger confirmed a forged row; deleted rows gave cover back")
@pytest.mark.usefixtures("recorded")
def test_nothing_is_confirmed_shown_or_released_from_rows_nobody_entered() -> None:
    assert run(["publish", "network.csv", "walk.txt", "-o", "other.veil", "-q"]) == 0
    assert run(["ledger", "verify", "l.db", "0.veil", "-q"]) == 0
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
        assert run(["publish", "network.csv", "walk.txt", "-o", "1.veil", *LEDGER]) == 2, change
        assert not Path("1.veil").exists()


@pytest.mark.regression("ledger show said nothing of an old copy")
@pytest.mark.usefixtures("recorded")
def test_an_old_copy_is_not_shown_as_what_stands() -> None:
    assert (
        run(
            [
                "publish",
                "network.csv",
                "walk.txt",
                "-o",
                "0.veil",
                *LEDGER,
                "--direction",
                "hidden",
                "--force",
            ]
        )
        == 0
    )
    assert run(["ledger", "show", "l.db"]) == 0
    assert run(["ledger", "show", "whole.db", "--key", "l.db.key"]) == 2


ENDLESS = """ALTER TABLE releases RENAME TO r; CREATE VIEW releases AS
WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT r.* FROM r, c"""
FORGED = "PRAGMA writable_schema = ON; UPDATE sqlite_master SET"


@pytest.mark.regression("a damaged or hostile ledger was a fault of the program, or read for ever")
@pytest.mark.parametrize(
    "change",
    [
        f"{FORGED} sql = CAST(replace(sql, 'CREATE TABLE handouts', x'c752') AS TEXT)",
        "UPDATE releases SET policy = CAST(x'c7c7' AS TEXT)",
        "UPDATE releases SET counter = '1/0'",
        "UPDATE releases SET counter = CAST('1/0' AS BLOB)",
        "UPDATE ledgers SET counter = '1/0'",
        """UPDATE events SET body = '{"a":' || replace(hex(zeroblob(1000)), '0', '[')""",
        ENDLESS,
        "CREATE TRIGGER t AFTER UPDATE ON handouts BEGIN DELETE FROM events; END",
        f"CREATE VIEW v AS SELECT 1; {FORGED} type = 'table', rootpage = 2 WHERE name = 'v'",
        "CREATE VIRTUAL TABLE v USING fts5(x)",
    ],
)
@pytest.mark.usefixtures("recorded")
def test_a_database_that_nobody_could_read_is_said_to_be_damaged(
    change: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with sqlite3.connect("l.db", isolation_level=None) as connection:
        connection.executescript(change)
    connection.close()
    capsys.readouterr()
    for words in (
        ["ledger", "show", "l.db"],
        ["ledger", "export", "l.db", "-o", "l.jsonl"],
        ["publish", "network.csv", "walk.txt", "-o", "1.veil", *LEDGER],
        ["inspect", "0.veil", "network.csv", "walk.txt", *LEDGER],
        ["ledger", "verify", "l.db", "0.veil"],
    ):
        assert run(words) in ({1, 2} if "verify" in words else {2}), words
        captured = capsys.readouterr()
        assert "backup" in captured.err + captured.out, words
    assert not Path("1.veil").exists()


@pytest.mark.regression("verify --identity stopped at a public file that nobody recorded")
@pytest.mark.usefixtures("recorded")
def test_a_file_that_does_not_open_is_one_finding(capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("ann", "ben"):
        secret, public = new_key_pair()
        Path(f"{name}.key").write_text(secret)
        Path(f"{name}.pub").write_text(public)
    publish = ["publish", "network.csv", "walk.txt", "-q"]
    assert run([*publish, "-o", "to-ben.age", "--to", "ben.pub", *LEDGER]) == 0
    assert run([*publish, "-o", "others.age", "--to", "ben.pub"]) == 0
    words = ["ledger", "verify", "l.db", "route.veil.json", "others.age", "missing.veil"]
    capsys.readouterr()
    assert run([*words, "0.veil", "to-ben.age", "--identity", "ann.key", "--json"]) == 1
    said = {one["claim"]: one for one in json.loads(capsys.readouterr().out)["findings"]}
    for name, holds, words_in in (
        ("route.veil.json", False, "no release of this ledger"),
        ("others.age", False, "does not open with this identity"),
        ("missing.veil", False, "cannot be read"),
        ("0.veil", True, "entry 3"),
        ("to-ben.age", True, "entry 3"),
    ):
        finding = said[f"{name} is recorded"]
        assert finding["holds"] is holds
        assert words_in in finding["detail"]
