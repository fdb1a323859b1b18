"""Batches as their tests make them: a day of walks over a tiny network, open to anybody."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from pathveil.batching import batch_run as batching
from pathveil.batching.batch_run import BatchReport
from pathveil.batching.worker_pool import Crew
from pathveil.files.publications.veil_json import parse_publication
from pathveil.ledger.entries import Delivery
from pathveil.model.network import Network
from pathveil.policies import Policy
from pathveil.publishing.terms import ReleaseTerms
from pathveil.reading.assemble import reconstruct
from tests.strategies import widened

NETWORK = Network.parse("ab af bc bd be bf cd ce cf de df ef")
WIDE = widened(NETWORK)
FILE = """# walks of the day
a,b,c,d

["f", "e", "d"]
a,c
b,x
e
c,d,e,f,a
"""
WANTED = {1: tuple("abcd"), 2: tuple("fed"), 3: tuple("cdefa")}


def batch(network: Network, walks: Any, output: Path, **given: Any) -> BatchReport:
    """A batch over a tiny network, which no gate would open for. The gate has its own tests."""
    policy = given.pop("policy", Policy.remembering(prior=("1/2", "1/2")))
    terms = ReleaseTerms(policy, direction=given.pop("direction", "public"))
    delivery = Delivery(replacing=given.pop("force", False), recipients=given.pop("to", ()))
    after = given.pop("after", ())
    with patch.object(batching, "ask_gate_about"):
        return batching.batch(
            network, walks, output, terms, delivery, after=after, crew=Crew(**given)
        )


def write_walks(path: Path) -> Path:
    """Write the walks of a day, good and bad ones, to a file."""
    path.write_text(FILE)
    return path


def read(path: Path) -> dict[int, tuple[str, ...]]:
    """Return the walks in the lines of an output, by number, as the network reads them."""
    found = {}
    for line in path.read_text().splitlines():
        row = json.loads(line)
        publication = parse_publication(json.dumps(row["publication"]))
        assert publication.certificate.rows
        assert not publication.unsafe
        found[row["number"]] = reconstruct(publication, NETWORK).walk.vertices
    return found


def kill_when_ready(*words: str) -> None:
    """Run a program until it says that it is ready and waits, however fast it is; kill it."""
    with subprocess.Popen(
        [sys.executable, "-c", *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as worker:
        assert worker.stdout is not None
        assert worker.stdout.readline() == b"ready\n"
        worker.kill()


def interrupted(
    walks: object, out: Path, *, network: Network = NETWORK, stop: int = 10, **given: Any
) -> Path:
    """Return the journal of a batch that was stopped after some rows."""

    def at(done: int, total: int) -> None:
        if done >= min(stop, total):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        batch(network, walks, out, workers=1, progress=at, **given)
    return out.with_name(f"{out.name}.journal")
