"""Walks from files: text or CSV with one vertex a line, one line with commas, a JSON list.

A walk is the custodian's secret. Messages of this module name the line and may name vertices: they
speak to the custodian, who holds the file anyway.
"""

from __future__ import annotations

import csv
from array import array
from collections.abc import Callable, Iterator, Sequence
from io import StringIO
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import numpy as np

from pathveil.errors import BadFile, NotAWalk, UnknownVertex
from pathveil.files.atomic_write import SIZE_LIMIT, read_text, shorten
from pathveil.files.networks.columns import MOST_COLUMNS
from pathveil.files.strict_json import parse_json
from pathveil.model.names import did_you_mean
from pathveil.model.network import Network
from pathveil.model.walk import Walk

_COLUMN_NAMES = ("vertex", "node", "name", "id")
_SEPARATORS = (",", "\t", ";")

PLAIN = 1 << 14
"""Characters from which a walk is tried as a plain list first."""

_PART = 1 << 18
"""Visits that are checked at a time: what that takes is a hundred bytes for each."""


class Visits(NamedTuple):
    """The names of a walk, and the place where the file names each: told when it is asked for."""

    names: list[str]
    place: Callable[[int], str]


def read_walk(path: str | Path, *, network: Network | None = None, limit: int = SIZE_LIMIT) -> Walk:
    r"""Return the walk in a file.

    Parameters
    ----------
    path
        See :func:`parse_walk` for the forms; JSON is known by its content, not by the suffix.
    network
        If given, each step must be one of its links, and the error names the line that is not.

    Raises
    ------
    BadFile
        Where the file is missing, empty, binary, cut off or of no known form.
    NotAWalk, UnknownVertex
        Where it is read well but holds no walk, or none through the network.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "walk.txt"
    ...     _ = path.write_text("a\nb\nc\n")
    ...     read_walk(path).vertices
    ('a', 'b', 'c')
    """
    return parse_walk(read_text(path, limit=limit), where=str(path), network=network)


def parse_walk(text: str, *, where: str = "walk", network: Network | None = None) -> Walk:
    r"""Return the walk written in a text.

    Forms: one vertex a line (``#`` opens a comment line; a first line ``vertex`` or ``node`` is a
    header, unless it is a vertex of the network given); a table with a header and a column
    ``vertex`` or ``node``; all vertices on one line with commas; a JSON list, or
    ``{"walk": [...]}``. Names with commas in them go into double quotes.

    Examples
    --------
    >>> parse_walk("a\nb\nc\nb\n").vertices
    ('a', 'b', 'c', 'b')
    >>> parse_walk("a, b, c") == parse_walk('["a", "b", "c"]')
    True
    """
    if not text.strip():
        raise BadFile(f"{where}: is empty, expected the vertices of a walk, one a line")
    plain = _plain_visits(text)
    if plain is not None:
        names, numbers = plain
        if network is not None:
            _check(names, lambda i: f"{where}, line {numbers[i]}", network)
        return Walk(names)
    is_json = text.lstrip()[0] in "[{"
    visits = _json_visits(text, where) if is_json else _line_visits(text, where, network)
    if len(visits.names) < 2:
        place = visits.place(0) if visits.names else where
        raise NotAWalk(
            f"{place}: the walk has {'one vertex' if visits.names else 'no vertex'}, expected two "
            "or more; write one vertex a line, or all on one line with commas"
        )
    if network is not None:
        _check(visits.names, visits.place, network)
    return Walk(visits.names)


def _plain_visits(text: str) -> tuple[list[str], Sequence[int]] | None:
    """Return names and line numbers of a long walk with one bare name a line; None if it is not.

    A walk of a million visits is read in one go; whatever has signs that might mean something is
    left to the other readers.
    """
    if len(text) < PLAIN or any(sign in text for sign in '"#[{,;\t'):
        return None
    lines = [line.strip() for line in text.split("\n")]
    numbers: Sequence[int] = range(1, len(lines) + 1)
    if "" in lines:
        numbers = [number for number, line in enumerate(lines, start=1) if line]
        lines = [line for line in lines if line]
    if len(lines) < 2 or lines[0].casefold() in _COLUMN_NAMES:
        return None
    return lines, numbers


def _check(names: Sequence[str], place_of: Callable[[int], str], network: Network) -> None:
    """Raise unless every name is a vertex and every step a link; ``place_of`` names a line."""
    for start in range(0, len(names) - 1, _PART):
        # With the first of the next part, so that no step is left out.
        _check_part(names[start : start + _PART + 1], start, place_of, network)


