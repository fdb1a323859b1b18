"""A ledger somebody changed is found out, whatever he changed."""

from __future__ import annotations

import sqlite3
from fractions import Fraction
from pathlib import Path

import pytest

from pathveil import Network
from pathveil.ledger.book import Ledger
from tests.ledger.releasing import draw, losses, release, request

CHAIN, MARKS, PLACES, DATA, LOSSES, BUDGETS = range(6)


@pytest.mark.parametrize(
    ("change", "broken"),
    [
        ("UPDATE events SET body = replace(body, 'frontier', 'sealed') WHERE counter = 99", set()),
        ("UPDATE events SET time = '2020-01-01T00:00:00Z' WHERE counter = 4", {CHAIN}),
        ("UPDATE events SET body = '{}' WHERE counter = 4", {CHAIN}),
        ("UPDATE events SET hash = 'x' WHERE counter = 5", {CHAIN, MARKS}),
        ("UPDATE ledgers SET counter = 4", {CHAIN, MARKS}),
        ("UPDATE releases SET digest = 'x' WHERE place = 2", {CHAIN, DATA}),
        ("UPDATE releases SET spent_decimal = '0.1' WHERE place = 2", {CHAIN, LOSSES}),
        ("UPDATE releases SET walk = 'x' WHERE place = 1", {CHAIN}),
        ("UPDATE releases SET place = 7 WHERE place = 3", {CHAIN, PLACES}),
        ("UPDATE series SET length = 2", {PLACES}),
        (
            "DELETE FROM handouts WHERE release = 5; DELETE FROM releases WHERE place = 3",
            {CHAIN, PLACES, LOSSES},
        ),
        ("UPDATE links SET uses = 0", {LOSSES}),
        ("UPDATE links SET profile = ''", {LOSSES}),
        ("DELETE FROM links", {LOSSES}),
        ("UPDATE kinds SET rests = 1", {LOSSES}),
        ("UPDATE ledgers SET budget = '50'", {BUDGETS}),
        ("UPDATE lineages SET budget = '50'", {BUDGETS}),
        (
            "UPDATE releases SET sealed_data = (SELECT sealed_data FROM releases WHERE place = 1)",
            {CHAIN, DATA},
        ),
        (
            "UPDATE releases SET sealed_charges = (SELECT sealed_charges FROM releases LIMIT 1)",
            {CHAIN, LOSSES},
        ),
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


def test_another_way_of_composing_is_another_sum(
    ledger: Ledger, folder: Path, network: Network
) -> None:
    release(ledger, network, "abc", folder / "1.veil.json")
    found = ledger.check(lambda links: [loss.__class__("0", "0.0") for loss in losses(links)])
    assert [finding.holds for finding in found] == [True, True, True, True, False, True]


def test_a_budget_that_was_entered_is_the_one_in_force(folder: Path, network: Network) -> None:
    with Ledger.begin(folder / "l.db", budget=Fraction(3)) as ledger:
        release(ledger, network, "abc", folder / "1.veil.json")
        asked = [request(network, "abd", folder / "2.veil.json")]
        ledger.record(asked, draw, compose=losses, budget=Fraction(4))
        assert all(finding.holds for finding in ledger.check(losses))
        with sqlite3.connect(folder / "l.db") as connection:
            connection.execute("UPDATE lineages SET budget = NULL")
        (found,) = (finding for finding in ledger.check(losses) if not finding.holds)
        assert found.detail == "the budget of network 1 is none, 4 was entered"
