"""Releases through a ledger against without: SQLite, PostgreSQL, one writer, eight; growth."""

from __future__ import annotations

import itertools
import multiprocessing
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from multiprocessing.pool import ThreadPool
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

import numpy as np

from benchmarks.rows import Row, seconds, sized
from pathveil import Network, Walk, publish
from pathveil.files.atomic_write import write_aside
from pathveil.files.publications.veil_json import publication_text
from pathveil.lab.maps import random_map
from pathveil.ledger.entries import Delivery, DrawnRelease, Request
from pathveil.ledger.ledger import Ledger
from pathveil.ledger.past import Past
from pathveil.ledger.pricing import price_release
from pathveil.ledger.release_walks import TermsDrawing, release_walks, requests_for
from pathveil.publishing.terms import ReleaseTerms
from tests.postgres_server import binaries, running_server

RELEASES = {1: 40, 8: 10}
"""Releases of each writer, by the number of writers."""
MILESTONES = (100, 1_000, 10_000)


def _map() -> tuple[Network, Walk]:
    return random_map(20, 32, np.random.default_rng(5))


def _publish_some(folder: str, writer: int, count: int) -> None:
    network, walk = _map()
    for number in range(count):
        text = publication_text(publish(network, walk))
        write_aside(Path(folder) / f"{writer}-{number}.veil.json", text)


def _release_some(folder: str, writer: int, count: int, url: str, key: str) -> None:
    network, walk = _map()
    # The same walk over and over would not pass the gate, which has a section of its own.
    with Ledger.open(url, key=key) as ledger, patch(f"{release_walks.__module__}.require_open"):
        for number in range(count):
            file = Path(folder) / f"{writer}-{number}.veil.json"
            how = Delivery(fresh=True, replacing=True)
            release_walks(ledger, network, [(walk, file)], delivery=how)


def _per_second(writers: int, folder: str, *ledger: str) -> float:
    """Return the releases a second of so many processes, started and warm before the clock is."""
    count = sized(RELEASES, {1: 2})[writers]
    work = _release_some if ledger else _publish_some
    context, quick = multiprocessing.get_context("spawn"), sized(full=False, quick=True)
    with ThreadPool(writers) if quick else context.Pool(writers) as pool:
        pool.starmap(
            work, [(folder, 100 + w, sized(12, 1), *ledger) for w in range(writers)], chunksize=1
        )
        start = time.perf_counter()
        pool.starmap(work, [(folder, w, count, *ledger) for w in range(writers)], chunksize=1)
        return writers * count / (time.perf_counter() - start)


@contextmanager
def _databases(folder: str) -> Iterator[list[tuple[str, str]]]:
    """Give the ledgers there can be: a file, and a server where one is installed."""
    places = [("SQLite", f"{folder}/ledger.db")]
    if binaries() is None or sized(full=False, quick=True):
        yield places
        return
    with running_server(fsync=True) as url:
        yield [*places, ("PostgreSQL", url)]


def throughput() -> list[Row]:
    """Fresh releases of one walk over 20 vertices, each forced to the disk with and without."""
    rows = []
    with TemporaryDirectory() as folder, _databases(folder) as places:
        plain = {writers: _per_second(writers, folder) for writers in sized(RELEASES, {1: 2})}
        for name, url in places:
            key = f"{folder}/{name}.key"
            Ledger.begin(url, key=key).close()
            for writers in sized(RELEASES, {1: 2}):
                ours = _per_second(writers, folder, url, key)
                rows.append(
                    Row(
                        f"{name}, {writers} writer{'s' if writers > 1 else ''}",
                        f"{ours:.1f} releases/s",
                        f"{plain[writers]:.1f} releases/s without",
                        f"{plain[writers] / ours:.1f} times slower",
                    )
                )
        if len(places) == 1:
            rows.append(Row("PostgreSQL", "", "not here", ""))
    return rows


def growth() -> list[Row]:
    """What one more release costs, and what the file weighs, as the ledger grows."""
    milestones = sized(MILESTONES, (5, 10))
    rng = np.random.default_rng(6)
    network, _ = _map()
    walks = [_random_walk(network, rng) for _ in range(sized(200, 3))]
    terms = ReleaseTerms()
    pool = {walk: publication_text(publish(network, walk)).encode() for walk in walks}
    charged = {walk: replace(price_release(walk, terms), data=data) for walk, data in pool.items()}

    class Drawn(TermsDrawing):
        """Gives what was drawn before; nothing is public, so no gate is asked."""

        independent = True

        def ask_gate(self, coming: Sequence[Request], past: Past) -> None:
            """Open it."""

        def draw(self, wanted: Sequence[Request], past: Past) -> list[DrawnRelease]:
            del past  # fresh coins: nothing to remember
            return [charged[request.walk] for request in wanted]

    rows, first = [], 0.0
    with TemporaryDirectory() as folder, Ledger.begin(f"{folder}/ledger.db") as ledger:

        def record(count: int) -> None:
            chosen = [walks[rng.integers(len(walks))] for _ in range(count)]
            wanted = [(walk, Path(folder) / f"{next(names)}.veil.json") for walk in chosen]
            how = Delivery(fresh=True)
            asked = [replace(r, public=False) for r in requests_for(network, wanted, terms, how)]
            ledger.record(asked, Drawn(terms, how), how)

        names = itertools.count()
        made = 0
        for milestone in milestones:
            while made < milestone:
                record(min(1000, milestone - made))
                made += min(1000, milestone - made)
            times = []
            for _ in range(7):
                start = time.perf_counter()
                record(1)
                times.append(time.perf_counter() - start)
            made += len(times)
            took = sorted(times)[len(times) // 2]
            first = first or took
            size = Path(f"{folder}/ledger.db").stat().st_size
            rows.append(
                Row(
                    f"one more after {milestone:,} releases, SQLite",
                    f"{seconds(took)}; {size / 1e6:.1f} MB",
                    f"{size / made:,.0f} bytes a release",
                    f"{took / first:.2f} times the time at {milestones[0]:,}",
                )
            )
        start = time.perf_counter()
        ledger.standings()
        rows.append(Row(f"show, {made:,} releases", seconds(time.perf_counter() - start), "", ""))
    return rows


def _random_walk(network: Network, rng: np.random.Generator) -> Walk:
    visits = [network.vertices[rng.integers(len(network))]]
    while len(visits) < 6:
        onward = [v for v in network.neighbours(visits[-1]) if v not in visits]
        if not onward:
            break
        visits.append(onward[rng.integers(len(onward))])
    return Walk(visits) if len(visits) > 1 else _random_walk(network, rng)


SECTIONS = [
    ("Releases through a ledger", throughput),
    ("A ledger that grows", growth),
]
