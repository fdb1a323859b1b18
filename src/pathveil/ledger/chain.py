"""The chain: every entry of a ledger, numbered, each vouching for all before it.

An entry's value is a keyed digest of the value before and of its own text, so no entry can be
changed, taken out or moved without the key. Numbers order things; times are only told, and never
run backwards: while a clock is behind the last entry, that entry's time is told again.

High-water marks: how a ledger that was restored from an old backup is noticed.

A backup of the database, put back, has forgotten what was released since; going on from it would
spend the same budget twice and fork every series. So the number and the chain's value of the last
entry are also kept elsewhere: beside the key, and in each folder files were handed out to. They are
raised after a release is recorded and before its file is there, so a mark is never ahead of a
ledger that has not lost anything. A mark is sealed with the ledger's key, and all are of one size:
who is handed the folder learns nothing from it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, insert, select, update

from pathveil.errors import BadFile, LedgerBehind, LedgerBroken, LedgerUnreachable
from pathveil.files.atomic_write import part_of
from pathveil.files.safe_open import open_plain
from pathveil.ledger import ledger_tables as t
from pathveil.ledger.keys import Keyring

_ROOM = 256


class Mark:
    """A number that only grows, with the chain's value at that number."""

    def __init__(self, path: Path, ring: Keyring, uid: str) -> None:
        self.path = path
        self._ring, self._about = ring, f"mark of {uid}"

    def read(self) -> tuple[int, str]:
        """Return number and chain value; (0, "") where there is no mark."""
        try:
            with os.fdopen(open_plain(self.path), "rb") as file:
                sealed = file.read(2 * _ROOM)
        except FileNotFoundError:
            return 0, ""
        except OSError as error:
            raise LedgerUnreachable(
                f"{self.path}: the ledger's mark cannot be read ({error.strerror}), so nobody can "
                "tell whether the ledger is an old backup: mend that, then run the same command "
                "again"
            ) from None
        try:
            counter, _, head = self._ring.unseal(sealed, about=self._about).decode().partition(" ")
        except LedgerBroken:
            raise LedgerBroken(
                f"{self.path}: does not open with this ledger's key: it was changed, or belongs to "
                "another ledger; if you are sure that no release is missing here, remove it"
            ) from None
        return int(counter), head

    def write(self, counter: int, head: str) -> None:
        """Set the mark, by whoever holds the ledger's lock and has read the mark before."""
        sealed = self._ring.seal(f"{counter} {head}".encode(), about=self._about, room=_ROOM)
        try:
            with part_of(self.path, private=True, replacing=True) as aside:
                aside.write_bytes(sealed)
        except BadFile as error:
            raise LedgerUnreachable(
                f"{error}. This is the ledger's mark; the release is recorded but was not handed "
                "out: mend that, then run the same command again and it is"
            ) from None


class Chain:
    """The end of the chain, held for one transaction."""

    def __init__(self, connection: Connection, ring: Keyring) -> None:
        self._connection, self._ring = connection, ring
        row = connection.execute(select(t.ledgers)).one()
        self.counter: int = row.counter
        self.head: str = row.head
        self._latest: str = row.latest

    def enter(self, kind: str, body: Mapping[str, Any]) -> int:
        """Add an entry and return its number."""
        self.counter += 1
        time = max(entry_time(datetime.now(UTC)), self._latest)
        words = json.dumps(body, sort_keys=True)
        self.head = self._ring.chain(self.head, chained(self.counter, kind, time, words))
        self._latest = time
        values = {"counter": self.counter, "kind": kind, "time": time, "body": words}
        self._connection.execute(insert(t.events).values(values | {"hash": self.head}))
        return self.counter

    def close(self) -> None:
        """Write down how far the chain has come."""
        values = {"counter": self.counter, "head": self.head, "latest": self._latest}
        self._connection.execute(update(t.ledgers).values(values))

    def budget(self, lineage: int | None) -> Fraction | None:
        """Return the largest loss allowed over a network: its own limit, or that of all."""
        limits: dict[int | None, str | None] = {}
        for _, _, body in entered(self._connection, "begun", "budget"):
            limits[body.get("network")] = body.get("budget")
        limit = limits.get(lineage, limits.get(None))
        return None if limit is None else t.exact_limit(limit, "the budget")

    def require_reached(self, path: Path, seen: tuple[int, str]) -> None:
        """Raise unless the chain holds the entry that a mark has seen."""
        counter, head = seen
        if counter > self.counter:
            raise LedgerBehind(
                f"the ledger ends with entry {self.counter}, but {path} has seen entry "
                f"{counter}: the ledger was restored from an old backup, and releases since then "
                "would be forgotten. Nothing was released; restore the newest backup"
            )
        if counter:
            query = select(t.events.c.hash).where(t.events.c.counter == counter)
            if self._connection.execute(query).scalar_one_or_none() != head:
                raise LedgerBehind(
                    f"entry {counter} of the ledger is not the one {path} has seen: the "
                    "ledger was restored from an old backup and went on from there, or was "
                    "changed. Nothing was released; restore the right one"
                )


