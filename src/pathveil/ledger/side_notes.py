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
from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Any

from sqlalchemy import Connection, select

from pathveil.errors import LedgerBroken
from pathveil.ledger import tables as t
from pathveil.ledger.keys import Keyring

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
    """Return held coins; those from before they were sealed for one walk open as well."""
    try:
        return ring.unseal(values["sealed_data"], about=held_label(values))
    except LedgerBroken:
        return ring.unseal(values["sealed_data"], about=_former_label(values))


def _former_label(values: Mapping[str, Any]) -> str:
    return f"held on {values['basis']}"


def check_handouts(connection: Connection) -> str | None:
    """Compare the files that releases went to with those entered.

    Returns what could not be compared: files of releases recorded before files were entered.
    """
    entered: Counter[Note] = Counter()
    former: set[int] = set()
    for counter, kind, body in _entries(connection, "release", "handout"):
        if kind == "handout":
            entered[body["release"], body["digest"], body["sealed_path"]] += 1
        elif "handout" not in body:
            former.add(counter)
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
    foreign = {note for note in added if note[0] not in former}
    if foreign:
        raise LedgerBroken(
            f"{len(foreign)} files are listed that were not entered, the first of them for release "
            f"{min(foreign)[0]}"
        )
    if not added:
        return None
    return (
        f"{added.total()} files were not compared: their releases were recorded before files were "
        "entered"
    )


def check_held(connection: Connection, ring: Keyring) -> str | None:
    """Compare held coins with those entered and not released since.

    Returns what could not be compared: coins held before they were entered.
    """
    waiting = _waiting(connection, ring)
    unknown = 0
    for row in connection.execute(select(t.held)):
        values = dict(row._mapping)  # noqa: SLF001 - SQLAlchemy's public name for it
        body = held_body(ring, values)
        found = waiting.pop((body["request"], body["basis"]), None)
        if found is None:
            ring.unseal(row.sealed_data, about=_former_label(values))
            unknown += 1
        elif found != body["sealed_data"]:
            raise LedgerBroken("coins that the gate refused were exchanged for others")
    if waiting:
        raise LedgerBroken(
            f"coins that the gate refused are gone for {len(waiting)} walks: they would be thrown "
            "again until the gate opens, which tells about the walk"
        )
    if not unknown:
        return None
    return (
        f"coins held for {unknown} walks were not compared: they are from before that was entered"
    )


def _waiting(connection: Connection, ring: Keyring) -> dict[tuple[str, str], str]:
    """Return what should be held: entered, and not released since."""
    networks = {row.id: row.fingerprint for row in connection.execute(select(t.networks))}
    series = {row.id: row.fingerprint for row in connection.execute(select(t.series))}
    found: dict[tuple[str, str], str] = {}
    for _, kind, body in _entries(connection, "release", "held"):
        if kind == "held":
            found[body["request"], body["basis"]] = body["sealed_data"]
        elif found:
            names = networks[body["network"]], body["walk"], series[body["series"]]
            out = _request(ring, *names)
            found = {key: digest for key, digest in found.items() if key[0] != out}
    return found


def _entries(connection: Connection, *kinds: str) -> Iterator[tuple[int, str, dict[str, Any]]]:
    columns = t.events.c.counter, t.events.c.kind, t.events.c.body
    query = select(*columns).where(t.events.c.kind.in_(kinds)).order_by(t.events.c.counter)
    for row in connection.execute(query):
        yield row.counter, row.kind, json.loads(row.body)
