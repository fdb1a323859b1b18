"""Tables in text files: their rows, and which two columns hold the ends of a link.

The separator is found from the first lines: tab, semicolon, comma, or else what the caller says.
``#`` opens a comment line. Names with a separator in them are in double quotes, which close on
their line.

A first line of known words (``source,target``, ``supplier,customer``, ``from_id,to_id`` ...) is a
header of links. Unknown words are never taken for a link or a header in silence: the columns must
be named, by the words of the header or by number.
"""

from __future__ import annotations

import csv
import re
import shlex
import unicodedata
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from io import SEEK_END, StringIO
from itertools import chain, combinations, islice
from typing import Any, BinaryIO, NamedTuple, TypeVar
from zipfile import ZipFile

from pathveil.errors import BadFile, MissingExtra, PathveilError, UnclearColumns
from pathveil.files.atomic_write import shorten

WORKBOOK = ".xlsx"
SMALL_BOOK, MOST_CELLS = 1 << 22, 1_000_000
"""Bytes of an Excel workbook at most, since it is packed and unpacks to a hundred times as many;
and its cells, since an empty sheet may be said to have a billion."""

HARD_SPACE = "\u00a0"
"""A space at which no line breaks, which nobody sees in a name: read as a space."""

Row = tuple[int, list[str]]
"""Number of a line, from 1, and its cells."""

SAMPLE = 20
"""Lines from which the separator is found."""

_SEPARATORS = ("\t", ";", ",")


def text_rows(
    lines: Iterable[str], where: str, *, expected: str, otherwise: str | None = None, above: int = 0
) -> Iterator[Row]:
    r"""Yield number and cells of each line that is neither blank nor a comment.

    Parameters
    ----------
    expected
        What the file should hold, for the message if it holds nothing.
    otherwise
        The separator if no line has one; None for white space.
    above
        How many lines are above the table: a title.

    Examples
    --------
    >>> list(text_rows(["# x\n", "a; b\n"], "x.csv", expected="links"))
    [(2, ['a', 'b'])]
    """
    # A comment becomes a blank line, so that the line numbers stay right.
    kept = ("\n" if line.lstrip()[:1] == "#" else line for line in islice(lines, above, None))
    skipped = above
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
    below = list(islice(filled, SAMPLE))
    return chain([(first[0], _over_row_names(first[1], below))], below, filled)


def _over_row_names(cells: list[str], below: Sequence[Row]) -> list[str]:
    """Return a header with an empty cell over the numbers of the lines, which R leaves out."""
    numbers = [row[0] for _, row in below]
    counted = any(numbers == [str(i) for i, _ in enumerate(below, start)] for start in (0, 1))
    wider = {len(row) for _, row in below} == {len(cells) + 1}
    if len(below) < 2 or not (counted and wider) or {row[1] for _, row in below} & {*numbers}:
        return cells  # numbers that are met again are names
    return ["", *cells]


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


class Sheet(NamedTuple):
    """A sheet of an Excel workbook: its name, and its rows as lines of a table with tabs."""

    name: str
    text: str


_ROUNDED = "\u2248"
"""Stands before a number of which Excel has kept 15 digits."""


