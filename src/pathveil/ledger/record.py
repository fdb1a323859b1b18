"""Recording releases: what happens inside the one transaction before a file is handed out.

Everything here runs while nobody else writes. A release is an entry of the chain; its parts in the
other tables are named there by number or digest, so that the chain vouches for them too.

Replays: releases of the past that answer a request without a charge.

The same walk through the same network under the same terms is given back. Who asks for fresh coins
gets a release of the past in one case only: it was recorded and paid for, for this very file, and
the file was never there.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Row, insert, select, update

from pathveil.errors import LedgerError, OverBudget
from pathveil.ledger import ledger_tables as t
from pathveil.ledger.accounts import AccountRows
from pathveil.ledger.chain import Chain
from pathveil.ledger.entries import Compose, DrawnRelease, Recorded, Request, Wrap, exceeds
from pathveil.ledger.keys import Keyring, power_of_two
from pathveil.ledger.network_lineage import enter_network, find_life, new_row
from pathveil.model.certificate import Loss
from pathveil.model.network import Network

Known = Recorded | int | None
"""A release that is there; the place in the list of a request for the same; or nothing yet."""


def find_known(connection: Connection, ring: Keyring, requests: Sequence[Request]) -> list[Known]:
    """Return for each request the release that answers it without a charge."""
    found: list[Known] = []
    first: dict[tuple[str, str], int] = {}
    for place, request in enumerate(requests):
        row = _waiting(connection, ring, request) if request.fresh else None
        if not request.fresh:
            row = connection.execute(_same(ring, request).limit(1)).one_or_none()
        key = ring.walk(request.walk), request.terms
        if row is not None:
            found.append(_opened(ring, row))
        elif request.fresh:
            found.append(None)
        else:
            found.append(first.get(key))
            first.setdefault(key, place)
    return found


def _same(ring: Keyring, request: Request) -> Any:
    """Return the query for releases of this walk through this network under these terms."""
    return (
        select(t.releases)
        .join(t.networks, t.networks.c.id == t.releases.c.network)
        .join(t.series, t.series.c.id == t.releases.c.series)
        .where(
            t.networks.c.fingerprint == ring.network(request.network),
            t.releases.c.walk == ring.walk(request.walk),
            t.series.c.fingerprint == ring.text(request.terms),
        )
        .order_by(t.releases.c.counter.desc())
    )


def _waiting(connection: Connection, ring: Keyring, request: Request) -> Row[Any] | None:
    """Return a release that was recorded for this very file and never written there.

    Somebody asked for fresh coins and was killed. Asked again, the release he paid for is his.
    """
    if request.output is None:
        return None
    query = _same(ring, request).join(t.handouts, t.handouts.c.release == t.releases.c.counter)
    query = query.add_columns(t.handouts.c.sealed_path, t.handouts.c.digest.label("parcel"))
    for row in connection.execute(query.where(~t.handouts.c.done)):
        path = ring.unseal(row.sealed_path, about=f"handout {row.counter}").decode()
        if path == str(request.output.absolute()) and not _lies_there(path, row.parcel):
            return row
    return None


def _lies_there(path: str, digest: str) -> bool:
    try:
        return sha256(Path(path).read_bytes()).hexdigest() == digest
    except OSError:
        return False


def _opened(ring: Keyring, row: Row[Any]) -> Recorded:
    """Return a release of the past from its row."""
    return Recorded(
        counter=row.counter,
        series=row.series,
        place=row.place,
        digest=row.digest,
        data=ring.unseal(row.sealed_data, about=f"release {row.counter}"),
        replayed=True,
        spent=Loss(row.spent_expression, row.spent_decimal),
        budget=None,
    )


class Recording:
    """New releases over one network, in one transaction."""

    def __init__(self, connection: Connection, ring: Keyring, chain: Chain) -> None:
        self._connection, self._ring, self._chain = connection, ring, chain
        self._places: dict[str, tuple[int, int]] = {}

    def set_budget(self, budget: Fraction, network: Network) -> None:
        """Set the limit of a network; that is an entry of its own."""
        _, life = enter_network(self._connection, self._ring, self._chain, network)
        here = t.lineages.c.id == life
        before = self._connection.execute(select(t.lineages.c.budget).where(here)).scalar_one()
        if before != str(budget):
            self._connection.execute(update(t.lineages).where(here).values(budget=str(budget)))
            self._chain.enter("budget", {"network": life, "budget": str(budget)})

    def has_budget(self, network: Network) -> bool:
        """Return whether the losses of a network's links have a limit."""
        life = find_life(self._connection, self._ring, network)
        if life is None:
            return self._chain.budget is not None
        return self._budget(life) is not None

    def record(
        self,
        requests: Sequence[Request],
        known: Sequence[Known],
        drawn: Mapping[int, DrawnRelease],
        *,
        compose: Compose,
        wrap: Wrap,
    ) -> tuple[Recorded, ...]:
        """Return all requests as releases, the new ones charged; over the budget, none."""
        ring = self._ring
        network, life = enter_network(self._connection, ring, self._chain, requests[0].network)
        budget = self._budget(life)
        new = [index for index, there in enumerate(known) if there is None]
        links = {ring.link(*link) for index in new for link in drawn[index].charges}
        rows = AccountRows(self._connection, ring, life, links) if new else None
        found: list[Recorded] = []
        for index, (request, there) in enumerate(zip(requests, known, strict=True)):
            if isinstance(there, Recorded):
                release = there
            elif isinstance(there, int):
                release = replace(found[there], replayed=True)
            else:
                assert rows is not None
                release = self._new(
                    request,
                    drawn[index],
                    network=network,
                    life=life,
                    rows=rows,
                    compose=compose,
                    wrap=wrap,
                )
                if exceeds(release.spent, budget):
                    place = new.index(index)
                    before = self._spent_before(life, place + 1)
                    raise _refusal(release, before, budget, len(new), place)
            if release.replayed:
                release = self._addressed(release, request, wrap(release.data, request))
            found.append(replace(release, budget=budget))
        if rows is not None:
            rows.save(self._chain.counter)
        for series, length in self._places.values():
            here = update(t.series).where(t.series.c.id == series)
            self._connection.execute(here.values(length=length))
        return tuple(found)

    def _new(
        self,
        request: Request,
        drawn: DrawnRelease,
        *,
        network: int,
        life: int,
        rows: AccountRows,
        compose: Compose,
        wrap: Wrap,
    ) -> Recorded:
        ring = self._ring
        if request.grouping is not None:
            self._enter_grouping(request, drawn, life, rows)
        series, place = self._next_place(request, life)
        rest = rows.charge(series, drawn)
        spent = rows.spent(compose)
        digest, counter = sha256(drawn.data).hexdigest(), self._chain.counter + 1
        values = {
            "series": series,
            "place": place,
            "network": network,
            "walk": ring.walk(request.walk),
            "digest": digest,
            "rest": rest,
            "spent_expression": spent.expression,
            "spent_decimal": spent.decimal,
        }
        sealed = self._sealed(counter, request, drawn)
        release = Recorded(counter, series, place, digest, drawn.data, False, spent, None)
        parcel = wrap(drawn.data, request)
        note = self._note(release, request, parcel)
        file = None if note is None else handout_body(note)
        self._chain.enter("release", release_body(values, sealed) | {"handout": file})
        self._connection.execute(insert(t.releases).values(counter=counter, **values, **sealed))
        handout = None if note is None else new_row(self._connection, t.handouts, note)
        return replace(release, parcel=parcel, output=request.output, handout=handout)

    def _sealed(self, counter: int, request: Request, drawn: DrawnRelease) -> dict[str, bytes]:
        """Return what is sealed in the row of a release: its bytes, and what it charged whom."""
        ring = self._ring
        charges = {ring.link(*link): [c.kind, c.uses] for link, c in drawn.charges.items()}
        prices = {kind: [loss.expression, loss.decimal] for kind, loss in drawn.losses.items()}
        told = {"rest": drawn.rest, "charges": charges, "losses": prices}
        listed = json.dumps(told, sort_keys=True).encode()
        room = charges_room(len(request.network.pairs))
        return {
            "sealed_charges": ring.seal(listed, about=f"charges {counter}", room=room),
            "sealed_counted": ring.seal(
                drawn.counted.encode(), about=f"counted {counter}", room=2 * room
            ),
            "sealed_data": ring.seal(drawn.data, about=f"release {counter}"),
        }

    def _enter_grouping(
        self, request: Request, drawn: DrawnRelease, life: int, rows: AccountRows
    ) -> None:
        """Charge a grouping with the first release over it; a second one must void the first."""
        query = select(t.groupings.c.digest).where(t.groupings.c.lineage == life)
        known = list(self._connection.execute(query).scalars())
        if request.grouping in known:
            return
        if known and request.voids not in known:
            raise LedgerError(
                f"this network was published over the grouping {known[-1][:12]}…, and a second "
                "grouping gives most of its vertices away; use the first one for the network's "
                "whole life, or draw one that declares its protection void"
            )
        assert drawn.once is not None, "the first release over a grouping says what it costs"
        told = {"network": life, "grouping": request.grouping, "once": drawn.once}
        self._chain.enter("grouping", told | {"voids": request.voids})
        values = {"lineage": life, "digest": request.grouping, "once": drawn.once}
        self._connection.execute(insert(t.groupings).values(values))
        rows.account.once.append(drawn.once)

    def _next_place(self, request: Request, life: int) -> tuple[int, int]:
        """Return the series of a request, and the next place in it."""
        fingerprint = self._ring.text(request.terms)
        if fingerprint not in self._places:
            self._places[fingerprint] = self._series(request, life, fingerprint)
        series, length = self._places[fingerprint]
        self._places[fingerprint] = series, length + 1
        return series, length + 1

    def _series(self, request: Request, life: int, fingerprint: str) -> tuple[int, int]:
        """Return the series of a request and how long it is, begun if it is new."""
        query = select(t.series.c.id, t.series.c.length).where(
            t.series.c.lineage == life, t.series.c.fingerprint == fingerprint
        )
        found = self._connection.execute(query).one_or_none()
        if found is not None:
            return found.id, found.length
        values: dict[str, object] = {
            "lineage": life,
            "fingerprint": fingerprint,
            "policy": request.policy,
            "grouping": request.grouping,
            "sealed_terms": self._ring.seal(request.terms.encode(), about=f"terms {fingerprint}"),
            "length": 0,
        }
        return new_row(self._connection, t.series, values), 0

    def _budget(self, life: int) -> Fraction | None:
        query = select(t.lineages.c.budget).where(t.lineages.c.id == life)
        own = self._connection.execute(query).scalar_one() or self._chain.budget
        return None if own is None else Fraction(own)

    def _spent_before(self, life: int, undone: int) -> tuple[Loss, int]:
        """Return what had been run up before this transaction, and over how many releases."""
        query = (
            select(t.releases.c.spent_expression, t.releases.c.spent_decimal)
            .join(t.series, t.series.c.id == t.releases.c.series)
            .where(t.series.c.lineage == life)
            .order_by(t.releases.c.counter)
        )
        rows = self._connection.execute(query).all()[:-undone]
        return (Loss(*rows[-1]) if rows else Loss("0", "0.0000")), len(rows)

    def _addressed(self, release: Recorded, request: Request, parcel: bytes) -> Recorded:
        """Return a release of the past with its file noted: what is going to lie where."""
        note = self._note(release, request, parcel)
        if note is None or request.output is None:
            return replace(release, parcel=parcel)
        query = select(t.handouts).where(
            t.handouts.c.release == release.counter,
            t.handouts.c.digest == note["digest"],
            t.handouts.c.public == note["public"],
        )
        about, path = f"handout {release.counter}", str(request.output.absolute())
        handout = None
        for row in self._connection.execute(query):
            if self._ring.unseal(row.sealed_path, about=about).decode() == path:
                handout = row.id
        if handout is None:
            self._chain.enter("handout", {"release": release.counter} | handout_body(note))
            handout = new_row(self._connection, t.handouts, note)
        return replace(release, parcel=parcel, output=request.output, handout=handout)

    def _note(self, release: Recorded, request: Request, parcel: bytes) -> dict[str, Any] | None:
        """Return the row of a file a release goes to; None if it goes to none."""
        if request.output is None:
            return None
        path = str(request.output.absolute()).encode()
        return {
            "release": release.counter,
            "digest": sha256(parcel).hexdigest(),
            "sealed_path": self._ring.seal(path, about=f"handout {release.counter}"),
            "public": request.public,
            "done": False,
        }


