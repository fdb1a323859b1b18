"""What is recorded tells nothing to who has no key, not even by its length."""

from __future__ import annotations

import contextlib
import itertools
import sqlite3
from pathlib import Path

from pathveil import Network, Policy, Walk, publish
from pathveil.files.publications.veil_json import publication_text
from pathveil.ledger.entries import Request
from pathveil.ledger.ledger import Ledger
from tests.ledger.releasing import TERMS, draw, losses


def test_the_length_of_a_sealed_row_does_not_tell_that_of_the_walk(
    ledger: Ledger, folder: Path
) -> None:
    names = [f"v{number:03d}" for number in range(200)]
    line = Network.from_links(list(itertools.pairwise(names)))
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