def sheets_of(handle: BinaryIO, where: str) -> list[Sheet]:
    """Return the sheets of an Excel workbook that hold anything."""
    try:
        from openpyxl import load_workbook
    except ImportError:
        raise MissingExtra("excel", "openpyxl, for Excel workbooks") from None
    size, sheets, empty = handle.seek(0, SEEK_END), None, ""
    try:
        with ZipFile(handle) as packed:
            unpacked = sum(item.file_size for item in packed.infolist())
        if max(100 * size, unpacked) <= 100 * SMALL_BOOK:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # what it cannot read of styles and checks
                book = load_workbook(handle, read_only=True, data_only=True)
                sheets = _bounded((one.title, one.iter_rows(values_only=True)) for one in book)
                formulas = load_workbook(handle, read_only=True)
                empty = _without_values(formulas, book) if sheets is not None else ""
    except Exception as error:  # noqa: BLE001 - the library raises whatever its files raise
        raise BadFile(
            f"{where}: cannot be read as an Excel workbook ({type(error).__name__}); save it "
            "again, or as CSV UTF-8"
        ) from None
    if sheets is None:
        raise BadFile(
            f"{where}: is larger than {100 * SMALL_BOOK:,} bytes unpacked or {MOST_CELLS:,} cells; "
            "save it as CSV UTF-8"
        )
    if empty:
        raise BadFile(
            f"{where}: {empty} is a formula whose value is not in the file; open it in Excel or "
            "LibreOffice, save it, and take that"
        )
    if not sheets:
        raise _empty(where, "a sheet that holds a table")
    return sheets


def _without_values(formulas: Any, values: Any) -> str:
    """Return the first cell whose formula nobody has worked out, as a place; empty if none."""
    for sheet, computed in zip(formulas, values, strict=True):
        for row, found in zip(sheet.iter_rows(), computed.iter_rows(), strict=True):
            for cell, value in zip(row, found, strict=True):
                # A value that is an empty text is there, of the type "str".
                if cell.data_type == "f" and value.value is None and value.data_type == "n":
                    return f"sheet {shorten(sheet.title)}, cell {cell.coordinate}"
    return ""


def _bounded(sheets: Iterable[tuple[str, Iterable[Sequence[object]]]]) -> list[Sheet] | None:
    """Return the sheets that hold anything; None if they have too many cells."""
    taken, cells = [], 0
    for name, rows in sheets:
        text = StringIO()
        # In quotes, so that no cell is split. An empty row is an empty line: lines are rows.
        writer = csv.writer(text, delimiter="\t", lineterminator="\n", quoting=csv.QUOTE_ALL)
        for row in rows:
            cells += len(row) + 1
            if cells > MOST_CELLS:
                return None
            written = [_cell_text(cell) for cell in row]
            writer.writerow(written if any(written) else [])
        if text.getvalue().strip():
            taken.append(Sheet(name, text.getvalue()))
    return taken


def _cell_text(cell: object) -> str:
    """Return a cell as a name; a number of more than 15 digits is marked, for Excel rounded it."""
    if isinstance(cell, float) and cell.is_integer():
        cell = int(cell)
    if isinstance(cell, int) and abs(cell) >= 10**15:
        return f"{_ROUNDED}{cell}"
    return "" if cell is None else " ".join(str(cell).splitlines())


def require_exact(names: Iterable[str], place_of: Callable[[int], str]) -> None:
    """Raise if a name of a sheet is a number that Excel has rounded."""
    for number, name in enumerate(names):
        if name.startswith(_ROUNDED) and name[1:].isdecimal():
            raise BadFile(
                f"{place_of(number)}: the number {name[1:]} has more than 15 digits, of which "
                "Excel keeps 15, so two numbers may have become one; get the numbers from their "
                "source again as text, or as CSV without Excel"
            )


_Read = TypeVar("_Read")


def of_one_sheet(
    sheets: Sequence[Sheet],
    where: str,
    read: Callable[[Sheet, str], _Read],
    *,
    holds: str,
    likely: Sequence[Sheet] = (),
) -> tuple[_Read, str]:
    """Return what the one sheet gives that can be read, and that it was taken if it had rivals.

    Parameters
    ----------
    read
        Reads a sheet, given what messages call it, or raises.
    holds
        What is looked for.
    likely
        The sheets that go before others.
    """
    taken: dict[str, _Read] = {}
    tried = likely or [sheet for sheet in sheets if len(sheet.text.split("\n")) > 2] or sheets
    for sheet in tried if len(sheets) > 1 else ():
        with suppress(PathveilError):
            taken[f"sheet {shorten(sheet.name)}"] = read(sheet, where)
    if not taken:  # say what is wrong with the longest
        longest = max(tried, key=lambda sheet: sheet.text.count("\n"))
        several = f", sheet {shorten(longest.name)}" if len(sheets) > 1 else ""
        return read(longest, f"{where}{several}"), ""
    if len(taken) > 1:
        raise BadFile(
            f"{where}: {' and '.join(taken)} could each hold {holds}; save the sheet that is "
            "meant in a workbook of its own, or as CSV UTF-8, and give that"
        )
    ((place, found),) = taken.items()
    return found, f"{place} is read"