def handout_body(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the chain says of a file that a release goes to."""
    return {
        "digest": values["digest"],
        "sealed_path": sha256(values["sealed_path"]).hexdigest(),
        "public": values["public"],
    }


def charges_room(links: int) -> int:
    """Return the room in bytes that charges are sealed in, however long the walk is.

    All links of a network on one walk go in up to about 600 links. In larger networks a walk over
    more of them than that needs twice the room, and so on: for all links of a million each release
    would take 24 megabytes.

    >>> charges_room(12), charges_room(500), charges_room(10**6)
    (2048, 16384, 16384)
    """
    # A fingerprint of 32 hexadecimal digits packs into 18 bytes, kind and uses into a few more.
    return power_of_two(min(1024 + 24 * links, 1 << 14))


def release_body(values: Mapping[str, Any], sealed: Mapping[str, bytes]) -> dict[str, Any]:
    """Return what the chain says of a release: its row, and digests of what is sealed in it."""
    digests = {name: sha256(data).hexdigest() for name, data in sealed.items()}
    return {**values, **digests}


def _refusal(
    release: Recorded, before: tuple[Loss, int], budget: Fraction | None, many: int, place: int
) -> OverBudget:
    assert budget is not None
    spent, count = before
    which = "this release" if many == 1 else f"the {place + 1}. of these {many} new walks"
    fits = "" if many == 1 else f" {place} of the {many} would fit."
    limit = float(budget)
    left = "" if spent.is_infinite else f", {max(limit - float(spent), 0):.4f} is left"
    return OverBudget(
        f"{which} would bring a link of this network to a loss of {release.spent}, over "
        f"the budget of {limit:g}; {count} releases so far have brought it to {spent}{left}. "
        f"Nothing was released or recorded.{fits} Raise the budget only if that loss is acceptable "
        "(--budget)"
    )
