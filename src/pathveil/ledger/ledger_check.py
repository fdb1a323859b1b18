"""Checking a ledger: everything it says is computed again from what it holds.

The *chain*: no entry was changed, taken out or moved, and no mark has seen a later one. The
*series*: places run 1, 2, 3 without gap or fork. The *releases*: the sealed bytes open and have the
digest they should. The *losses*: what each release charged is sealed beside it, and the chain says
in which order networks, groupings and releases came; so all are charged again from the beginning,
and must come to what every link's row says, and after each release to what it says that the most
charged link has run up. The *plain columns*: budgets, how many links a network has, what a kind of
charge costs, what a grouping cost, which network a release is of: whoever can write to the database
can change them without the key, so each is compared with what is sealed or chained. The
*deliveries*: which files a release went to, and which of them are public. Files at hand:
:mod:`~pathveil.ledger.file_check`.

A check is a function that raises what fails. *Not* checked, for nothing chained vouches for it:
whether a file was written where it should be.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from sqlalchemy import Connection, Row, select

from pathveil.errors import LedgerBehind, LedgerBroken
from pathveil.ledger import ledger_tables as t
from pathveil.ledger.accounts import Account, stored_kind_name
from pathveil.ledger.chain import Chain, chained, told
from pathveil.ledger.entries import LATE, Compose, LedgerFinding
from pathveil.ledger.keys import Keyring, number_of
from pathveil.ledger.record import release_body


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
        self._named = {(row.series, stored_kind_name(ring, row)): row for row in self._kinds}

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
                f"after release {counter} the largest loss of a link is {spent}, the ledger says "
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


Versions = list[tuple[Row[Any], int | None]]
"""Rows of networks in the order they were entered, each with the life it was said to continue."""


def check_budgets(connection: Connection) -> None:
    """Raise unless each budget in force is the last one that was entered."""
    entered: dict[int | None, str | None] = {}
    for _, _, body in told(connection, "begun", "budget"):
        entered[body.get("network")] = body.get("budget")
    general = connection.execute(select(t.ledgers.c.budget)).scalar_one()
    in_force: list[tuple[int | None, str | None]] = [(None, general)]
    own = select(t.lineages.c.id, t.lineages.c.budget)
    in_force += [(row.id, row.budget) for row in connection.execute(own)]
    for network, budget in in_force:
        if budget != entered.get(network):
            whose = "the ledger" if network is None else f"network {network}"
            raise LedgerBroken(
                f"the budget of {whose} is {budget or 'none'}, {entered.get(network) or 'none'} "
                "was entered"
            )


def check_plain(connection: Connection, ring: Keyring) -> None:
    """Raise unless numbers of links, networks, groupings and prices are those that were entered."""
    versions = _entered_versions(connection)
    _check_links(connection, ring, versions)
    _check_networks(connection, versions)
    _check_groupings(connection)
    _check_prices(connection, ring)


def _entered_versions(connection: Connection) -> Versions:
    """Return the rows of all networks in the order they were entered, and what each continues."""
    rows = {row.fingerprint: row for row in connection.execute(select(t.networks))}
    found = []
    for _, _, body in told(connection, "network"):
        row = rows.pop(body["fingerprint"], None)
        if row is None:
            raise LedgerBroken("a network that was entered is gone")
        found.append((row, body["continues"]))
    if rows:
        raise LedgerBroken(f"{len(rows)} networks are there that were not entered")
    return found


def _check_links(connection: Connection, ring: Keyring, versions: Versions) -> None:
    """Count each network's links again: all that any of its versions had, which are sealed."""
    links: dict[int, npt.NDArray[np.uint64]] = {}
    for row, continues in versions:
        if continues != (row.lineage if row.lineage in links else None):
            raise LedgerBroken(f"a version of network {row.lineage} was entered for another one")
        data = ring.unseal(row.sealed_links, about=f"network {row.fingerprint}")
        before = links.get(row.lineage, np.empty(0, dtype=np.uint64))
        links[row.lineage] = np.union1d(before, np.frombuffer(data, dtype="<u8"))
    counts = {number: len(found) for number, found in links.items()}
    for life in connection.execute(select(t.lineages.c.id, t.lineages.c.links)):
        if life.links != counts.pop(life.id, 0):
            raise LedgerBroken(
                f"network {life.id} is said to have {life.links} links, "
                f"{len(links.get(life.id, ()))} were entered"
            )
    if counts:
        raise LedgerBroken(f"{len(counts)} networks that were entered are gone")


