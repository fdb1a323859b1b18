"""A recount: every account of a ledger kept once more from the beginning, entry by entry.

What each release charged is sealed beside it, and the chain says in which order networks, groupings
and releases came. So whoever has the key can charge them again, and must come to what every link's
row says, and after each release to what it says that the dearest link has run up.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from sqlalchemy import Connection, Row, select

from pathveil.errors import LedgerBroken
from pathveil.ledger import tables as t
from pathveil.ledger.account_rows import kind_name
from pathveil.ledger.accounts import Account
from pathveil.ledger.entries import LATE, Compose
from pathveil.ledger.keys import Keyring, number_of


def check_losses(connection: Connection, ring: Keyring, compose: Compose) -> None:
    """Raise unless every link has run up what its row says, release after release."""
    again = _Recount(connection, ring)
    entries = select(t.events.c.counter, t.events.c.kind, t.events.c.body)
    for row in connection.execute(entries.order_by(t.events.c.counter)).all():
        if row.kind == "network":
            again.enter_network(json.loads(row.body)["fingerprint"])
        elif row.kind == "grouping":
            again.enter_grouping(json.loads(row.body))
        elif row.kind == "release":
            again.release(row.counter, compose)
    again.compare()


class _Recount:
    """Every account, kept once more from the beginning."""

    def __init__(self, connection: Connection, ring: Keyring) -> None:
        self._connection, self._ring = connection, ring
        self._accounts: dict[int, Account] = {}
        self._numbers: dict[int, set[int]] = {}
        self._life_of = {row.id: row.lineage for row in connection.execute(select(t.series))}
        self._stored: dict[int, dict[str, tuple[int, str]]] = {}
        for row in connection.execute(select(t.links)):
            self._stored.setdefault(row.lineage, {})[row.link] = (row.uses, row.profile)
        self._kinds = list(connection.execute(select(t.kinds)))
        self._named = {(row.series, kind_name(ring, row)): row for row in self._kinds}

    def enter_network(self, fingerprint: str) -> None:
        query = select(t.networks).where(t.networks.c.fingerprint == fingerprint)
        row = self._connection.execute(query).one_or_none()
        if row is None:
            raise LedgerBroken("a network that was entered is gone")
        data = self._ring.unseal(row.sealed_links, about=f"network {fingerprint}")
        numbers = {int(n) for n in np.frombuffer(data, dtype="<u8")}
        if row.lineage not in self._accounts:
            account = self._accounts[row.lineage] = Account(len(numbers))
            account.names = {kind.id: name for (_, name), kind in self._named.items()}
            self._numbers[row.lineage] = numbers
            return
        account = self._accounts[row.lineage]
        fresh = numbers - self._numbers[row.lineage]
        self._numbers[row.lineage] |= fresh
        by_number = {number_of(link): link for link in self._stored.get(row.lineage, {})}
        late = {rest: self._late_kind(rest, account) for rest in account.rests}
        if late and not fresh <= by_number.keys():
            raise LedgerBroken("links that came later have no account")
        # Without a release before them they have nothing to be late for, and no row is needed.
        account.begin_late([by_number.get(number, str(number)) for number in fresh], late)

    def enter_grouping(self, told: dict[str, Any]) -> None:
        self._accounts[told["network"]].once.append(told["once"])

    def _late_kind(self, rest: int, account: Account) -> int:
        series = next(kind.series for kind in self._kinds if kind.id == rest)
        return int(self._kind(series, LATE + account.names[rest]).id)

    def _kind(self, series: int, name: str) -> Row[Any]:
        if (series, name) not in self._named:
            raise LedgerBroken("a release is of a kind that the ledger does not know")
        return self._named[series, name]

    def release(self, counter: int, compose: Compose) -> None:
        query = select(t.releases).where(t.releases.c.counter == counter)
        row = self._connection.execute(query).one_or_none()
        if row is None:
            raise LedgerBroken(f"release {counter} is gone")
        listed = json.loads(self._ring.unseal(row.sealed_charges, about=f"charges {counter}"))
        account = self._accounts[self._life_of[row.series]]
        charges = {
            link: (self._kind(row.series, kind).id, uses)
            for link, (kind, uses) in listed["charges"].items()
        }
        account.charge(self._kind(row.series, listed["rest"]).id, charges)
        spent = account.spent(compose)
        if spent.decimal != row.spent_decimal:
            raise LedgerBroken(
                f"after release {counter} the dearest link has run up {spent}, the ledger says "
                f"{row.spent_decimal}"
            )

    def compare(self) -> None:
        for life, account in self._accounts.items():
            stored = self._stored.get(life, {})
            both = {*account.touched, *stored}
            wrong = sum(account.touched.get(link) != stored.get(link) for link in both)
            if wrong:
                raise LedgerBroken(f"{wrong} links have run up something else than their rows say")
            for kind in self._kinds:
                if self._life_of[kind.series] == life and account.rests[kind.id] != kind.rests:
                    raise LedgerBroken("the releases counted by kind are not those made")
