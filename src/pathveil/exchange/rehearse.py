"""A rehearsal, and what a curious party can work out.

:func:`rehearse_exchange` runs all parties of an exchange on this machine. Each is a process of its
own, with its own key, and knows the cards, the public file and its own rows of the network.

:func:`work_out` says what follows for a party from what it put in and what it learnt. A party knows
the places of its own positions, and which positions are linked to these on the walk. The two
neighbours of a visit at place k are at k - 1 and k + 1; a visit with one neighbour is an end. If
the place of one neighbour is known, so is the other's; a neighbour that two visits share is between
them; no place has two positions. Nothing more follows from the exchange: everything else a party
has seen are shares, uniform whatever the secrets are.

Three things are not counted. The publication itself tells each party what it tells anybody who
knows the same links. Where a public bit gives the direction, the holder of one end knows on which
side of it the other sorts. A party that holds nearly all vertices may find a further one by
excluding all others.
"""

from __future__ import annotations

import multiprocessing
import signal
import socket
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from pathlib import Path

import numpy as np

from pathveil.errors import ExchangeFailed, PathveilError
from pathveil.exchange.cards import Card, Roster, read_credentials
from pathveil.exchange.protocol import (
    TIME_LIMIT,
    Agreement,
    Exchange,
    Learn,
    Learnt,
    Outcome,
    Statuses,
    agree,
    own_statuses,
    take_part,
)
from pathveil.model.network import Network
from pathveil.model.publication import Publication

_GRACE = 60.0
"""Seconds beyond the time limit that a party's process may take to start and to end."""


@dataclass(frozen=True)
class Performance:
    """What one party of a rehearsal put in and has afterwards."""

    mine: Statuses
    outcome: Outcome


@dataclass(frozen=True)
class _Part:
    """What one party is given."""

    file: Path
    roster: Roster
    key: Path
    rows: dict[str, tuple[str, ...]]
    learn: Learn
    longest: int | None
    time_limit: float


def rehearse_exchange(
    file: Path,
    network: Network,
    parties: int,
    *,
    learn: Learn = "own",
    longest: int | None = None,
    time_limit: float = TIME_LIMIT,
) -> tuple[Exchange, list[Performance]]:
    """Return what every party of an exchange put in and learnt; vertices are dealt out in turn.

    Parameters
    ----------
    file
        The publication's file; each process reads it for itself.

    Raises
    ------
    ExchangeFailed
        If a party failed.
    """
    names = [f"party-{i + 1:0{len(str(parties))}d}" for i in range(parties)]
    made = [
        Card.with_key(name, "127.0.0.1", port, network.vertices[i::parties], days=2)
        for i, (name, port) in enumerate(zip(names, _free_ports(parties), strict=True))
    ]
    roster = Roster.of(card for card, _ in made)
    exchange = agree(Publication.load(file), roster, learn=learn, longest=longest)
    with tempfile.TemporaryDirectory(prefix="pathveil-rehearsal-") as folder:
        parts = []
        for card, secret in made:
            key = Path(folder) / f"{card.name}.key.pem"
            key.touch(mode=0o600)
            key.write_text(secret, encoding="ascii")
            rows = {vertex: tuple(network.neighbours(vertex)) for vertex in card.vertices}
            parts.append(_Part(file.absolute(), roster, key, rows, learn, longest, time_limit))
        answers = _run_all(parts, _perform, patience=time_limit + _GRACE)
    performances = []
    for name, answer in zip(names, answers, strict=True):
        if not isinstance(answer, Performance):
            raise ExchangeFailed(f"the rehearsal failed: party {name!r}: {answer}")
        performances.append(answer)
    return exchange, performances


def _perform(part: _Part) -> Performance:
    """Do what a party does with its own files."""
    publication = Publication.load(part.file)
    exchange = agree(publication, part.roster, learn=part.learn, longest=part.longest)
    credentials = read_credentials(part.roster, part.key)
    mine = own_statuses(publication, exchange, credentials.me, part.rows)
    outcome = take_part(exchange, mine, credentials, time_limit=part.time_limit)
    return Performance(mine, outcome)


def _run_all(
    parts: list[_Part], work: Callable[[_Part], Performance], *, patience: float
) -> list[Performance | str]:
    """Run each part in a process of its own; return what became of each, an error as its text."""
    context = multiprocessing.get_context("spawn")
    answers: dict[Connection, Performance | str] = {}
    processes, ears = [], []
    last = time.monotonic() + patience
    try:
        for part in parts:
            ear, mouth = context.Pipe(duplex=False)
            ears.append(ear)
            processes.append(context.Process(target=_answer, args=(mouth, work, part), daemon=True))
            with _interrupts_blocked():
                processes[-1].start()
            mouth.close()
        while len(answers) < len(parts):
            ready = wait(set(ears) - set(answers), max(0.0, last - time.monotonic()))
            if not ready:
                raise ExchangeFailed("the rehearsal did not end within its time limit")
            for ear in ears:
                if ear in ready:
                    try:
                        answers[ear] = ear.recv()
                    except EOFError:
                        answers[ear] = "its process ended without an answer"
    finally:
        for process in processes:
            process.kill()
            process.join()
        for ear in ears:
            ear.close()
    return [answers[ear] for ear in ears]


@contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """Start processes that Ctrl-C does not reach: the one that started them ends them."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _answer(mouth: Connection, work: Callable[[_Part], Performance], part: _Part) -> None:
    try:
        mouth.send(work(part))
    except (PathveilError, OSError) as error:
        mouth.send(str(error))


def _free_ports(count: int) -> list[int]:
    """Return ports that nobody listens on now."""
    listeners = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [int(listener.getsockname()[1]) for listener in listeners]
    for listener in listeners:
        listener.close()
    return ports


@dataclass(frozen=True)
class Consequences:
    """What follows for a party, beyond the places that were opened to it.

    Attributes
    ----------
    places
        Places of other positions that follow for certain (up to reversal on a tie).
    swapped
        Two positions each, and the two places that are theirs in one order or the other.
    length
        Visits of the walk, if they follow.
    at_least
        A number of visits that the walk surely has.
    """

    places: dict[int, int]
    swapped: tuple[tuple[tuple[int, int], tuple[int, int]], ...]
    length: int | None
    at_least: int


Way = dict[int, int]
"""Places that the neighbours of one visit may have, all at once."""


def work_out(agreement: Agreement, me: int, mine: Statuses, learnt: Learnt) -> Consequences:
    """Return what follows from a party's input and what it learnt.

    >>> rows = np.array([[False, True, False, False], [False, False, False, False]])
    >>> agreement = Agreement(4, ((0, 3), (1,), (2,)), None)
    >>> work_out(agreement, 0, Statuses(rows), Learnt({0: 2, 3: 0})).places
    {1: 1}
    """
    opened = learnt.places
    known = {position: place for position, place in opened.items() if place}
    neighbours = {
        position: np.flatnonzero(row).tolist()
        for position, row in zip(agreement.held[me], mine.rows, strict=True)
        if row.any()
    }
    ends = {known[p] for p, linked in neighbours.items() if len(linked) == 1}
    last = max(ends - {1}, default=agreement.steps)
    ways = [_ways(known[p], linked, last) for p, linked in neighbours.items()]
    choices = _propagate(known, ways)
    lowest = [min(max(way.values()) for way in ways) for ways in choices]
    at_least = max([2, *known.values(), *lowest])
    length = last if at_least == last else None
    return Consequences(
        places={p: place for p, place in sorted(known.items()) if p not in opened},
        swapped=tuple(_swapped(*ways) for ways in choices),
        length=length,
        at_least=at_least,
    )


def _ways(place: int, linked: list[int], last: int) -> list[Way]:
    """Return how the neighbours of a visit may be placed beside it, on a walk that ends at last."""
    low, high = place - 1, place + 1
    if len(linked) == 1:
        return [{linked[0]: side} for side in (low, high) if 1 <= side <= last]
    first, second = linked
    return [{first: low, second: high}, {first: high, second: low}]


def _swapped(way: Way, _other: Way) -> tuple[tuple[int, int], tuple[int, int]]:
    (first, low), (second, high) = way.items()
    return (first, second), (low, high)


def _propagate(known: dict[int, int], choices: list[list[Way]]) -> list[list[Way]]:
    """Fill in places that follow, until none does; return the choices that stay open."""
    while True:
        known.update(_followed(known, choices) or {})
        choices = [ways for ways in choices if not ways[0].keys() <= known.keys()]
        for ways in choices:
            # Two visits that share a neighbour, or would have two at one place, rule a way out.
            # A way that is possible leaves the choice open: each choice is of two, so that what
            # follows from one by itself is all there is to find.
            outcomes = [_followed(known | way, choices) for way in ways]
            if None in outcomes:
                known.update(next(each for each in outcomes if each is not None))
                break
        else:
            return choices


def _followed(known: dict[int, int], choices: list[list[Way]]) -> dict[int, int] | None:
    """Return the places that follow step by step, or None if two of them contradict each other."""
    places = dict(known)
    while True:
        before = len(places)
        for ways in choices:
            taken = {place: position for position, place in places.items()}
            open_ways = [
                way
                for way in ways
                if all(places.get(p, k) == k and taken.get(k, p) == p for p, k in way.items())
            ]
            if not open_ways:
                return None
            if len(open_ways) == 1:
                places |= open_ways[0]
        if len(places) == before:
            return places
