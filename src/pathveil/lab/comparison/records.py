"""The record of a comparison in progress: finished chunks of trials, so that it can go on.

A trial is a function of its number and of what the title of the journal names, so a chunk that was
lost is played again and comes out the same.
"""

from __future__ import annotations

import json
import zlib
from base64 import b64decode, b64encode
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Self

from pathveil.files.journal import Journal
from pathveil.lab.comparison.games import Contestant, Row
from pathveil.model.network import Network

CHUNK = 20
"""Trials played and recorded together."""


def fingerprint(
    contestants: Sequence[Contestant],
    *,
    seed: int,
    trials: int,
    board: str,
    network: Network | None = None,
) -> str:
    """Return a digest of all that decides the rows of a comparison, save for the code itself.

    Parameters
    ----------
    board
        What is played on, in words, with all its numbers.
    """
    parts = [str(seed), str(trials), str(CHUNK), board]
    parts += [f"{c.name}|{c.unit}|{c.parameters}|{c.budget!r}" for c in contestants]
    if network is not None:
        parts += [repr(network.links), repr(sorted((network.coordinates or {}).items()))]
    return sha256("\n".join(parts).encode()).hexdigest()[:32]


class TrialRecord:
    """The journal of a comparison, opened to go on with it. A chunk recorded twice counts once.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "comparison.journal"
    ...     with TrialRecord(path, "digest", 50) as record:
    ...         record.append(range(20), [{"trial": 0, "system": "x"}])
    ...     with TrialRecord(path, "digest", 50) as record:
    ...         print(record.missing, record.rows)
    [range(20, 40), range(40, 50)] [{'trial': 0, 'system': 'x'}]
    """

    def __init__(self, path: str | Path, digest: str, trials: int) -> None:
        self.rows: list[Row] = []
        self.done = 0
        self._chunks = [
            range(start, min(start + CHUNK, trials)) for start in range(0, trials, CHUNK)
        ]
        self._seen: set[int] = set()
        self._journal = Journal(
            path,
            f"pathveil comparison,{digest}",
            mismatch="is the record of another comparison (other systems, budgets, trials, map or "
            "seed); give another folder, or remove it to start again",
            durable=False,  # a chunk that is lost is played again and comes out the same
        )

    def __enter__(self) -> Self:
        for payload in self._journal.__enter__().found:
            start, _, packed = payload.partition(b",")
            rows = json.loads(zlib.decompress(b64decode(packed)))
            self._count(int(start), rows)
        return self

    def __exit__(self, *_: object) -> None:
        self._journal.__exit__()

    @property
    def missing(self) -> list[range]:
        """The chunks still to be played."""
        return [chunk for chunk in self._chunks if chunk.start not in self._seen]

    def append(self, chunk: range, rows: list[Row]) -> None:
        """Record a finished chunk; on return it outlives this process."""
        if self._count(chunk.start, rows):
            packed = b64encode(zlib.compress(json.dumps(rows).encode()))
            self._journal.append([f"{chunk.start},".encode() + packed])

    def _count(self, start: int, rows: list[Row]) -> bool:
        chunk = next((c for c in self._chunks if c.start == start), None)
        if chunk is None or start in self._seen:
            return False
        self._seen.add(start)
        self.done += len(chunk)
        self.rows.extend(rows)
        return True
