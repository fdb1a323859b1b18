"""The secure exchange between real processes, beside the plain exchange over the same wire."""

from __future__ import annotations

import asyncio
import multiprocessing
import socket
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.rows import Row, seconds, sized
from pathveil import Network, publish
from pathveil.exchange.cards import Card, Roster, make_certificate, read_credentials
from pathveil.exchange.protocol import Exchange, Statuses, agree, own_statuses, take_part
from pathveil.lab.maps import random_map
from pathveil.model.positions import linear_forest
from pathveil.model.publication import Publication

SIZES = (50, 100, 200)
PARTIES = (5,)
LIMITS = {(50, 5): 2.0}
"""Seconds the exchange may take, by positions and parties."""

_TIME_LIMIT = 3600.0


@dataclass(frozen=True)
class Measured:
    """One exchange: seconds until the last party had its result, rounds, bytes of all parties.

    ``work`` is what all parties computed, in seconds of one core.
    """

    seconds: float
    work: float
    rounds: int
    bytes: int


def secure_exchanges() -> Iterator[Row]:
    """Yield secure beside plain, for each size and number of parties."""
    found: dict[tuple[int, int], Measured] = {}
    sizes, many = sized((SIZES, PARTIES), ((5, 6), (3,)))
    for size in sizes:
        network, walk = random_map(size, 2 * size, np.random.default_rng(size))
        publication = publish(network, walk)
        for parties in many:
            with tempfile.TemporaryDirectory() as folder:
                cast = _Troupe(Path(folder), publication, network, parties)
                secure, plain = cast.run(_secure), cast.run(_plain)
            found[size, parties] = secure
            limit = LIMITS.get((size, parties))
            yield Row(
                f"n = {size}, {parties} parties",
                _shown(secure),
                f"plain: {_shown(plain)}",
                f"{secure.seconds / plain.seconds:.3g}x the time",
                "" if limit is None else f"<= {seconds(limit)}",
                None if limit is None else secure.seconds <= limit,
            )
    for parties in many:
        yield Row(
            f"growth, {parties} parties",
            _growth(found, sizes[-2:], parties),
            "n + 8 rounds",
            "",
            "",
        )


def _growth(found: dict[tuple[int, int], Measured], sizes: tuple[int, ...], parties: int) -> str:
    """Return exponents from the two largest sizes: work and bytes go with n to this power."""
    (a, b) = sizes
    ratio = np.log(b / a)
    slower = np.log(found[b, parties].work / found[a, parties].work) / ratio
    larger = np.log(found[b, parties].bytes / found[a, parties].bytes) / ratio
    return f"work n^{slower:.2f}, bytes n^{larger:.2f}"


def _shown(measured: Measured) -> str:
    return (
        f"{seconds(measured.seconds)} ({seconds(measured.work)} of work), "
        f"{measured.rounds} rounds, {measured.bytes / 1e6:.3g} MB"
    )


class _Troupe:
    """Parties with keys and cards, each forked when it is its turn to run."""

    def __init__(
        self, folder: Path, publication: Publication, network: Network, parties: int
    ) -> None:
        names = [f"p{i:02d}" for i in range(parties)]
        cards = []
        listeners = [socket.create_server(("127.0.0.1", 0)) for _ in names]
        self.keys = []
        for i, name in enumerate(names):
            key, certificate = make_certificate(name, days=2)
            self.keys.append(folder / f"{name}.key.pem")
            self.keys[-1].write_text(key)
            port = int(listeners[i].getsockname()[1])
            held = network.vertices[i::parties]
            cards.append(Card(name, "127.0.0.1", port, held, certificate))
            listeners[i].close()
        self.exchange = agree(publication, Roster.of(cards))
        self.inputs = [
            own_statuses(
                publication,
                self.exchange,
                i,
                {vertex: network.neighbours(vertex) for vertex in card.vertices},
            )
            for i, card in enumerate(self.exchange.roster.cards)
        ]

    def run(self, work: Callable[[Exchange, int, Statuses, Path], tuple[int, int]]) -> Measured:
        context = multiprocessing.get_context("fork")
        results: Any = context.SimpleQueue()

        def play(me: int) -> None:
            before = time.process_time()
            rounds, sent = work(self.exchange, me, self.inputs[me], self.keys[me])
            results.put((time.process_time() - before, rounds, sent))

        parties = [context.Process(target=play, args=(i,)) for i in range(len(self.inputs))]
        start = time.perf_counter()
        for party in parties:
            party.start()
        ends = [results.get() for _ in parties]
        took = time.perf_counter() - start
        for party in parties:
            party.join()
        worked, rounds, sent = zip(*ends, strict=True)
        return Measured(took, sum(worked), max(rounds), sum(sent))


def _secure(exchange: Exchange, _me: int, mine: Statuses, key: Path) -> tuple[int, int]:
    credentials = read_credentials(exchange.roster, key)
    outcome = take_part(exchange, mine, credentials, time_limit=_TIME_LIMIT)
    return outcome.rounds, outcome.bytes_sent


def _plain(exchange: Exchange, me: int, mine: Statuses, key: Path) -> tuple[int, int]:
    """Show everybody one's statuses, over the same TLS; then each follows the path by itself."""
    credentials = read_credentials(exchange.roster, key)
    agreement = exchange.agreement

    async def show() -> tuple[int, int]:
        async with exchange.connect(credentials, time_limit=_TIME_LIMIT) as wire:
            others = [party for party in range(wire.parties) if party != me]
            sizes = {p: (len(agreement.held[p]) * agreement.size + 7) // 8 for p in others}
            told = await wire.swap(dict.fromkeys(others, np.packbits(mine.rows).tobytes()), sizes)
            links = np.zeros((agreement.size, agreement.size), dtype=bool)
            links[list(agreement.held[me])] = mine.rows
            for party, data in told.items():
                count = len(agreement.held[party]) * agreement.size
                bits = np.unpackbits(np.frombuffer(data, np.uint8), count=count)
                links[list(agreement.held[party])] = bits.reshape(-1, agreement.size)
            linear_forest(np.argwhere(np.triu(links)), exchange.positions)
        return wire.rounds_done, wire.bytes_sent

    return asyncio.run(show())


SECTIONS = [("Secure exchange between real processes (mutual TLS)", secure_exchanges)]
