"""What each link has run up: counts of releases by kind, link by link, and the largest loss.

A release costs nearly all links the same: they are off the walk, the *rest*. Only links that are
charged otherwise get a row, and the row says by how much they differ from the rest: its *profile*
is a list of ``rest>kind:count``, "on ``count`` releases this link was of that kind, where the rest
were of this one". Many links have the same profile, so the largest loss is found by profiles
and not at links. A link that came to the network later was of the kind "late" before.

An account is worked on in memory, inside the transaction that reads and writes it.

:class:`AccountRows` reads an account at the beginning of a transaction and writes it at the end.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from sqlalchemy import Connection, Row, bindparam, func, insert, select, update

from pathveil.errors import LedgerBroken
from pathveil.ledger import ledger_tables as t
from pathveil.ledger.entries import LATE, ONCE, Compose, DrawnRelease
from pathveil.ledger.keys import Keyring
from pathveil.model.certificate import Loss

NOTHING = Loss("0", "0.0000")


@dataclass
class Account:
    """The links of one network through its life.

    Attributes
    ----------
    links
        How many there are or have been.
    rests
        On how many releases the rest were of each kind (by number).
    profiles
        How many links have each profile.
    touched
        Uses and profile of links that this transaction looks at or changes.
    names
        Kinds by number.
    once
        What groupings cost every link once, as decimals.
    """

    links: int
    rests: Counter[int] = field(default_factory=Counter)
    profiles: Counter[str] = field(default_factory=Counter)
    touched: dict[str, tuple[int, str]] = field(default_factory=dict)
    names: dict[int, str] = field(default_factory=dict)
    once: list[str] = field(default_factory=list)

    def charge(self, rest: int, charges: Mapping[str, tuple[int, int]]) -> None:
        """Add one release: ``charges`` gives kind and uses of links that are not like the rest."""
        self.rests[rest] += 1
        for link, (kind, uses) in charges.items():
            before, old = self.touched.get(link, (0, ""))
            new = differing(old, {(rest, kind): 1} if kind != rest else {})
            self._move(link, old, new, before + uses)

    def begin_late(self, links: Collection[str], late: Mapping[int, int]) -> None:
        """Enter pairs that were not links before; ``late`` gives the late kind for each rest."""
        self.links += len(links)
        gone = {(rest, late[rest]): count for rest, count in self.rests.items()}
        if gone:
            for link in links:
                self._move(link, "", differing("", gone), 0)

    def _move(self, link: str, old: str, new: str, uses: int) -> None:
        if link in self.touched:
            self.profiles[old] -= 1
            if not self.profiles[old]:
                del self.profiles[old]
        self.profiles[new] += 1
        self.touched[link] = (uses, new)

    def spent(self, compose: Compose) -> Loss:
        """Return the largest loss any link has run up."""
        profiles = set(self.profiles)
        if sum(self.profiles.values()) < self.links:
            profiles.add("")  # some link was always like the rest
        found = compose([self.kinds_of(profile) for profile in sorted(profiles)])
        return max(found, key=lambda loss: Decimal(loss.decimal), default=NOTHING)

    def kinds_of(self, profile: str) -> dict[str, int]:
        """Return on how many releases a link with this profile was of which kind."""
        counts = Counter(self.rests)
        for (rest, kind), count in parsed(profile).items():
            counts[rest] -= count
            counts[kind] += count
        found: Counter[str] = Counter(ONCE + decimal for decimal in self.once)
        for kind, count in counts.items():
            if count and kind not in self.names:
                raise LedgerBroken(
                    f"links were charged for kind {kind}, which is not there: the ledger was "
                    "changed; restore it from a backup and run 'pathveil ledger verify'"
                )
            if count:
                found[self.names[kind]] += count
        return dict(found)


def parsed(profile: str) -> dict[tuple[int, int], int]:
    """Return a profile as counts by (rest, kind).

    >>> parsed("1>2:3,1>4:1")
    {(1, 2): 3, (1, 4): 1}
    """
    found = {}
    for item in filter(None, profile.split(",")):
        pair, _, count = item.partition(":")
        rest, _, kind = pair.partition(">")
        found[int(rest), int(kind)] = int(count)
    return found


def differing(profile: str, more: Mapping[tuple[int, int], int]) -> str:
    """Return a profile with more differences from the rest.

    >>> differing("1>2:3", {(1, 2): 1, (1, 4): 1})
    '1>2:4,1>4:1'
    """
    counts = Counter(parsed(profile))
    counts.update(more)
    return ",".join(f"{r}>{k}:{n}" for (r, k), n in sorted(counts.items()) if n)


_MANY = 500


class AccountRows:
    """The account of one network's life, with the rows of the links that are looked at.

    Parameters
    ----------
    links
        Fingerprints of every link that is going to be charged otherwise than the rest.
    """

    def __init__(
        self, connection: Connection, ring: Keyring, life: int, links: Iterable[str]
    ) -> None:
        self._connection, self._ring, self._life = connection, ring, life
        self._kinds: dict[tuple[int, str], int] = {}
        self._series_of: dict[int, int] = {}
        count = select(t.lineages.c.links).where(t.lineages.c.id == life)
        self.account = Account(connection.execute(count).scalar_one())
        paid = select(t.groupings.c.once).where(t.groupings.c.lineage == life)
        self.account.once = list(connection.execute(paid).scalars())
        self._read_kinds()
        self._read_links(links)
        self._stored = frozenset(self.account.touched)

    def _read_kinds(self) -> None:
        query = select(t.kinds).join(t.series, t.series.c.id == t.kinds.c.series)
        for row in self._connection.execute(query.where(t.series.c.lineage == self._life)):
            self._remember(row.id, row.series, stored_kind_name(self._ring, row))
            if row.rests:
                self.account.rests[row.id] = row.rests

    def _remember(self, kind: int, series: int, name: str) -> None:
        self.account.names[kind] = name
        self._kinds[series, name] = kind
        self._series_of[kind] = series

    def _read_links(self, links: Iterable[str]) -> None:
        here = t.links.c.lineage == self._life
        counted = select(t.links.c.profile, func.count()).where(here).group_by(t.links.c.profile)
        for profile, count in self._connection.execute(counted):
            self.account.profiles[profile] = count
        for some in _some(sorted(set(links))):
            for row in self._connection.execute(
                select(t.links).where(here, t.links.c.link.in_(some))
            ):
                self.account.touched[row.link] = (row.uses, row.profile)

    # -- changing -------------------------------------------------------------------------------

    def charge(self, series: int, drawn: DrawnRelease) -> int:
        """Add one release and return the kind of its rest."""
        rest = self._kind(series, drawn.rest, drawn.losses.get(drawn.rest))
        charges = {
            self._ring.link(*link): (
                self._kind(series, charge.kind, drawn.losses.get(charge.kind)),
                charge.uses,
            )
            for link, charge in drawn.charges.items()
        }
        self.account.charge(rest, charges)
        return rest

    def begin_late(self, links: Collection[str]) -> None:
        """Enter pairs that were not links of the network before."""
        late = {
            rest: self._kind(self._series_of[rest], LATE + self.account.names[rest], None)
            for rest in list(self.account.rests)
        }
        self.account.begin_late(links, late)

    def _kind(self, series: int, name: str, loss: Loss | None) -> int:
        """Return the number of a kind, entered if it is new."""
        found = self._kinds.get((series, name))
        if found is not None:
            return found
        fingerprint = self._ring.text(name)
        values = {
            "series": series,
            "fingerprint": fingerprint,
            "sealed_name": self._ring.seal(name.encode(), about=f"kind {fingerprint}"),
            "expression": loss.expression if loss else "",
            "decimal": loss.decimal if loss else "",
            "rests": 0,
        }
        key = self._connection.execute(insert(t.kinds).values(values)).inserted_primary_key
        assert key is not None
        self._remember(int(key[0]), series, name)
        return int(key[0])

    def spent(self, compose: Compose) -> Loss:
        """Return the largest loss any link has run up."""
        return self.account.spent(compose)

    def save(self, counter: int) -> None:
        """Write down what changed; the entry ``counter`` did it."""
        here = update(t.lineages).where(t.lineages.c.id == self._life)
        self._connection.execute(here.values(links=self.account.links, counter=counter))
        kind = update(t.kinds).where(t.kinds.c.id == bindparam("kind"))
        rests = [{"kind": k, "rests": count} for k, count in self.account.rests.items()]
        if rests:
            self._connection.execute(kind, rests)
        rows = [
            {"life": self._life, "name": link, "uses": uses, "profile": profile}
            for link, (uses, profile) in self.account.touched.items()
        ]
        old = [row for row in rows if row["name"] in self._stored]
        new = [row for row in rows if row["name"] not in self._stored]
        if old:
            this = t.links.c.lineage == bindparam("life"), t.links.c.link == bindparam("name")
            self._connection.execute(update(t.links).where(*this), old)
        if new:
            named = insert(t.links).values(lineage=bindparam("life"), link=bindparam("name"))
            self._connection.execute(named, new)
        self._stored = frozenset(self.account.touched)


def _some(items: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(items), _MANY):
        yield items[start : start + _MANY]


def stored_kind_name(ring: Keyring, row: Row[Any]) -> str:
    """Return the name of a kind of charge from its row."""
    return ring.unseal(row.sealed_name, about=f"kind {row.fingerprint}").decode()
