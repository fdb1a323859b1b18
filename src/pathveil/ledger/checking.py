"""Checking a ledger: everything it says is computed again from what it holds.

The *chain*: no entry was changed, taken out or moved, and no mark has seen a later one. The
*series*: places run 1, 2, 3 without gap or fork. The *releases*: the sealed bytes open and have the
digest they should. The *losses*: charged again from the beginning, release by release, every link
has run up what its row says, and the dearest what each release says
(:mod:`~pathveil.ledger.recount`). The *plain columns*: budgets, how many links a network has, what
a kind of charge costs, what a grouping cost, which network a release is of, against what is sealed
or chained (:mod:`~pathveil.ledger.plain_columns`). The *side notes*: which files a release went to,
and what was drawn and refused at the gate (:mod:`~pathveil.ledger.side_notes`). Files at hand are
checked by whoever can read them.

A check is a function that raises what fails, and may return what it could not look at. One that
needs a theory of its own stands in a module of its own.

*Not* checked, for nothing chained vouches for it: whether a file came to lie where it should.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path

from sqlalchemy import Connection, select

from pathveil.errors import LedgerBehind, LedgerBroken
from pathveil.ledger import tables as t
from pathveil.ledger.chain import Chain, chained
from pathveil.ledger.entries import Compose, LedgerFinding
from pathveil.ledger.keys import Keyring
from pathveil.ledger.plain_columns import check_budgets, check_plain
from pathveil.ledger.recording import release_body
from pathveil.ledger.recount import check_losses
from pathveil.ledger.side_notes import check_handouts, check_held


def check_ledger(
    connection: Connection,
    ring: Keyring,
    compose: Compose,
    chain: Chain,
    seen: Sequence[tuple[Path, tuple[int, str]]],
) -> list[LedgerFinding]:
    """Return what holds, claim by claim; ``seen`` is what the marks say."""
    return [
        _try("no entry was changed, taken out or moved", lambda: _check_chain(connection, ring)),
        _try("the ledger is no older than its marks", lambda: _check_marks(chain, seen)),
        _try("places in each series run without gap or fork", lambda: _check_places(connection)),
        _try("every release opens and has its digest", lambda: _check_data(connection, ring)),
        _try(
            "what was spent is what the releases cost",
            lambda: check_losses(connection, ring, compose),
        ),
        _try("every budget is the one that was entered", lambda: check_budgets(connection)),
        _try(
            "numbers of links, prices, groupings and networks are those that were entered",
            lambda: check_plain(connection, ring),
        ),
        _try("every file handed out is one that was entered", lambda: check_handouts(connection)),
        _try(
            "what the gate held back is what was entered and not released since",
            lambda: check_held(connection, ring),
        ),
    ]


def _try(claim: str, check: Callable[[], str | None]) -> LedgerFinding:
    """Return a finding: a check raises what fails, and may return what it could not look at."""
    try:
        detail = check()
    except (LedgerBroken, LedgerBehind) as error:
        return LedgerFinding(claim, holds=False, detail=str(error))
    except (LookupError, ValueError, TypeError, AttributeError):
        # Entries and rows that were changed need not even have the shape of entries and rows.
        return LedgerFinding(claim, holds=False, detail="what there is cannot be read as entered")
    return LedgerFinding(claim, holds=True, detail=detail or "")


def _check_marks(chain: Chain, seen: Sequence[tuple[Path, tuple[int, str]]]) -> None:
    for path, mark in seen:
        chain.require_reached(path, mark)


def _check_chain(connection: Connection, ring: Keyring) -> None:
    head, expected, latest = "", 0, ""
    bodies = _bodies(connection)
    for row in connection.execute(select(t.events).order_by(t.events.c.counter)):
        expected, latest = expected + 1, row.time
        if row.counter != expected:
            raise LedgerBroken(f"entry {expected} is missing")
        head = ring.chain(head, chained(row.counter, row.kind, row.time, row.body))
        if head != row.hash:
            raise LedgerBroken(f"entry {row.counter} is not the one that was written")
        if row.kind == "release" and _own_part(row.body) != next(bodies, None):
            raise LedgerBroken(f"the release of entry {row.counter} is not the one entered")
    end = connection.execute(select(t.ledgers)).one()
    if (end.counter, end.head) != (expected, head):
        raise LedgerBroken(f"the chain ends with entry {expected}, the ledger says {end.counter}")
    if end.latest != latest:
        raise LedgerBroken(f"the last entry is of {latest}, the ledger says of {end.latest}")


def _own_part(body: str) -> str:
    """Return an entry of a release without the file it went to: that has a table of its own."""
    parts = json.loads(body)
    parts.pop("handout", None)
    return json.dumps(parts, sort_keys=True)


def _bodies(connection: Connection) -> Iterator[str]:
    """Yield what the chain should say of each release, from the release's own row."""
    for row in connection.execute(select(t.releases).order_by(t.releases.c.counter)):
        parts = dict(row._mapping)  # noqa: SLF001 - SQLAlchemy's public name for it
        parts.pop("counter")
        sealed = {name: parts.pop(name) for name in list(parts) if name.startswith("sealed_")}
        yield json.dumps(release_body(parts, sealed), sort_keys=True)


def _check_places(connection: Connection) -> None:
    length: dict[int, int] = {}
    columns = t.releases.c.series, t.releases.c.place
    for series, place in connection.execute(select(*columns).order_by(t.releases.c.counter)):
        length[series] = length.get(series, 0) + 1
        if place != length[series]:
            raise LedgerBroken(
                f"series {series} has place {place} where {length[series]} should stand"
            )
    for row in connection.execute(select(t.series.c.id, t.series.c.length)):
        if row.length != length.get(row.id, 0):
            raise LedgerBroken(
                f"series {row.id} says it has {row.length} releases, there are "
                f"{length.get(row.id, 0)}"
            )


def _check_data(connection: Connection, ring: Keyring) -> None:
    columns = t.releases.c.counter, t.releases.c.digest, t.releases.c.sealed_data
    for row in connection.execute(select(*columns)):
        data = ring.unseal(row.sealed_data, about=f"release {row.counter}")
        if sha256(data).hexdigest() != row.digest:
            raise LedgerBroken(f"release {row.counter} holds other bytes than its digest says")
