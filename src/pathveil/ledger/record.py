"""Recording releases: what happens inside the one transaction before a file is handed out.

Everything here runs while nobody else writes. A release is an entry of the chain, and so is each
version of a network and each further file that a release goes to; the chain vouches for their rows.

The same walk through the same network under the same terms is given back without a charge.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Row, func, insert, select

from pathveil.errors import LedgerError, OverBudget
from pathveil.ledger import ledger_tables as t
from pathveil.ledger.chain import Chain
from pathveil.ledger.entries import Delivery, DrawnRelease, Recorded, Request, exceeds
from pathveil.ledger.keys import Keyring
from pathveil.ledger.past import Past, network_bytes
from pathveil.model.certificate import NO_LOSS, Loss
from pathveil.model.network import Network

Known = Recorded | int | None
"""A release that is there; the place in the list of a request for the same; or nothing yet."""

Wrap = Callable[[bytes, Request], bytes]
"""From a publication to what is written to the file."""


def find_known(connection: Connection, ring: Keyring, requests: Sequence[Request]) -> list[Known]:
    """Return for each request the release that answers it without a charge."""
    answers: list[Known] = []
    first: dict[tuple[str, str], int] = {}
    for place, request in enumerate(requests):
        walk, terms = ring.walk(request.walk), ring.text(request.terms)
        query = (
            select(t.releases)
            .join(t.networks, t.networks.c.counter == t.releases.c.network)
            .where(
                t.networks.c.fingerprint == ring.network(request.network),
                t.releases.c.walk == walk,
                t.releases.c.terms == terms,
            )
        )
        row = connection.execute(query).one_or_none()
        answers.append(first.get((walk, terms)) if row is None else _opened(ring, row))
        first.setdefault((walk, terms), place)
    return answers


def _opened(ring: Keyring, row: Row[Any]) -> Recorded:
    """Return a release of the past from its row."""
    return Recorded(
        row.counter,
        row.series,
        row.place,
        row.digest,
        ring.unseal(row.sealed_data, about=f"release {row.counter}"),
        replayed=True,
        spent=Loss(row.spent_expression, row.spent_decimal),
    )


def losses_after(
    past: Past, requests: Sequence[Request], new: Mapping[int, DrawnRelease], limit: Fraction | None
) -> dict[int, Loss]:
    """Return the largest loss of a link after each new release; nothing is recorded.

    Raises
    ------
    OverBudget
        With the numbers.
    LedgerError
        If a second grouping would give most vertices away.
    """
    account, losses = past.account, dict[int, Loss]()
    account.enter(requests[0].network)
    for place, (index, release) in enumerate(new.items()):
        _require_one_grouping(past, requests[index])
        account.charge(release)
        losses[index] = account.spent
        if limit is not None and exceeds(losses[index], limit):
            raise _refusal(past, losses[index], limit, len(new), place)
    return losses


def _require_one_grouping(past: Past, request: Request) -> None:
    known = list(past.grouping_losses())
    if request.grouping in {None, *known} or not known:
        return
    raise LedgerError(
        f"this network was published over the grouping {known[-1][:12]}…, and a second "
        "grouping gives most of its vertices away; use the first one for the network's "
        "whole life"
    )


def _refusal(past: Past, loss: Loss, limit: Fraction, many: int, place: int) -> OverBudget:
    spent = past.rows[-1].spent if past.rows else NO_LOSS
    which = "this release" if many == 1 else f"the {place + 1}. of these {many} new walks"
    fits = "" if many == 1 else f" {place} of the {many} would fit."
    left = "" if spent.is_infinite else f", {max(float(limit) - float(spent), 0):.4f} is left"
    advice = (
        "No budget allows a loss without a bound: choose another policy, or a ledger without one"
        if loss.is_infinite
        else "Raise the budget only if that loss is acceptable (--budget); files encrypted to "
        "their readers (--to) are charged too"
    )
    return OverBudget(
        f"{which} would bring a link of this network, usually one that several walks use, to a "
        f"loss of {loss}, over the budget of {float(limit):g}; {len(past.rows)} releases "
        f"so far have brought it to {spent}{left}. Nothing was released or recorded.{fits} {advice}"
    )


class Recording:
    """New releases over one network, in one transaction."""

    def __init__(self, connection: Connection, ring: Keyring, chain: Chain, past: Past) -> None:
        self._connection, self._ring, self._chain, self._past = connection, ring, chain, past
        self._series = {release.drawn.terms: release.row.series for release in past.releases}
        self._lengths = {terms: len(past.of_series(terms)) for terms in self._series}

    def record(
        self,
        requests: Sequence[Request],
        known: Sequence[Known],
        drawn: Mapping[int, DrawnRelease],
        wrap: Wrap,
        delivery: Delivery,
    ) -> tuple[Recorded, ...]:
        """Return all requests as releases, the new ones charged; over the budget, none."""
        network, lineage = self._enter_network(requests[0].network)
        limit, budget = self._chain.budget(lineage), delivery.budget
        if budget is not None and limit != budget:
            self._chain.enter("budget", {"network": lineage, "budget": str(budget)})
            limit = budget
        new = {index: drawn[index] for index, there in enumerate(known) if there is None}
        losses = losses_after(self._past, requests, new, limit)
        made: list[Recorded] = []
        for index, (request, there) in enumerate(zip(requests, known, strict=True)):
            if there is None:
                facts = {"lineage": lineage, "network": network}
                release = self._new(request, new[index], losses[index], facts, wrap)
            else:
                release = made[there] if isinstance(there, int) else there
                release = replace(release, replayed=True)
                release = self._addressed(release, request, wrap, keeping=not delivery.replacing)
            made.append(replace(release, budget=limit))
        return tuple(made)

    def _enter_network(self, network: Network) -> tuple[int, int]:
        """Return entry and lineage of exactly this network, entered if it is new."""
        fingerprint, n = self._ring.network(network), t.networks.c
        query = select(n.counter, n.lineage).where(n.fingerprint == fingerprint)
        row = self._connection.execute(query).one_or_none()
        if row is not None:
            return row.counter, row.lineage
        lineage = self._past.lineage
        if lineage is None:
            newest = func.coalesce(func.max(n.lineage), 0)
            lineage = 1 + self._connection.execute(select(newest)).scalar_one()
        sealed = self._ring.seal(network_bytes(network), about=f"network {fingerprint}")
        values = {"lineage": lineage, "fingerprint": fingerprint, "sealed_network": sealed}
        counter = self._chain.enter("network", t.body_of(values))
        self._connection.execute(insert(t.networks).values(counter=counter, **values))
        return counter, lineage

    def _new(
        self,
        request: Request,
        drawn: DrawnRelease,
        spent: Loss,
        facts: Mapping[str, int],
        wrap: Wrap,
    ) -> Recorded:
        """Enter a release with the file it goes to."""
        ring, counter = self._ring, self._chain.counter + 1
        series = self._series.setdefault(request.terms, 1 + max(self._series.values(), default=0))
        place = self._lengths[request.terms] = self._lengths.get(request.terms, 0) + 1
        digest = sha256(drawn.data).hexdigest()
        values: dict[str, Any] = {
            **facts,
            "series": series,
            "place": place,
            "policy": request.policy,
            "grouping": request.grouping,
            "terms": ring.text(request.terms),
            "walk": ring.walk(request.walk),
            "digest": digest,
            "spent_expression": spent.expression,
            "spent_decimal": spent.decimal,
            "sealed_charges": ring.seal(
                drawn.text.encode(),
                about=f"charges {counter}",
                room=charges_room(len(request.network.pairs)),
            ),
            "sealed_data": ring.seal(drawn.data, about=f"release {counter}"),
        }
        parcel = wrap(drawn.data, request)
        note = self._note(counter, request, parcel)
        self._chain.enter("release", t.body_of(values) | {"handout": t.body_of(note)})
        self._connection.execute(insert(t.releases).values(counter=counter, **values))
        self._connection.execute(insert(t.handouts).values(counter=counter, written="", **note))
        release = Recorded(counter, series, place, digest, drawn.data, replayed=False, spent=spent)
        return replace(release, parcel=parcel, output=request.output, handout=counter)

    def _addressed(
        self, release: Recorded, request: Request, wrap: Wrap, *, keeping: bool
    ) -> Recorded:
        """Return a release of the past with its file noted: what is, or is going to be, where."""
        parcel = content_of(request.output) if keeping else b""  # no two envelopes are alike
        handout = self._noted(self._note(release.counter, request, parcel))
        if handout is None:
            parcel = wrap(release.data, request)
            note = self._note(release.counter, request, parcel)
            handout = self._noted(note)
            if handout is None:
                handout = self._chain.enter("handout", t.body_of(note))
                row = {"counter": handout, "written": "", **note}
                self._connection.execute(insert(t.handouts).values(**row))
        return replace(release, parcel=parcel, output=request.output, handout=handout)

    def _noted(self, note: Mapping[str, Any]) -> int | None:
        """Return the entry that notes a file."""
        same = [t.handouts.c[name] == value for name, value in note.items()]
        found = self._connection.execute(select(t.handouts.c.counter).where(*same))
        return found.scalar_one_or_none()

    def _note(self, counter: int, request: Request, parcel: bytes) -> dict[str, Any]:
        """Return the row of a file a release goes to."""
        digest = sha256(parcel).hexdigest()
        return {"release": counter, "digest": digest, "public": request.public}


def content_of(output: Path) -> bytes:
    """Return what is in a file now; nothing if it cannot be read."""
    try:
        return output.read_bytes()
    except OSError:
        return b""


def charges_room(links: int) -> int:
    """Return the room in bytes that charges are sealed in, however long the walk is.

    All links of a network on one walk go in up to about 600 links. In larger networks a walk over
    more of them than that needs twice the room, and so on: for all links of a million each release
    would take 48 megabytes.

    >>> charges_room(12), charges_room(500), charges_room(10**6)
    (4096, 32768, 32768)
    """
    # The names of a link pack into about 40 bytes, kind and uses into a few more.
    return 1 << (min(2048 + 48 * links, 1 << 15) - 1).bit_length()
