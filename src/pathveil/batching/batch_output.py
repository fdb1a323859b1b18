"""Where the releases of a batch go: a folder of files, or JSON Lines; written as they come.

Releases come one after another, in the order of the walks, and are not kept: a batch of any length
needs no more memory than its largest release. Their layers are drawn by a pool or a Dask cluster.
Every file is written aside and renamed.
"""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TypeVar

from pathveil.batching.batch_journal import BatchJournal
from pathveil.batching.worker_pool import run_all
from pathveil.errors import BadFile, FileTaken
from pathveil.files.atomic_write import clear_parts, part_of, write_aside
from pathveil.files.publications.veil_json import certificate_facts, publication_text
from pathveil.model.certificate import Certificate
from pathveil.model.publication import Publication

Row = tuple[int, str]
"""The number of a release, and its publication as text."""

Wrap = Callable[[bytes], bytes]
"""From a file to what is written instead: an envelope around it."""

BESIDE = ("certificate.json", "lines.csv", "errors.csv")
"""How files end that are written beside the output, under its name."""

_REMEDY = "the batch keeps its coins: make room (move files away) and run again to go on"


def require_form(target: Path, wrap: Wrap | None) -> None:
    """Raise before anything is drawn if the output could not be written afterwards."""
    if wrap is not None and target.suffix:
        raise BadFile(
            f"{target}: envelopes are files of their own, one for each walk; give a folder's name "
            "without a suffix"
        )
    if os.path.lexists(target) and not (target.is_file() if target.suffix else target.is_dir()):
        raise BadFile(
            f"{target}: is no plain file, and a batch is written aside and renamed; give the name "
            "of a file, or of a folder without a suffix"
        )
    if target.suffix not in ("", ".jsonl"):
        raise BadFile(
            f"{target}: {target.suffix} is no form of a batch; give a folder's name without a "
            "suffix, for a file for each walk, or *.jsonl, for a line for each"
        )


def write_rows(
    target: Path, rows: Iterable[Row], wrap: Wrap | None, journal: BatchJournal, *, replacing: bool
) -> tuple[int, int]:
    """Write the releases in the form the name asks for; return how many, and how many were there.

    A batch that goes on finds files of its own. What it would write otherwise is not its.
    """
    count = before = 0
    if target.suffix:
        with (
            part_of(target, replacing=replacing, resuming=True, remedy=_REMEDY) as path,
            path.open("w", encoding="utf-8", newline="\n") as file,
        ):
            for count, (number, text) in enumerate(rows, start=1):  # noqa: B007 - used after it
                # On one line already, so that what is written need not be parsed here.
                file.write(f'{{"number": {number}, "publication": {text}}}\n')
        return count, 0
    make_folder(target)
    for count, (number, text) in enumerate(rows, start=1):  # noqa: B007 - used after it
        path, content, own = target / release_file(number, wrap), text.encode(), False
        before += journal.resumed and path.exists()
        if wrap is not None:
            content, own = wrap(content), journal.noted(path)
        with part_of(path, replacing=replacing or own, resuming=True, remedy=_REMEDY) as aside:
            if wrap is not None:
                journal.note(content)
            aside.write_bytes(content)
    return count, before


def make_folder(target: Path) -> None:
    """Make the folder of an output, if it is not there."""
    try:
        target.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadFile(
            f"{target}: no such folder can be made ({error.strerror}); choose another name"
        ) from None


def release_name(number: int, suffix: str = ".veil.json") -> str:
    """Return the name of a release in a folder: by its number, which tells no line.

    >>> release_name(7)
    '000007.veil.json'
    """
    return f"{number:06d}{suffix}"


def release_file(number: int, wrap: Wrap | None) -> str:
    """Return the name of a release in a folder, in an envelope or not."""
    return release_name(number, ".veil.json" if wrap is None else ".veil.json.age")


def require_room(target: Path) -> None:
    """Raise if a new batch would replace anything.

    Where releases are there already, fresh coins for what was handed out cost again. A batch that
    was interrupted has a journal, goes on with its own coins and need not ask.
    """
    there = target.exists()
    if target.is_dir():
        there = any(target.glob("[0-9]*.veil.json*"))
    if there:
        raise BadFile(
            f"{target}: holds releases; to throw new coins for walks that were handed out costs "
            "their links once more. Choose another name, or say force=True (--force). Walks that "
            "failed go into a file of their own, published after these: after=[...] (--after)"
        )
    for ending in BESIDE:
        path = target.with_name(f"{target.name}.{ending}")
        if path.exists():
            raise BadFile(
                f"{path}: exists, and a batch writes a file of that name beside {target.name}; "
                "move it away, choose another output, or say force=True (--force)"
            )


