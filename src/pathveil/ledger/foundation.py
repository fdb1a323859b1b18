"""What a ledger stands on: a database, a key, and the row and first entry that bind the two.

A ledger is begun once and opened ever after. Begun, it has a key nobody had before, the tables, the
row that says which key is its own, and the first entry of the chain; if any of that fails there is
no key either. Opened, its tables are of this version and its key is the one it was begun with.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from pathlib import Path
from secrets import token_hex

from sqlalchemy import Connection, func, insert, select

from pathveil.errors import BadBudget, BadKey, LedgerError
from pathveil.ledger import tables as t
from pathveil.ledger.chain import Chain
from pathveil.ledger.keys import Keyring, create_key, load_key
from pathveil.ledger.store import Store, require_current, upgrade


@dataclass(frozen=True)
class Foundation:
    """A database, its key, the file the key is in, and the ledger's name for itself."""

    store: Store
    ring: Keyring
    key: Path
    uid: str


def lay_foundation(
    target: str | Path, *, key: str | Path | None, budget: Fraction | None, now: datetime
) -> Foundation:
    """Return what a new, empty ledger stands on, with a new key."""
    store = Store(target)
    place = _key_place(store, key)
    require_budget(budget)
    ring = create_key(place)
    try:
        store.create_file()
        upgrade(store)
        with store.writing() as connection:
            _require_empty(store, connection)
            _begin_chain(connection, ring, budget, now)
    except BaseException:
        store.close()
        place.unlink()
        raise
    return _founded(store, ring, place)


def find_foundation(target: str | Path, *, key: str | Path | None) -> Foundation:
    """Return what a ledger stands on that was begun before."""
    store = Store(target)
    place = _key_place(store, key)
    return _founded(store, load_key(place), place)


def require_budget(budget: Fraction | None) -> None:
    """Raise if a budget would let nothing pass."""
    if budget is not None and budget <= 0:
        raise BadBudget(f"the budget is {budget}, expected a number above 0")


def _begin_chain(
    connection: Connection, ring: Keyring, budget: Fraction | None, now: datetime
) -> None:
    """Enter that the ledger is begun, under a name and with the check of its key."""
    uid = token_hex(8)
    row = {"id": 1, "uid": uid, "key_check": ring.text(f"check {uid}"), "counter": 0}
    row |= {"budget": None, "head": "", "latest": ""}
    connection.execute(insert(t.ledgers).values(row))
    chain = Chain(connection, ring, now)
    chain.budget = None if budget is None else str(budget)
    chain.enter("begun", {"uid": uid, "budget": chain.budget})
    chain.close()


def _founded(store: Store, ring: Keyring, key: Path) -> Foundation:
    """Return the parts together; the database is let go if they do not fit."""
    try:
        require_current(store)
        return Foundation(store, ring, key, _require_own(store, ring, key))
    except BaseException:
        store.close()
        raise


def _require_own(store: Store, ring: Keyring, key: Path) -> str:
    """Return the ledger's name for itself, or raise if the key is not its own."""
    with store.reading() as connection:
        found = connection.execute(select(t.ledgers)).one_or_none()
    if found is None:
        raise LedgerError(f"{store.name}: was never begun; run 'pathveil ledger init'")
    if found.key_check != ring.text(f"check {found.uid}"):
        raise BadKey(f"{key}: is the key of another ledger than {store.name}; give its own")
    return str(found.uid)


def _require_empty(store: Store, connection: Connection) -> None:
    if connection.execute(select(func.count()).select_from(t.ledgers)).scalar_one():
        raise LedgerError(f"{store.name}: holds a ledger already; use that one, with its key")


def _key_place(store: Store, key: str | Path | None) -> Path:
    if key is not None:
        return Path(key)
    if store.file is None:
        raise BadKey(f"{store.name}: give the file of its key with --key; it is not kept there")
    return store.file.with_name(f"{store.file.name}.key")