def _check_networks(connection: Connection, versions: Versions) -> None:
    """Find the network each release is of: under another number its walks would be new ones."""
    order = [row.id for row, _ in versions]
    # Numbers only grow, and the first release over a network is entered together with it. So
    # numbers that were exchanged are out of order, and others are missed by a release.
    if order != sorted(order):
        raise LedgerBroken("the networks do not have the numbers they were entered with")
    lives = {row.id: row.lineage for row, _ in versions}
    series = {row.id: row.lineage for row in connection.execute(select(t.series))}
    columns = t.releases.c.counter, t.releases.c.network, t.releases.c.series
    for row in connection.execute(select(*columns).order_by(t.releases.c.counter)):
        if row.network not in lives or lives[row.network] != series.get(row.series):
            raise LedgerBroken(f"the network of release {row.counter} is gone, or is another one")


def _check_groupings(connection: Connection) -> None:
    entered = {
        (body["network"], body["grouping"], body["once"])
        for _, _, body in told(connection, "grouping")
    }
    stored = {tuple(row) for row in connection.execute(select(t.groupings))}
    if stored != entered:
        raise LedgerBroken("the groupings, or what they cost, are not those that were entered")


def _check_prices(connection: Connection, ring: Keyring) -> None:
    """Compare the price of each kind with the one sealed in the first release that names it."""
    kinds = list(connection.execute(select(t.kinds)))
    named = {(row.series, stored_kind_name(ring, row)): row.id for row in kinds}
    entered: dict[int, tuple[str, str]] = {}
    for row in connection.execute(select(t.releases).order_by(t.releases.c.counter)):
        listed = json.loads(ring.unseal(row.sealed_charges, about=f"charges {row.counter}"))
        if named.get((row.series, listed["rest"])) != row.rest:
            raise LedgerBroken(f"the kinds of release {row.counter} are not those it was made with")
        for kind, (expression, decimal) in listed["losses"].items():
            if (row.series, kind) in named:
                entered.setdefault(named[row.series, kind], (expression, decimal))
    wrong = [
        kind.id
        for kind in kinds
        if (kind.expression, kind.decimal) != entered.get(kind.id, ("", ""))
    ]
    if wrong:
        raise LedgerBroken(
            f"{len(wrong)} of {len(kinds)} prices are not those that were entered, the first of "
            f"them that of kind {wrong[0]}"
        )


def check_ledger(
    connection: Connection,
    ring: Keyring,
    compose: Compose,
    chain: Chain,
    seen: Sequence[tuple[Path, tuple[int, str]]],
) -> list[LedgerFinding]:
    """Return what holds, claim by claim; ``seen`` is what the marks say."""
    return [
        _try("no entry was changed, taken out or moved", lambda: _check_chain(connection, ring)),
        _try("the ledger is no older than its marks", lambda: _check_marks(chain, seen)),
        _try("places in each series run without gap or fork", lambda: _check_places(connection)),
        _try("every release opens and has its digest", lambda: _check_data(connection, ring)),
        _try(
            "what was spent is what the releases cost",
            lambda: check_losses(connection, ring, compose),
        ),
        _try("every budget is the one that was entered", lambda: check_budgets(connection)),
        _try(
            "numbers of links, prices, groupings and networks are those that were entered",
            lambda: check_plain(connection, ring),
        ),
        _try("every file handed out is one that was entered", lambda: check_handouts(connection)),
    ]


