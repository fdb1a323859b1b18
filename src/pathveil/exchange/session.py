"""Reading the walk together: real parties, each with its own file, rows, key and process.

The paper's participants find their own statuses and then exchange them, "possibly by secure
multi-party computing". This is that exchange: :func:`take_part` is what one party runs. How it is
computed is told in :mod:`pathveil.exchange.protocol`.

*The model*: semi-honest parties, honest majority. With m parties, any (m - 1) // 2 of them learn
nothing beyond the agreed outputs, even together; more than that read everything.

Everything here needs the extra ``mpc``; nothing else in the package imports it.

A fingerprint of a publication: the same for the same publication, whatever file it came from.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, fields, is_dataclass
from hashlib import sha256
from typing import Any

import numpy as np

from pathveil.errors import BadFile, DoesNotFit, ExchangeFailed
from pathveil.exchange.cards import Credentials, Roster
from pathveil.exchange.field import WIDTH
from pathveil.exchange.meeting import ExchangeFault, Fault, Greeting, Wire, connected
from pathveil.exchange.protocol import (
    Agreement,
    ByClass,
    ByName,
    ByRoot,
    Direction,
    Learn,
    Learnt,
    Statuses,
    Untold,
    read_together,
)
from pathveil.model.bits import PairBits
from pathveil.model.positions import Positions
from pathveil.model.publication import Publication
from pathveil.reading.participant import read_link, read_vertex


def fingerprint(publication: Publication) -> bytes:
    """Return a SHA-256 over everything that decides how a publication is read.

    The certificate is left out: it is a promise, it does not change what is read.

    >>> from pathveil import Network, Seeded, Walk, publish
    >>> network, walk = Network.parse("ab bc cd"), Walk("abc")
    >>> one, other = (publish(network, walk, source=Seeded(seed)) for seed in (1, 2))
    >>> fingerprint(one) == fingerprint(one), fingerprint(one) == fingerprint(other)
    (True, False)
    """
    parts = (
        publication.bits,
        publication.policy,
        publication.layering,
        publication.direction,
        publication.drawing,
    )
    return _digest(parts)


def _digest(value: Any) -> bytes:
    """Return a digest of plain data, frozen values and arrays: kind, then content, no ambiguity."""
    if isinstance(value, np.ndarray):
        kind = f"array {value.dtype.str} {value.shape}"
        return sha256(kind.encode() + b"\0" + np.ascontiguousarray(value).tobytes()).digest()
    if isinstance(value, PairBits):  # also those that stay in their file until they are asked
        return _joined("PairBits", [value.size, value.packed])
    if is_dataclass(value):
        parts = [(item.name, getattr(value, item.name)) for item in fields(value) if item.compare]
        return _joined(type(value).__name__, [part for pair in parts for part in pair])
    if isinstance(value, Mapping):
        return _joined("map", [part for pair in sorted(value.items()) for part in pair])
    if isinstance(value, tuple | list):
        return _joined("list", value)
    if value is None or isinstance(value, str | bytes | int | np.integer | np.bool_):
        plain = value.item() if isinstance(value, np.generic) else value
        return sha256(f"{type(plain).__name__} {plain!r}".encode()).digest()
    raise TypeError(f"no fingerprint of a {type(value).__name__}")


def _joined(kind: str, parts: Any) -> bytes:
    return sha256(kind.encode() + b"\0" + b"".join(map(_digest, parts))).digest()


TIME_LIMIT = 120.0
"""Seconds after which a party gives up, whatever it waits for."""

MOST_POSITIONS = 2000
"""The matrix of links is dense and secret: at 2,000 positions a party takes about 1.5 GB."""

Progress = Callable[[str, int, int], None]
"""Told (phase, rounds done, rounds in all): public numbers only."""


@dataclass(frozen=True)
class Exchange:
    """What all parties must agree on: the publication, the roster, and what shall be learnt.

    Attributes
    ----------
    positions
        The published copies of all vertices that can lie on the walk.
    agreement
        The same in numbers, for the protocol.
    digest
        SHA-256 of the publication; the first thing parties compare.
    """

    roster: Roster
    positions: Positions
    agreement: Agreement
    digest: bytes

    @property
    def greeting(self) -> Greeting:
        """What two parties compare when they meet."""
        terms = {
            "learn": self.agreement.learn,
            "length": self.agreement.length,
            "longest": self.agreement.longest,
        }
        text = json.dumps(terms).encode()
        return Greeting(self.digest, self.roster.digest, sha256(text).digest())

    def connect(
        self, me: int, *, credentials: Credentials | None, time_limit: float
    ) -> AbstractAsyncContextManager[Wire]:
        """Give a wire to all parties, for one of them; nothing longer than agreed passes it."""
        return connected(
            self.roster,
            me,
            greeting=self.greeting,
            credentials=credentials,
            largest=largest_message(self.agreement),
            time_limit=time_limit,
        )


@dataclass(frozen=True)
class Outcome:
    """What one party has after an exchange: what it learnt, and what the wire carried."""

    learnt: Learnt
    rounds: int
    bytes_sent: int


def agree(
    publication: Publication,
    roster: Roster,
    *,
    learn: Learn = "own",
    length: bool = False,
    longest: int | None = None,
) -> Exchange:
    """Return what all parties must agree on, from what all of them have.

    Parameters
    ----------
    learn
        "own": each party learns the places of its own vertices (links) only. "walk": everybody
        learns the walk.
    length
        Whether the number of visits is opened besides.
    longest
        Visits of the longest walk that can be read; fewer rounds, and a longer walk is refused as
        inconsistent. All positions if None.

    Raises
    ------
    DoesNotFit
        If the publication is noisy, or a card names a vertex it does not have.
    """
    if publication.policy.noisy:
        raise DoesNotFit(
            "in a noisy publication statuses are noisy: no sum of them is the walk; read it by "
            "`pathveil reconstruct`, where each party may learn the whole"
        )
    positions = _positions(publication, roster)
    size = len(positions)
    if size > MOST_POSITIONS:
        raise DoesNotFit(
            f"the publication has {size} positions, expected at most {MOST_POSITIONS}: the secure "
            "matrix of their links would not fit into memory"
        )
    if longest is not None and longest < 2:
        raise DoesNotFit(f"the longest walk has {longest} visits, expected at least 2")
    widest = max(positions.counts)
    agreement = Agreement(
        size=size,
        held=tuple(
            tuple(p for vertex in card.vertices for p in positions.copies_of(vertex))
            for card in roster.cards
        ),
        link_places=tuple(card.links * widest**2 for card in roster.cards),
        direction=_direction(publication, positions),
        learn=learn,
        length=length,
        longest=longest,
    )
    return Exchange(roster, positions, agreement, fingerprint(publication))


def _positions(publication: Publication, roster: Roster) -> Positions:
    """Return the published copies, or, where none are listed, those of the cards' vertices."""
    if publication.bits.names is not None:
        return publication.bits.positions_of(publication.bits.names)
    names = [vertex for card in roster.cards for vertex in card.vertices]
    if not names:
        raise DoesNotFit(
            "the publication lists no vertices, so the cards must name them; no card names any"
        )
    return publication.bits.positions_of(names)


