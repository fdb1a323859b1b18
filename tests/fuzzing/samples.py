"""Good files of every kind this project reads, each with what is done with it.

A publication is loaded twice: with its certificate checked, which most changes do not survive, and
trusting it, so that everything behind the check is reached too. It also goes through the commands a
stranger's file goes through, whose output must be words and nothing else.
"""

from __future__ import annotations

import io
import json
import os
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

from pathveil import Grouping, Network, Policy, Publication, Seeded, Walk, publish
from pathveil.batching.batch_run import lines_in, walk_on
from pathveil.checking.verification import verify_publication
from pathveil.cli.main import run
from pathveil.errors import PathveilError
from pathveil.exchange.cards import Card, Roster
from pathveil.files.atomic_write import read_text
from pathveil.files.envelopes import open_envelope, sealing
from pathveil.files.networks.network_reader import read_network, read_row
from pathveil.files.publications.any_publication import publication_from
from pathveil.files.walks import read_walk
from pathveil.lab.recorded_work import Journal
from pathveil.ledger.keys import create_key, load_key
from tests.fuzzing.mutations import Reader

NETWORK = Network.parse("ab bc cd de bd ce")
WALK = Walk("abcde")
MARKED = ["[red]a[/]", "b[/nonsense]", "c\x1b[2J", "d\x1b]0;owned\x07", "e\u202ef", "[link=x]"]
GROUPS = Grouping.of(["ae", "bx", "cy", "dz"])


class Sample(NamedTuple):
    """A good file: its content, its ending, and what reads it."""

    content: bytes
    ending: str
    reader: Reader


def load_checked(path: Path) -> None:
    """Load as everybody does: the certificate must be the one the terms earn."""
    verify_publication(Publication.load(path), NETWORK)


def load_trusting(path: Path) -> None:
    """Load with ``trust``, then draw and verify: everything behind the certificate check."""
    publication = Publication.load(path, trust=True)
    publication = publication.over(GROUPS) if "grouping" in repr(publication) else publication
    verify_publication(publication, NETWORK)


def shown_by(*words: str) -> Reader:
    """Return a reader that runs a command, FILE in its words, and looks at what it prints."""

    def reader(path: Path) -> None:
        said = io.StringIO()
        raising = patch.dict(os.environ, PATHVEIL_TRACEBACK="1")  # a fault is raised, not told
        with raising, redirect_stdout(said), redirect_stderr(said):
            code = run([str(path) if word == "FILE" else word for word in words])
        text = said.getvalue()
        assert code in (0, 1, 2), f"exit code {code}"
        assert "out of memory" not in text, text
        assert "Traceback" not in text, text
        assert not set(text) & set("\x1b\x07\u202e\x00"), "a sign that steers terminals"

    reader.__name__ = words[0]
    return reader


def read_walk_here(path: Path) -> None:
    """Read a walk that must go through the network."""
    read_walk(path, network=NETWORK)


def read_batch_walks(path: Path) -> None:
    """Read the walks of a batch, and look into a thousand of them: each is work of its own."""
    for line, text in lines_in(read_text(path), path)[:1000]:
        walk_on(line, text, NETWORK)


def read_journal(path: Path) -> None:
    """Go on with a journal."""
    with Journal(path, "work") as found:
        found.append(b"more")


def samples(folder: Path) -> list[Sample]:
    """Return good files of every kind."""
    return [
        *_publications(folder),
        *_groupings(folder),
        *_networks(folder),
        *_walks(),
        *_keys_and_journals(folder),
    ]


def _publications(folder: Path) -> Iterator[Sample]:
    network = folder / "network.csv"
    network.write_text("".join(f"{u},{v}\n" for u, v in NETWORK.links))
    first = publish(
        NETWORK, WALK, policy=Policy.remembering(prior=("1/2", "1/2")), source=Seeded(9)
    )
    marked = Network.from_links(pairwise(MARKED))
    made = [
        publish(NETWORK, WALK, source=Seeded(0)),
        publish(NETWORK, WALK, policy=Policy.sealed(copies=2), source=Seeded(1)),
        publish(NETWORK, WALK, policy=Policy.paper(vertex=1, link=1), source=Seeded(2)),
        publish(NETWORK, WALK, policy=Policy.two_sided(epsilon=1), source=Seeded(4)),
        publish(NETWORK, WALK, universe=[*NETWORK.links, ("a", "d")], source=Seeded(5)),
        publish(NETWORK, WALK, layering="backtracking", source=Seeded(6)),
        publish(
            NETWORK,
            WALK,
            policy=Policy.remembering(prior=("1/2", "1/2")),
            after=[first],
            source=Seeded(7),
        ),
        publish(NETWORK, WALK, form="sketch", capacity=20, source=Seeded(8)),
        publish(Network.parse("ab bc cd de"), WALK, grouping=GROUPS, source=Seeded(9)),
        publish(marked, Walk(MARKED), source=Seeded(10)),
    ]
    for number, publication in enumerate(made):
        for ending in (".veil.json", ".veil"):
            path = folder / f"sample{number}{ending}"
            try:
                publication.save(path, overwrite=True)
            except PathveilError:
                continue  # not every form has both kinds of file
            data = path.read_bytes()
            yield Sample(data, ending, load_checked)
            yield Sample(data, ending, load_trusting)
            yield Sample(data, ending, shown_by("inspect", "FILE"))
            yield Sample(data, ending, shown_by("inspect", "FILE", "--trust", "--json"))
            yield Sample(data, ending, shown_by("verify", "FILE", str(network)))
            as_one = ("--as", "a", "--trust")
            yield Sample(data, ending, shown_by("reconstruct", "FILE", str(network), *as_one))
    yield from _envelopes((folder / "sample0.veil.json").read_bytes())


