"""Past: what was released over one network before now, earlier versions of it included.

A link that is added or removed makes another network, and what its links have run up must not be
forgotten over that. So each version is kept, sealed, and a network that is new to the ledger
belongs to the *lineage* it shares any link with.

With each release a ledger keeps, sealed, what links pay by it and the release as cover counts it.
So every public release is counted over the network of its time, whatever became of its file. A
release that went out in envelopes only is not public and not counted.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import NamedTuple, Protocol
from unicodedata import normalize

import numpy as np
from sqlalchemy import Connection, func, select

from pathveil.errors import LedgerBroken, LedgerError
from pathveil.files.publications.any_publication import publication_from
from pathveil.ledger import ledger_tables as t
from pathveil.ledger.entries import DrawnRelease, Link, ReleaseRow, Request
from pathveil.ledger.keys import Keyring
from pathveil.ledger.pricing import Account
from pathveil.ledger.shapes import same_shape
from pathveil.model.certificate import Loss
from pathveil.model.network import Network
from pathveil.model.publication import Publication
from pathveil.model.walk import Walk
from pathveil.planning.cover import Classes, Coins, CountedRelease, Law, Life, Urns

Read = Callable[[int], bytes]
"""From the number of a release to its bytes."""


class StoredRelease(NamedTuple):
    """A release of the past: what tables show, the version it is of, and what was sealed."""

    row: ReleaseRow
    network: int
    drawn: DrawnRelease


class Past:
    """What was released over one network so far; empty without a lineage.

    Attributes
    ----------
    versions
        The network through its life, by the entries that brought its versions.
    releases
        Oldest first.
    """

    def __init__(
        self, connection: Connection, ring: Keyring, lineage: int | None, read: Read
    ) -> None:
        self.lineage, self._read = lineage, read
        self.versions = dict(_versions(connection, ring, lineage))
        self.releases = list(_releases(connection, ring, lineage))
        if any(release.network not in self.versions for release in self.releases):
            raise LedgerBroken(
                "the network of a release is gone, or is another one: the ledger was changed; "
                "restore it from a backup and run 'pathveil ledger verify'"
            )

    @property
    def counter(self) -> int:
        """The entry that last changed it; whoever draws from a history relies on that one."""
        return self.releases[-1].row.counter if self.releases else 0

    @property
    def rows(self) -> tuple[ReleaseRow, ...]:
        """All releases as tables show them."""
        return tuple(release.row for release in self.releases)

    def earlier(self, terms: str) -> Iterator[bytes]:
        """Yield the publications of one series, oldest first."""
        for release in self.of_series(terms):
            yield self._read(release.row.counter)

    def of_series(self, terms: str) -> list[StoredRelease]:
        """Return the releases under these terms."""
        return [release for release in self.releases if release.drawn.terms == terms]

    def accounts(self) -> Iterator[Account]:
        """Yield what the links have run up after each release: one account that grows."""
        account, coming = Account(), list(self.versions)
        for release in self.releases:
            while coming and coming[0] < release.row.counter:
                account.enter(self.versions[coming.pop(0)])
            account.charge(release.drawn)
            yield account

    @property
    def account(self) -> Account:
        """What the links have run up by now, computed anew each time."""
        account = Account()
        for account in self.accounts():  # noqa: B007 - the last one
            pass
        return account

    @property
    def public(self) -> list[StoredRelease]:
        """The releases that went to a public file."""
        return [release for release in self.releases if release.row.is_public]

    def publications(self, network: Network, *, encrypted: bool = False) -> list[Publication]:
        """Return what is public, oldest first; nothing if a release is over another version.

        ``encrypted`` adds what went to readers with keys.
        """
        seen = self.releases if encrypted else self.public
        if any(self.versions[release.network] != network for release in seen):
            return []
        numbers = [release.row.counter for release in seen]
        return [publication_from(self._read(one), f"entry {one}") for one in numbers]

    def life(self, *, encrypted: bool = False) -> Life:
        """Return what is public over this network, each release over the network of its time.

        ``encrypted`` adds what went to readers with keys: all that one of them may have.
        """
        return Life(
            tuple(
                counted_from(
                    release.drawn.counted,
                    self.versions[release.network],
                    partial(_shows, self._read, release.row.counter),
                )
                for release in (self.releases if encrypted else self.public)
            )
        )

    def grouping_losses(self) -> dict[str, str]:
        """Return the groupings this network was published over, and what each cost, once."""
        return {
            str(release.row.grouping): release.drawn.once
            for release in self.releases
            if release.drawn.once is not None
        }

    def comes_back(self, network: Network) -> bool:
        """Return whether a link was one before, was none in the last release, and is one again."""
        if not self.releases or self.versions[self.releases[-1].network] == network:
            return False
        absent = set(network.links).difference(self.versions[self.releases[-1].network].links)
        return any(not absent.isdisjoint(version.links) for version in self.versions.values())


def _versions(
    connection: Connection, ring: Keyring, lineage: int | None
) -> Iterator[tuple[int, Network]]:
    query = select(t.networks).where(t.networks.c.lineage == lineage)
    for row in connection.execute(query.order_by(t.networks.c.counter)):
        data = ring.unseal(row.sealed_network, about=f"network {row.fingerprint}")
        yield row.counter, network_from(data)


def _releases(
    connection: Connection, ring: Keyring, lineage: int | None
) -> Iterator[StoredRelease]:
    here = t.releases.c.lineage == lineage
    files: dict[int, list[tuple[bool, bool]]] = {}
    h = t.handouts.c
    listed = select(h.counter, h.release, h.public, h.written).join(
        t.releases, t.releases.c.counter == h.release
    )
    for number, release, public, note in connection.execute(listed.where(here)):
        files.setdefault(release, []).append((bool(public), note == ring.written(number)))
    columns = [one for one in t.releases.c if one.name != "sealed_data"]
    query = select(*columns, t.events.c.time).join(
        t.events, t.events.c.counter == t.releases.c.counter
    )
    for row in connection.execute(query.where(here).order_by(t.releases.c.counter)):
        shown = ReleaseRow(
            row.counter,
            row.series,
            row.place,
            row.policy,
            row.grouping,
            row.time,
            row.digest,
            Loss(row.spent_expression, row.spent_decimal),
            tuple(files.get(row.counter, ())),
        )
        sealed = ring.unseal(row.sealed_charges, about=f"charges {row.counter}")
        yield StoredRelease(shown, row.network, DrawnRelease.parse(sealed))


def newest_release(connection: Connection, lineage: int | None) -> int:
    """Return the number of the last release over a network; 0 if there is none."""
    newest = func.coalesce(func.max(t.releases.c.counter), 0)
    query = select(newest).where(t.releases.c.lineage == lineage)
    return int(connection.execute(query).scalar_one())


def find_lineage(connection: Connection, ring: Keyring, network: Network) -> int | None:
    """Return the lineage a network belongs to, or None if it shares no link with any."""
    n = t.networks.c
    query = select(n.lineage).where(n.fingerprint == ring.network(network))
    same = connection.execute(query).scalar_one_or_none()
    if same is not None:
        return int(same)
    links, names = set(network.links), set(network.vertices)
    # Names in plain letters have one form.
    plain = all(map(str.isascii, network.vertices))
    spelled = set() if plain else set(_spelled(network))
    related = set()
    for lineage in connection.execute(select(n.lineage).distinct()).scalars().all():
        for _, version in _versions(connection, ring, lineage):
            if not links.isdisjoint(version.links):
                related.add(lineage)
            elif spelled and not spelled.isdisjoint(_spelled(version)):
                raise LedgerError(
                    "names of this network look like those of a network in this ledger, but are "
                    "spelled in another Unicode form, so their links would be counted twice; write "
                    "the names in the form of the earlier releases"
                )
            elif (
                len(names) >= SMALLEST_SHAPE
                and names.isdisjoint(version.vertices)
                and same_shape(network, version)
            ):
                raise LedgerError(
                    "a network in this ledger has the same shape under other names. If it is this "
                    "one, publish with the names or codes of the earlier releases (--codes "
                    "CODES.csv), or its links are counted as new. If not, keep it in a ledger of "
                    "its own"
                )
    if len(related) > 1:
        raise LedgerError(
            f"the network shares links with {len(related)} networks of this ledger that share none "
            "with each other; what their links have run up cannot be told apart any more: give "
            "other names if these are the same by accident; else it is not released here"
        )
    return next(iter(related), None)


def _spelled(network: Network) -> Iterator[Link]:
    """Yield the links of a network, names in one Unicode form."""
    names = [normalize("NFC", name) for name in network.vertices]
    for u, v in network.pairs.tolist():
        yield min(names[u], names[v]), max(names[u], names[v])


SMALLEST_SHAPE = 10
"""Vertices from which on two networks of the same shape are hardly two."""


def network_bytes(network: Network) -> bytes:
    """Return the vertices and links of a version, to be sealed."""
    names = json.dumps(network.vertices).encode()
    return len(names).to_bytes(8) + names + network.pairs.astype("<i8").tobytes()


def network_from(data: bytes) -> Network:
    """Return the version that was sealed."""
    end = 8 + int.from_bytes(data[:8])
    pairs = np.frombuffer(data[end:], dtype="<i8").reshape(-1, 2).astype(np.int64)
    return Network(tuple(json.loads(data[8:end])), pairs)


_LAWS: dict[str, type[Coins | Urns | Classes]] = {"coins": Coins, "urns": Urns, "classes": Classes}


def counted_text(release: CountedRelease) -> str:
    """Return a release as cover counts it, as one text; its network is kept elsewhere."""
    law = release.law
    kind = next(name for name, one in _LAWS.items() if isinstance(law, one))
    values = {name: getattr(law, name) for name in law.__dataclass_fields__}
    walks = [walk.vertices for walk in release.walks]
    return json.dumps({"walks": walks, "law": kind, "values": values})


def counted_from(text: str, network: Network, shows: Callable[[Link], bool]) -> CountedRelease:
    """Return the release that was written as a text."""
    facts = json.loads(text)
    law: Law = _LAWS[facts["law"]](**facts["values"])
    return CountedRelease(network, tuple(Walk(walk) for walk in facts["walks"]), law, shows)


def _shows(read: Read, counter: int, link: Link) -> bool:
    """Return whether a release shows a pair on its walk."""
    publication = publication_from(read(counter), f"entry {counter}")
    copies = range(len(publication.positions.copies_of(link[0])))
    return any(
        not publication.same_branch((link[0], one), (link[1], other))
        for one in copies
        for other in copies
    )


class Drawing(Protocol):
    """What a ledger asks of whoever draws releases."""

    independent: bool
    """Whether a release does not depend on earlier ones, so that history need not stand still."""

    def ask_gate(self, coming: Sequence[Request], past: Past) -> None:
        """Raise if these requests must not be released, or become public."""

    def price(self, wanted: Sequence[Request], past: Past) -> Sequence[DrawnRelease] | None:
        """Return what requests cost; None where that is not known before they are drawn."""

    def draw(self, wanted: Sequence[Request], past: Past) -> Sequence[DrawnRelease]:
        """Return requests drawn, each after all those before it."""

    def wrap(self, data: bytes, request: Request) -> bytes:
        """Return what is written to the file: the publication, another form, an envelope."""
