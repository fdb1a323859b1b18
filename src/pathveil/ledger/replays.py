"""Replays: releases of the past that answer a request without a charge.

The same walk through the same network under the same terms is given back. Who asks for fresh coins
gets a release of the past in one case only: it was recorded and paid for, for this very file, and
the file was never there.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Row, select

from pathveil.ledger import tables as t
from pathveil.ledger.entries import Recorded, Request
from pathveil.ledger.keys import Keyring
from pathveil.model.certificate import Loss

Known = Recorded | int | None
"""A release that is there; the place in the list of a request for the same; or nothing yet."""


def find_known(connection: Connection, ring: Keyring, requests: Sequence[Request]) -> list[Known]:
    """Return for each request the release that answers it without a charge."""
    found: list[Known] = []
    first: dict[tuple[str, str], int] = {}
    for place, request in enumerate(requests):
        row = _waiting(connection, ring, request) if request.fresh else None
        if not request.fresh:
            row = connection.execute(_same(ring, request).limit(1)).one_or_none()
        key = ring.walk(request.walk), request.terms
        if row is not None:
            found.append(_opened(ring, row))
        elif request.fresh:
            found.append(None)
        else:
            found.append(first.get(key))
            first.setdefault(key, place)
    return found


def _same(ring: Keyring, request: Request) -> Any:
    """Return the query for releases of this walk through this network under these terms."""
    return (
        select(t.releases)
        .join(t.networks, t.networks.c.id == t.releases.c.network)
        .join(t.series, t.series.c.id == t.releases.c.series)
        .where(
            t.networks.c.fingerprint == ring.network(request.network),
            t.releases.c.walk == ring.walk(request.walk),
            t.series.c.fingerprint == ring.text(request.terms),
        )
        .order_by(t.releases.c.counter.desc())
    )


def _waiting(connection: Connection, ring: Keyring, request: Request) -> Row[Any] | None:
    """Return a release that was recorded for this very file and never came to lie there.

    Somebody asked for fresh coins and was killed. Asked again, the release he paid for is his.
    """
    if request.output is None:
        return None
    query = _same(ring, request).join(t.handouts, t.handouts.c.release == t.releases.c.counter)
    query = query.add_columns(t.handouts.c.sealed_path, t.handouts.c.digest.label("parcel"))
    for row in connection.execute(query.where(~t.handouts.c.done)):
        path = ring.unseal(row.sealed_path, about=f"handout {row.counter}").decode()
        if path == str(request.output.absolute()) and not _lies_there(path, row.parcel):
            return row
    return None


def _lies_there(path: str, digest: str) -> bool:
    try:
        return sha256(Path(path).read_bytes()).hexdigest() == digest
    except OSError:
        return False


def _opened(ring: Keyring, row: Row[Any]) -> Recorded:
    """Return a release of the past from its row."""
    return Recorded(
        counter=row.counter,
        series=row.series,
        place=row.place,
        digest=row.digest,
        data=ring.unseal(row.sealed_data, about=f"release {row.counter}"),
        replayed=True,
        spent=Loss(row.spent_expression, row.spent_decimal),
        budget=None,
    )
