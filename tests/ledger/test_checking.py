"""A ledger somebody changed is found out, whatever he changed."""

from __future__ import annotations

import contextlib
import itertools
import json
import sqlite3
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from pathveil import Network, Policy, Walk, publish
from pathveil.formats.veil import publication_text
from pathveil.ledger.book import Ledger
from pathveil.ledger.entries import DrawnRelease, Request
from pathveil.ledger.keys import Keyring
from pathveil.ledger.views import Past
from tests.ledger.releasing import TERMS, draw, losses, release, request

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


def test_what_is_said_of_versions_and_groupings_is_what_was_entered(
    folder: Path, network: Network
) -> None:
    """Two versions of one network are one; another network is another; a grouping costs once."""
    far = Network.parse("xy yz")
    with Ledger.begin(folder / "l.db") as ledger:
        release(ledger, network, "abc", folder / "1.veil.json")
        release(ledger, Network.parse("ab bc cd bz"), "abz", folder / "2.veil.json")
        asked = [request(far, "xyz", grouping="g")]
        ledger.record(asked, once_priced, compose=losses)
        assert all(finding.holds for finding in ledger.check(losses))
        for change, detail in (
            ("UPDATE networks SET lineage = 2", "a version of network 2 was entered for another"),
            ("UPDATE networks SET lineage = 2 WHERE id = 2", "a version of network 2 was entered"),
            ("UPDATE lineages SET links = 7 WHERE id = 1", "network 1 is said to have 7 links, "),
            ("UPDATE lineages SET id = 5 WHERE id = 2", "network 5 is said to have 2 links, 0 "),
            ("DELETE FROM lineages WHERE id = 2", "1 networks that were entered are gone"),
            ("DELETE FROM networks WHERE id = 3", "a network that was entered is gone"),
            (
                "INSERT INTO networks SELECT 9, lineage, 'x', sealed_links FROM networks LIMIT 1",
                "1 networks are there that were not entered",
            ),
            ("UPDATE networks SET id = 99 WHERE id = 1", "the networks do not have the numbers"),
            ("UPDATE networks SET id = 99 WHERE id = 3", "the network of release "),
            (
                "UPDATE networks SET id = -id; UPDATE networks SET id = 4 + id",
                "the networks do not have the numbers",
            ),
            ("UPDATE groupings SET once = '0.1'", "the groupings, or what they cost, are not"),
            ("DELETE FROM groupings", "the groupings, or what they cost, are not"),
        ):
            with contextlib.closing(sqlite3.connect(folder / "l.db")) as connection:
                kept = list(connection.iterdump())
                connection.executescript(change)
            found = ledger.check(losses)[PLAIN]
            assert (found.holds, found.detail[: len(detail)]) == (False, detail)
            with contextlib.closing(sqlite3.connect(folder / "l.db")) as connection:
                connection.executescript(wiped(connection) + "".join(kept))
            assert all(finding.holds for finding in ledger.check(losses))


def once_priced(requests: Sequence[Request], history: Past) -> list[DrawnRelease]:
    return [replace(drawn, once="0.5") for drawn in draw(requests, history)]


def wiped(connection: sqlite3.Connection) -> str:
    """Return the statements that leave nothing in a database."""
    tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    return "".join(f"DROP TABLE {name};" for (name,) in tables if not name.startswith("sqlite_"))


def test_another_way_of_composing_is_another_sum(
    ledger: Ledger, folder: Path, network: Network
) -> None:
    release(ledger, network, "abc", folder / "1.veil.json")
    found = ledger.check(lambda links: [loss.__class__("0", "0.0") for loss in losses(links)])
    assert [finding.holds for finding in found] == [place != LOSSES for place in range(9)]


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


def test_releases_from_before_prices_were_sealed_hold(
    ledger: Ledger, folder: Path, network: Network, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are passed over and counted, and what was recorded since is compared as ever."""
    seal = Keyring.seal

    def as_before(ring: Keyring, data: bytes, *, about: str, room: int | None = None) -> bytes:
        if room is None:
            return seal(ring, data, about=about)
        told = json.loads(data)
        assert told.pop("losses")
        return seal(ring, json.dumps(told).encode(), about=about)

    with monkeypatch.context() as patched:
        patched.setattr(Keyring, "seal", as_before)
        release(ledger, network, "abc", folder / "1.veil.json")
    found = ledger.check(losses)
    assert all(finding.holds for finding in found)
    assert found[PLAIN].detail.startswith("2 of 2 prices were not compared: ")
    release(ledger, network, "abd", folder / "2.veil.json")
    found = ledger.check(losses)
    assert all(finding.holds and not finding.detail for finding in found)
    with contextlib.closing(sqlite3.connect(folder / "ledger.db")) as connection:
        connection.executescript("UPDATE kinds SET decimal = '0.1' WHERE id = 1")
    assert [finding.holds for finding in ledger.check(losses)][PLAIN] is False


def test_the_length_of_a_sealed_row_does_not_tell_that_of_the_walk(
    ledger: Ledger, folder: Path
) -> None:
    names = [f"v{number:03d}" for number in range(200)]
    line = Network.from_edges(list(itertools.pairwise(names)))
    asked = [Request(line, Walk(names[:many]), TERMS, "frontier") for many in (2, 12, 200)]
    ledger.record(asked, draw, compose=losses, independent=True)
    drawn = [
        publication_text(publish(line, one.walk, policy=policy)).encode()
        for one in asked
        for policy in (Policy.balanced(), Policy.sealed())
    ]
    ledger.hold([(asked[0], str(place), data) for place, data in enumerate(drawn)])
    assert [ledger.past(line).held(asked[0], str(place)) for place in range(6)] == drawn
    assert all(finding.holds for finding in ledger.check(losses))
    for query in ("SELECT sealed_charges FROM releases", "SELECT sealed_data FROM held"):
        with contextlib.closing(sqlite3.connect(folder / "ledger.db")) as connection:
            rows = connection.execute(query).fetchall()
        assert len(rows) >= 3
        assert len({len(sealed) for (sealed,) in rows}) == 1
