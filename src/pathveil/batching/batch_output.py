"""Where the releases of a batch go: lines, tables, or a folder of files; written as they come.

Rows come one after another, in the order of the walks, and are not kept: a batch of any length
needs no more memory than its largest release. What is one file is written aside and renamed.

The rows of a batch: layers drawn by a pool or a Dask cluster, and written as they come.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

from pathveil.batching.batch_journal import DrawnLine
from pathveil.batching.worker_pool import run_all
from pathveil.errors import BadFile, MissingExtra
from pathveil.files.atomic_write import clear_parts, part_of, write_aside
from pathveil.files.publications.veil_json import certificate_facts, publication_text
from pathveil.model.certificate import Certificate
from pathveil.model.publication import Publication

COLUMNS = (
    "number",
    "copies",
    "pieces",
    "layers",
    "arcs",
    "unsafe",
    "walk_link_loss",
    "publication",
)
"""What a table says of each release; the publication itself comes last."""

Row = dict[str, Any]
Wrap = Callable[[bytes], bytes]
"""From a file to what is written instead: an envelope around it."""

BESIDE = ("certificate.json", "lines.csv", "errors.csv")
"""How files end that are written beside the output, under its name."""

_ROW_GROUP = 200


def require_form(target: Path, wrap: Wrap | None) -> None:
    """Raise before anything is drawn if the output could not be written afterwards."""
    if wrap is not None and target.suffix:
        raise BadFile(
            f"{target}: envelopes are files of their own, one for each walk; give a folder's name "
            "without a suffix"
        )
    if target.exists() and not target.is_file() and not (target.is_dir() and not target.suffix):
        raise BadFile(
            f"{target}: is no plain file, and a batch is written aside and renamed; give the name "
            "of a file, or of a folder without a suffix"
        )
    if target.suffix not in ("", ".jsonl", ".csv", ".parquet"):
        raise BadFile(
            f"{target}: {target.suffix} is no form of a batch; give .jsonl, .csv, .parquet, or a "
            "folder's name without a suffix"
        )
    if target.suffix == ".parquet" and find_spec("pyarrow") is None:
        raise MissingExtra("parquet", "pyarrow")


def write_rows(target: Path, rows: Iterable[Row], wrap: Wrap | None) -> int:
    """Write the releases in the form the name asks for; return how many there were."""
    count = 0

    def counted() -> Iterator[Row]:
        nonlocal count
        for row in rows:
            count += 1
            yield row

    if target.suffix == "":
        _write_folder(target, counted(), wrap)
    elif target.suffix == ".jsonl":
        with _aside(target) as path, path.open("w", encoding="utf-8", newline="\n") as file:
            for row in counted():
                # On one line already, so that what is written need not be parsed here.
                file.write(f'{{"number": {row["number"]}, "publication": {row["publication"]}}}\n')
    elif target.suffix == ".csv":
        with _aside(target) as path, path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(COLUMNS)
            writer.writerows([row[name] for name in COLUMNS] for row in counted())
    else:
        _write_parquet(target, counted())
    return count


def _write_folder(target: Path, rows: Iterable[Row], wrap: Wrap | None) -> None:
    target.mkdir(parents=True, exist_ok=True)
    for row in rows:
        file = target / release_name(row["number"])
        if wrap is None:
            write_aside(file, row["publication"])
        else:
            with _aside(file.with_name(f"{file.name}.age")) as path:
                path.write_bytes(wrap(row["publication"].encode()))


def _write_parquet(target: Path, rows: Iterable[Row]) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    text = {"walk_link_loss", "publication"}
    types = {name: pa.string() if name in text else pa.int64() for name in COLUMNS}
    schema = pa.schema([*types.items()]).set(
        COLUMNS.index("unsafe"), pa.field("unsafe", pa.bool_())
    )
    with _aside(target) as path, pq.ParquetWriter(path, schema) as writer:
        waiting: list[Row] = []

        def flush() -> None:
            listed = {name: [row[name] for row in waiting] for name in COLUMNS}
            writer.write_table(pa.table(listed, schema=schema))
            waiting.clear()

        for row in rows:
            waiting.append(row)
            if len(waiting) == _ROW_GROUP:
                flush()
        if waiting:
            flush()


def release_name(number: int, suffix: str = ".veil.json") -> str:
    """Return the name of a release in a folder: by its number, which tells no line.

    >>> release_name(7)
    '000007.veil.json'
    """
    return f"{number:06d}{suffix}"


def require_unreleased(target: Path) -> None:
    """Raise if releases are there already: fresh coins for what was handed out cost again.

    A batch that was interrupted has a journal, goes on with its own coins and need not ask.
    """
    there = target.exists()
    if target.is_dir():
        there = any(target.glob("[0-9]*.veil.json*"))
    if there:
        raise BadFile(
            f"{target}: holds releases; to throw new coins for walks that were handed out costs "
            "their links once more. Choose another name, or say force=True (--force). Walks that "
            "failed go into a file of their own, published after these (after=, --after)"
        )


def require_room_beside(target: Path) -> None:
    """Raise if something is there that the certificate and the custodian's lists would replace."""
    for ending in BESIDE:
        path = target.with_name(f"{target.name}.{ending}")
        if path.exists():
            raise BadFile(
                f"{path}: exists, and a batch writes a file of that name beside {target.name}; "
                "move it away, choose another output, or say force=True (--force)"
            )