# -- the two ends of a link ----------------------------------------------------------------------

_ALIKE = (("source", "target"), ("u", "v"), ("node1", "node2"), ("nodea", "nodeb"))
_DIRECTED = (
    ("from", "to"),
    ("src", "dst"),
    ("src", "dest"),
    ("start", "end"),
    ("origin", "destination"),
    ("source", "destination"),
    ("supplier", "customer"),
    ("seller", "buyer"),
    ("sender", "receiver"),
    ("exporter", "importer"),
    ("parent", "child"),
    ("von", "nach"),
    ("quelle", "ziel"),
    ("start", "ziel"),
    ("lieferant", "kunde"),
    ("lieferant", "abnehmer"),
    ("lieferant", "empfanger"),
    ("lieferant", "empfaenger"),
    ("verkaufer", "kaufer"),
    ("absender", "empfanger"),
    ("sender", "empfanger"),
    ("supplier", "buyer"),
    ("supplier", "recipient"),
    ("sender", "recipient"),
    ("vendor", "customer"),
    ("shipper", "consignee"),
    ("source", "cible"),
    ("origine", "destination"),
    ("depart", "arrivee"),
    ("fournisseur", "client"),
    ("fournisseur", "destinataire"),
    ("expediteur", "destinataire"),
    ("vendeur", "acheteur"),
    ("von", "an"),
    ("von", "bis"),  # may be dates beside other ends
)
KNOWN_WORDS = (_ALIKE[0], _DIRECTED[0], *_ALIKE[1:], *_DIRECTED[1:])
"""Pairs of words over the two columns of a link, in either order. Spaces, hyphens, underscores,
capitals, accents, and a kind of thing before or behind do not count: ``Source ID`` is ``source``.
"""

_TOTALS = frozenset(
    {"total", "totals", "grandtotal", "subtotal", "sum", "totalgeneral", "soustotal", "somme"}
    | {"summe", "gesamt", "insgesamt", "gesamtsumme", "zwischensumme", "endsumme"}
)

_ACCENTS = re.compile("[\u0300-\u036f]")
_JOINTS = re.compile(r"[\s_.-]+")
_BEGINNING = re.compile(rf"({'|'.join(chain.from_iterable(KNOWN_WORDS))})[\s_-]+([^\d\s_-]\D*)")
"""A word for an end and a kind of thing, as in ``from_ward``; with a number it may be a vertex."""
_KINDS = ("node", "vertex", "id", "name", "station", "stop", "city", "router")
_COUNTERS = frozenset({"", "id", "index", "key", "line", "no", "nr", "number", "row", "#"})

MOST_LOOKED_AT = 20
"""Columns of which two are looked for that share names."""
MOST_COLUMNS = 10_000
"""Columns in which known words are looked for."""

Chosen = tuple[str, str]
"""Two columns a user asks for: by the words of the header, or by number, counted from 1."""

CLEAN = "pathveil network clean FILE -o NEW.csv --columns {}"


