"""Good files of every kind, and ways to spoil them. Shared by the tests and by ``make fuzz``."""

from __future__ import annotations

import json
import random as pseudo
from collections.abc import Callable
from pathlib import Path

from pathveil import Network, Policy, Publication, Seeded, Walk, publish
from pathveil.errors import PathveilError
from pathveil.formats import read_network, read_walk
from pathveil.verifying import verify_publication

NETWORK = Network.parse("ab bc cd de bd ce")
WALK = Walk("abcde")
HOSTILE = (
    b"[/red]",
    b"\x1b]0;x\x07",
    "\u202e".encode(),
    b"1e999999999",
    b"9" * 5000,
    b"\x00",
    b"\xff\xfe",
    b"null",
    b"-1",
    b"NaN",
    b'{"a":' * 400,
    b"<!DOCTYPE x [<!ENTITY a 'b'>]>",
    b"4294967296",
    b"&a;",
    b"1/0",
)


def read_publication_file(path: Path) -> None:
    """Load, draw, verify: everything that is done with a file from a stranger."""
    publication = Publication.load(path, trust=True)
    verify_publication(publication, NETWORK)


def seeds(folder: Path) -> list[tuple[bytes, str, Callable[[Path], object]]]:
    """Return good files as (content, ending, reader)."""
    found: list[tuple[bytes, str, Callable[[Path], object]]] = []
    for number, policy in enumerate(
        (
            Policy.balanced(),
            Policy.sealed(copies=2),
            Policy.paper(vertex=1, edge=1),
            Policy.labelled(dict.fromkeys("abcde", "x"), {("x", "x"): "1/3"}),
        )
    ):
        made = publish(NETWORK, WALK, policy=policy, source=Seeded(number))
        for ending in (".veil.json", ".veil"):
            path = folder / f"seed{number}{ending}"
            made.save(path)
            found.append((path.read_bytes(), ending, read_publication_file))
    edges = "".join(f"{u},{v}\n" for u, v in NETWORK.edges)
    found.append((edges.encode(), ".csv", read_network))
    listed = {
        "nodes": [{"id": name} for name in NETWORK.vertices],
        "edges": [{"source": u, "target": v} for u, v in NETWORK.edges],
    }
    found.append((json.dumps(listed).encode(), ".json", read_network))
    lines = "".join(f'<edge source="{u}" target="{v}"/>' for u, v in NETWORK.edges)
    nodes = "".join(f'<node id="{name}"/>' for name in NETWORK.vertices)
    space = 'xmlns="http://graphml.graphdrawing.org/xmlns"'
    body = f"<graphml {space}><graph edgedefault='undirected'>{nodes}{lines}</graph></graphml>"
    found.append((body.encode(), ".graphml", read_network))
    gml = "".join(f'edge [ source "{u}" target "{v}" ]\n' for u, v in NETWORK.edges)
    names = "".join(f'node [ id "{name}" ]\n' for name in NETWORK.vertices)
    found.append((f"graph [\n{names}{gml}]\n".encode(), ".gml", read_network))
    found.append((b"a\nb\nc\nd\ne\n", ".txt", read_walk))
    found.append((b'["a", "b", "c"]', ".json", read_walk))
    return found


def spoil(content: bytes, random: pseudo.Random) -> bytes:
    """Return the content with one to four changes of the kinds that break readers."""
    data = bytearray(content)
    for _ in range(random.randint(1, 4)):
        place = random.randrange(len(data) + 1)
        kind = random.randrange(6)
        if kind == 0 and data:
            data[min(place, len(data) - 1)] ^= 1 << random.randrange(8)
        elif kind == 1:
            data[place:place] = random.choice(HOSTILE)
        elif kind == 2:
            del data[place : place + random.randint(1, 40)]
        elif kind == 3:
            data[place:place] = data[place : place + random.randint(1, 60)]
        elif kind == 4:
            digits = [i for i, byte in enumerate(data) if 48 <= byte <= 57]
            if digits:
                spot = random.choice(digits)
                data[spot : spot + 1] = str(random.choice((0, 7, 99, 10**6, 10**12))).encode()
        else:
            data = data[:place]
    return bytes(data)


def survives(path: Path, reader: Callable[[Path], object]) -> str | None:
    """Return what a reader did that it must not, or None: it reads, or refuses in our words."""
    try:
        reader(path)
    except PathveilError:
        return None
    except Exception as error:  # noqa: BLE001 - whatever it is, it is what we look for
        return f"{type(error).__name__}: {error}"
    return None