def _direction(publication: Publication, positions: Positions) -> Direction:
    if publication.direction is not None:
        if publication.grouped is None:
            return ByName(publication.direction)
        classes = publication.grouped.known.classes_of(positions.vertices)[positions.vertex_of]
        return ByClass(tuple(classes.tolist()), publication.direction)
    if not publication.follows_walk:
        return Untold()
    layered = publication.layered
    roots = np.zeros(len(layered.positions), dtype=bool)
    roots[layered.position_of[layered.is_root]] = True
    return ByRoot(tuple(roots.tolist()))


def own_statuses(
    publication: Publication,
    exchange: Exchange,
    me: int,
    *,
    rows: Mapping[str, Iterable[str]],
    links: Iterable[tuple[str, str]] = (),
) -> Statuses:
    """Return what a party puts in: the statuses of its own vertices' links, and of its own links.

    *Privacy*: a sketch has positions of the cards' vertices only. A link on the walk to any other
    is put in as what can be on no walk, a position linked to itself: then the check fails for all
    parties alike, and nobody is told whose link it was, as it would be by a party that does not
    come.

    Parameters
    ----------
    rows
        The neighbours of each vertex on its card.
    links
        The links it holds as such, at most as many as its card says.
    """
    card, positions = exchange.roster.cards[me], exchange.positions
    rows = {vertex: tuple(row) for vertex, row in rows.items()}
    held = [(first, second) for first, second in links]
    strangers = on_no_card(publication, exchange, rows, held)
    matrix = np.zeros((len(exchange.agreement.held[me]), exchange.agreement.size), dtype=bool)
    place = {position: i for i, position in enumerate(exchange.agreement.held[me])}
    for vertex in card.vertices:
        if vertex not in rows:
            raise DoesNotFit(f"{vertex!r} is on the card of {card.name!r}, but its row is missing")
        for link in read_vertex(publication, vertex, rows[vertex]).links:
            here = positions.index(*link.here)
            there = here if link.there[0] in strangers else positions.index(*link.there)
            matrix[place[here], there] = True
    if len(held) > card.links:
        raise DoesNotFit(
            f"{len(held)} links, but the card of {card.name!r} says at most {card.links}; make a "
            "new card and exchange it"
        )
    pairs = [
        pair
        for first, second in held
        for pair in _pairs(
            publication,
            exchange,
            first,
            second,
            strange=not strangers.isdisjoint((first, second)),
        )
    ]
    return Statuses(matrix, tuple(pairs))


