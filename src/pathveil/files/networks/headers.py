"""Which two columns of a table hold the ends of an edge, and whether its first line says so.

A first line of known words (``source,target``, ``supplier,customer``, ``from_id,to_id`` ...) is a
header. Words that are not known are never guessed to be an edge or a header in silence: the columns
are asked for, ``columns=("A", "B")``, by name, or by number where the table has no header.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pathveil.errors import BadFile
from pathveil.files.atomic_write import shorten

KNOWN_WORDS = (
    ("source", "target"),
    ("from", "to"),
    ("u", "v"),
    ("src", "dst"),
    ("src", "dest"),
    ("start", "end"),
    ("node1", "node2"),
    ("vertex1", "vertex2"),
    ("origin", "destination"),
    ("orig", "dest"),
    ("source", "destination"),
    ("source", "dest"),
    ("src", "tgt"),
    ("supplier", "customer"),
    ("seller", "buyer"),
    ("sender", "receiver"),
    ("sender", "recipient"),
    ("exporter", "importer"),
    ("caller", "callee"),
    ("parent", "child"),
    ("follower", "followee"),
    ("citing", "cited"),
    ("tail", "head"),
    ("begin", "end"),
    ("nodea", "nodeb"),
    ("vertexa", "vertexb"),
    ("end1", "end2"),
    ("endpoint1", "endpoint2"),
)
"""Pairs of words that head the two columns of an edge; which of them comes first does not matter.
Spaces, hyphens, underscores, large letters, and a kind of thing before or behind are passed over:
``Source ID`` is ``source``."""

_JOINTS = re.compile(r"[\s_.-]+")
_KINDS = ("node", "vertex", "id", "name", "station", "stop", "city", "router")

MOST_COLUMNS = 10_000
"""Columns in which known words are looked for; in a wider table a user says which are meant."""

_COUNTERS = frozenset({"", "id", "index", "key", "line", "no", "nr", "number", "row", "#"})

Chosen = tuple[str, str]
"""Two columns a user asks for: by the words of the header, or by number, counted from 1."""


@dataclass(frozen=True)
class EndColumns:
    """Where the two ends of an edge stand in a line, and what the first line is.

    Parameters
    ----------
    left, right
        The columns, counted from 0.
    header
        The words over the two columns, if the first line is a header.
    asked
        Whether a user said so: then nothing is in doubt.
    """

    left: int
    right: int
    header: tuple[str, ...] = ()
    asked: bool = False

    @property
    def need(self) -> int:
        """How many cells a line must have."""
        return max(self.left, self.right) + 1

    @property
    def doubtful(self) -> frozenset[str]:
        """Words of a header that is an edge if one of them is the name of a vertex."""
        # Only a header over the first two columns can be an edge by mistake.
        in_doubt = self.header and not self.asked and (self.left, self.right) == (0, 1)
        return frozenset(self.header if in_doubt else ())


def end_columns(cells: Sequence[str], where: str, chosen: Chosen | None = None) -> EndColumns:
    """Return where the two ends stand, from the first line of a table.

    Examples
    --------
    >>> end_columns(["id", "Supplier", "Customer"], "links.csv")
    EndColumns(left=1, right=2, header=('Supplier', 'Customer'), asked=False)
    >>> end_columns(["a", "b"], "links.csv")
    EndColumns(left=0, right=1, header=(), asked=False)
    """
    if chosen is not None:
        return _asked(cells, where, chosen)
    if len(cells) > MOST_COLUMNS:
        # Words of a header must be looked at one by one: a line of millions takes long.
        raise BadFile(
            f"{where}: found more than {MOST_COLUMNS} columns, expected two ends among fewer; "
            'say which columns hold the two ends, columns=("1", "2") (--columns 1,2), or check '
            "whether this is an edge list"
        )
    found = _known(cells)
    if found is None:
        return EndColumns(0, 1)
    left, right = found
    return EndColumns(left, right, (cells[left].strip(), cells[right].strip()))


def parse_columns(text: str) -> Chosen:
    """Return two columns written as one text with a comma.

    >>> parse_columns("supplier, customer")
    ('supplier', 'customer')
    """
    parts = [part.strip() for part in text.split(",")]
    if len(parts) != 2 or not all(parts) or parts[0] == parts[1]:
        raise BadFile(
            f"--columns {text}: expected two columns with a comma between, the words of the header "
            "or their numbers: --columns supplier,customer or --columns 2,3"
        )
    return parts[0], parts[1]


def _asked(cells: Sequence[str], where: str, chosen: Chosen) -> EndColumns:
    if all(word.isdecimal() for word in chosen):
        left, right = (int(word) - 1 for word in chosen)
        if not (0 <= left < len(cells) and 0 <= right < len(cells)):
            raise BadFile(
                f"{where}: the first line has {len(cells)} columns, so there are no columns "
                f"{chosen[0]} and {chosen[1]}; they are counted from 1"
            )
        header = (cells[left].strip(), cells[right].strip())
        known = _known(header) is not None
        return EndColumns(left, right, header if known else (), asked=not known)
    words = [cell.strip() for cell in cells]
    places = []
    for word in chosen:
        found = [i for i, cell in enumerate(words) if cell == word] or [
            i for i, cell in enumerate(words) if cell.casefold() == word.casefold()
        ]
        if len(found) != 1:
            listed = ", ".join(map(shorten, words[:12]))
            raise BadFile(
                f"{where}: {len(found) or 'no'} columns are called {shorten(word)}; the first line "
                f"holds {listed}: take two of these words, or numbers counted from 1 "
                '(columns=("A", "B"), --columns A,B)'
            )
        places.append(found[0])
    if places[0] == places[1]:
        raise BadFile(f"{where}: an edge has two ends, which stand in two different columns")
    left, right = places
    return EndColumns(left, right, (words[left], words[right]), asked=True)


def _known(cells: Sequence[str]) -> tuple[int, int] | None:
    plain = [_JOINTS.sub("", cell.strip().casefold()) for cell in cells]
    bare = [_without_kind(word) for word in plain]
    for words in (plain, bare):
        # Where each word is met first: one pass, not one for each known pair.
        place = {word: len(words) - i for i, word in enumerate(reversed(words), start=1)}
        for first, second in KNOWN_WORDS:
            if first in place and second in place:
                return place[first], place[second]
    return None


def _without_kind(word: str) -> str:
    for kind in _KINDS:
        if word.endswith(kind) and word != kind:
            return word.removesuffix(kind)
        if word.startswith(kind) and word != kind:
            return word.removeprefix(kind)
    return word


def unknown_header(where: str, line: int, cells: Sequence[str], why: str) -> BadFile:
    """Return the refusal of a table whose first line might be a header of unknown words."""
    words = [cell.strip() for cell in cells]
    counts = words[0].casefold() in _COUNTERS
    pair = words[1:3] if len(words) > 2 and counts else words[:2]
    shown = ", ".join(map(shorten, words[:12]))
    return BadFile(
        f"{where}, line {line}: {shown}: {why}; say which columns hold the two ends, "
        f'columns=("{pair[0]}", "{pair[1]}") (--columns {",".join(pair)}) if this is a header, or '
        "by number, --columns 1,2, if it is an edge"
    )


def counted_lines(where: str, line: int, cells: Sequence[str]) -> BadFile:
    """Return the refusal of a table without a header whose first column is no end of an edge."""
    shown = ", ".join(shorten(cell.strip()) for cell in cells[:12])
    return BadFile(
        f"{where}, line {line}: {shown}: the first column merely counts the lines; say which "
        'columns hold the two ends by number, columns=("2", "3") (--columns 2,3), or --columns '
        "1,2 if these numbers are vertices"
    )