def require_no_others(target: Path, files: Iterable[Path], *, replacing: bool) -> None:
    """Raise if a file is there that would pass for one of a batch that writes these files."""
    there = {*target.glob("[0-9]*.veil*"), *filter(os.path.lexists, [certificate_beside(target)])}
    there |= set(() if replacing else _lists_there(target))
    for path in sorted(there.difference(files)):
        raise FileTaken(
            f"{path}: exists, and would pass for a file of this batch, which writes none of that "
            "name; move it away and run again, or choose another output"
        )


def custodians_lists(
    target: Path,
    lines: Sequence[int],
    failures: Sequence[tuple[int, str]],
    names: Mapping[int, str],
) -> dict[Path, str]:
    """Return what only the custodian may know, as files beside the output, where there is any.

    Which line each release is of, what its walk is called, and why other lines have none. Where
    every line was published, releases have the numbers of the lines, and there is no list of them
    unless the walks have names.
    """
    numbered = list(enumerate(lines, start=1))
    moved = any(number != line for number, line in numbered)
    rows: list[Sequence[object]] = [*numbered] if moved else []
    header = ["number", "line"]
    if names:
        header, rows = [*header, "walk"], [(n, line, names[line]) for n, line in numbered]
    listed = {
        "lines": _table(header, rows),
        "errors": _table(("line", "error"), failures),
    }
    return {
        target.with_name(f"{target.name}.{name}.csv"): text for name, text in listed.items() if text
    }


def _table(header: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    text = io.StringIO()
    if rows:
        csv.writer(text, lineterminator="\n").writerows([header, *rows])
    return text.getvalue()


def require_lists_kept(lists: dict[Path, str]) -> None:
    """Raise if a file is there that a list would replace, and that says other things."""
    for path, text in lists.items():
        if path.exists() and (not path.is_file() or path.read_bytes() != text.encode()):
            raise FileTaken(
                f"{path}: exists, and a batch writes a list of that name; move it away, choose "
                "another output, or say force=True (--force)"
            )


def _lists_there(target: Path) -> list[Path]:
    beside = (target.with_name(f"{target.name}.{ending}") for ending in BESIDE[1:])
    return [*filter(os.path.lexists, beside)]


def write_lists(target: Path, lists: dict[Path, str], *, replacing: bool) -> None:
    """Write the lists, each its owner's alone; old ones that say nothing now are replaced by none.

    Those are taken away only if ``replacing``.
    """
    for path in _lists_there(target) if replacing else ():
        if path not in lists:
            path.unlink()
    for path, text in lists.items():
        write_aside(path, text, private=True, replacing=replacing, resuming=True, remedy=_REMEDY)


def certificate_beside(target: Path) -> Path:
    """Return where the one certificate of the whole series goes."""
    return target.with_name(f"{target.name}.certificate.json")


def write_certificate(target: Path, certificate: Certificate, *, replacing: bool) -> None:
    """Write the one certificate of the whole series beside the output; it is public."""
    text = json.dumps(certificate_facts(certificate), indent=2, ensure_ascii=False) + "\n"
    beside = certificate_beside(target)
    write_aside(beside, text, replacing=replacing, resuming=True, remedy=_REMEDY)


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
    """Return how many publications of ``copies`` copies go to a worker at a time.

    Layers of ten copies take a millisecond, which sending should not; those of a thousand a second.

    >>> suited_chunk(10, 1000), suited_chunk(10, 60), suited_chunk(1000, 1000)
    (50, 3, 1)
    """
    return max(1, min(MANY // max(copies, 1), lines // SHARES))


def lay_out(
    made: Iterable[Publication],
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
    counted = ((number, _bare(one)) for number, one in enumerate(made, start=1))
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


def _bare(publication: Publication) -> Publication:
    """Return the publication without what no layer needs: the names of a grouping.

    A copy in any case: it keeps the layers it is asked for, and is freed with them.
    """
    if publication.grouped is not None:
        return replace(publication, bits=replace(publication.grouped, grouping=None))
    return replace(publication)


def _rows(item: Item) -> tuple[int, list[Row]]:
    """Draw the layers of some publications, in whatever process this is."""
    place, on_one_line, listed = item
    rows = [(number, publication_text(publication)) for number, publication in listed]
    if on_one_line:  # here, for this is where the work is shared out
        rows = [(number, json.dumps(json.loads(text))) for number, text in rows]
    return place, rows
