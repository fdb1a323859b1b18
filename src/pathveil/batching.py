"""batch(): many walks over one network, each published by itself.

Walks are handed to a pool or a Dask cluster in chunks. Every finished walk is one line of a journal
beside the output, so a batch that was killed goes on where it was: a walk that has been released is
*not* released again, for a second release of the same walk with fresh coins costs as much as the
first. At the end the journal becomes the output, in the order of the walks, and goes.

A walk that cannot be published is reported with its line and does not stop the rest. Why it could
not names vertices and is for the custodian: it goes to a file of its own, never into the output.

*Privacy*: each release has its own certificate; releases over the same network add up.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Self

from pathveil.chance.policy import Policy
from pathveil.chance.source import Seeded
from pathveil.errors import BadFile, MissingExtra, PathveilError
from pathveil.formats.files import read_text, write_aside
from pathveil.formats.veil import publication_text
from pathveil.formats.walks import parse_walk
from pathveil.journal import Journal
from pathveil.model.network import Network
from pathveil.model.publication import Layering, Publication
from pathveil.model.universe import Pairs, Universe
from pathveil.model.walk import Walk
from pathveil.publishing import publish
from pathveil.runners import Progress, run_all

CHUNK = 50
COLUMNS = (
    "line",
    "copies",
    "pieces",
    "layers",
    "covers",
    "unsafe",
    "walk_edge_loss",
    "publication",
)

Wrap = Callable[[bytes], bytes]
"""From a file to what is written instead: an envelope around it."""

Line = tuple[int, str]
"""Number of a line, from 1, and the walk written on it."""


@dataclass(frozen=True)
class Failure:
    """A walk that could not be published, and why. The message may name vertices."""

    line: int
    message: str


@dataclass(frozen=True)
class BatchReport:
    """What became of a batch.

    Attributes
    ----------
    published
        How many walks are in the output.
    resumed
        How many of them had been released before this call took the batch up.
    failures
        Walks that could not be published, by line.
    """

    output: Path
    published: int
    resumed: int
    failures: tuple[Failure, ...]


def batch(
    network: Network,
    walks: str | Path | Iterable[Walk | Iterable[str]],
    output: str | Path,
    *,
    policy: Policy | None = None,
    layering: Layering = "exact",
    universe: Universe | Pairs | None = None,
    seed: int | str | None = None,
    workers: int = 2,
    scheduler: str | None = None,
    progress: Progress | None = None,
    chunk: int = CHUNK,
    wrap: Wrap | None = None,
) -> BatchReport:
    """Return what became of many walks over one network; the releases are in the output.

    Parameters
    ----------
    walks
        A file with one walk a line, commas between vertices or a JSON list (empty lines and lines
        that begin with ``#`` are skipped), or the walks themselves.
    output
        ``*.jsonl``: one line for each walk, its publication under ``publication``. ``*.csv`` or
        ``*.parquet``: one row for each walk, the publication as text in the last column. A name
        without suffix: a folder with one ``*.veil.json`` for each walk, named after its line.
    seed
        For tests: coins from ``Seeded``, other ones for each line; stamps every release unsafe.
    workers, scheduler
        Processes here, or the address of a Dask scheduler instead.
    progress
        Called with (done, total) walks.
    wrap
        Puts what is written into something else: an envelope for its readers. Files then end with
        ``.age``; the journal beside the output, which is the custodian's, stays as it is.

    Raises
    ------
    BadFile
        If the walks cannot be read, or the journal beside the output is of another batch.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> network = Network.parse("ab bc cd bd")
    >>> with TemporaryDirectory() as folder:
    ...     report = batch(network, ["abc", "ad", "bd"], f"{folder}/out.jsonl", workers=1)
    >>> report.published, [failure.line for failure in report.failures]
    (2, [2])
    """
    target = Path(output)
    _require_form(target, wrap)
    lines = list(_lines(walks))
    policy = policy or Policy.balanced()
    journal = target.with_name(f"{target.name}.journal")
    title = _fingerprint(network, policy, layering, seed)
    known = {line: _digest(text) for line, text in lines}
    with _Record(journal, title, known) as record:
        resumed = len(record.made)
        waiting = [(line, text) for line, text in lines if line not in record.made]
        work = partial(
            _release,
            network=network,
            policy=policy,
            layering=layering,
            universe=universe,
            seed=seed,
        )
        chunks = [waiting[k : k + chunk] for k in range(0, len(waiting), chunk)]
        if progress is not None:
            progress(resumed, len(lines))
        for made in run_all(work, chunks, workers=workers, scheduler=scheduler):
            record.append(made)
            if progress is not None:
                progress(len(record.made), len(lines))
        found = [record.made[line] for line, _ in lines]
    good = [(row["line"], row) for row in found if "error" not in row]
    failures = tuple(Failure(row["line"], row["error"]) for row in found if "error" in row)
    _write(target, [row for _, row in good], wrap)
    _write_failures(target, failures)
    journal.unlink()
    return BatchReport(target, len(good), resumed, failures)


def read_walks(path: str | Path) -> list[Line]:
    """Return the walks of a file as (line, text), not yet looked into."""
    lines = enumerate(read_text(path).splitlines(), start=1)
    found = [(n, text) for n, text in lines if text.strip() and not text.lstrip().startswith("#")]
    if not found:
        raise BadFile(f"{path}: holds no walk; write one walk a line, commas between vertices")
    return found


def _lines(walks: str | Path | Iterable[Walk | Iterable[str]]) -> Iterator[Line]:
    if isinstance(walks, str | Path):
        yield from read_walks(walks)
        return
    for line, walk in enumerate(walks, start=1):
        yield line, json.dumps([str(vertex) for vertex in walk])


def _release(
    lines: Sequence[Line],
    *,
    network: Network,
    policy: Policy,
    layering: Layering,
    universe: Universe | Pairs | None,
    seed: int | str | None,
) -> list[dict[str, Any]]:
    """Publish some walks, in whatever process this is; what goes wrong is a result like others."""
    made = []
    for line, text in lines:
        row: dict[str, Any] = {"line": line, "of": _digest(text)}
        try:
            walk = parse_walk(text, where=f"line {line}", network=network)
            source = None if seed is None else Seeded(f"batch {seed} line {line}")
            publication = publish(
                network, walk, policy=policy, layering=layering, source=source, universe=universe
            )
            row |= _facts(publication)
        except PathveilError as error:
            row["error"] = line_failure(line, error).message
        made.append(row)
    return made


def line_failure(line: int, error: PathveilError) -> Failure:
    """Return why the walk on a line could not be published."""
    # The reader counts lines of a walk's own text, of which there is one here.
    message = str(error).replace(f"line {line}, line 1", f"line {line}", 1)
    return Failure(line, message if message.startswith("line ") else f"line {line}: {message}")


def _facts(publication: Publication) -> dict[str, Any]:
    layered = publication.layered
    row = publication.certificate.bound(walk_edges=1)
    return {
        "copies": len(layered.positions),
        "pieces": len(layered.position_of),
        "layers": layered.height,
        "covers": len(layered.covers),
        "unsafe": publication.unsafe,
        "walk_edge_loss": "" if row is None else str(row.presence),
        "publication": publication_text(publication),
    }


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:16]


def _fingerprint(
    network: Network, policy: Policy, layering: Layering, seed: int | str | None
) -> str:
    facts = (network.vertices, network.pairs.tolist(), repr(policy), layering, seed)
    return sha256(repr(facts).encode()).hexdigest()[:16]


class _Record:
    """The journal of a batch: one line for each walk. Custodian's eyes only."""

    def __init__(self, path: Path, title: str, known: dict[int, str]) -> None:
        self.known = known
        self.made: dict[int, dict[str, Any]] = {}
        self._journal = Journal(
            path,
            f"pathveil batch {title}",
            mismatch="is the record of a batch with another network, policy or layering; "
            "finish that one, or remove the file to release its walks again",
        )

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            journal = stack.enter_context(self._journal)
            for payload in journal.found:
                row = json.loads(payload)
                if self.known.get(row["line"]) != row["of"]:
                    raise BadFile(
                        f"{journal.path}: line {row['line']} of the walks is not the one released "
                        "before; restore it, or remove the file to release all walks again"
                    )
                self.made[row["line"]] = row
            stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._journal.__exit__()

    def append(self, rows: Sequence[dict[str, Any]]) -> None:
        fresh = [row for row in rows if row["line"] not in self.made]
        self.made |= {row["line"]: row for row in fresh}
        self._journal.append(json.dumps(row).encode() for row in fresh)


def _write(target: Path, rows: Sequence[dict[str, Any]], wrap: Wrap | None) -> None:
    """Write the releases in the form the name asks for, whole or not at all."""
    if target.suffix == "":
        target.mkdir(parents=True, exist_ok=True)
        for row in rows:
            file = target / f"{row['line']:06d}.veil.json"
            if wrap is None:
                write_aside(file, row["publication"])
            else:
                sealed = wrap(row["publication"].encode())
                write_aside(file.with_name(f"{file.name}.age"), sealed)
    elif target.suffix == ".jsonl":
        lines = (
            json.dumps({"line": row["line"], "publication": json.loads(row["publication"])})
            for row in rows
        )
        write_aside(target, "".join(f"{line}\n" for line in lines))
    elif target.suffix == ".csv":
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows([row[name] for name in COLUMNS] for row in rows)
        write_aside(target, text.getvalue())
    else:
        _write_parquet(target, rows)


def _require_form(target: Path, wrap: Wrap | None) -> None:
    """Raise before anything is released if the output could not be written afterwards."""
    if wrap is not None and target.suffix:
        raise BadFile(
            f"{target}: envelopes are files of their own, one for each walk; give a folder's name "
            "without a suffix"
        )
    if target.suffix not in ("", ".jsonl", ".csv", ".parquet"):
        raise BadFile(
            f"{target}: {target.suffix} is no form of a batch; give .jsonl, .csv, .parquet, or a "
            "folder's name without a suffix"
        )
    if target.suffix == ".parquet" and find_spec("pyarrow") is None:
        raise MissingExtra("parquet", "pyarrow")


def _write_parquet(target: Path, rows: Sequence[dict[str, Any]]) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    aside = target.with_name(f"{target.name}.aside")
    pq.write_table(pa.table({name: [row[name] for row in rows] for name in COLUMNS}), aside)
    aside.replace(target)


def _write_failures(target: Path, failures: Sequence[Failure]) -> None:
    path = target.with_name(f"{target.name}.errors.csv")
    if not failures:
        path.unlink(missing_ok=True)
        return
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("line", "error"))
    writer.writerows((failure.line, failure.message) for failure in failures)
    write_aside(path, text.getvalue())
