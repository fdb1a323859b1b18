"""Whatever somebody writes into a ledger's columns, `show` and `publish` end with an error."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

import pytest

from pathveil.cli.main import run

NASTY = ("1/0", "1e999999999", "", 10**18 * 9)
"""What a column could hold; SQLite keeps anything anywhere."""

COLUMNS = [
    "ledgers.budget",
    "ledgers.counter",
    "ledgers.latest",
    "lineages.links",
    "lineages.budget",
    "series.lineage",
    "series.length",
    "kinds.series",
    "kinds.rests",
    "links.uses",
    "links.profile",
    "releases.spent_decimal",
]


@pytest.mark.regression("tampered columns of a ledger gave an exception")
def test_no_value_of_a_column_is_a_fault(example: Path, capsys: pytest.CaptureFixture[str]) -> None:
    through = ["--ledger", "l.db", "-q"]
    assert run(["ledger", "init", "l.db", "--budget", "9", "-q"]) == 0
    assert run(["publish", "network.csv", "walk.txt", "-o", "0.veil", *through]) == 0
    Path("other.txt").write_text("a,b,c")
    shutil.copy("l.db", "whole.db")
    for column in COLUMNS:
        table, _, name = column.partition(".")
        for value in NASTY:
            shutil.copy("whole.db", "l.db")
            with sqlite3.connect("l.db", isolation_level=None) as connection:
                connection.execute(f"UPDATE {table} SET {name} = ?", [value])  # noqa: S608
            for words in (
                ["ledger", "show", "l.db", "-q"],
                ["publish", "network.csv", "other.txt", "-o", "1.veil", *through],
            ):
                assert run(words) in {0, 2}, (column, value, words, capsys.readouterr().err)
            for written in (*Path().glob("*.mark"), *Path().glob(".*.mark"), Path("1.veil")):
                written.unlink(missing_ok=True)
