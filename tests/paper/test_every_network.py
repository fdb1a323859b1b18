"""Every network opens with one documented command: the table, and one row played again."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from studies.every_network import COLUMNS, tried
from tests.paper.pages import rows

COUNTS = {"zoo": 276, "backbone": 20, "caida": 98, "gabriel": 360, "sndlib": 26, "topozoo": 203}
"""Networks in the table: the Zoo's files, and topohub's by the first word of their names."""
ROWS = rows("every_network.csv")


def test_all_of_them_were_read_back_and_verified() -> None:
    assert tuple(ROWS[0]) == COLUMNS
    assert {(row["read"], row["verified"]) for row in ROWS} == {("True", "True")}
    assert len({(row["source"], row["network"]) for row in ROWS}) == len(ROWS)
    counts = Counter(
        "zoo" if row["source"] == "topology zoo" else row["network"].partition("/")[0]
        for row in ROWS
    )
    assert counts == COUNTS


def test_a_row_comes_out_the_same_again(tmp_path: Path) -> None:
    pytest.importorskip("topohub")
    name = next(row for row in ROWS if row["source"] == "topohub")
    again = tried(f"topohub:{name['network']}", 1, tmp_path)
    assert [str(value) for value in (*again[:2], *again[3:])] == [
        name[column] for column in ("vertices", "links", "read", "verified")
    ]
