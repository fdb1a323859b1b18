"""One measurement of publishing at scale, in a process of its own: its peak memory is its own.

``python -m benchmarks.scale_tasks sketch 1000000`` prints one JSON object. Times are processor
seconds of one thread, the least of several, so that a busy machine does not change them much;
memory is the largest that was resident above what was there before the step.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

import numpy as np

from benchmarks.rows import compile_kernels, sized
from pathveil import Network, Policy, Publication, Walk, publish, reconstruct
from pathveil.chance.source import System
from pathveil.files.atomic_write import write_aside
from pathveil.files.networks.network_reader import read_network
from pathveil.files.walks import read_walk
from pathveil.lab.maps import random_map

T = TypeVar("T")

RATES = {"1/2": Policy.balanced(), ".378": Policy.paper(vertex=None, link=1)}
RATES[".076"] = Policy.paper(vertex=None, link=5)


def timed(work: Callable[[], T]) -> tuple[T, float]:
    """Return what the work yields and the processor seconds it took."""
    start = time.process_time()
    found = work()
    return found, time.process_time() - start


def with_peak(work: Callable[[], T]) -> tuple[T, float, float]:
    """Return the same and the megabytes it needed at most, above those before it."""
    before = _status("VmRSS")
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    found, spent = timed(work)
    return found, spent, max(_status("VmHWM") - before, 0.0)


def _status(key: str) -> float:
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) / 1e3 for line in lines if line.startswith(key))


def write_map(folder: Path, vertices: int, links: int) -> None:
    """Write a connected random network as CSV, in a random order, and a walk of 1,000 visits."""
    rng = np.random.default_rng(links)
    order = rng.permutation(vertices)
    backbone = np.stack([order[:-1], order[1:]], axis=1)
    extra = rng.integers(0, vertices, (2 * max(links - vertices, 0) + 10, 2))
    ends = np.sort(np.concatenate([backbone, extra]), axis=1)
    ends = ends[ends[:, 0] < ends[:, 1]]
    _, first = np.unique(ends[:, 0] * vertices + ends[:, 1], return_index=True)
    ends = rng.permutation(ends[np.sort(first)[:links]])
    with (folder / "map.csv").open("w", encoding="ascii") as file:
        file.write("source,target\n")
        for start in range(0, len(ends), 100_000):
            part = ends[start : start + 100_000].tolist()
            file.write("".join(f"v{i},v{j}\n" for i, j in part))
    visits = order[: min(1000, vertices)].tolist()
    (folder / "walk.txt").write_text("".join(f"v{i}\n" for i in visits), encoding="ascii")


def sketch(links: int) -> dict[str, Any]:
    """Everything about a sketch of so many links over a third as many vertices."""
    _warm()
    times = 5 if links <= 1_000_000 else 3
    with TemporaryDirectory() as name:
        folder = Path(name)
        write_map(folder, max(links // 3, 300), links)
        network, read, read_peak = with_peak(lambda: read_network(folder / "map.csv"))
        if links <= 1_000_000:
            read = min(read, best(lambda: read_network(folder / "map.csv"), times)[1])
        walk = read_walk(folder / "walk.txt", network=network)
        count, file = len(network.pairs), folder / "x.veil"

        def publication() -> Publication:
            return publish(network, walk, form="sketch", capacity=count)

        _, _, peak = with_peak(lambda: publication().save(file, overwrite=True))
        made, spent = best(publication, times)
        return {
            "links": count,
            "read": read,
            "read_peak_mb": read_peak,
            "network_mb": _megabytes(network),
            "publish": spent,
            "peak_mb": peak,
            **_files(folder, made, (count + 7) // 8, times),
            **_readings(file, network, walk, times),
        }


def packed(vertices: int) -> dict[str, Any]:
    """Everything about a packed publication of so many vertices."""
    pairs, times = vertices * (vertices - 1) // 2, 5
    with TemporaryDirectory() as name:
        folder = Path(name)
        write_map(folder, vertices, 3 * vertices)
        network, read = best(lambda: read_network(folder / "map.csv"), times)
        walk = read_walk(folder / "walk.txt", network=network)
        publish(Network.parse("ab bc"), Walk("abc")).save(folder / "small.veil")
        file = folder / "x.veil"
        _, _, peak = with_peak(lambda: publish(network, walk).save(file, overwrite=True))
        made, spent = best(lambda: publish(network, walk), times)
        sizes = {}
        for rate, policy in RATES.items():
            publish(network, walk, policy=policy).save(folder / "rate.veil", overwrite=True)
            share = float(policy.chaff)
            entropy = -share * np.log2(share) - (1 - share) * np.log2(1 - share)
            sizes[rate] = 8 * (folder / "rate.veil").stat().st_size / (float(entropy) * pairs)
        return {
            "vertices": vertices,
            "pairs": pairs,
            "read": read,
            "publish": spent,
            "peak_mb": peak,
            "packed_mb": pairs / 8e6,
            "over_entropy": sizes,
            **_files(folder, made, (pairs + 7) // 8, times),
            **_readings(file, network, walk, times),
        }


def layers(vertices: int) -> dict[str, Any]:
    """The layers of a packed publication of so many vertices, drawn when somebody asks."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        write_map(folder, vertices, 3 * vertices)
        network = read_network(folder / "map.csv")
        walk = read_walk(folder / "walk.txt", network=network)
        compile_kernels()
        size = sized(200, 20)
        small = random_map(size, 3 * size, np.random.default_rng(1))
        _ = publish(*small).layers  # compile, or load what was compiled
        publication = publish(network, walk)
        start = time.perf_counter()
        found, spent, peak = with_peak(lambda: publication.layers)
        clock = time.perf_counter() - start
    return {"layers": spent, "clock": clock, "peak_mb": peak, "height": len(found)}


