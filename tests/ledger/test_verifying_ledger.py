"""Files and releases that say something else than the ledger recorded are found."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path

import pytest

from pathveil import Network, Walk
from pathveil.ledger.file_check import check_files, check_terms
from pathveil.ledger.ledger import Ledger
from pathveil.ledger.pricing import compose_losses
from pathveil.ledger.release_walks import release_walks

NETWORK = Network.parse("ab bc cd de ef bd ce af")


@pytest.mark.parametrize(
    ("change", "detail"),
    [
        ("UPDATE series SET policy = 'sealed'", "release 3 is shown with policy sealed or a"),
        ("UPDATE series SET grouping = 'x'", "release 3 is shown with policy balanced or a"),
        ("UPDATE releases SET sealed_charges = x'00'", "the sealed part of charges 3 does not"),
        ("UPDATE releases SET sealed_charges = 5", "the sealed part of charges 3 does not"),
        ("UPDATE releases SET sealed_data = 5", "the sealed part of release 3 does not"),
        ("UPDATE series SET sealed_terms = 'x'", "the sealed part of terms "),
        ("UPDATE networks SET id = 99", None),
        ("UPDATE kinds SET expression = '0', decimal = '0'", None),
        ("UPDATE lineages SET links = 99", None),
    ],
)
def test_what_tables_show_of_a_release_is_checked(
    ledger: Ledger, folder: Path, change: str, detail: str | None
) -> None:
    release_walks(ledger, NETWORK, [(Walk("abc"), folder / "1.veil.json")])
    assert all(finding.holds for finding in [*ledger.check(compose_losses), check_terms(ledger)])
    with contextlib.closing(sqlite3.connect(folder / "ledger.db")) as connection:
        connection.executescript(change)
    found = check_terms(ledger)
    assert (found.holds, found.detail[: len(detail or "")]) == (detail is None, detail or "")
    if detail is None:
        (broken,) = (finding for finding in ledger.check(compose_losses) if not finding.holds)
        assert broken.claim.startswith("numbers of links, prices")


def test_changed_and_foreign_files_are_found(ledger: Ledger, folder: Path) -> None:
    file = folder / "1.veil.json"
    release_walks(ledger, NETWORK, [(Walk("abc"), file)])
    file.write_text(file.read_text().replace('"direction": true', '"direction": false'))
    found = check_files(ledger, [file])
    assert [finding.holds for finding in found] == [False]
    assert "no release of this ledger" in found[0].detail