def on_no_card(
    publication: Publication,
    exchange: Exchange,
    rows: Mapping[str, Iterable[str]],
    links: Iterable[tuple[str, str]] = (),
) -> frozenset[str]:
    """Return the ends of a party's links that are on no card, where only the cards name vertices.

    A walk that uses such a link cannot be read together. Nothing of the walk is looked at.
    """
    if publication.bits.names is not None:
        return frozenset()
    ends = {name for names in [*rows.values(), *links] for name in names}
    return frozenset(ends.difference(exchange.positions.vertices))


def _pairs(
    publication: Publication, exchange: Exchange, first: str, second: str, *, strange: bool
) -> list[tuple[int, int, bool]]:
    positions = exchange.positions
    found = read_link(publication, first, second).links
    if strange:
        return [(0, 0, True)] if found else []
    used = {(positions.index(*link.here), positions.index(*link.there)) for link in found}
    return [
        (here, there, (here, there) in used)
        for here in positions.copies_of(first)
        for there in positions.copies_of(second)
    ]


def take_part(
    exchange: Exchange,
    me: int,
    mine: Statuses,
    *,
    credentials: Credentials | None,
    time_limit: float = TIME_LIMIT,
    progress: Progress | None = None,
) -> Outcome:
    """Return what this party learns; all parties run this at the same time, each for itself.

    Parameters
    ----------
    credentials
        This party's key and the others' certificates. None sends everything in the plain, which
        is refused unless every address is on this machine.
    time_limit
        Seconds after which this party stops, whatever it waits for.

    *Privacy*: semi-honest parties, honest majority; see ``docs/participants.md``.

    Raises
    ------
    ExchangeFailed
        If anything goes wrong, anywhere. Nothing is learnt then but the reason.
    """
    roster = exchange.roster
    if credentials is None and not all(card.is_on_loopback for card in roster.cards):
        far = next(card for card in roster.cards if not card.is_on_loopback)
        raise BadFile(
            f"{far.name!r} is at {far.host}: without TLS all addresses must be on this machine"
        )
    try:
        return asyncio.run(
            _meet_and_read(
                exchange,
                me,
                mine,
                credentials=credentials,
                time_limit=time_limit,
                progress=progress,
            )
        )
    except ExchangeFault as fault:
        raise ExchangeFailed(
            fault.text(roster.names), inconsistent=fault.fault is Fault.INCONSISTENT
        ) from None


async def _meet_and_read(
    exchange: Exchange,
    me: int,
    mine: Statuses,
    *,
    credentials: Credentials | None,
    time_limit: float,
    progress: Progress | None,
) -> Outcome:
    # A stranger's failed handshake is no news, and no text of ours may carry what a peer sent.
    asyncio.get_running_loop().set_exception_handler(lambda _loop, _context: None)
    agreement = exchange.agreement
    async with exchange.connect(me, credentials=credentials, time_limit=time_limit) as wire:
        if progress is not None:
            _report(wire, agreement, progress)
        learnt = await read_together(wire, agreement, mine)
    return Outcome(learnt, wire.rounds_done, wire.bytes_sent)


def _report(wire: Wire, agreement: Agreement, progress: Progress) -> None:
    progress("connected", 0, agreement.steps)
    wire.on_round = lambda number: progress("computing", number, agreement.steps)


def largest_message(agreement: Agreement) -> int:
    """Return the bytes of the longest message of the exchange, which public numbers tell.

    It is somebody's inputs, both ends of all links that are put in, the matrix made of them, two
    readings of the walk, or every second coin.
    """
    parties, size, links = len(agreement.held), agreement.size, sum(agreement.link_places)
    inputs = max(agreement.numbers_of(party) for party in range(parties))
    matrix = size * size if links else 0
    return WIDTH * max(inputs, 2 * links * size, matrix, 2 * size, parties // 2)