@dataclass(frozen=True)
class EndColumns:
    """Which columns hold the two ends of a link, and what the first line is.

    Parameters
    ----------
    left, right
        The columns, counted from 0.
    header
        The words over the two columns, if the first line is a header.
    asked
        Whether a user named the columns: then nothing is in doubt.
    directed
        Whether the words of the header name a direction.
    """

    left: int
    right: int
    header: tuple[str, ...] = ()
    asked: bool = False
    directed: bool = False

    @property
    def need(self) -> int:
        """How many cells a line must have."""
        return max(self.left, self.right) + 1

    @property
    def doubtful(self) -> frozenset[str]:
        """Words of a header that is a link if one of them is the name of a vertex."""
        # Only a header over the first two columns can be a link by mistake.
        in_doubt = self.header and not self.asked and (self.left, self.right) == (0, 1)
        return frozenset(self.header if in_doubt else ())


def end_columns(cells: Sequence[str], where: str, chosen: Chosen | None = None) -> EndColumns:
    """Return which columns hold the two ends, from the first line of a table.

    Examples
    --------
    >>> end_columns(["id", "Supplier", "Customer"], "links.csv")
    EndColumns(left=1, right=2, header=('Supplier', 'Customer'), asked=False, directed=True)
    >>> end_columns(["a", "b"], "links.csv")
    EndColumns(left=0, right=1, header=(), asked=False, directed=False)
    """
    if chosen is not None:
        return _asked(cells, where, chosen)
    known = _known(cells[:MOST_COLUMNS])  # a line of millions takes long
    if known is None:
        return EndColumns(0, 1)
    left, right, directed = known
    return EndColumns(left, right, (cells[left], cells[right]), directed=directed)


def lines_above(head: Sequence[str], chosen: Chosen | None = None) -> list[list[str]] | None:
    """Return the cells of each line above the header; None if there is no header.

    Where numbers of columns are chosen, it is the first line of two cells.

    >>> lines_above(["Suppliers 2026", "", "from,to", "a,b"])
    [['Suppliers 2026'], []]
    """
    numbers = chosen is not None and all(map(str.isdecimal, chosen))
    rows = split_lines(head, otherwise=None)
    for place, row in enumerate(rows):
        words = [cell.casefold() for cell in row]
        if numbers:
            found = sum(map(bool, words)) > 1
        elif chosen is not None:
            found = all(word.casefold() in words for word in chosen)
        else:
            found = _known(row) is not None
        if found:
            return rows[:place]
    return None


def fullest(head: Sequence[str]) -> list[str]:
    """Return the cells of the first line that has most: under a title, the header.

    >>> fullest(["Suppliers, 2026", "", "no;firm;since", "1;a;2020"])
    ['no', 'firm', 'since']
    """
    return max(split_lines(head), key=lambda cells: sum(map(bool, cells)))


def split_lines(head: Sequence[str], otherwise: str | None = ",") -> list[list[str]]:
    """Return the cells of each line, with the separator that most lines have."""
    counts = {mark: sum(mark in line for line in head) for mark in _SEPARATORS}
    most = max(_SEPARATORS, key=counts.__getitem__)
    return [_cells(line, most if counts[most] else otherwise) for line in head]


def _cells(line: str, separator: str | None) -> list[str]:
    if separator is None or not line.strip():
        return line.split()
    try:
        return [
            cell.strip()
            for cell in next(csv.reader([line], delimiter=separator, skipinitialspace=True))
        ]
    except csv.Error:
        return [line]


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
        header = (cells[left], cells[right])
        known = _known(header) is not None
        return EndColumns(left, right, header if known else (), asked=not known)
    left, right = (_column_called(word, cells, where) for word in chosen)
    if left == right:
        raise BadFile(f"{where}: the two ends of a link are in two different columns; name both")
    return EndColumns(left, right, (cells[left], cells[right]), asked=True)


def _column_called(word: str, words: Sequence[str], where: str) -> int:
    places = [i for i, cell in enumerate(words) if cell == word] or [
        i for i, cell in enumerate(words) if cell.casefold() == word.casefold()
    ]
    if len(places) != 1:
        raise BadFile(
            f"{where}: {len(places) or 'no'} columns are called {shorten(word)}; the header "
            f"holds {', '.join(map(shorten, words[:12]))}: take two of these words, or numbers "
            "counted from 1"
        )
    return places[0]