def _envelopes(publication_data: bytes) -> Iterator[Sample]:
    import pyrage

    identity = pyrage.x25519.Identity.generate()
    sealed = sealing([str(identity.to_public())])(publication_data)

    def opened(path: Path) -> None:
        publication_from(open_envelope(path.read_bytes(), [identity]))

    yield Sample(sealed, ".age", opened)


def _groupings(folder: Path) -> Iterator[Sample]:
    path = folder / "groups.json"
    GROUPS.save(path, overwrite=True)
    data = path.read_bytes()
    yield Sample(data, ".json", lambda path: Grouping.load(path).require_harmonious(NETWORK))


def _networks(folder: Path) -> Iterator[Sample]:
    links = "".join(f"{u},{v}\n" for u, v in NETWORK.links)
    yield Sample(links.encode(), ".csv", read_network)
    yield Sample(links.encode(), ".csv", lambda path: read_row(path, "a"))
    yield Sample(links.replace(",", "\t").encode(), ".tsv", read_network)
    yield Sample(b"source,target,x\na,b,1\nb,c,2\n", ".csv", read_network)
    table = [{"source": u, "target": v} for u, v in NETWORK.links]
    nodes = [{"id": name, "x": 1.5, "y": 2} for name in NETWORK.vertices]
    for name in ("edges", "links"):
        yield Sample(json.dumps({"nodes": nodes, name: table}).encode(), ".json", read_network)
    drawn = "".join(f'<edge source="{u}" target="{v}"/>' for u, v in NETWORK.links)
    points = "".join(f'<node id="{name}"/>' for name in NETWORK.vertices)
    space = 'xmlns="http://graphml.graphdrawing.org/xmlns"'
    body = f"<graphml {space}><graph edgedefault='undirected'>{points}{drawn}</graph></graphml>"
    yield Sample(body.encode(), ".graphml", read_network)
    gexf = f"<gexf><graph><nodes>{points}</nodes><edges>{drawn}</edges></graph></gexf>"
    yield Sample(gexf.encode(), ".gexf", read_network)
    gml = "".join(f'edge [ source "{u}" target "{v}" ]\n' for u, v in NETWORK.links)
    names = "".join(f'node [ id "{name}" ]\n' for name in NETWORK.vertices)
    yield Sample(f"graph [\n{names}{gml}]\n".encode(), ".gml", read_network)
    yield from _tables(folder)


def _tables(folder: Path) -> Iterator[Sample]:
    import pyarrow as pa
    from pyarrow import parquet

    path = folder / "network.parquet"
    first, second = zip(*NETWORK.links, strict=True)
    parquet.write_table(pa.table({"source": first, "target": second}), path)
    yield Sample(path.read_bytes(), ".parquet", read_network)


def _walks() -> Iterator[Sample]:
    yield Sample(b"a\nb\nc\nd\ne\n", ".txt", read_walk_here)
    yield Sample(b'["a", "b", "c"]', ".json", read_walk_here)
    yield Sample(b"vertex\na\nb\n", ".csv", read_walk_here)
    yield Sample(b'a,b,c\n["c", "d"]\n# more\ne,d\n', ".txt", read_batch_walks)


def _keys_and_journals(folder: Path) -> Iterator[Sample]:
    create_key(folder / "key")

    def key(path: Path) -> None:
        path.chmod(0o600)
        load_key(path)

    yield Sample((folder / "key").read_bytes(), ".key", key)

    with Journal(folder / "x.journal", "work") as begun:
        for payload in (b"one", b"two words"):
            begun.append(payload)
    yield Sample((folder / "x.journal").read_bytes(), ".journal", read_journal)
    card = Card("one", "127.0.0.1", 9000, ("a", "b"), "")
    yield Sample(card.to_json().encode(), ".card.json", lambda path: Roster.read([path]))
