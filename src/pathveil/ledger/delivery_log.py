"""What a ledger notes beside its releases: files they went to, and coins the gate refused.

Both stand in tables of their own, because files come and go and held coins are taken out once they
are released. So that no row can be added, exchanged or taken out unseen, each is entered in the
chain: the file of a new release with the release, a further file and held coins as entries of their
own. Entries hold digests only, those of held coins keyed: they tell that something was refused, not
which walk.

*Not* vouched for: whether a file came to lie where it should (``done``), which is set afterwards.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from sqlalchemy import ColumnElement, Connection, delete, insert, select

from pathveil.errors import LedgerBroken
from pathveil.ledger import ledger_tables as t
from pathveil.ledger.chain import Chain, told
from pathveil.ledger.entries import Request
from pathveil.ledger.keys import Keyring, power_of_two
from pathveil.model.network import Network

Note = tuple[int, str, str]
"""A file that a release went to: number of the release, digest, digest of its sealed path."""


def handout_body(values: Mapping[str, Any]) -> dict[str, str]:
    """Return what the chain says of a file that a release goes to."""
    return {
        "digest": values["digest"],
        "sealed_path": sha256(values["sealed_path"]).hexdigest(),
    }


def held_label(values: Mapping[str, Any]) -> str:
    """Return what held coins are sealed for: this walk and no other."""
    return "held " + json.dumps([values[name] for name in ("network", "walk", "terms", "basis")])


def held_body(ring: Keyring, values: Mapping[str, Any]) -> dict[str, str]:
    """Return what the chain says of held coins."""
    return {
        "request": _request(ring, values["network"], values["walk"], values["terms"]),
        "basis": ring.text(f"basis {values['basis']}"),
        "sealed_data": sha256(values["sealed_data"]).hexdigest(),
    }


def _request(ring: Keyring, network: str, walk: str, terms: str) -> str:
    return ring.text(f"held for {network} {walk} {terms}")


def open_held(ring: Keyring, values: Mapping[str, Any]) -> bytes:
    """Return held coins."""
    return ring.unseal(values["sealed_data"], about=held_label(values))


def hold_back(
    connection: Connection, ring: Keyring, chain: Chain, drawn: tuple[Request, str, bytes]
) -> None:
    """Keep what was drawn for a request and refused, unless it is kept already."""
    request, basis, data = drawn
    values: dict[str, Any] = {
        "network": ring.network(request.network),
        "walk": ring.walk(request.walk),
        "terms": ring.text(request.terms),
        "basis": basis,
    }
    same = *same_held(ring, request), t.held.c.basis == basis
    there = connection.execute(select(t.held).where(*same)).mappings().one_or_none()
    if there is not None and open_held(ring, dict(there)) == data:
        return
    sealed = ring.seal(data, about=held_label(values), room=_held_room(request.network))
    values["sealed_data"] = sealed
    connection.execute(delete(t.held).where(*same))
    connection.execute(insert(t.held).values(values))
    chain.enter("held", held_body(ring, values))


def same_held(ring: Keyring, request: Request) -> tuple[ColumnElement[bool], ...]:
    """Return which rows hold what was drawn for a request and refused."""
    return (
        t.held.c.network == ring.network(request.network),
        t.held.c.walk == ring.walk(request.walk),
        t.held.c.terms == ring.text(request.terms),
    )


def _held_room(network: Network) -> int:
    """Return the room in bytes that drawn coins are held in, however they fell.

    A publication with one copy of each vertex goes in up to about 1400 vertices; what is longer
    gets twice the room, and so on.
    """
    size = len(network.vertices)
    names = sum(len(name.encode("utf-8", "surrogatepass")) for name in network.vertices)
    # Measured, the text of a publication packs into at most 5/6 of a byte for each pair.
    return power_of_two(min(4096 + 2 * names + size * (size - 1) // 2, 1 << 20))


def check_handouts(connection: Connection) -> None:
    """Raise unless the files that releases went to are those that were entered."""
    entered: Counter[Note] = Counter()
    for counter, kind, body in told(connection, "release", "handout"):
        if kind == "handout":
            entered[body["release"], body["digest"], body["sealed_path"]] += 1
        elif body["handout"] is not None:
            entered[counter, body["handout"]["digest"], body["handout"]["sealed_path"]] += 1
    columns = t.handouts.c.release, t.handouts.c.digest, t.handouts.c.sealed_path
    stored = Counter(
        (row.release, row.digest, sha256(row.sealed_path).hexdigest())
        for row in connection.execute(select(*columns))
    )
    gone, added = entered - stored, stored - entered
    if gone:
        raise LedgerBroken(
            f"{gone.total()} of {entered.total()} files that were entered for a release are gone "
            f"from the list or were changed there, the first of them that of release {min(gone)[0]}"
        )
    if added:
        raise LedgerBroken(
            f"{len(added)} files are listed that were not entered, the first of them for release "
            f"{min(added)[0]}"
        )


def check_held(connection: Connection, ring: Keyring) -> None:
    """Raise unless held coins are those that were entered and not released since."""
    waiting = _waiting(connection, ring)
    for row in connection.execute(select(t.held)):
        body = held_body(ring, dict(row._mapping))  # noqa: SLF001 - SQLAlchemy's name for it
        if waiting.pop((body["request"], body["basis"]), None) != body["sealed_data"]:
            raise LedgerBroken("coins that the gate refused were added, or exchanged for others")
    if waiting:
        raise LedgerBroken(
            f"coins that the gate refused are gone for {len(waiting)} walks: they would be thrown "
            "again until the gate opens, which tells about the walk"
        )


def _waiting(connection: Connection, ring: Keyring) -> dict[tuple[str, str], str]:
    """Return what should be held: entered, and not released since."""
    networks = {row.id: row.fingerprint for row in connection.execute(select(t.networks))}
    series = {row.id: row.fingerprint for row in connection.execute(select(t.series))}
    found: dict[tuple[str, str], str] = {}
    for _, kind, body in told(connection, "release", "held"):
        if kind == "held":
            found[body["request"], body["basis"]] = body["sealed_data"]
        elif found:
            names = networks[body["network"]], body["walk"], series[body["series"]]
            out = _request(ring, *names)
            found = {key: digest for key, digest in found.items() if key[0] != out}
    return found
