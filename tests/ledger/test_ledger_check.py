"""A ledger that somebody changed is found out, whatever was changed."""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from sqlalchemy import event

from pathveil import Network, Walk
from pathveil.ledger.entries import DrawnRelease, LedgerFinding, Request
from pathveil.ledger.file_check import check_files, check_terms
from pathveil.ledger.ledger import Ledger, find_foundation
from pathveil.ledger.ledger_check import check_plain
from pathveil.ledger.pricing import compose_losses
from pathveil.ledger.release_walks import release_walks
from pathveil.ledger.views import Past
from tests.ledger.releasing import (
    draw,
    losses,
    note_releases,
    release,
    request,
)

NETWORK = Network.parse("ab bc cd de ef bd ce af")
CHAIN, MARKS, PLACES, DATA, LOSSES, BUDGETS, PLAIN, FILES, HELD = range(9)

CHANGES: list[tuple[str, set[int]]] = [
    ("UPDATE events SET body = replace(body, 'frontier', 'sealed') WHERE counter = 99", set()),
    ("UPDATE events SET time = '2020-01-01T00:00:00Z' WHERE counter = 4", {CHAIN}),
    ("UPDATE events SET body = '{}' WHERE counter = 4", {CHAIN, FILES}),
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
    ("UPDATE events SET body = 'x'", {CHAIN, LOSSES, BUDGETS, PLAIN, FILES}),
    ("UPDATE series SET lineage = 9", {LOSSES, PLAIN}),
    ("UPDATE networks SET id = 99", {PLAIN}),
    ("UPDATE releases SET network = 99 WHERE place = 2", {CHAIN, PLAIN}),
    ("UPDATE releases SET sealed_data = 5 WHERE place = 2", {CHAIN, DATA}),
    ("UPDATE releases SET sealed_charges = 'x' WHERE place = 2", {CHAIN, LOSSES, PLAIN}),
    ("UPDATE networks SET sealed_links = 5", {LOSSES, PLAIN}),
    ("UPDATE releases SET sealed_counted = 'x' WHERE place = 2", {CHAIN}),
]
"""What somebody without the key could do, and which claims then fail."""

SIDE_CHANGES: list[tuple[str, set[int]]] = [
    ("DELETE FROM handouts WHERE release = 4", {FILES}),
    ("UPDATE handouts SET release = 3 WHERE release = 4", {FILES}),
    ("UPDATE handouts SET digest = 'x' WHERE release = 4", {FILES}),
    (
        "UPDATE handouts SET sealed_path = (SELECT sealed_path FROM handouts LIMIT 1) WHERE id = 2",
        {FILES},
    ),
    (
        "INSERT INTO handouts SELECT 9, release, 'x', sealed_path, 1, done FROM handouts LIMIT 1",
        {FILES},
    ),
    ("UPDATE handouts SET public = 0", {FILES}),
]
"""The same, of the files that releases went to."""


def changed(folder: Path, change: str) -> None:
    with contextlib.closing(sqlite3.connect(folder / "ledger.db")) as connection:
        connection.executescript(change)


def finding(ledger: Ledger, place: int) -> LedgerFinding:
    return ledger.check(losses)[place]


def require_found_out(
    ledger: Ledger, folder: Path, changes: Sequence[tuple[str, set[int]]]
) -> None:
    assert all(found.holds for found in ledger.check(losses))
    shutil.copy(folder / "ledger.db", folder / "whole.db")
    for change, broken in changes:
        changed(folder, change)
        checked = ledger.check(losses)
        failing = {place for place, found in enumerate(checked) if not found.holds}
        assert failing == broken, change
        assert all(found.detail for found in checked if not found.holds)
        shutil.copy(folder / "whole.db", folder / "ledger.db")


def test_a_change_is_found_out(ledger: Ledger, folder: Path, network: Network) -> None:
    for number, walk in enumerate(("abc", "abd", "bce")):
        release(ledger, network, walk, folder / f"{number}.veil.json")
    require_found_out(ledger, folder, CHANGES)


def test_a_change_to_deliveries_is_found_out(
    ledger: Ledger, folder: Path, network: Network
) -> None:
    note_releases(ledger, network, folder)
    require_found_out(ledger, folder, SIDE_CHANGES)


def test_another_way_of_composing_is_another_sum(
    ledger: Ledger, folder: Path, network: Network
) -> None:
    release(ledger, network, "abc", folder / "1.veil.json")
    found = ledger.check(lambda links: [loss.__class__("0", "0.0") for loss in losses(links)])
    assert [one.holds for one in found] == [place != LOSSES for place in range(8)]


