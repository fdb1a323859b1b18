"""check_files(), check_terms(): whether files and releases say what a ledger recorded of them.

A ledger checks by itself what it holds (:mod:`pathveil.ledger.ledger_check`); it knows no
publication.
Whoever can read one compares what it states with what was entered and charged for.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

from pathveil.errors import PathveilError
from pathveil.files.envelopes import open_envelope
from pathveil.files.publications.any_publication import publication_from
from pathveil.ledger.entries import ChargedRelease, LedgerFinding
from pathveil.ledger.ledger import Ledger
from pathveil.model.publication import Publication


def check_files(
    ledger: Ledger, files: Sequence[Path], *, identities: Sequence[object] = ()
) -> list[LedgerFinding]:
    """Return for each file at hand whether the ledger recorded exactly it, and what it cost."""
    found = []
    for path in files:
        data = path.read_bytes()
        counters = ledger.find(sha256(data).hexdigest())
        if not counters and identities:
            inside = open_envelope(data, identities, str(path))
            counters = ledger.find(sha256(inside).hexdigest())
        known = ", ".join(f"release {counter}" for counter in counters)
        detail = known or (
            "no release of this ledger has these bytes: the file was changed, or was released "
            "without the ledger or since its backup"
        )
        found.append(LedgerFinding(f"{path} is recorded", holds=bool(counters), detail=detail))
    return found


def check_terms(ledger: Ledger) -> LedgerFinding:
    """Return whether every recorded release states the terms and the place it was charged for.

    The policy and the grouping that tables show beside it are compared as well.
    """
    claim = "every release states the policy and place it was charged for"
    try:
        for charged in ledger.charged():
            found = publication_from(ledger.read(charged.counter), f"release {charged.counter}")
            detail = _misstated(found, charged)
            if detail is not None:
                detail = f"release {charged.counter} {detail}"
                return LedgerFinding(claim, holds=False, detail=detail)
    except PathveilError as error:  # it names the release: what was sealed, or cannot be read
        return LedgerFinding(claim, holds=False, detail=str(error))
    return LedgerFinding(claim, holds=True)


def _misstated(found: Publication, charged: ChargedRelease) -> str | None:
    """Return what a release states otherwise than it was charged for, or tables show of it."""
    terms, stated = json.loads(charged.terms), found.policy
    if found.series is not None and found.series.place != charged.place:
        return f"says place {found.series.place}, the ledger {charged.place}"
    priced = {
        (told["policy"], tuple(sorted(told["parameters"].items())))
        for told in map(json.loads, charged.kinds)
    }
    if str(stated) != terms["policy"] or priced != {
        (stated.name, tuple(sorted(stated.parameters)))
    }:
        return f"states {stated}, the ledger charged for {terms['policy']}"
    if (charged.policy, charged.grouping) != (stated.name, terms["grouping"]):
        return f"is shown with policy {charged.policy} or a grouping it was not released under"
    return None