def entry_time(moment: datetime) -> str:
    """Return a time as entries tell it: to the second, in UTC, so that text sorts by time.

    >>> entry_time(datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC))
    '2026-01-02T03:04:05Z'
    """
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def entered(connection: Connection, *kinds: str) -> Iterator[tuple[int, str, dict[str, Any]]]:
    """Yield the entries of some kinds, oldest first: number, kind, what was entered."""
    columns = t.events.c.counter, t.events.c.kind, t.events.c.body
    query = select(*columns).where(t.events.c.kind.in_(kinds)).order_by(t.events.c.counter)
    for row in connection.execute(query):
        try:
            yield row.counter, row.kind, dict(json.loads(row.body))
        except (ValueError, TypeError, RecursionError):
            raise LedgerBroken(
                f"entry {row.counter} cannot be read: the ledger was changed; restore it from a "
                "backup and run 'pathveil ledger verify'"
            ) from None


def require_chained(connection: Connection, ring: Keyring) -> None:
    """Raise if an entry was changed, taken out or moved."""
    head, expected, latest = "", 0, ""
    for row in connection.execute(select(t.events).order_by(t.events.c.counter)):
        expected, latest = expected + 1, row.time
        if row.counter != expected:
            raise LedgerBroken(f"entry {expected} is missing")
        head = ring.chain(head, chained(row.counter, row.kind, row.time, row.body))
        if head != row.hash:
            raise LedgerBroken(f"entry {row.counter} is not the one that was written")
    end = connection.execute(select(t.ledgers)).one()
    if (end.counter, end.head, end.latest) != (expected, head, latest):
        raise LedgerBroken(
            f"the chain ends with entry {expected} of {latest}, the ledger says {end.counter} of "
            f"{end.latest}"
        )


def require_entered(connection: Connection, ring: Keyring, *, sealed: bool = True) -> None:
    """Raise if a network, a release or a file is not the one that was entered.

    Parameters
    ----------
    sealed
        Whether sealed columns are compared too, which takes reading every release. They open only
        with the key, in their own row.
    """
    tables = {"networks": t.networks, "releases": t.releases, "handouts": t.handouts}
    vouched: dict[tuple[str, int], dict[str, Any]] = {}
    for counter, kind, body in entered(connection, "network", "release", "handout"):
        if kind == "release":
            vouched["handouts", counter] = body.pop("handout")
        vouched[f"{kind}s", counter] = body
    for name, table in tables.items():
        columns = [one for one in table.c if sealed or not one.name.startswith("sealed_")]
        for row in connection.execute(select(*columns)).mappings():
            body = t.body_of({**row})
            entry = vouched.pop((name, row["counter"]), {})
            forged = row.get("written", "") not in {"", ring.written(row["counter"])}
            if forged or {column: entry.get(column) for column in body} != body:
                raise LedgerBroken(
                    f"row {row['counter']} of the {name} is not the one that was entered"
                )
    if vouched:
        name, counter = min(vouched)
        raise LedgerBroken(
            f"{len(vouched)} rows that were entered are gone, the first of them row {counter} of "
            f"the {name}"
        )


def chained(counter: int, kind: str, time: str, body: str) -> str:
    """Return the text of an entry that its value vouches for."""
    return f"{counter} {kind} {time} {body}"
