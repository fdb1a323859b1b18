"""The tables of a ledger. What is in clear here: numbers, times, digests, exact losses.

Fingerprints are keyed (:mod:`~pathveil.ledger.keys`); columns called ``sealed_...`` open only with
the key. No column could hold a vertex name. Networks, releases and files have the number of the
entry of the chain that vouches for their row (:func:`body_of`).

Whoever can write to the database can put anything into a plain column. So a number is checked when
it is read (:class:`Count`, :class:`LossDecimal`, :class:`MomentText`): text that is not a
number, or a number out of bounds, is a :class:`~pathveil.errors.LedgerBroken` before anything is
computed from it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from fractions import Fraction
from hashlib import sha256
from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Dialect,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    TypeDecorator,
    UniqueConstraint,
)

from pathveil.errors import LedgerBroken
from pathveil.policies import exact_number

SCHEMA_VERSION = 2
"""The version of these tables; a database with another one is refused."""

LARGEST_BUDGET = Fraction(10**9)
"""The largest loss that anybody can set as a limit; far above any that protects something."""

_LARGEST_COUNT = 2**62
_LOSS = re.compile(r"inf|\d{1,18}(\.\d{1,18})?")

NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}
metadata = MetaData(naming_convention=NAMES)


class Count(TypeDecorator[int]):
    """A whole number from 0 on."""

    impl = BigInteger
    cache_ok = True

    def process_result_value(self, value: Any, dialect: Dialect) -> int | None:  # noqa: ARG002
        """Return the number that is stored, if it is one."""
        if value is not None and (type(value) is not int or not 0 <= value <= _LARGEST_COUNT):
            raise _changed("a whole number", value)
        return value


class _CheckedText(TypeDecorator[str]):
    """A text of a certain shape."""

    impl = Text
    cache_ok = True
    expected = "a text"

    def process_result_value(self, value: Any, dialect: Dialect) -> str | None:  # noqa: ARG002
        """Return the text that is stored, if it has this shape."""
        if value is not None and (type(value) is not str or not self.fits(value)):
            raise _changed(self.expected, value)
        return value

    def fits(self, text: str) -> bool:  # noqa: ARG002
        """Return whether a text has the shape."""
        return True


class LossDecimal(_CheckedText):
    """A loss, rounded up to a decimal, or ``inf``."""

    cache_ok = True
    expected = "a loss"

    def fits(self, text: str) -> bool:
        """Return whether this is a decimal of a few digits."""
        return _LOSS.fullmatch(text) is not None


class MomentText(_CheckedText):
    """A time as entries have it; empty before the first entry."""

    cache_ok = True
    expected = "a time"

    def fits(self, text: str) -> bool:
        """Return whether this is a time."""
        try:
            return not text or datetime.fromisoformat(text).tzinfo is not None
        except ValueError:
            return False


def exact_limit(value: str | Fraction, what: str) -> Fraction:
    """Return a budget as an exact number, wherever it comes from: a person, or a database.

    >>> exact_limit("7/2", "--budget")
    Fraction(7, 2)
    """
    return exact_number(value, what=what, largest=LARGEST_BUDGET)


def _changed(expected: str, value: object) -> LedgerBroken:
    return LedgerBroken(
        f"a column of the ledger holds {repr(value)[:40]}, expected {expected}: it was changed by "
        "something else than pathveil; restore the ledger from a backup and run 'pathveil ledger "
        "verify'"
    )


ledgers = Table(  # one row; who locks it may write
    "ledgers",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("version", Count, nullable=False),
    Column("uid", Text, nullable=False),
    Column("key_check", Text, nullable=False),
    Column("counter", Count, nullable=False),
    Column("head", Text, nullable=False),
    Column("latest", MomentText, nullable=False),
)
events = Table(  # the chain: nothing happens that is not here
    "events",
    metadata,
    Column("counter", Count, primary_key=True, autoincrement=False),
    Column("kind", Text, nullable=False, index=True),
    Column("time", MomentText, nullable=False),
    Column("body", Text, nullable=False),
    Column("hash", Text, nullable=False),
)


def _entry() -> Column[int]:
    """Return the column that numbers rows by the entry of the chain that vouches for each."""
    return Column("counter", ForeignKey("events.counter"), primary_key=True, autoincrement=False)


networks = Table(  # versions of networks; those of one lineage share links
    "networks",
    metadata,
    _entry(),
    Column("lineage", Count, nullable=False, index=True),
    Column("fingerprint", Text, nullable=False, unique=True),
    Column("sealed_network", LargeBinary, nullable=False),
)
releases = Table(
    "releases",
    metadata,
    _entry(),
    Column("lineage", Count, nullable=False, index=True),
    Column("network", ForeignKey("networks.counter"), nullable=False),
    Column("series", Count, nullable=False),
    Column("place", Count, nullable=False),
    Column("policy", Text, nullable=False),
    Column("grouping", Text),
    Column("terms", Text, nullable=False),
    Column("walk", Text, nullable=False),
    Column("digest", Text, nullable=False, index=True),
    Column("spent_expression", Text, nullable=False),
    Column("spent_decimal", LossDecimal, nullable=False),
    Column("sealed_charges", LargeBinary, nullable=False),
    Column("sealed_data", LargeBinary, nullable=False),
    UniqueConstraint("lineage", "series", "place"),
    Index(None, "network", "walk", "terms"),
)
handouts = Table(  # files a release went to; not done: recorded, and perhaps not there
    "handouts",
    metadata,
    _entry(),
    Column("release", ForeignKey("releases.counter"), nullable=False, index=True),
    Column("digest", Text, nullable=False, index=True),
    Column("public", Boolean, nullable=False),
    Column("sealed_path", LargeBinary, nullable=False),
    Column("done", Boolean, nullable=False),
)


def body_of(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the chain says of a row: its columns, and digests of what is sealed in it.

    Whether a file was written (``done``) is set afterwards, and nothing vouches for it.
    """
    return {
        name: sha256(value).hexdigest() if name.startswith("sealed_") else value
        for name, value in row.items()
        if name not in {"counter", "done"}
    }
