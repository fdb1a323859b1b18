"""The database behind a ledger: where it is, how it is opened, how one writes to it.

A path is an SQLite file, which must exist; ``postgresql://...`` is a server. A writer holds the one
row of ``ledgers`` from its first statement to its commit (SQLite: ``BEGIN IMMEDIATE``; PostgreSQL:
``SELECT ... FOR UPDATE``), so two writers never see the same state, and what one reads is true
until it commits. That is a lock and no retry loop: nothing is ever drawn twice because of it.

Commits are on the disk when they return (``synchronous=EXTRA``, ``synchronous_commit=on``).
Whatever the database complains of becomes one of the ledger's own errors, without the statement
that failed: statements hold fingerprints. An SQLite file comes from anybody: it may hold tables and
indexes and nothing that runs, and what its driver cannot make sense of is damage.
"""

from __future__ import annotations

import os
import sqlite3
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url, select, text
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, SQLAlchemyError
from sqlalchemy.pool import NullPool

from pathveil.errors import FileTaken, LedgerBroken, LedgerError, LedgerUnreachable, MissingExtra
from pathveil.files.atomic_write import part_of
from pathveil.ledger.ledger_tables import ledgers, metadata

PATIENCE = 60
"""Seconds a writer waits for another one."""


class Store:
    """An opened database.

    Attributes
    ----------
    name
        How messages call it; never with a password.
    """

    def __init__(self, target: str | Path) -> None:
        self.url = locate(target)
        self.file = Path(self.url.database or "") if self.is_sqlite else None
        self.name = str(self.file) if self.file else self.url.render_as_string(hide_password=True)
        self._begins = False  # a part file
        self._engine = self._open()

    @property
    def is_sqlite(self) -> bool:
        """Whether this is a file here."""
        return self.url.get_backend_name() == "sqlite"

    # -- opening --------------------------------------------------------------------------------

    def _open(self) -> Engine:
        if self.is_sqlite:
            # A connection for each transaction: SQLite's locks do not survive a fork.
            engine = create_engine("sqlite://", creator=self._connect_file, poolclass=NullPool)
            event.listen(engine, "begin", _begin_sqlite)
            return engine
        try:
            # Who draws anew inside a transaction looks at the past on a second line.
            engine = create_engine(
                self.url, pool_size=1, max_overflow=1, connect_args={"connect_timeout": 10}
            )
        except ModuleNotFoundError:
            raise MissingExtra("postgres", "psycopg") from None
        dead = weakref.ref(engine)

        def forget() -> None:
            # A child must not speak on, or hang up, its parent's line.
            inherited = dead()
            if inherited is not None:
                inherited.dispose(close=False)

        os.register_at_fork(after_in_child=forget)
        return engine

    def _connect_file(self) -> sqlite3.Connection:
        assert self.file is not None
        where = f"file:{quote(str(self.file.absolute()))}?mode=rw"
        found = sqlite3.connect(
            where, uri=True, timeout=PATIENCE, isolation_level=None, check_same_thread=False
        )
        found.execute("PRAGMA foreign_keys = ON")
        found.execute("PRAGMA synchronous = EXTRA")
        if self._begins:  # it goes as a whole if it fails, and needs no journal beside
            found.execute("PRAGMA journal_mode = MEMORY")
        if found.execute(_WHAT_RUNS).fetchone():
            found.close()
            raise LedgerBroken(
                f"{self.name}: holds a view, a trigger or a virtual table, which no ledger has; "
                "restore it from a backup"
            )
        return found

    def close(self) -> None:
        """Hang up."""
        self._engine.dispose()

    # -- transactions ---------------------------------------------------------------------------

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Give a connection that sees one state from first to last."""
        options = {} if self.is_sqlite else {"isolation_level": "REPEATABLE READ"}
        with self._transaction(**options) as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Give a connection that nobody else writes beside; all of it happens, or nothing."""
        with self._transaction(pathveil_write=True) as connection:
            if not self.is_sqlite:
                connection.execute(text(f"SET LOCAL lock_timeout = '{PATIENCE}s'"))
                connection.execute(text("SET LOCAL synchronous_commit = on"))
                connection.execute(select(ledgers.c.id).with_for_update())
            yield connection

    @contextmanager
    def creating(self) -> Iterator[Connection]:
        """Give a connection with all tables made; a file is there once all of it is in it."""
        if self.file is None:
            with self._tables() as connection:
                yield connection
            return
        try:
            with part_of(self.file, private=True, replacing=False) as aside:
                store = Store(aside)
                store.name, store._begins = self.name, True
                with store._tables() as connection:
                    yield connection
        except FileTaken:
            raise LedgerError(
                f"{self.file}: exists; a ledger is not begun over another file: give another name"
            ) from None

    @contextmanager
    def _tables(self) -> Iterator[Connection]:
        """Give a connection with all tables made; one process at a time."""
        with self._transaction(pathveil_write=True) as connection:
            if not self.is_sqlite:
                # Any constant will do, as long as every pathveil asks for the same one.
                connection.execute(text("SELECT pg_advisory_xact_lock(7238413)"))
            metadata.create_all(connection)
            yield connection

    @contextmanager
    def _transaction(self, **options: Any) -> Iterator[Connection]:
        with self._plain_errors(), self._engine.connect() as connection:
            connection = connection.execution_options(**options)
            with connection.begin():
                yield connection

    @contextmanager
    def _plain_errors(self) -> Iterator[None]:
        try:
            yield
        except DBAPIError as error:
            raise self._plain(error) from None
        except (sqlite3.Error, UnicodeDecodeError) as error:  # while connecting, or reading
            raise self._plain_reason(str(error)) from None
        except SQLAlchemyError as error:
            raise LedgerUnreachable(
                f"{self.name}: the database cannot be used ({type(error).__name__})"
            ) from None

    def _plain(self, error: DBAPIError) -> LedgerError:
        if error.connection_invalidated:
            return LedgerUnreachable(
                f"{self.name}: the connection was lost; nothing was handed out. Run the same "
                "command again: a release that was recorded is then handed out and not charged "
                "again"
            )
        return self._plain_reason(str(error.orig).splitlines()[0] if error.orig else "")

    def _plain_reason(self, reason: str) -> LedgerError:
        """Return the error for what a driver said, without what it said about the data."""
        low = reason.lower()
        for words, error, fact in _REASONS:
            if any(word in low for word in words):
                return error(f"{self.name}: {fact}")
        if self.is_sqlite:
            return LedgerBroken(f"{self.name}: {_DAMAGED}")
        return LedgerUnreachable(
            f"{self.name}: the database cannot be used or reached; nothing was handed out: check "
            "that it is up and run the same command again"
        )


