"""The chain: every entry of a ledger, numbered, each vouching for all before it.

An entry's value is a keyed digest of the value before and of its own text, so no entry can be
changed, taken out or moved without the key. Numbers order things; times are only told. A clock that
stands before the last entry stops everything, for a time that runs backwards is a sign that
somebody's clock, or the whole machine, was set back.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, insert, select, text, update

from pathveil.errors import ClockJumped, LedgerBehind
from pathveil.ledger import tables as t
from pathveil.ledger.high_water_mark import Mark
from pathveil.ledger.keys import Keyring

TOLERANCE = timedelta(minutes=5)
"""How far the clocks of two machines that share a ledger may differ."""


class Chain:
    """The end of the chain, held for one transaction."""

    def __init__(self, connection: Connection, ring: Keyring, now: datetime) -> None:
        self._connection, self._ring, self._now = connection, ring, now
        row = connection.execute(select(t.ledgers)).one()
        self.counter: int = row.counter
        self.head: str = row.head
        self.budget: str | None = row.budget
        self._latest: str = row.latest

    def enter(self, kind: str, body: Mapping[str, Any]) -> int:
        """Add an entry and return its number."""
        self.counter += 1
        time = entry_time(self._now)
        if kind != "clock":
            time = max(time, self._latest)
        words = json.dumps(body, sort_keys=True)
        self.head = self._ring.chain(self.head, chained(self.counter, kind, time, words))
        self._latest = time
        values = {"counter": self.counter, "kind": kind, "time": time, "body": words}
        self._connection.execute(insert(t.events).values(values | {"hash": self.head}))
        return self.counter

    def close(self) -> None:
        """Write down how far the chain has come."""
        values = {"counter": self.counter, "head": self.head, "latest": self._latest}
        self._connection.execute(update(t.ledgers).values(values | {"budget": self.budget}))

    def require_sound(self, marks: Iterable[Mark], *, accept_clock: bool) -> None:
        """Raise if entries were lost, or the clock stands before the last one."""
        for mark in marks:
            self.require_reached(mark.path, mark.read())
        if self._connection.dialect.name == "postgresql":
            self._require_same_time()
        if self._latest and self._now < _moment(self._latest) - TOLERANCE:
            if not accept_clock:
                raise ClockJumped(
                    f"the clock says {entry_time(self._now)}, the last entry of the ledger is of "
                    f"{self._latest}: one of the two was wrong. Nothing was released; set the "
                    "clock right, or say --accept-clock if it is right now"
                )
            self.enter("clock", {"was": self._latest})

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

    def _require_same_time(self) -> None:
        server = self._connection.execute(text("SELECT clock_timestamp()")).scalar_one()
        if abs(server - self._now) > TOLERANCE:
            raise ClockJumped(
                f"the clock here says {entry_time(self._now)}, the database server's "
                f"{entry_time(server)}; nothing was released: set the one that is wrong"
            )


def entry_time(moment: datetime) -> str:
    """Return a time as entries tell it: to the second, in UTC, so that text sorts by time.

    >>> entry_time(datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC))
    '2026-01-02T03:04:05Z'
    """
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def told(connection: Connection, *kinds: str) -> Iterator[tuple[int, str, dict[str, Any]]]:
    """Yield the entries of some kinds, oldest first: number, kind, what is said."""
    columns = t.events.c.counter, t.events.c.kind, t.events.c.body
    query = select(*columns).where(t.events.c.kind.in_(kinds)).order_by(t.events.c.counter)
    for row in connection.execute(query):
        yield row.counter, row.kind, json.loads(row.body)


def chained(counter: int, kind: str, time: str, body: str) -> str:
    """Return the text of an entry that its value vouches for."""
    return f"{counter} {kind} {time} {body}"


def _moment(time: str) -> datetime:
    return datetime.fromisoformat(time)