def _megabytes(network: Network) -> float:
    """Return what a network takes: its names, the row of them, its links."""
    names = sum(map(sys.getsizeof, network.vertices))
    return (names + sys.getsizeof(network.vertices) + network.pairs.nbytes) / 1e6


def best(work: Callable[[], T], times: int) -> tuple[T, float]:
    """Return what the work yields and the least processor seconds of several times."""
    found, least = timed(work)
    for _ in range(sized(times, 1) - 1):
        found, spent = timed(work)
        least = min(least, spent)
    return found, least


def _files(folder: Path, made: Publication, size: int, times: int) -> dict[str, float]:
    """Saving and opening, and what no file can do without: its coins written, its bytes read."""
    file = folder / "again.veil"
    _, saved = best(lambda: made.save(file, overwrite=True), times)
    _, opened = best(lambda: Publication.load(file), times)
    _, coins = best(
        lambda: write_aside(folder / "coins", System().take(size), replacing=True), times
    )
    _, bare = best(lambda: sha256(file.read_bytes()).digest(), times)
    return {
        "save": saved,
        "open": opened,
        "coins": coins,
        "bare_read": bare,
        "bytes": file.stat().st_size,
    }


def _readings(file: Path, network: Network, walk: Walk, times: int) -> dict[str, float]:
    publication = Publication.load(file)
    found, back = best(lambda: reconstruct(publication, network), times)
    assert found.walk == walk, "the walk must read back"
    me, others = network.vertices[0], network.vertices[1:11]
    asked = [(0, i) for i in range(1, 11)]
    least = 1.0
    for _ in range(50):
        start = time.perf_counter()
        positions = publication.bits.positions_of([me, *others])
        publication.bits.same_branch(positions, np.array(asked))
        least = min(least, time.perf_counter() - start)
    return {"reconstruct": back, "ten_links": least}


def _warm() -> None:
    """Compile, or load what was compiled: a matter of the machine's first sketch alone."""
    size = sized(60_000, 60)
    ring = Network.from_links([(i, (i + 1) % size) for i in range(size)])
    publish(ring, Walk([1, 2]), form="sketch", capacity=size)


TASKS = {"sketch": sketch, "packed": packed, "layers": layers}

if __name__ == "__main__":
    print(json.dumps(TASKS[sys.argv[1]](int(sys.argv[2]))))
