"""The tables of a ledger. What is in clear here: numbers, times, digests, exact losses.

Fingerprints are keyed (:mod:`~pathveil.ledger.keys`); columns called ``sealed_...`` open only with
the key. No column could hold a vertex name. Networks, releases and files have the number of the
entry of the chain that vouches for their row (:func:`body_of`).

Whoever can write to the database can put anything into a plain column. So every row is compared
with its entry (:func:`~pathveil.ledger.chain.require_entered`) before anything is computed from it.
SQLite keeps anything in any column: a value of another kind than its column's is never read.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping
from fractions import Fraction
from hashlib import sha256
from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
)

from pathveil.policies import exact_number

SCHEMA_VERSION = 4
"""The version of these tables; a database with another one is refused."""

LARGEST_BUDGET = Fraction(10**9)
"""The largest loss that anybody can set as a limit; far above any that protects something."""

NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}
metadata = MetaData(naming_convention=NAMES)


def exact_limit(value: str | Fraction, what: str) -> Fraction:
    """Return a budget as an exact number, wherever it comes from: a person, or a database.

    >>> exact_limit("7/2", "--budget")
    Fraction(7, 2)
    """
    return exact_number(value, what=what, largest=LARGEST_BUDGET)


class _OneKind:
    """A type of columns whose values are all of one kind, and never missing."""

    kind: type

    def result_processor(self, *_: object) -> Callable[[Any], Any]:
        """Return what looks at each value that is read."""

        def exactly(value: Any) -> Any:
            if type(value) is not self.kind:
                raise sqlite3.DataError("a value is of another kind than its column")
            return value

        return exactly


class _Number(_OneKind, BigInteger):
    """Whole numbers."""

    kind = int


class _Words(_OneKind, Text):
    """Texts."""

    kind = str


class _Sealed(_OneKind, LargeBinary):
    """Bytes."""

    kind = bytes


ledgers = Table(  # one row; who locks it may write
    "ledgers",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("version", _Number, nullable=False),
    Column("uid", _Words, nullable=False),
    Column("key_check", _Words, nullable=False),
    Column("counter", _Number, nullable=False),
    Column("head", _Words, nullable=False),
    Column("latest", _Words, nullable=False),
)
events = Table(  # the chain: nothing happens that is not here
    "events",
    metadata,
    Column("counter", _Number, primary_key=True, autoincrement=False),
    Column("kind", _Words, nullable=False, index=True),
    Column("time", _Words, nullable=False),
    Column("body", _Words, nullable=False),
    Column("hash", _Words, nullable=False),
)


def _entry() -> Column[int]:
    """Return the column that numbers rows by the entry of the chain that vouches for each."""
    return Column("counter", ForeignKey("events.counter"), primary_key=True, autoincrement=False)


networks = Table(  # versions of networks; those of one lineage share links
    "networks",
    metadata,
    _entry(),
    Column("lineage", _Number, nullable=False, index=True),
    Column("fingerprint", _Words, nullable=False, unique=True),
    Column("sealed_network", _Sealed, nullable=False),
)
releases = Table(
    "releases",
    metadata,
    _entry(),
    Column("lineage", _Number, nullable=False, index=True),
    Column("network", ForeignKey("networks.counter"), nullable=False),
    Column("series", _Number, nullable=False),
    Column("place", _Number, nullable=False),
    Column("policy", _Words, nullable=False),
    Column("grouping", Text),
    Column("terms", _Words, nullable=False),
    Column("walk", _Words, nullable=False),
    Column("digest", _Words, nullable=False, index=True),
    Column("spent_expression", _Words, nullable=False),
    Column("spent_decimal", _Words, nullable=False),
    Column("sealed_charges", _Sealed, nullable=False),
    Column("sealed_data", _Sealed, nullable=False),
    UniqueConstraint("lineage", "series", "place"),
    Index(None, "network", "walk", "terms"),
)
handouts = Table(  # files a release went to; not written: recorded, and perhaps not there
    "handouts",
    metadata,
    _entry(),
    Column("release", ForeignKey("releases.counter"), nullable=False, index=True),
    Column("digest", _Words, nullable=False, index=True),
    Column("public", Boolean, nullable=False),
    Column("written", _Words, nullable=False),
)


def body_of(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the chain says of a row: its columns, and digests of what is sealed in it.

    That a file was written is noted afterwards, by a keyed digest (:meth:`Keyring.written`).
    """
    return {
        name: sha256(value).hexdigest() if name.startswith("sealed_") else value
        for name, value in row.items()
        if name not in {"counter", "written"}
    }