def _try(claim: str, check: Callable[[], None]) -> LedgerFinding:
    """Return a finding: a check raises what fails."""
    try:
        check()
    except (LedgerBroken, LedgerBehind) as error:
        return LedgerFinding(claim, holds=False, detail=str(error))
    except (LookupError, ValueError, TypeError, AttributeError):
        # Entries and rows that were changed need not even have the shape of entries and rows.
        return LedgerFinding(claim, holds=False, detail="what there is cannot be read as entered")
    return LedgerFinding(claim, holds=True)


def _check_marks(chain: Chain, seen: Sequence[tuple[Path, tuple[int, str]]]) -> None:
    for path, mark in seen:
        chain.require_reached(path, mark)


def _check_chain(connection: Connection, ring: Keyring) -> None:
    head, expected, latest = "", 0, ""
    bodies = _bodies(connection)
    for row in connection.execute(select(t.events).order_by(t.events.c.counter)):
        expected, latest = expected + 1, row.time
        if row.counter != expected:
            raise LedgerBroken(f"entry {expected} is missing")
        head = ring.chain(head, chained(row.counter, row.kind, row.time, row.body))
        if head != row.hash:
            raise LedgerBroken(f"entry {row.counter} is not the one that was written")
        if row.kind == "release" and _own_part(row.body) != next(bodies, None):
            raise LedgerBroken(f"the release of entry {row.counter} is not the one entered")
    end = connection.execute(select(t.ledgers)).one()
    if (end.counter, end.head) != (expected, head):
        raise LedgerBroken(f"the chain ends with entry {expected}, the ledger says {end.counter}")
    if end.latest != latest:
        raise LedgerBroken(f"the last entry is of {latest}, the ledger says of {end.latest}")


def _own_part(body: str) -> str:
    """Return an entry of a release without the file it went to: that has a table of its own."""
    parts = json.loads(body)
    parts.pop("handout", None)
    return json.dumps(parts, sort_keys=True)


def _bodies(connection: Connection) -> Iterator[str]:
    """Yield what the chain should say of each release, from the release's own row."""
    for row in connection.execute(select(t.releases).order_by(t.releases.c.counter)):
        parts = dict(row._mapping)  # noqa: SLF001 - SQLAlchemy's public name for it
        parts.pop("counter")
        sealed = {name: parts.pop(name) for name in list(parts) if name.startswith("sealed_")}
        yield json.dumps(release_body(parts, sealed), sort_keys=True)


def _check_places(connection: Connection) -> None:
    length: dict[int, int] = {}
    columns = t.releases.c.series, t.releases.c.place
    for series, place in connection.execute(select(*columns).order_by(t.releases.c.counter)):
        length[series] = length.get(series, 0) + 1
        if place != length[series]:
            raise LedgerBroken(
                f"series {series} has place {place} where {length[series]} should stand"
            )
    for row in connection.execute(select(t.series.c.id, t.series.c.length)):
        if row.length != length.get(row.id, 0):
            raise LedgerBroken(
                f"series {row.id} says it has {row.length} releases, there are "
                f"{length.get(row.id, 0)}"
            )


def _check_data(connection: Connection, ring: Keyring) -> None:
    columns = t.releases.c.counter, t.releases.c.digest, t.releases.c.sealed_data
    for row in connection.execute(select(*columns)):
        data = ring.unseal(row.sealed_data, about=f"release {row.counter}")
        if sha256(data).hexdigest() != row.digest:
            raise LedgerBroken(f"release {row.counter} holds other bytes than its digest says")


Note = tuple[int, str, str, bool]
"""A file that a release went to: number of the release, digest, digest of its sealed path, and
whether it is public."""


def check_handouts(connection: Connection) -> None:
    """Raise unless the files that releases went to are those that were entered.

    Not vouched for: whether a file was put where it should be (``done``), which is set afterwards.
    """
    entered: Counter[Note] = Counter()
    for counter, kind, body in told(connection, "release", "handout"):
        note = body if kind == "handout" else body["handout"]
        if note is not None:
            release = body["release"] if kind == "handout" else counter
            entered[release, note["digest"], note["sealed_path"], note["public"]] += 1
    stored = Counter(
        (row.release, row.digest, sha256(row.sealed_path).hexdigest(), bool(row.public))
        for row in connection.execute(select(t.handouts))
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
