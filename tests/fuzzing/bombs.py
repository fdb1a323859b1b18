"""Files under 10 MB that ask for far more memory than that, and what reading each may cost.

Some were found by attackers and are made by hand. The others put all their weight into one place of
a good file: every place of every kind of JSON we read (:mod:`tests.fuzzing.places`), and lines and
tags of the other kinds (:mod:`tests.fuzzing.lines`).

``python -m tests.fuzzing.bombs all`` reads each in a process of its own and prints what it took;
``sample`` takes those that the tests take.
"""

from __future__ import annotations

import json
import os
import resource
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np

from pathveil import Policy, Seeded, publish
from pathveil.errors import PathveilError, TooLarge
from pathveil.files.networks.network_reader import read_network
from pathveil.files.publications.container import Container, contained, pack
from pathveil.files.publications.veil_json import publication_text
from tests.fuzzing.lines import LINES, lines_of
from tests.fuzzing.mutations import Reader
from tests.fuzzing.places import weighted
from tests.fuzzing.samples import NETWORK, WALK, load_trusting, shown_by

LARGEST_FILE = 10_000_000
MOST_MEMORY = 500 * 1024
"""Kilobytes that a process may hold while it reads one of them, all that it loaded included."""


def many_pieces(nodes: int) -> bytes:
    """One vertex in very many pieces: closures over nodes cost nodes squared."""
    sealed = publish(NETWORK, WALK, policy=Policy.sealed(), source=Seeded(1))
    found = json.loads(publication_text(sealed))
    start = len(found["nodes"])
    found["nodes"] += [["a", 0, piece] for piece in range(1, nodes)]
    found["layers"][0] += range(start, start + nodes - 1)
    found["arcs"] += [[] for _ in range(nodes - 1)]
    return json.dumps(found).encode()


def many_copies(folder: Path) -> bytes:
    """A compact file of five names that says each has a billion copies."""
    return _changed(folder, lambda facts: facts["vertices"][0].update(copies=10**9))


def many_names(folder: Path) -> bytes:
    """A compact file with three hundred thousand names and no bits to go with them."""
    names = [{"name": f"v{number}", "copies": 1} for number in range(300_000)]
    return _changed(folder, lambda facts: facts.update(vertices=names))


def names_of_lists(folder: Path) -> bytes:
    """Names that are no names but lists, as many as fit: twenty times their size in memory."""
    return _changed(folder, lambda facts: facts.update(vertices=[[]] * 1_500_000))


def a_large_drawing(folder: Path) -> bytes:
    """A compact file around a text that unpacks to many times its size."""
    del folder
    return contained([pack("drawing", b"[]," * (4 << 20))])


def a_large_sketch(folder: Path) -> bytes:
    """A sketch that says it has room for a trillion links."""
    return _changed(folder, lambda facts: facts["sketch"].update(capacity=10**12), form="sketch")


def _changed(folder: Path, change: Callable[[Any], object], **options: Any) -> bytes:
    """A compact file with its facts changed, and its checksums right."""
    path, capacity = folder / "plain.veil", 20 if options else None
    publish(NETWORK, WALK, source=Seeded(1), capacity=capacity, **options).save(
        path, overwrite=True
    )
    container = Container(path.read_bytes(), str(path))
    parts = {name: container.read(name, limit=1 << 20).tobytes() for name in container.names()}
    facts = json.loads(parts["facts"])
    change(facts)
    parts["facts"] = json.dumps(facts, separators=(",", ":")).encode()
    return contained([pack(name, data) for name, data in sorted(parts.items())])


def many_elements() -> bytes:
    """XML that is nothing but elements."""
    return b"<graphml><graph>" + b"<node/>" * 1_000_000 + b"</graph></graphml>"


def many_rows(folder: Path) -> bytes:
    """A table of four million equal rows, which Parquet keeps in a few thousand bytes."""
    import pyarrow as pa
    from pyarrow import parquet

    path = folder / "rows.parquet"
    column = pa.DictionaryArray.from_arrays(pa.array(np.zeros(2_000_000, dtype=np.int8)), ["a"])
    table = pa.table({"source": column, "target": column})
    with parquet.ParquetWriter(path, table.schema, compression="zstd") as writer:
        for _ in range(2):
            writer.write_table(table)
    return path.read_bytes()


def one_long_text(folder: Path) -> bytes:
    """A table with one name of many million signs."""
    import pyarrow as pa
    from pyarrow import parquet

    path = folder / "text.parquet"
    table = pa.table({"source": ["a" * (40 << 20)], "target": ["b"]})
    parquet.write_table(table, path, compression="zstd", use_dictionary=False)
    return path.read_bytes()


Make = Callable[[Path], bytes]

PUBLICATIONS: dict[str, tuple[Make, str]] = {
    "100,000 pieces of one vertex": (lambda _: many_pieces(100_000), ".veil.json"),
    "copies by the billion": (many_copies, ".veil"),
    "names without bits": (many_names, ".veil"),
    "names that are lists": (names_of_lists, ".veil"),
    "a drawing of lists": (a_large_drawing, ".veil"),
    "a sketch for a trillion links": (a_large_sketch, ".veil"),
    "lists in lists": (lambda _: b"[" * 9_000_000, ".veil.json"),
    "a list of lists": (lambda _: b"[" + b"[]," * 3_000_000 + b"[]]", ".veil.json"),
    "lists ten deep": (
        lambda _: b"[" + (b"[" * 10 + b"]" * 10 + b",") * 450_000 + b"[]]",
        ".veil.json",
    ),
    "objects": (lambda _: b"[" + b'{"":0},' * 1_300_000 + b"0]", ".veil.json"),
    "a long number": (lambda _: b'{"format": ' + b"9" * 9_000_000 + b"}", ".veil.json"),
}
NETWORKS: dict[str, tuple[Make, str]] = {
    "elements": (lambda _: many_elements(), ".graphml"),
    "equal rows": (many_rows, ".parquet"),
    "one long text": (one_long_text, ".parquet"),
    "brackets": (lambda _: b"graph [ node [ " * 600_000, ".gml"),
    "one long line": (lambda _: b"a" * 9_000_000, ".csv"),
    "commas": (lambda _: b"," * 500_000, ".csv"),
    "a universe over 150,000 vertices": (lambda _: a_long_path(150_000), ".csv"),
}