def _known(cells: Sequence[str]) -> tuple[int, int, bool] | None:
    plain = list(map(_plain_word, cells))
    for words in (plain, [_without_kind(word) for word in plain]):
        # Where each word is met first: one pass, not one for each known pair.
        place = {word: len(words) - i for i, word in enumerate(reversed(words), start=1)}
        for pair in KNOWN_WORDS:
            if pair[0] in place and pair[1] in place:
                return place[pair[0]], place[pair[1]], pair in _DIRECTED
    return _known_beginnings(cells)


def _known_beginnings(cells: Sequence[str]) -> tuple[int, int, bool] | None:
    """Return the two ends where known words begin and the same rest follows.

    >>> _known_beginnings(["no", "From ward", "To ward"]), _known_beginnings(["u_1", "v_1"])
    ((1, 2, True), None)
    """
    place: dict[tuple[str, str], int] = {}
    for at, cell in enumerate(cells):
        found = _BEGINNING.fullmatch(cell.casefold())
        if found is not None:
            place.setdefault((found[1], found[2]), at)
    for pair in KNOWN_WORDS if place else ():
        for (word, rest), at in place.items():
            if word == pair[0] and (pair[1], rest) in place:
                return at, place[pair[1], rest], pair in _DIRECTED
    return None


def is_total(cell: str) -> bool:
    """Return whether a cell is a word beside sums.

    >>> is_total("Total général:"), is_total("Totalenergies")
    (True, False)
    """
    return _plain_word(cell).rstrip(":") in _TOTALS


def _plain_word(cell: str) -> str:
    """Return a cell without what does not count in a header."""
    letters = _ACCENTS.sub("", unicodedata.normalize("NFD", cell.casefold()))
    return _JOINTS.sub("", letters)


def _without_kind(word: str) -> str:
    for kind in _KINDS:
        if word.endswith(kind) and word != kind:
            return word.removesuffix(kind)
        if word.startswith(kind) and word != kind:
            return word.removeprefix(kind)
    return word


def sharing_columns(
    rows: Sequence[Sequence[str]], otherwise: tuple[int, int] = (0, 1)
) -> tuple[int, int]:
    """Return the two columns that share most names.

    >>> sharing_columns([["a", "x1", "b"], ["b", "x2", "c"], ["total", "", ""]])
    (0, 2)
    """
    names = [set(column) - {""} for column in zip(*rows, strict=False)][:MOST_LOOKED_AT]
    pairs = [otherwise, *combinations(range(len(names)), 2)]
    return max(
        pairs, key=lambda pair: max(pair) < len(names) and len(names[pair[0]] & names[pair[1]])
    )


def columns_asked(
    where: str, line: int, cells: Sequence[str], rows: Sequence[Sequence[str]]
) -> UnclearColumns:
    """Return the refusal of a table of which it is not clear which columns are meant.

    Suggested are the two columns that share most names in some of its rows.
    """
    counts = len(cells) > 2 and (cells[0].isdecimal() or cells[0].casefold() in _COUNTERS)
    left, right = sharing_columns(rows, (1, 2) if counts else (0, 1))
    if right >= len(cells):
        return UnclearColumns(
            f"{where}, line {line}: {', '.join(map(shorten, cells[:12]))}: has {len(cells)} cells, "
            "and lines below it have more; if it is a header, write a word for every column",
            cells=tuple(cells),
        )
    numbers = (str(left + 1), str(right + 1))
    pair = (cells[left], cells[right]) if cells[left] != cells[right] else numbers
    clean = CLEAN.format(shlex.quote(",".join(pair)))
    return UnclearColumns(
        f"{where}, line {line}: {', '.join(map(shorten, cells[:12]))}: it is not clear which "
        f"columns hold the two ends of a link; name them: {clean}; or by number: --columns "
        f"{','.join(numbers)}",
        cells=tuple(cells),
    )
