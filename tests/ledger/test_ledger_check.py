"""A ledger that somebody changed is found out, whatever was changed."""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pyrage
import pytest

from pathveil import Network, Policy
from pathveil.errors import LedgerBroken
from pathveil.files.envelopes import seal_envelope
from pathveil.files.publications.any_publication import publication_content
from pathveil.ledger import pricing, release_walks
from pathveil.ledger.ledger import Ledger
from pathveil.ledger.ledger_check import check_files, check_ledger
from pathveil.ledger.pricing import price_release
from pathveil.model.certificate import Loss
from pathveil.model.publication import Publication
from pathveil.publishing.terms import ReleaseTerms
from tests.ledger.releasing import NETWORK, is_sound, release

CHAIN, MARKS, ROWS, PLACES, DATA, LOSSES = range(6)

CHANGES: list[tuple[str, set[int]]] = [
    ("UPDATE events SET body = replace(body, 'frontier', 'sealed') WHERE counter = 99", set()),
    ("UPDATE handouts SET written = ''", set()),  # the file is written again at no cost
    ("UPDATE handouts SET written = 'x'", {ROWS}),
    ("UPDATE handouts SET written = (SELECT max(written) FROM handouts)", {ROWS}),
    ("UPDATE events SET time = '2020-01-01T00:00:00Z' WHERE counter = 4", {CHAIN}),
    ("UPDATE events SET body = '{}' WHERE counter = 4", {CHAIN, ROWS}),
    ("UPDATE events SET body = 'x'", {CHAIN, ROWS}),
    ("UPDATE events SET kind = 'budget' WHERE counter = 4", {CHAIN, ROWS}),
    ("UPDATE events SET hash = 'x' WHERE counter = 9", {CHAIN, MARKS}),
    ("UPDATE events SET body = replace(body, '3', '50') WHERE kind = 'begun'", {CHAIN}),
    ("DELETE FROM events WHERE kind = 'budget'", {CHAIN}),
    ("UPDATE ledgers SET counter = 4", {CHAIN, MARKS}),
    ("UPDATE ledgers SET latest = '2020-01-01T00:00:00Z'", {CHAIN}),
    ("UPDATE releases SET digest = 'x' WHERE place = 2", {ROWS, DATA}),
    ("UPDATE releases SET spent_decimal = '0.1' WHERE place = 2", {ROWS, LOSSES}),
    ("UPDATE releases SET spent_expression = '0' WHERE place = 2", {ROWS}),
    ("UPDATE releases SET walk = 'x' WHERE place = 1", {ROWS}),
    ("UPDATE releases SET terms = 'x' WHERE place = 1", {ROWS}),
    ("UPDATE releases SET place = 7 WHERE place = 3", {ROWS, PLACES}),
    ("UPDATE releases SET series = 2 WHERE place = 3", {ROWS, PLACES}),
    ("UPDATE releases SET policy = 'sealed' WHERE place = 1", {ROWS, DATA}),
    ("UPDATE releases SET grouping = 'x' WHERE place = 1", {ROWS, DATA}),
    ("UPDATE releases SET lineage = 9 WHERE place = 3", {ROWS, PLACES, LOSSES}),
    ("UPDATE releases SET network = 99 WHERE place = 2", {ROWS, DATA, LOSSES}),
    (
        "DELETE FROM handouts WHERE release = 5; DELETE FROM releases WHERE counter = 5",
        {ROWS, PLACES, LOSSES},
    ),
    (
        "UPDATE releases SET sealed_data = (SELECT sealed_data FROM releases WHERE place = 1)",
        {ROWS, DATA},
    ),
    (
        "UPDATE releases SET sealed_charges = (SELECT sealed_charges FROM releases LIMIT 1)",
        {ROWS, DATA, LOSSES},
    ),
    ("UPDATE releases SET sealed_data = 5 WHERE place = 2", {ROWS, DATA}),
    ("UPDATE releases SET sealed_charges = 'x' WHERE place = 2", {ROWS, DATA, LOSSES}),
    ("UPDATE networks SET counter = 99 WHERE counter = 2", {ROWS, DATA, LOSSES}),
    ("UPDATE networks SET lineage = 2 WHERE counter = 2", {ROWS, DATA, LOSSES}),
    ("UPDATE networks SET sealed_network = 1 << 40", {ROWS, DATA, LOSSES}),
    ("UPDATE networks SET fingerprint = 'x' WHERE counter = 2", {ROWS, DATA, LOSSES}),
    ("DELETE FROM networks WHERE counter = 2", {ROWS, DATA, LOSSES}),
    (
        "INSERT INTO networks SELECT 9, lineage, 'x', 'x' FROM networks LIMIT 1",
        {ROWS, DATA, LOSSES},
    ),
    ("DELETE FROM handouts WHERE release = 4", {ROWS}),
    ("UPDATE handouts SET release = 3 WHERE release = 4", {ROWS}),
    ("UPDATE handouts SET digest = 'x' WHERE release = 4", {ROWS}),
    ("UPDATE handouts SET public = 0", {ROWS}),
    ("INSERT INTO handouts SELECT 90, 77, 'x', 1, written FROM handouts LIMIT 1", {ROWS}),
]
"""What somebody without the key could do, and which claims then fail."""