_WHAT_RUNS = """SELECT 1 FROM sqlite_master
WHERE sql NOT LIKE 'CREATE TABLE %' AND sql NOT LIKE 'CREATE INDEX %'
AND sql NOT LIKE 'CREATE UNIQUE INDEX %'"""
"""Asks for views, which need never end, triggers and virtual tables, however they are listed."""

_DAMAGED = "is damaged, or no ledger; restore it from a backup and run 'pathveil ledger verify'"

_REASONS: tuple[tuple[tuple[str, ...], type[LedgerError], str], ...] = (
    (
        ("full", "no space", "i/o error"),
        LedgerUnreachable,
        "the disk is full or cannot be written; nothing was recorded: make room and run again",
    ),
    (
        ("locked", "lock timeout", "locknotavailable"),
        LedgerUnreachable,
        f"another process has been writing for over {PATIENCE} s; nothing was recorded: run again",
    ),
    (
        ("unable to open", "read-only", "readonly", "permission denied"),
        LedgerUnreachable,
        "cannot be opened for writing; check who owns it and run again",
    ),
    (("malformed", "not a database"), LedgerBroken, _DAMAGED),
    (
        ("does not exist", "no such table", "no such column"),
        LedgerBroken,
        "lacks tables of a ledger; give the right one or, if they were deleted, restore a backup",
    ),
    (
        ("unique", "duplicate"),
        LedgerBroken,
        "a place in a series is taken twice; nothing was recorded: run 'pathveil ledger verify'",
    ),
)
"""What drivers say, the error it is here, and what is said instead."""


def locate(target: str | Path) -> URL:
    """Return where a ledger is: a path is an SQLite file, a URL a server.

    >>> locate("ledger.db").render_as_string(), locate("postgresql://me@host/db").drivername
    ('sqlite:///ledger.db', 'postgresql+psycopg')
    """
    if not Path(str(target).strip()).name:  # an empty text, or only a way to some folder
        raise LedgerError(f"{str(target)!r}: is no name of a ledger; give the path of a file")
    if "://" not in str(target):
        return URL.create("sqlite", database=str(target))
    try:
        url = make_url(str(target))
        known = url.get_backend_name() in {"sqlite", "postgresql"}
    except (ArgumentError, NoSuchModuleError, ValueError):
        known = False
    if not known:
        scheme = str(target).partition("://")[0]
        raise LedgerError(
            f"{scheme}://...: is no place for a ledger; give the path of an SQLite file, or "
            "postgresql://user@host/database"
        )
    if url.get_backend_name() == "postgresql":
        return url.set(drivername="postgresql+psycopg")
    if url.database in {None, "", ":memory:"}:
        raise LedgerError("a ledger in memory would forget; give the path of a file")
    return url


def _begin_sqlite(connection: Connection) -> None:
    # The driver's own habit is to begin late and unlocked; isolation_level=None switched it off.
    write = connection.get_execution_options().get("pathveil_write")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if write else "BEGIN")
