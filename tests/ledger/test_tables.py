"""The tables: no column for a name."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

from sqlalchemy import LargeBinary, Text

from pathveil import Network, Walk
from pathveil.ledger.entries import Request
from pathveil.ledger.ledger import Ledger
from pathveil.ledger.tables import metadata
from tests.ledger.releasing import TERMS, draw, losses, refuse, release


def test_no_cell_holds_a_name(ledger: Ledger, folder: Path) -> None:
    names = ("north-gate", "harbour", "mill", "old-town")
    network = Network.from_links(list(pairwise(names)))
    asked = Request(network, Walk(names[:3]), TERMS, "frontier", output=folder / "1.veil.json")
    ledger.record([asked], draw, compose=losses, independent=True)
    ledger.hold([(asked, "basis", b'{"harbour": 1}')])
    with ledger._store.reading() as connection:
        for table in metadata.sorted_tables:
            for row in connection.execute(table.select()).mappings():
                for column, value in row.items():
                    text = value if isinstance(value, bytes) else str(value).encode()
                    found = [name for name in names if name.encode() in text]
                    assert not found, f"{table.name}.{column} holds {found}"


def test_what_is_sealed_is_bytes_and_says_so() -> None:
    for table in metadata.sorted_tables:
        for column in table.columns:
            if isinstance(column.type, LargeBinary):
                assert column.name.startswith("sealed_"), f"{table.name}.{column.name}"
            if column.name.startswith("sealed_"):
                assert not isinstance(column.type, Text), f"{table.name}.{column.name}"


def test_rows_of_this_ledger_fill_every_table(
    ledger: Ledger, folder: Path, network: Network
) -> None:
    """So that the search for names above looks into cells, not into empty tables."""
    release(ledger, network, "abc", folder / "1.veil.json")
    refuse(ledger, network, "abd")
    with ledger._store.reading() as connection:
        empty = {
            table.name
            for table in metadata.sorted_tables
            if connection.execute(table.select()).first() is None
        }
    assert empty == {"groupings"}, "this network was published over none"
