"""Good JSON of every kind, and all the files that put ten megabytes into one place of it.

The places are found in the documents, so a new key of a format is covered when a sample has it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from pathveil import Grouping, Policy, Publication, Seeded, publish
from pathveil.exchange.cards import Card, Roster
from pathveil.files.networks.network_reader import read_network
from pathveil.files.publications.container import Container, contained, pack
from tests.fuzzing.mutations import Reader
from tests.fuzzing.samples import GROUPS, NETWORK, WALK, read_walk_here, shown_by
from tests.fuzzing.weights import (
    SIZE,
    WEIGHTS,
    Steps,
    more_of_the_same,
    places,
    value_at,
    with_weight,
    written,
)

Weighted = tuple[str, str, Callable[[], bytes], Reader]

SCALAR = ("zeros", "one wide text", "a great number", "many keys", "empty lists")
"""What is put in the place of a text or a number; lists and objects get every weight."""


DEEP = 2
"""Steps into the facts of a compact file: what is deeper is read as in a ``*.veil.json``."""


def weighted(folder: Path) -> Iterator[Weighted]:
    """Yield a name, an ending, what makes the file, and its reader."""
    yield from _publications(folder)
    yield from _facts(folder)
    GROUPS.save(folder / "groups.json", overwrite=True)
    grouping = json.loads((folder / "groups.json").read_text())
    yield from _places("grouping", grouping, ".json", Grouping.load)
    card = json.loads(Card("one", "127.0.0.1", 9000, ("a", "b"), "").to_json())
    yield from _places("card", card, ".card.json", lambda path: Roster.read([path]))
    yield from _places("walk", {"walk": ["a", "b"], "more": []}, ".json", read_walk_here)
    nodes = [{"id": "a", "label": "A", "x": 1, "y": 2}, {"id": "b"}]
    links = [{"source": "a", "target": "b"}]
    network = {"nodes": nodes, "links": links, "more": []}
    yield from _places("network", network, ".json", read_network)
    loose = {"links": [["a", "b"]]}
    yield from _places("loose network", loose, ".json", read_network)


def _places(
    kind: str, document: Any, ending: str, reader: Reader, known: frozenset[Steps] = frozenset()
) -> Iterator[Weighted]:
    for path in places(document):
        if path in known:
            continue
        for name, weight in _weights_at(document, path):
            yield (
                f"{kind}: {written(path)}, {name}",
                ending,
                lambda path=path, weight=weight: with_weight(document, path, weight()).encode(),  # type: ignore[misc]
                reader,
            )


def _weights_at(document: Any, path: Steps) -> Iterator[tuple[str, Callable[[], str]]]:
    is_large = isinstance(value_at(document, path), list | dict)
    yield from ((name, WEIGHTS[name]) for name in (WEIGHTS if is_large else SCALAR))
    if more_of_the_same(document, path, size=100) is not None:
        yield "more of it", lambda: more_of_the_same(document, path, size=SIZE) or ""


def _publications(folder: Path) -> Iterator[Weighted]:
    network = folder / "network.csv"
    network.write_text("".join(f"{u},{v}\n" for u, v in NETWORK.links))
    shown = [shown_by("inspect", "FILE", "--trust"), shown_by("verify", "FILE", str(network))]

    def reader(path: Path) -> None:
        for show in shown:
            show(path)
        Publication.load(path, trust=True)

    known: frozenset[Steps] = frozenset()
    for number, publication in enumerate(_made()):
        publication.save(folder / f"place{number}.veil.json", overwrite=True)
        reader(folder / f"place{number}.veil.json")
        document = json.loads((folder / f"place{number}.veil.json").read_text())
        yield from _places("publication", document, ".veil.json", reader, known)
        known |= frozenset(places(document))


def _made() -> Iterator[Publication]:
    first = publish(
        NETWORK, WALK, policy=Policy.remembering(prior=("1/2", "1/2")), source=Seeded(1)
    )
    yield publish(NETWORK, WALK, universe=[*NETWORK.links, ("a", "d")], source=Seeded(2))
    yield publish(
        NETWORK,
        WALK,
        policy=Policy.remembering(prior=("1/2", "1/2")),
        after=[first],
        source=Seeded(4),
    )


def _facts(folder: Path) -> Iterator[Weighted]:
    """Yield compact files whose facts have the weight; their checksums are right."""
    path = folder / "header.veil"
    publish(NETWORK, WALK, source=Seeded(1)).save(path, overwrite=True)
    container = Container(path.read_bytes(), str(path))
    bits = pack("bits", container.read("bits", limit=1 << 20))
    facts = json.loads(container.read("facts", limit=1 << 20).tobytes())
    reader = shown_by("inspect", "FILE", "--trust")
    deep = frozenset(path for path in places(facts) if len(path) > DEEP)
    for name, ending, make, _ in _places("compact", facts, ".veil", reader, deep):
        yield name, ending, lambda make=make: contained([pack("facts", make()), bits]), reader  # type: ignore[misc]