def a_long_path(vertices: int) -> bytes:
    """A network that is one long path: one bit for each pair of it would take a gigabyte."""
    return "".join(f"{number},{number + 1}\n" for number in range(vertices - 1)).encode()


def publish_over(path: Path) -> None:
    """Publish a short walk over a network that is its own universe, packed."""
    walk, out = path.with_suffix(".walk.txt"), path.with_suffix(".veil")
    walk.write_text("1\n2\n3\n")
    shown_by("publish", "FILE", str(walk), "--universe", str(path), "-o", str(out))(path)
    raise TooLarge("published" if out.exists() else "refused")


class Bomb(NamedTuple):
    """A file, made in a folder, and what reads it."""

    name: str
    make: Make
    ending: str
    reader: Reader


SLOWEST = 120
"""Seconds of computing after which a reader is given up."""

SAMPLE = frozenset(
    {
        "publication: vertices, zeros",
        "compact: certificate, many keys",
        "walk: walk, zeros",
        "network: links, different pairs",
    }
)
"""What the tests read beside those made by hand; all others are read by ``make fuzz``."""


def by_hand() -> Iterator[Bomb]:
    """Yield the files that were found by attackers."""
    for name, (make, ending) in PUBLICATIONS.items():
        yield Bomb(name, make, ending, load_trusting)
        if name.endswith("of one vertex"):
            yield Bomb(f"{name}, inspected", make, ending, shown_by("inspect", "FILE"))
    for name, (make, ending) in NETWORKS.items():
        reader = publish_over if name.startswith("a universe") else read_network
        yield Bomb(name, make, ending, reader)


def bombs(folder: Path) -> Iterator[Bomb]:
    """Yield every file."""
    yield from by_hand()
    for name, ending, make, reader in weighted(folder):
        yield Bomb(name, lambda _, make=make: make(), ending, reader)  # type: ignore[misc]
    for name, line in LINES.items():
        yield Bomb(name, lambda _, line=line: lines_of(line), line.ending, line.reader)  # type: ignore[misc]


def sample(folder: Path) -> Iterator[Bomb]:
    """Yield those that the tests read."""
    yield from by_hand()
    yield from (bomb for bomb in bombs(folder) if bomb.name in SAMPLE)


def peak() -> int:
    """Return the most kilobytes this process has held."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return int(next(line.split()[1] for line in lines if line.startswith("VmHWM")))


def apart(work: Callable[[], str]) -> tuple[str, int, float]:
    """Return how work ended in a process of its own, its peak, and its seconds of computing."""
    here, there = os.pipe()
    child = os.fork()
    if not child:
        resource.setrlimit(resource.RLIMIT_CPU, (SLOWEST, SLOWEST))
        start = time.process_time()
        ended = "broke"
        try:
            ended = work()
        finally:
            told = [ended, peak(), round(time.process_time() - start, 1)]
            os.write(there, json.dumps(told).encode())
            os._exit(0)
    os.close(there)
    with os.fdopen(here, "rb") as pipe:
        said = pipe.read()
    os.waitpid(child, 0)
    return tuple(json.loads(said)) if said else ("did not end", 0, float(SLOWEST))


def how_it_ends(bomb: Bomb, path: Path) -> str:
    """Read a file and return whether it was read or refused."""
    try:
        bomb.reader(path)
    except TooLarge as error:
        return str(error) if bomb.reader is publish_over else "refused"
    except PathveilError:
        return "refused"
    return "read"


def measure(bomb: Bomb, folder: Path, unshared: int) -> tuple[str, int, str, int, float]:
    """Return name, bytes, end, kilobytes and seconds of reading a file.

    Made in another process: what that costs is no reader's. A child does not count pages of
    libraries that it never touched, its parent did: they are added.
    """
    path = folder / f"bomb{bomb.ending}"
    made, _, _ = apart(lambda: f"{path.write_bytes(bomb.make(folder))}")
    assert made.isdigit(), f"{bomb.name}: not made"
    assert int(made) <= LARGEST_FILE, bomb.name
    ended, held, seconds = apart(lambda: how_it_ends(bomb, path))
    path.unlink()
    return bomb.name, int(made), ended, held + unshared, seconds


def measure_all(
    chosen: Callable[[Path], Iterator[Bomb]],
) -> Iterator[tuple[str, int, str, int, float]]:
    """Yield what reading each file takes."""
    with TemporaryDirectory() as place:
        folder = Path(place)
        waiting = list(chosen(folder))
        unshared = max(0, peak() - apart(lambda: "nothing")[1])
        for bomb in waiting:
            yield measure(bomb, folder, unshared)


if __name__ == "__main__":
    wanted = sys.argv[2:]

    def chosen(folder: Path) -> Iterator[Bomb]:
        """Yield the files asked for, of kinds named or of all."""
        listed = {"sample": sample, "all": bombs}[sys.argv[1]](folder)
        return (bomb for bomb in listed if not wanted or bomb.name.split(":")[0] in wanted)

    dear = 0
    for row in measure_all(chosen):
        print(json.dumps(row), flush=True)  # noqa: T201
        dear += row[3] >= MOST_MEMORY or row[2] in {"broke", "did not end"}
    sys.exit(dear > 0)
