"""Edge lists: one edge a line, two names a line, in CSV, TSV or plain columns.

The separator is found from the first lines (tab, semicolon, comma, else white space); names may be
quoted where it is a sign; ``#`` opens a comment line; columns beyond the two ends are ignored.

A first line of known words (``source,target``, ``from,to``, ``u,v`` ...) is a header, unless one
of its words is a vertex of some later line: then it is an edge. For a connected network this rule
cannot err, since an edge between two names met nowhere else would be a component of its own.

Lines are read one at a time: a participant's own row is found without holding the others.
"""

from __future__ import annotations

import csv
from array import array
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import BinaryIO

from pathveil.errors import BadFile, NotSimple
from pathveil.formats.drafts import Draft, no_such_row
from pathveil.formats.files import shorten, text_lines
from pathveil.formats.plain_lists import plain_draft

_HEADERS = (
    ("source", "target"),
    ("from", "to"),
    ("u", "v"),
    ("src", "dst"),
    ("src", "dest"),
    ("start", "end"),
    ("node1", "node2"),
    ("vertex1", "vertex2"),
)
_SEPARATORS = ("\t", ";", ",")
_SAMPLE = 20

Edge = tuple[int, str, str]


def draft_of_edge_list(handle: BinaryIO, where: str) -> Draft:
    """Return the draft of an edge list.

    *Cost*: about 0.6 s for a million edges where the file is plain, else three times that.
    """
    if handle.seekable():
        plain = plain_draft(
            handle, where, separator_of=_separator, columns_of=columns_of, sample=_SAMPLE
        )
        if plain is not None:
            return plain
        handle.seek(0)
    draft = Draft(where)
    number: dict[str, int] = {}
    sources, targets, places = draft.sources, draft.targets, array("q")
    for line, u, v in edges_of(handle, where):
        sources.append(number.setdefault(u, len(number)))
        targets.append(number.setdefault(v, len(number)))
        places.append(line)
    draft.names = list(number)
    draft.places = places
    return draft


def row_of_edge_list(
    handle: BinaryIO, where: str, vertex: str, *, simplify: bool = False
) -> tuple[str, ...]:
    """Return the sorted neighbours of one vertex, holding its own lines only."""
    met: dict[str, int] = {}
    seen = False
    for line, u, v in edges_of(handle, where):
        if vertex not in (u, v):
            continue
        seen = True
        other = v if u == vertex else u
        if other == vertex and not simplify:
            raise NotSimple(
                f"{where}, line {line}: an edge joins {shorten(vertex)} to itself; remove it, or "
                "drop all such edges with simplify=True (--simplify)"
            )
        if other in met and not simplify:
            raise NotSimple(
                f"{where}, line {line}: edge {shorten(u)} - {shorten(v)} was given before (line "
                f"{met[other]}); keep one, or merge them with simplify=True (--simplify)"
            )
        met.setdefault(other, line)
    if not seen:
        raise no_such_row(where, vertex)
    met.pop(vertex, None)
    return tuple(sorted(met))


def edges_of(handle: BinaryIO, where: str) -> Iterator[Edge]:
    """Yield (line, name, name) for each edge of an edge list.

    A header that turns out to be an edge comes last.
    """
    rows = _rows(text_lines(handle, where), where)
    first = next(rows, None)
    if first is None:
        raise BadFile(
            f"{where}: is empty, expected an edge list with two names a line; "
            "check whether the file was written whole"
        )
    line, cells = first
    left, right, words = columns_of(cells)
    if not words:
        rows = chain([first], rows)
    need = max(left, right) + 1
    # Only a header in the first two columns can be an edge by mistake.
    doubtful = set(words) if (left, right) == (0, 1) and words else set()
    is_edge, count = False, 0
    for number, row in rows:
        if len(row) < need:
            raise _too_short(where, number, row, need)
        u, v = row[left].strip(), row[right].strip()
        if not u or not v:
            raise BadFile(
                f"{where}, line {number}: column {(left if not u else right) + 1} is empty, "
                "expected the name of a vertex"
            )
        if doubtful and (u in doubtful or v in doubtful):
            is_edge = True
        count += 1
        yield number, u, v
    if is_edge:
        yield line, words[0], words[1]
    elif not count:
        raise BadFile(f"{where}, line {line}: the file ends after its header, expected edges")


def columns_of(cells: list[str]) -> tuple[int, int, tuple[str, ...]]:
    """Return where the two ends stand, and the words of the header if there is one."""
    words = [cell.strip().casefold() for cell in cells]
    for pair in _HEADERS:
        if pair[0] in words and pair[1] in words:
            left, right = words.index(pair[0]), words.index(pair[1])
            return left, right, (cells[left].strip(), cells[right].strip())
    return 0, 1, ()


def _rows(lines: Iterator[str], where: str) -> Iterator[tuple[int, list[str]]]:
    """Yield (line, cells), comments and blank lines left out."""
    # A comment becomes a blank line, so that the line numbers stay right.
    plain = ("\n" if line.lstrip()[:1] == "#" else line for line in lines)
    skipped = 0
    for line in plain:
        if line.strip():
            head = [line, *islice(plain, _SAMPLE)]
            break
        skipped += 1
    else:
        return
    separator = _separator([line for line in head if line.strip()])
    every = chain(head, plain)
    if separator is None:
        for number, line in enumerate(every, start=skipped + 1):
            cells = line.split()
            if cells:
                yield number, cells
    else:
        yield from _quoted(every, separator, where, skipped)


def _quoted(
    lines: Iterable[str], separator: str, where: str, skipped: int
) -> Iterator[tuple[int, list[str]]]:
    reader = csv.reader(lines, delimiter=separator, skipinitialspace=True, strict=True)
    before = 0
    try:
        for row in reader:
            number = reader.line_num
            if number != before + 1:
                raise _open_quote(where, skipped + before + 1)
            before = number
            if row and (len(row) > 1 or row[0].strip()):
                yield skipped + number, row
    except csv.Error as error:
        if reader.line_num != before + 1 or "end of data" in str(error):
            raise _open_quote(where, skipped + before + 1) from None
        raise BadFile(
            f"{where}, line {skipped + reader.line_num}: cannot be read as columns ({error}); "
            "put names with quotes or separators in them into double quotes"
        ) from None


def _separator(sample: list[str]) -> str | None:
    """The first sign that parts every sample line into the same number of cells, two or more."""
    for sign in _SEPARATORS:
        counts = set()
        for line in sample:
            try:
                counts.add(len(next(csv.reader([line], delimiter=sign), [])))
            except csv.Error:
                counts.add(0)
        if len(counts) == 1 and counts.pop() >= 2:
            return sign
    # No sign fits all lines: take what the first line uses, and let the bad line be reported.
    return next((sign for sign in _SEPARATORS if sample and sign in sample[0]), None)


def _too_short(where: str, line: int, row: list[str], need: int) -> BadFile:
    found = f"one column ({shorten(row[0])})" if len(row) == 1 else f"{len(row)} columns"
    return BadFile(
        f"{where}, line {line}: found {found}, expected {need} or more, an edge has two ends; "
        "complete the line (the file may have been cut off)"
    )


def _open_quote(where: str, line: int) -> BadFile:
    return BadFile(
        f"{where}, line {line}: a quote is opened and not closed on its line; "
        "close it, or double it where it is part of the name"
    )