def require_drawn(target: Path, journal: Path, rows: int, releases: int, lines: int) -> None:
    """Raise if there are releases that the journal, ``rows`` of ``lines`` long, knows nothing of.

    A batch draws all its lines before it writes the first of them, and a file is there whole or
    not at all. So where more is out than was recorded, rows are gone from the end of the journal,
    or the releases are of another batch: either way coins would be thrown again for what is out.
    """
    if target.is_dir():
        out = len({file.name[:6] for file in target.glob("[0-9]*.veil.json*")})
        lost = out > releases
    else:
        lost = target.exists() and rows < lines
    if lost:
        raise BadFile(
            f"{journal}: has {rows} of {lines} lines drawn, and {target} holds releases that are "
            "not among them: rows are gone from its end, or the releases are of another batch. "
            "New coins for walks that were handed out cost their links once more, and later "
            "releases would follow others than those that are out. Restore the journal, choose "
            "another name, or say force=True (--force)"
        )


def write_custodians_lists(
    target: Path, lines: Sequence[int], failures: Sequence[tuple[int, str]]
) -> None:
    """Write what only the custodian may know: which line a release is of, and why others are none.

    Each list is its owner's alone; an old one that says nothing now is removed. Where every line
    was published, releases have the numbers of the lines, and there is no list of them.
    """
    numbered = list(enumerate(lines, start=1))
    moved = any(number != line for number, line in numbered)
    _write_private(target, "lines", ("number", "line"), numbered if moved else ())
    _write_private(target, "errors", ("line", "error"), failures)


def write_certificate(target: Path, certificate: Certificate) -> None:
    """Write the one certificate of the whole series beside the output; it is public."""
    text = json.dumps(certificate_facts(certificate), indent=2, ensure_ascii=False) + "\n"
    write_aside(target.with_name(f"{target.name}.certificate.json"), text)


def _write_private(
    target: Path, name: str, header: Sequence[str], rows: Sequence[Sequence[object]]
) -> None:
    path = target.with_name(f"{target.name}.{name}.csv")
    if not rows:
        path.unlink(missing_ok=True)
        return
    with (
        _aside(path, private=True) as aside,
        aside.open("w", encoding="utf-8", newline="") as file,
    ):
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


def _aside(target: Path, *, private: bool = False) -> AbstractContextManager[Path]:
    """Give a file beside the target that takes its name if all goes well."""
    remedy = "the draws are recorded: make room and run again to go on"
    return part_of(target, private=private, remedy=remedy)


def clear_left_over(target: Path) -> None:
    """Remove what a batch that was killed had half written: in its folder, or beside its name."""
    clear_parts(target.parent, of=f"{target.name}.")
    if target.is_dir():
        clear_parts(target)


T = TypeVar("T")
Item = tuple[int, bool, list[tuple[int, Publication]]]

MANY, SHARES = 500, 16
"""Copies in the publications of a chunk, about; chunks of a batch at least, so that no worker waits
long for the last of another."""


def suited_chunk(copies: int, lines: int) -> int:
    """Return how many publications of so many copies go to a worker at a time.

    Layers of ten copies take a millisecond, which sending should not; those of a thousand a second.

    >>> suited_chunk(10, 1000), suited_chunk(10, 60), suited_chunk(1000, 1000)
    (50, 3, 1)
    """
    return max(1, min(MANY // max(copies, 1), lines // SHARES))


def lay_out(
    made: Iterable[DrawnLine],
    *,
    workers: int,
    scheduler: str | None,
    chunk: int,
    on_one_line: bool,
) -> Iterator[Row]:
    """Yield a row for each publication, in order, as pools bring them back in any.

    All of them are taken before the first row is yielded; workers begin with the first meanwhile.

    *Privacy*: rows are numbered one after another. The number of a line would tell, by the numbers
    that are not there, that a walk failed.
    """
    counted = ((number, _bare(one.publication)) for number, one in enumerate(made, start=1))
    numbered = ((place, on_one_line, part) for place, part in enumerate(_chunks(counted, chunk)))
    waiting: dict[int, list[Row]] = {}
    turn = 0
    for place, rows in run_all(_rows, numbered, workers=workers, scheduler=scheduler):
        waiting[place] = rows
        while turn in waiting:
            yield from waiting.pop(turn)
            turn += 1


def _chunks(made: Iterable[T], size: int) -> Iterator[list[T]]:
    coming = iter(made)
    while part := list(islice(coming, size)):
        yield part


def _bare(publication: Publication | None) -> Publication:
    """Return the publication without what no layer needs: the names of a grouping.

    A copy in any case: it keeps the layers it is asked for, and is let go with them.
    """
    assert publication is not None, "only what was drawn is laid out"
    if publication.grouped is not None:
        return replace(publication, bits=replace(publication.grouped, grouping=None))
    return replace(publication)


def _rows(item: Item) -> tuple[int, list[Row]]:
    """Draw the layers of some publications, in whatever process this is."""
    place, on_one_line, listed = item
    rows = [{"number": number, **_facts(publication)} for number, publication in listed]
    for row in rows if on_one_line else ():
        # Here, for this is where the work is shared out.
        row["publication"] = json.dumps(json.loads(row["publication"]))
    return place, rows


def _facts(publication: Publication) -> dict[str, Any]:
    layered = publication.layered
    row = publication.certificate.bound(walk_links=1)
    return {
        "copies": len(layered.positions),
        "pieces": len(layered.position_of),
        "layers": layered.height,
        "arcs": len(layered.arcs),
        "unsafe": publication.unsafe,
        "walk_link_loss": "" if row is None else str(row.presence),
        "publication": publication_text(publication),
    }
