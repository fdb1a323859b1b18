"""A rehearsal: all parties of an exchange on this machine.

Each is a process of its own, with its own key, and knows the cards, the public file and its own
rows of the network.
"""

from __future__ import annotations

import multiprocessing
import os
import socket
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from pathveil.errors import ExchangeFailed, PathveilError
from pathveil.exchange.cards import Card, Roster, read_credentials
from pathveil.exchange.protocol import (
    TIME_LIMIT,
    Exchange,
    Learn,
    Outcome,
    Statuses,
    agree,
    own_statuses,
    take_part,
)
from pathveil.files.atomic_write import interrupts_held, leave_with_parent
from pathveil.model.network import Network
from pathveil.model.publication import Publication
from pathveil.model.walk import Walk

_GRACE = 60.0
"""Seconds beyond its time limits that a party's process may take to start and to end."""


@dataclass(frozen=True)
class Performance:
    """What one party of a rehearsal put in and has afterwards."""

    mine: Statuses
    outcome: Outcome


_Part = tuple[str, dict[str, tuple[str, ...]]]
"""What one party is given beside what all know: its key as text, and its rows."""


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
        for i, (name, port) in enumerate(zip(names, free_ports(parties), strict=True))
    ]
    roster = Roster.of(card for card, _ in made)
    exchange = agree(Publication.load(file), roster, learn=learn, longest=longest)
    parts = [
        (secret, {vertex: network.neighbours(vertex) for vertex in card.vertices})
        for card, secret in made
    ]
    work = partial(
        _perform,
        file=file.absolute(),
        roster=roster,
        learn=learn,
        longest=longest,
        time_limit=time_limit,
    )
    answers = _run_all(parts, work, patience=2 * time_limit + _GRACE)
    performances = []
    for name, answer in zip(names, answers, strict=True):
        if not isinstance(answer, Performance):
            raise ExchangeFailed(f"the rehearsal failed: party {name!r}: {answer}")
        performances.append(answer)
    return exchange, performances


def read_together(exchange: Exchange, performances: list[Performance], walk: Walk) -> bool:
    """Return whether all the parties' places, put together, are this walk, either way on a tie."""
    learnt = [one.outcome.learnt for one in performances]
    label = exchange.positions.label
    visits = {(at, label(p)[0]) for one in learnt for p, at in one.places.items() if at}
    read = [vertex for _, vertex in sorted(visits)]
    either_way = any(one.order == "either_way" for one in learnt)
    return read == [*walk] or (either_way and read[::-1] == [*walk])


def _perform(
    part: _Part, *, file: Path, roster: Roster, learn: Learn, longest: int | None, time_limit: float
) -> Performance:
    """Do what a party does with its own files."""
    secret, rows = part
    publication = Publication.load(file)
    exchange = agree(publication, roster, learn=learn, longest=longest)
    with _key_file(secret) as key:
        credentials = read_credentials(roster, key)
        mine = own_statuses(publication, exchange, credentials.me, rows)
        outcome = take_part(exchange, mine, credentials, time_limit=time_limit)
    return Performance(mine, outcome)


@contextmanager
def _key_file(secret: str) -> Iterator[Path]:
    """Yield a file with a key; it goes with the rehearsal.

    Where there is /proc it has no name, so that nothing stays of a party that is killed.
    """
    unnamed = Path("/proc/self/fd")
    make = tempfile.TemporaryFile if unnamed.is_dir() else tempfile.NamedTemporaryFile
    with make("w", encoding="ascii") as file:
        file.write(secret)
        file.flush()
        yield unnamed / str(file.fileno()) if unnamed.is_dir() else Path(file.name)


def _run_all(
    parts: list[_Part], work: Callable[[_Part], Performance], *, patience: float
) -> list[Performance | str]:
    """Run each part in a process of its own; return what became of each, an error as its text."""
    with interrupts_held():
        pool = ProcessPoolExecutor(
            len(parts),
            multiprocessing.get_context("spawn"),
            initializer=leave_with_parent,
            initargs=(os.getpid(),),
        )
    try:
        with interrupts_held():
            asked = [pool.submit(work, part) for part in parts]
        if wait(asked, patience).not_done:
            raise ExchangeFailed("the rehearsal did not end within its time limit")
        return [_answer(future) for future in asked]
    finally:
        for process in multiprocessing.active_children():
            process.kill()
        pool.shutdown()


def _answer(future: Future[Performance]) -> Performance | str:
    try:
        return future.result()
    except BrokenProcessPool:
        return "its process ended without an answer"
    except (PathveilError, OSError) as error:
        return str(error)


def free_ports(count: int) -> list[int]:
    """Return ports that nobody listens on now."""
    listeners = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [int(listener.getsockname()[1]) for listener in listeners]
    for listener in listeners:
        listener.close()
    return ports
