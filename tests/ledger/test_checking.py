"""A ledger somebody changed is found out, whatever he changed."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from pathveil import Network
from pathveil.ledger.ledger import Ledger
from tests.ledger.releasing import losses, release

CHAIN, MARKS, PLACES, DATA, LOSSES, BUDGETS, PLAIN, FILES, HELD = range(9)


@pytest.mark.parametrize(
    ("change", "broken"),
    [
        ("UPDATE events SET body = replace(body, 'frontier', 'sealed') WHERE counter = 99", set()),
        ("UPDATE events SET time = '2020-01-01T00:00:00Z' WHERE counter = 4", {CHAIN}),
        ("UPDATE events SET body = '{}' WHERE counter = 4", {CHAIN}),
        ("UPDATE events SET hash = 'x' WHERE counter = 5", {CHAIN, MARKS}),
        ("UPDATE ledgers SET counter = 4", {CHAIN, MARKS}),
        ("UPDATE ledgers SET latest = '2020-01-01T00:00:00Z'", {CHAIN}),
        ("UPDATE releases SET digest = 'x' WHERE place = 2", {CHAIN, DATA}),
        ("UPDATE releases SET spent_decimal = '0.1' WHERE place = 2", {CHAIN, LOSSES}),
        ("UPDATE releases SET walk = 'x' WHERE place = 1", {CHAIN}),
        ("UPDATE releases SET place = 7 WHERE place = 3", {CHAIN, PLACES}),
        ("UPDATE series SET length = 2", {PLACES}),
        (
            "DELETE FROM handouts WHERE release = 5; DELETE FROM releases WHERE place = 3",
            {CHAIN, PLACES, LOSSES, FILES},
        ),
        ("UPDATE handouts SET done = 0", set()),  # is not vouched for, as the docs say
        ("UPDATE links SET uses = 0", {LOSSES}),
        ("UPDATE links SET profile = ''", {LOSSES}),
        ("DELETE FROM links", {LOSSES}),
        ("UPDATE kinds SET rests = 1", {LOSSES}),
        ("UPDATE ledgers SET budget = '50'", {BUDGETS}),
        ("UPDATE lineages SET budget = '50'", {BUDGETS}),
        ("UPDATE lineages SET links = 99", {PLAIN}),
        ("INSERT INTO lineages (id, links, counter) VALUES (9, 3, 1)", {PLAIN}),
        ("UPDATE kinds SET expression = '0'", {PLAIN}),
        ("UPDATE kinds SET decimal = '0.1' WHERE id = 1", {PLAIN}),
        ("INSERT INTO groupings VALUES (1, 'x', '0.1')", {PLAIN}),
        (
            "UPDATE releases SET sealed_data = (SELECT sealed_data FROM releases WHERE place = 1)",
            {CHAIN, DATA},
        ),
        (
            "UPDATE releases SET sealed_charges = (SELECT sealed_charges FROM releases LIMIT 1)",
            {CHAIN, LOSSES, PLAIN},
        ),
        ("UPDATE events SET body = '{}' WHERE kind = 'network'", {CHAIN, LOSSES, PLAIN}),
        ("UPDATE events SET body = 'x'", {CHAIN, LOSSES, BUDGETS, PLAIN, FILES, HELD}),
        ("UPDATE series SET lineage = 9", {LOSSES, PLAIN}),
        ("UPDATE networks SET id = 99", {PLAIN}),
        ("UPDATE releases SET network = 99 WHERE place = 2", {CHAIN, PLAIN}),
        ("UPDATE releases SET sealed_data = 5 WHERE place = 2", {CHAIN, DATA}),
        ("UPDATE releases SET sealed_charges = 'x' WHERE place = 2", {CHAIN, LOSSES, PLAIN}),
        ("UPDATE networks SET sealed_links = 5", {LOSSES, PLAIN}),
    ],
)
def test_a_change_is_found_out(
    ledger: Ledger, folder: Path, network: Network, change: str, broken: set[int]
) -> None:
    for number, walk in enumerate(("abc", "abd", "bce")):
        release(ledger, network, walk, folder / f"{number}.veil.json")
    assert all(finding.holds for finding in ledger.check(losses))
    with sqlite3.connect(folder / "ledger.db") as connection:
        connection.executescript(change)
    found = ledger.check(losses)
    assert {place for place, finding in enumerate(found) if not finding.holds} == broken
    assert all(finding.detail for finding in found if not finding.holds)