def changed(folder: Path, change: str) -> None:
    with contextlib.closing(sqlite3.connect(folder / "l.db")) as connection:
        connection.executescript(change)


def test_a_change_is_found_out(folder: Path) -> None:
    """Two versions of one network, a budget, and a file handed out once more are in the ledger."""
    with Ledger.begin(folder / "l.db", budget=Fraction(3)) as ledger:
        for number, walk in enumerate(("abc", "abd", "bce")):
            release(ledger, NETWORK, walk, folder / f"{number}.veil.json")
        release(ledger, NETWORK, "abc", folder / "again.veil")
        grown = Network.from_links([*NETWORK.links, ("a", "d")])
        release(ledger, grown, "adb", folder / "3.veil.json", budget=Fraction(5))
        assert [entry["kind"] for entry in ledger.entries()] == [
            *("begun", "network", "release", "release", "release", "handout"),
            *("network", "budget", "release"),
        ]
        assert is_sound(ledger)
        shutil.copy(folder / "l.db", folder / "whole.db")
        for change, broken in CHANGES:
            changed(folder, change)
            checked = check_ledger(ledger)
            failing = {place for place, one in enumerate(checked) if not one.holds}
            assert failing == broken, change
            assert all(one.detail for one in checked if not one.holds)
            shutil.copy(folder / "whole.db", folder / "l.db")


@pytest.mark.regression("a changed ledger was exported, or ended as a fault of pathveil")
@pytest.mark.parametrize("change", ["events SET body = 'x'", "events SET hash = X'00'"])
def test_a_changed_ledger_is_not_exported(ledger: Ledger, folder: Path, change: str) -> None:
    with contextlib.closing(sqlite3.connect(folder / "ledger.db")) as connection:
        connection.executescript(f"UPDATE {change}")
    with pytest.raises(LedgerBroken):
        list(ledger.entries())


def test_another_way_of_composing_is_another_sum(
    ledger: Ledger, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    release(ledger, NETWORK, "abc", folder / "1.veil.json")
    monkeypatch.setattr(pricing, "compose_losses", lambda links: [Loss("0", "0.0") for _ in links])
    assert [one.holds for one in check_ledger(ledger)] == [place != LOSSES for place in range(6)]


def test_a_release_that_states_other_terms_is_found_out(
    ledger: Ledger, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The key does not help: what was charged for is compared with what the file states."""
    other = ReleaseTerms(Policy.frontier(walk_loss=2))
    monkeypatch.setattr(
        release_walks, "price_release", lambda walk, _, **given: price_release(walk, other, **given)
    )
    release(ledger, NETWORK, "abc", folder / "1.veil.json")
    assert [one.holds for one in check_ledger(ledger)] == [place != DATA for place in range(6)]


@pytest.mark.regression("a release written again in another form was not recognised")
@pytest.mark.parametrize("first", ["1.veil", "1.veil.json"])
def test_a_release_is_known_in_every_form(ledger: Ledger, folder: Path, first: str) -> None:
    file = folder / first
    release(ledger, NETWORK, "abc", file)
    recorded = Publication.load(file)
    forms = [folder / name for name in ("x.veil", "x.veil.json", "o.veil.age", "o.json.age")]
    identity = pyrage.x25519.Identity.generate()
    for path in forms:
        content = publication_content(recorded, path)
        sealed = path.suffix == ".age"
        public = [str(identity.to_public())]
        path.write_bytes(seal_envelope(content, public) if sealed else content)
    other = folder / "foreign.veil"
    Publication.save(replace(recorded, direction=not recorded.direction), other, overwrite=True)
    *known, foreign = check_files(ledger, [*forms, other], identities=[identity])
    assert [finding.holds for finding in known] == [True] * 4
    assert {finding.detail.partition(",")[0] for finding in known} == {known[0].detail[:7]}
    assert not foreign.holds
    closed = check_files(ledger, forms[2:])
    assert all("--identity" in finding.detail and not finding.holds for finding in closed)


def test_changed_and_foreign_files_are_found(ledger: Ledger, folder: Path) -> None:
    file = folder / "1.veil.json"
    release(ledger, NETWORK, "abc", file)
    assert all(one.holds for one in check_files(ledger, [file]))
    file.write_text(file.read_text().replace('"direction": true', '"direction": false'))
    (finding,) = check_files(ledger, [file])
    assert not finding.holds
    assert "no release of this ledger" in finding.detail
