"""check_ledger(), check_files(): everything a ledger says is computed again from what it holds.

The *chain*: no entry was changed, taken out or moved, and no mark has seen a later one. The *rows*:
whoever can write to the database can change a column without the key, so each row of a network, a
release or a file is compared with the entry that vouches for it. The *series*: places run 1, 2, 3
without gap or fork. The *releases*: the sealed bytes open, have the digest they should, and state
the terms that were charged for. The *losses*: what each release charged is sealed beside it, so all
are charged again from the beginning, and must come after each release to what it says that the most
charged link has run up.

*Not* checked: that a file is still where it was written. A note that it was written can be taken
out, and then the same command writes it again and charges nothing; it cannot be forged.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path

from sqlalchemy import select

from pathveil.errors import BadFile, LedgerBroken, PathveilError
from pathveil.files.atomic_write import open_file
from pathveil.files.envelopes import is_envelope, open_envelope
from pathveil.files.publications.any_publication import publication_from
from pathveil.ledger import ledger_tables as t
from pathveil.ledger.chain import require_chained, require_entered
from pathveil.ledger.ledger import Ledger
from pathveil.ledger.past import StoredRelease
from pathveil.model.certificate import Finding
from pathveil.model.publication import Publication


def check_ledger(ledger: Ledger) -> list[Finding]:
    """Return what holds of the ledger itself, claim by claim."""
    checks: dict[str, Callable[[Ledger], None]] = {
        "no entry was changed, taken out or moved": _check_chain,
        "the ledger is no older than its marks": Ledger.require_unlost,
        "every network, release and file is the one that was entered": _check_rows,
        "places in each series run without gap or fork": _check_places,
        "every release opens, has its digest and states the terms it was charged for": _check_data,
        "what was spent is what the releases cost": _check_losses,
    }
    return [_try(claim, check, ledger) for claim, check in checks.items()]


def _try(claim: str, check: Callable[[Ledger], None], ledger: Ledger) -> Finding:
    """Return a finding: a check raises what fails."""
    try:
        check(ledger)
    except PathveilError as error:
        return Finding(claim, holds=False, detail=str(error))
    except (LookupError, ValueError, TypeError, AttributeError):
        # Entries and rows that were changed need not even have the shape of entries and rows.
        return Finding(claim, holds=False, detail="what there is cannot be read as entered")
    return Finding(claim, holds=True)


def _check_chain(ledger: Ledger) -> None:
    with ledger.store.reading() as connection:
        require_chained(connection, ledger.ring)


def _check_rows(ledger: Ledger) -> None:
    with ledger.store.reading() as connection:
        require_entered(connection, ledger.ring)


def _check_places(ledger: Ledger) -> None:
    columns = t.releases.c.lineage, t.releases.c.series, t.releases.c.place
    length: Counter[tuple[int, int]] = Counter()
    with ledger.store.reading() as connection:
        for lineage, series, place in connection.execute(
            select(*columns).order_by(t.releases.c.counter)
        ):
            length[lineage, series] += 1
            if place != length[lineage, series]:
                raise LedgerBroken(
                    f"series {series} of network {lineage} has place {place} where "
                    f"{length[lineage, series]} should be"
                )


def _check_data(ledger: Ledger) -> None:
    for past in ledger.pasts():
        for release in past.releases:
            data = ledger.read(release.row.counter)
            if sha256(data).hexdigest() != release.row.digest:
                raise LedgerBroken(
                    f"entry {release.row.counter} holds other bytes than its digest says"
                )
            publication = publication_from(data, f"entry {release.row.counter}")
            fault = _misstated(publication, release)
            if fault is not None:
                raise LedgerBroken(f"entry {release.row.counter} {fault}")


def _misstated(publication: Publication, release: StoredRelease) -> str | None:
    """Return what a release states otherwise than it was charged for, or tables show of it."""
    terms, stated = json.loads(release.drawn.terms), publication.policy
    if publication.series is not None and publication.series.place != release.row.place:
        return f"says place {publication.series.place}, the ledger {release.row.place}"
    priced = {
        (facts["policy"], tuple(sorted(facts["parameters"].items())))
        for facts in map(json.loads, release.drawn.kinds)
    }
    if str(stated) != terms["policy"] or priced != {
        (stated.name, tuple(sorted(stated.parameters)))
    }:
        return f"states {stated}, the ledger charged for {terms['policy']}"
    if (release.row.policy, release.row.grouping) != (stated.name, terms["grouping"]):
        return f"is shown with policy {release.row.policy} or a grouping it was not released under"
    return None


def _check_losses(ledger: Ledger) -> None:
    for past in ledger.pasts():
        for row, account in zip(past.rows, past.accounts(), strict=True):
            if account.spent.decimal != row.spent.decimal:
                raise LedgerBroken(
                    f"after entry {row.counter} the largest loss of a link is {account.spent}, "
                    f"the ledger says {row.spent.decimal}"
                )


def check_files(
    ledger: Ledger, files: Sequence[Path], *, identities: Sequence[object] = ()
) -> list[Finding]:
    """Return for each file at hand whether the ledger, unchanged, recorded what it holds.

    A file that does not have the bytes that were handed out may be the same publication in another
    form, compact, readable or encrypted: then every fact in it is compared, drawings that follow
    from the bits aside.
    """
    tried = [_try("", check, ledger) for check in (_check_chain, _check_rows)]
    changed = next((f"the ledger was changed: {one.detail}" for one in tried if one.detail), "")
    if changed:  # nothing in it is asked
        return [Finding(f"{path} is recorded", holds=False, detail=changed) for path in files]
    entries: dict[Path, str] = {}
    faults: dict[Path, str] = {}
    unknown: dict[Path, Publication] = {}
    for path in files:
        try:
            with open_file(path) as file:
                data = file.read()
            counters = ledger.find(sha256(data).hexdigest())
            if not counters and identities and is_envelope(data):
                data = open_envelope(data, identities, str(path))
                counters = ledger.find(sha256(data).hexdigest())
            if counters:
                entries[path] = _listed(counters)
            else:
                unknown[path] = publication_from(data, str(path))
        except BadFile as error:
            faults[path] = str(error)
    for path, counters in _with_same_facts(ledger, unknown).items():
        entries[path] = f"{_listed(counters)}, in another form"
    return [
        Finding(
            f"{path} is recorded",
            holds=path in entries,
            detail=entries.get(path) or faults.get(path, _UNKNOWN),
        )
        for path in files
    ]


_UNKNOWN = (
    "no release of this ledger is this publication: the file was changed, or released without the "
    "ledger or since its backup"
)


def _listed(counters: Sequence[int]) -> str:
    return ", ".join(f"entry {counter}" for counter in counters)


def _with_same_facts(
    ledger: Ledger, files: Mapping[Path, Publication]
) -> dict[Path, tuple[int, ...]]:
    """Return the releases that are the very publications of files, for those that have any."""
    same: dict[Path, tuple[int, ...]] = {}
    if not files:
        return same
    for past in ledger.pasts():
        for release in past.releases:
            counter = release.row.counter
            recorded = publication_from(ledger.read(counter), f"entry {counter}")
            for path, publication in files.items():
                if publication == recorded:
                    same[path] = (*same.get(path, ()), counter)
    return same
