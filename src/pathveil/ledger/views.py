"""Looking into a ledger: what was released over a network, and how each network stands."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
from sqlalchemy import Connection, Row, func, select

from pathveil.ledger import ledger_tables as t
from pathveil.ledger.entries import ChargedRelease, Earlier, Recorded, ReleaseRow, Standing
from pathveil.ledger.keys import Keyring
from pathveil.ledger.network_lineage import find_life, last_change, link_sets
from pathveil.ledger.public_life import public_life
from pathveil.ledger.store import Store
from pathveil.model.certificate import Loss
from pathveil.model.network import Network
from pathveil.planning.cover import Life


class Past:
    """What was released over one network before now, earlier versions of it included.

    Attributes
    ----------
    counter
        The entry that last changed it; whoever draws from a history relies on that one.
    """

    def __init__(self, store: Store, ring: Keyring, network: Network) -> None:
        self._store, self._ring = store, ring
        with store.reading() as connection:
            self._life = find_life(connection, ring, network)
            self.counter = last_change(connection, self._life)

    def earlier(self, terms: str | None = None) -> tuple[Earlier, ...]:
        """Return all releases, or those of one series, oldest first."""
        if self._life is None:
            return ()
        columns = t.releases.c.counter, t.releases.c.series, t.releases.c.place, t.releases.c.digest
        query = (
            select(*columns, t.series.c.fingerprint, t.series.c.sealed_terms)
            .join(t.series, t.series.c.id == t.releases.c.series)
            .where(t.series.c.lineage == self._life)
            .order_by(t.releases.c.counter)
        )
        if terms is not None:
            query = query.where(t.series.c.fingerprint == self._ring.text(terms))
        known: dict[str, str] = {}
        found = []
        with self._store.reading() as connection:
            for row in connection.execute(query):
                mark = row.fingerprint
                if mark not in known:
                    sealed = self._ring.unseal(row.sealed_terms, about=f"terms {mark}")
                    known[mark] = sealed.decode()
                read = partial(self._read, row.counter)
                found.append(
                    Earlier(row.counter, row.series, row.place, known[mark], row.digest, read)
                )
        return tuple(found)

    def life(self) -> Life:
        """Return what is public over this network, each release over the network of its time."""
        if self._life is None:
            return Life(())
        with self._store.reading() as connection:
            return public_life(connection, self._ring, self._life, self._read)

    def is_public(self, release: Recorded) -> bool:
        """Return whether a release went to a public file before."""
        here = t.handouts.c.release == release.counter, t.handouts.c.public
        with self._store.reading() as connection:
            return connection.execute(select(t.handouts.c.id).where(*here)).first() is not None

    def series_files(self, terms: str) -> set[bool]:
        """Return whether files of a series were public: yes, no, both, or nothing yet."""
        query = (
            select(t.handouts.c.public)
            .join(t.releases, t.releases.c.counter == t.handouts.c.release)
            .join(t.series, t.series.c.id == t.releases.c.series)
            .where(t.series.c.lineage == self._life)
            .where(t.series.c.fingerprint == self._ring.text(terms))
        )
        with self._store.reading() as connection:
            return {bool(public) for public in connection.execute(query).scalars()}

    def grouping_loss(self, digest: str) -> str | None:
        """Return what a grouping cost any link of this network, once; None if it is new."""
        query = select(t.groupings.c.once).where(
            t.groupings.c.lineage == self._life, t.groupings.c.digest == digest
        )
        with self._store.reading() as connection:
            return connection.execute(query).scalar_one_or_none()

    def comes_back(self, network: Network) -> bool:
        """Return whether a link was one before, was none in the last release, and is one again."""
        query = (
            select(t.networks.c.fingerprint)
            .join(t.releases, t.releases.c.network == t.networks.c.id)
            .where(t.networks.c.lineage == self._life)
            .order_by(t.releases.c.counter.desc())
            .limit(1)
        )
        with self._store.reading() as connection:
            last = connection.execute(query).scalar_one_or_none()
            if last is None or last == self._ring.network(network):
                return False
            here = self._ring.link_numbers(network)
            versions = dict(link_sets(connection, self._ring, self._life))
        absent = here[~np.isin(here, versions[last])]
        return any(bool(np.isin(absent, links).any()) for links in versions.values())

    def groupings(self) -> tuple[str, ...]:
        """Return the digests of the groupings this network was published over."""
        query = select(t.groupings.c.digest).where(t.groupings.c.lineage == self._life)
        with self._store.reading() as connection:
            return tuple(connection.execute(query).scalars())

    def _read(self, counter: int) -> bytes:
        with self._store.reading() as connection:
            return stored_data(connection, self._ring, counter)

    def __len__(self) -> int:
        if self._life is None:
            return 0
        query = select(func.sum(t.series.c.length)).where(t.series.c.lineage == self._life)
        with self._store.reading() as connection:
            return int(connection.execute(query).scalar_one() or 0)


def stored_data(connection: Connection, ring: Keyring, counter: int) -> bytes:
    """Return the bytes of a release."""
    query = select(t.releases.c.sealed_data).where(t.releases.c.counter == counter)
    return ring.unseal(connection.execute(query).scalar_one(), about=f"release {counter}")


def charged_releases(connection: Connection, ring: Keyring) -> Iterator[ChargedRelease]:
    """Yield what each release was charged for, oldest first."""
    query = (
        select(t.releases.c.counter, t.releases.c.place, t.releases.c.sealed_charges)
        .add_columns(t.series.c.fingerprint, t.series.c.sealed_terms)
        .add_columns(t.series.c.policy, t.series.c.grouping)
        .join(t.series, t.series.c.id == t.releases.c.series)
        .order_by(t.releases.c.counter)
    )
    for row in connection.execute(query):
        terms = ring.unseal(row.sealed_terms, about=f"terms {row.fingerprint}").decode()
        listed = json.loads(ring.unseal(row.sealed_charges, about=f"charges {row.counter}"))
        kinds = frozenset([listed["rest"], *(kind for kind, _ in listed["charges"].values())])
        yield ChargedRelease(row.counter, row.place, terms, kinds, row.policy, row.grouping)


def release_rows(connection: Connection) -> list[ReleaseRow]:
    """Return every release as a table shows it, oldest first."""
    query = select(t.handouts.c.release, t.handouts.c.done)
    there: dict[int, bool] = {}
    for release, done in connection.execute(query):
        there[release] = there.get(release, False) or done
    r, s = t.releases.c, t.series.c
    rows = (
        select(r.counter, r.series, r.place, r.digest, r.spent_expression, r.spent_decimal)
        .add_columns(s.lineage, s.policy, s.grouping, t.events.c.time)
        .join(t.series, s.id == r.series)
        .join(t.events, t.events.c.counter == r.counter)
        .order_by(r.counter)
    )
    return [
        ReleaseRow(
            counter=row.counter,
            network=row.lineage,
            series=row.series,
            place=row.place,
            policy=row.policy,
            grouping=row.grouping,
            time=row.time,
            digest=row.digest,
            spent=Loss(row.spent_expression, row.spent_decimal),
            handed_out=there.get(row.counter, True),
        )
        for row in connection.execute(rows)
    ]


def standing(
    connection: Connection, life: Row[Any], rows: Sequence[ReleaseRow], limit: str | None
) -> Standing:
    """Return how one network stands."""
    counted = (
        select(t.links.c.uses, func.count())
        .where(t.links.c.lineage == life.id)
        .group_by(t.links.c.uses)
    )
    uses: Counter[int] = Counter()
    for number, links in connection.execute(counted):
        uses[number] += links
    unused = life.links - sum(uses.values())
    if unused:
        uses[0] += unused
    budget = life.budget or limit
    return Standing(
        network=life.id,
        links=life.links,
        spent=rows[-1].spent if rows else Loss("0", "0.0000"),
        budget=None if budget is None else Fraction(budget),
        uses=dict(sorted(uses.items())),
        rows=tuple(rows),
    )
