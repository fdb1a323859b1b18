"""The rows of a table in a text file: networks, walks and tables of codes.

The separator is found from the first lines: tab, semicolon, comma, or else what the caller says.
``#`` opens a comment line. Names with a separator in them are in double quotes, which close on
their line.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from itertools import chain, islice

from pathveil.errors import BadFile

Row = tuple[int, list[str]]
"""Number of a line, from 1, and its cells."""

SAMPLE = 20
"""Lines from which the separator is found."""

_SEPARATORS = ("\t", ";", ",")


def text_rows(
    lines: Iterable[str], where: str, *, expected: str, otherwise: str | None = None
) -> Iterator[Row]:
    r"""Yield number and cells of each line that is neither blank nor a comment.

    Parameters
    ----------
    expected
        What the file should hold, for the message if it holds nothing.
    otherwise
        The separator if no line has one; None for white space.

    Examples
    --------
    >>> list(text_rows(["# x\n", "a; b\n"], "x.csv", expected="links"))
    [(2, ['a', 'b'])]
    """
    # A comment becomes a blank line, so that the line numbers stay right.
    kept = ("\n" if line.lstrip()[:1] == "#" else line for line in lines)
    skipped = 0
    head: list[str] = []
    for line in kept:
        if line.strip():
            head = [line, *islice(kept, SAMPLE)]
            break
        skipped += 1
    if not head:
        raise _empty(where, expected)
    every = chain(head, kept)
    separator = separator_of(head) or otherwise
    if separator is None:
        rows: Iterator[Row] = (
            (number, line.split()) for number, line in enumerate(every, start=skipped + 1)
        )
    else:
        rows = _quoted(every, separator, where, skipped)
    filled = ((number, cells) for number, cells in rows if any(cells))
    first = next(filled, None)
    if first is None:
        raise _empty(where, expected)
    return chain([first], filled)


def _empty(where: str, expected: str) -> BadFile:
    return BadFile(
        f"{where}: is empty, expected {expected}; check whether the file was written whole"
    )


def separator_of(sample: list[str]) -> str | None:
    """Return the first separator that divides every sample line into the same number of cells."""
    written = [line for line in sample if line.strip()]
    for mark in _SEPARATORS:
        counts = set()
        for line in written:
            try:
                counts.add(len(next(csv.reader([line], delimiter=mark), [])))
            except csv.Error:
                counts.add(0)
        if len(counts) == 1 and counts.pop() >= 2:
            return mark
    # None fits all lines: take what the first line uses, and let the bad line be reported.
    return next((mark for mark in _SEPARATORS if written and mark in written[0]), None)


def _quoted(lines: Iterable[str], separator: str, where: str, skipped: int) -> Iterator[Row]:
    reader = csv.reader(lines, delimiter=separator, skipinitialspace=True, strict=True)
    before = 0
    try:
        for row in reader:
            if reader.line_num != before + 1:
                raise _open_quote(where, skipped + before + 1)
            before = reader.line_num
            yield skipped + before, [cell.strip() for cell in row]
    except csv.Error as error:
        if reader.line_num != before + 1 or "end of data" in str(error):
            raise _open_quote(where, skipped + before + 1) from None
        raise BadFile(
            f"{where}, line {skipped + reader.line_num}: cannot be read as columns ({error}); "
            "put names with quotes or separators in them into double quotes"
        ) from None


def _open_quote(where: str, line: int) -> BadFile:
    return BadFile(
        f"{where}, line {line}: a quote is opened and not closed on its line; "
        "close it, or double it where it is part of the name"
    )
