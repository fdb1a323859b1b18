"""Edge lists: one edge a line, two names a line, in CSV, TSV or plain columns.

The separator is found from the first lines (tab, semicolon, comma, else white space); names may be
quoted where it is a sign; ``#`` opens a comment line; columns beyond the two ends are ignored.

A first line of known words (:mod:`pathveil.files.networks.headers`) is a header, unless one of them
is
a vertex of some later line: then it is an edge. A first line of other words that are met nowhere
else is refused with the question which columns are meant, and so is a first column that merely
counts the lines. For a connected network these rules cannot err: an edge between two names met
nowhere else would be a component of its own.

Lines are read one at a time: a participant's own row is found without holding the others.
"""

from __future__ import annotations

import csv
from array import array
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import BinaryIO

import numpy as np
import numpy.typing as npt

from pathveil.errors import BadFile, NotSimple
from pathveil.files.atomic_write import shorten, text_lines
from pathveil.files.networks.headers import Chosen, counted_lines, end_columns, unknown_header
from pathveil.files.networks.plain_lists import plain_draft
from pathveil.files.networks.raw_network import Draft, no_such_row
from pathveil.model.names import MOST_COMPARED

_SEPARATORS = ("\t", ";", ",")
_SAMPLE = 20

Edge = tuple[int, str, str]
IndexArray = npt.NDArray[np.int64]
_ALONE = "no other line names either of the first two"


def draft_of_edge_list(handle: BinaryIO, where: str, *, columns: Chosen | None = None) -> Draft:
    """Return the draft of an edge list.

    Parameters
    ----------
    columns
        Which two columns hold the ends, where the first line does not say it in known words.

    *Cost*: about 0.6 s for a million edges where the file is plain, else three times that.
    """
    draft = None
    if handle.seekable():
        draft = plain_draft(
            handle,
            where,
            separator_of=_separator,
            columns_of=lambda cells: end_columns(cells, where, columns),
            sample=_SAMPLE,
        )
        handle.seek(0)
    if draft is None:
        draft = _draft_line_by_line(handle, where, columns)
        handle.seek(0)
    _require_edge(draft, handle, columns)
    return draft


def _draft_line_by_line(handle: BinaryIO, where: str, columns: Chosen | None) -> Draft:
    draft = Draft(where)
    number: dict[str, int] = {}
    sources, targets, places = draft.sources, draft.targets, array("q")
    for line, u, v in edges_of(handle, where, columns=columns):
        sources.append(number.setdefault(u, len(number)))
        targets.append(number.setdefault(v, len(number)))
        places.append(line)
    draft.names = list(number)
    draft.places = places
    return draft


def _require_edge(draft: Draft, handle: BinaryIO, columns: Chosen | None) -> None:
    """Raise if the first line looks like a header of unknown words, or its first cell like a count.

    A network in several parts may truly begin with an edge of its own: then a user says so.
    """
    ends = draft.pairs()
    if len(ends) < 2:
        return
    line, cells = next(_rows(text_lines(handle, draft.where), draft.where))
    found = end_columns(cells, draft.where, columns)
    if found.asked or found.header:
        return
    if len(cells) > 2 and _counts_lines(draft, ends):
        raise counted_lines(draft.where, line, cells)
    if not np.isin(ends[1:], ends[0]).any():
        raise unknown_header(draft.where, line, cells, _ALONE)


def _counts_lines(draft: Draft, ends: IndexArray) -> bool:
    """Whether the first ends are 0, 1, 2 ... or 1, 2, 3 ..., and no second end is one of them."""
    first = draft.names[int(ends[0, 0])]
    if first not in {"0", "1"} or np.isin(ends[:, 0], ends[:, 1]).any():
        return False
    numbers = range(int(first), int(first) + len(ends))
    return all(
        draft.names[end] == str(i) for i, end in zip(numbers, ends[:, 0].tolist(), strict=True)
    )


def row_of_edge_list(
    handle: BinaryIO,
    where: str,
    vertex: str,
    *,
    simplify: bool = False,
    columns: Chosen | None = None,
) -> tuple[str, ...]:
    """Return the sorted neighbours of one vertex, holding its own lines only."""
    met: dict[str, int] = {}
    seen = False
    for line, u, v in edges_of(handle, where, columns=columns, is_part=True):
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
        handle.seek(0)
        some = islice(edges_of(handle, where, columns=columns), MOST_COMPARED // 2)
        raise no_such_row(where, vertex, {name for _, *ends in some for name in ends})
    met.pop(vertex, None)
    return tuple(sorted(met))


def edges_of(
    handle: BinaryIO, where: str, *, columns: Chosen | None = None, is_part: bool = False
) -> Iterator[Edge]:
    """Yield (line, name, name) for each edge of an edge list.

    A header that turns out to be an edge comes last.

    Parameters
    ----------
    columns
        Which two columns hold the ends, where the first line does not say it in known words.
    is_part
        Whether this may be a few lines of a network, such as a participant's own row: then a table
        of three columns or more must say which of them are meant.
    """
    rows = _rows(text_lines(handle, where), where)
    first = next(rows, None)
    if first is None:
        raise BadFile(
            f"{where}: is empty, expected an edge list with two names a line; "
            "check whether the file was written whole"
        )
    line, cells = first
    found = end_columns(cells, where, columns)
    left, right, words, need = found.left, found.right, found.header, found.need
    if not words:
        rows = chain([first], rows)
    opening = () if words or found.asked or not is_part or len(cells) == 2 else tuple(cells[:2])
    doubtful, is_edge, count = found.doubtful, False, 0
    for number, row in rows:
        if len(row) < need:
            raise _too_short(where, number, row, need)
        u, v = row[left].strip(), row[right].strip()
        if not u or not v:
            if number == line and len(row) > 2:
                raise unknown_header(where, line, cells, "one of the first two has no name")
            raise BadFile(
                f"{where}, line {number}: column {(left if not u else right) + 1} is empty, "
                "expected the name of a vertex"
            )
        if doubtful and (u in doubtful or v in doubtful):
            is_edge = True
        count += 1
        if opening and count > 1 and (u in opening or v in opening):
            opening = ()
        yield number, u, v
    if opening and count > 1:
        raise unknown_header(where, line, cells, _ALONE)
    if is_edge:
        yield line, words[0], words[1]
    elif not count:
        raise BadFile(f"{where}, line {line}: the file ends after its header, expected edges")


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
