"""Every network opens with one documented command: the table, and one row played again."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path

import pytest

from studies.every_network import COLUMNS, tried

ROOT = Path(__file__).parents[2]
COUNTS = {"zoo": 276, "backbone": 20, "caida": 98, "gabriel": 360, "sndlib": 26, "topozoo": 203}
"""Networks in the table: the Zoo's files, and topohub's by the first word of their names."""
TABLE = ROOT / "studies" / "results" / "every_network.csv"


def rows() -> list[dict[str, str]]:
    with TABLE.open(encoding="utf-8", newline="") as handle:
        found = list(csv.DictReader(handle))
    assert tuple(found[0]) == COLUMNS
    return found


def test_all_of_them_were_read_back_and_verified() -> None:
    found = rows()
    assert {(row["read"], row["verified"]) for row in found} == {("True", "True")}
    assert len({(row["source"], row["network"]) for row in found}) == len(found)
    counts = Counter(
        "zoo" if row["source"] == "topology zoo" else row["network"].partition("/")[0]
        for row in found
    )
    assert counts == COUNTS


def test_a_row_comes_out_the_same_again(tmp_path: Path) -> None:
    pytest.importorskip("topohub")
    name = next(row for row in rows() if row["source"] == "topohub")
    again = tried(f"topohub:{name['network']}", 1, tmp_path)
    assert [str(value) for value in (*again[:2], *again[3:])] == [
        name[column] for column in ("vertices", "links", "read", "verified")
    ]