def _check_part(
    names: Sequence[str], start: int, place_of: Callable[[int], str], network: Network
) -> None:
    visits = network.places(names)
    unknown = np.flatnonzero(visits < 0)
    if len(unknown):
        at = int(unknown[0])
        raise UnknownVertex(
            f"{place_of(start + at)}: {shorten(names[at])} is no vertex of the network of "
            f"{len(network)}; correct the walk or add the vertex"
            + did_you_mean(names[at], network.vertices)
        )
    astray = np.flatnonzero(network.link_places(np.stack([visits[:-1], visits[1:]], axis=1)) < 0)
    if len(astray):
        at = int(astray[0])
        raise NotAWalk(
            f"{place_of(start + at + 1)}: step {start + at + 1} goes {shorten(names[at])} -> "
            f"{shorten(names[at + 1])}, which is not one of the network's {len(network.pairs)} "
            "links; correct the walk or add the link"
        )


def _json_visits(text: str, where: str) -> Visits:
    found, path = parse_json(text, where), ""
    if isinstance(found, dict):
        key = next((key for key in ("walk", "path", "vertices") if key in found), None)
        if key is None:
            raise BadFile(f"{where}: the object has no key 'walk', expected a list under it")
        found, path = found[key], key
    if not isinstance(found, list):
        raise BadFile(f"{where}, {path}: holds {shorten(found)}, expected a list of vertices")

    def place(number: int) -> str:
        return f"{where}, {path}[{number}]"

    known: dict[str, str] = {}
    for number, item in enumerate(found):
        if isinstance(item, bool) or not isinstance(item, (str, int, float)) or item == "":
            raise BadFile(
                f"{place(number)}: holds {shorten(item)}, expected the name of a vertex (a text or "
                "a number)"
            )
        if not isinstance(item, str):
            text = str(item)
            found[number] = known.setdefault(text, text)  # one text for all visits of a vertex
    return Visits(found, place)


def _line_visits(text: str, where: str, network: Network | None) -> Visits:
    lines = _told_lines(text)
    first = next(lines, None)
    if first is None:
        raise BadFile(f"{where}: holds comments only, expected the vertices of a walk, one a line")
    second = next(lines, None)
    separator = next((sign for sign in _SEPARATORS if sign in _unquoted(first[1])), ",")
    top = f"{where}, line {first[0]}"
    cells = _cells(first[1], separator, where, first[0])
    column, header = _column(cells, where, first[0], network, alone=second is None)
    if second is None and not header:
        return Visits([_name(cell, top) for cell in cells], lambda _: top)
    names, numbers = [], array("q")
    opening = [second] if header else [first, second]
    for number, line in chain(filter(None, opening), lines):
        cells = _cells(line, separator, where, number)
        if len(cells) <= column or (len(cells) > 1 and not header):
            raise BadFile(
                f"{where}, line {number}: found {len(cells)} columns, expected "
                + ("one vertex a line" if not header else f"a vertex in column {column + 1}")
                + "; put names with commas in them into double quotes"
            )
        names.append(cells[column] or _name("", f"{where}, line {number}"))
        numbers.append(number)
    return Visits(names, lambda visit: f"{where}, line {numbers[visit]}")


def _told_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield number and text of each line that is neither blank nor a comment."""
    for number, line in enumerate(StringIO(text, newline="\n"), start=1):
        bare = line.strip()
        if bare and not bare.startswith("#"):
            yield number, bare


def _column(
    cells: list[str], where: str, line: int, network: Network | None, *, alone: bool
) -> tuple[int, bool]:
    """Which column holds the vertices, and whether the first line is a header."""
    # A walk on one line may have millions of vertices: a header has few columns.
    words = [cell.casefold() for cell in cells[:MOST_COLUMNS]]
    known = _COLUMN_NAMES if len(cells) > 1 else _COLUMN_NAMES[:2]
    for word in known:
        if word in words:
            column = words.index(word)
            is_vertex = network is not None and cells[column] in network
            if not is_vertex and not (alone and len(cells) > 1):
                return column, True
    if len(cells) > 1 and not alone:
        raise BadFile(
            f"{where}, line {line}: found {len(cells)} columns and no header 'vertex' or 'node'; "
            "name the column, or write one vertex a line (names with commas in double quotes)"
        )
    return 0, False


def _cells(line: str, separator: str, where: str, number: int) -> list[str]:
    if '"' not in line and separator not in line and len(line) < PLAIN:
        return [line]  # stripped already
    try:
        row = next(csv.reader([line], delimiter=separator, skipinitialspace=True, strict=True))
    except csv.Error as error:
        raise BadFile(
            f"{where}, line {number}: cannot be read as columns ({error}); close the "
            "quotes, or double a quote that is part of the name"
        ) from None
    return [cell.strip() for cell in row]


def _unquoted(line: str) -> str:
    return "".join(line.split('"')[::2])


def _name(cell: str, place: str) -> str:
    if not cell:
        raise BadFile(f"{place}: an empty name, expected the name of a vertex; remove it")
    return cell