def test_a_file_for_a_release_that_is_none_is_found_out(
    ledger: Ledger, folder: Path, network: Network
) -> None:
    """A foreign file was taken for a recorded one: ``verify FILES`` asks this table."""
    release(ledger, network, "abc", folder / "1.veil.json")
    changed(folder, "INSERT INTO handouts SELECT 9, 77, 'f', sealed_path, 1, 1 FROM handouts")
    assert ledger.find("f") == (77,)
    found = finding(ledger, FILES)
    assert (found.holds, found.detail) == (
        False,
        "1 files are listed that were not entered, the first of them for release 77",
    )


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
        assert all(one.holds for one in ledger.check(losses))
        for change, detail in (
            ("UPDATE networks SET lineage = 2", "a version of network 2 was entered for another"),
            ("UPDATE networks SET lineage = 2 WHERE id = 2", "a version of network 2 was entered"),
            ("UPDATE lineages SET links = 7 WHERE id = 1", "network 1 is said to have 7 links, "),
            ("UPDATE lineages SET id = 5 WHERE id = 2", "network 5 is said to have 2 links, 0 "),
            ("DELETE FROM lineages WHERE id = 2", "1 networks that were entered are gone"),
            ("DELETE FROM networks WHERE id = 3", "a network that was entered is gone"),
            (
                "INSERT INTO networks SELECT 9, lineage, 'x', 'x', 'x' FROM networks LIMIT 1",
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
            assert all(one.holds for one in ledger.check(losses))


def once_priced(requests: Sequence[Request], history: Past) -> list[DrawnRelease]:
    return [replace(drawn, once="0.5") for drawn in draw(requests, history)]


def wiped(connection: sqlite3.Connection) -> str:
    """Return the statements that leave nothing in a database."""
    tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    return "".join(f"DROP TABLE {name};" for (name,) in tables if not name.startswith("sqlite_"))


def test_a_budget_that_was_entered_is_the_one_in_force(folder: Path, network: Network) -> None:
    with Ledger.begin(folder / "l.db", budget=Fraction(3)) as ledger:
        release(ledger, network, "abc", folder / "1.veil.json")
        asked = [request(network, "abd", folder / "2.veil.json")]
        ledger.record(asked, draw, compose=losses, budget=Fraction(4))
        assert all(one.holds for one in ledger.check(losses))
        with sqlite3.connect(folder / "l.db") as connection:
            connection.execute("UPDATE lineages SET budget = NULL")
        (found,) = (one for one in ledger.check(losses) if not one.holds)
        assert found.detail == "the budget of network 1 is none, 4 was entered"


def test_the_networks_are_read_once(ledger: Ledger, folder: Path, network: Network) -> None:
    """Each row holds all links of a version, sealed; of a large network these are megabytes."""
    release(ledger, network, "abc", folder / "1.veil.json")
    asked: list[str] = []
    found = find_foundation(folder / "ledger.db", key=None)
    with found.store.reading() as connection:
        event.listen(
            connection, "before_cursor_execute", lambda *given: asked.append(str(given[2]))
        )
        check_plain(connection, found.ring)
    found.store.close()
    assert sum("sealed_links" in statement for statement in asked) == 1


TERMS_CHANGES = [
    ("UPDATE series SET policy = 'sealed'", "release 3 is shown with policy sealed or a"),
    ("UPDATE series SET grouping = 'x'", "release 3 is shown with policy balanced or a"),
    ("UPDATE releases SET sealed_charges = x'00'", "the sealed part of charges 3 does not"),
    ("UPDATE releases SET sealed_charges = 5", "the sealed part of charges 3 does not"),
    ("UPDATE releases SET sealed_data = 5", "the sealed part of release 3 does not"),
    ("UPDATE series SET sealed_terms = 'x'", "the sealed part of terms "),
    ("UPDATE networks SET id = 99", None),
    ("UPDATE kinds SET expression = '0', decimal = '0'", None),
    ("UPDATE lineages SET links = 99", None),
]


def test_what_tables_show_of_a_release_is_checked(ledger: Ledger, folder: Path) -> None:
    release_walks(ledger, NETWORK, [(Walk("abc"), folder / "1.veil.json")])
    assert all(one.holds for one in [*ledger.check(compose_losses), check_terms(ledger)])
    shutil.copy(folder / "ledger.db", folder / "whole.db")
    for change, detail in TERMS_CHANGES:
        changed(folder, change)
        found = check_terms(ledger)
        assert (found.holds, found.detail[: len(detail or "")]) == (detail is None, detail or "")
        if detail is None:
            (broken,) = (one for one in ledger.check(compose_losses) if not one.holds)
            assert broken.claim.startswith("numbers of links, prices")
        shutil.copy(folder / "whole.db", folder / "ledger.db")


def test_changed_and_foreign_files_are_found(ledger: Ledger, folder: Path) -> None:
    file = folder / "1.veil.json"
    release_walks(ledger, NETWORK, [(Walk("abc"), file)])
    file.write_text(file.read_text().replace('"direction": true', '"direction": false'))
    found = check_files(ledger, [file])
    assert [one.holds for one in found] == [False]
    assert "no release of this ledger" in found[0].detail
