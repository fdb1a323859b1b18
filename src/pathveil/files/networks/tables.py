r"""Links from tables: CSV, TSV and plain columns, and Parquet.

The separator is found from the first lines (tab, semicolon, comma, else white space); ``#`` opens a
comment line; columns beyond the two ends are ignored. Names are text: ``007`` is not ``7``, and
``NA`` is a name.

Theory of operation. pyarrow parses large files in blocks and numbers the names in C++. Whatever it
might read otherwise than a person (a stray quote, a comment in the middle, a line with another
number of columns) is given up there, and the file is read line by line, which either reads it or
says which line is wrong. Small files are read line by line at once. Both readers give the same
network: ``tests/files/networks/test_tables.py`` compares them.

A header of known words is a link after all if one of its words is a vertex of a later line. A first
line of other words that no later line names is refused, with the question which columns are meant,
and so is a first column that numbers the lines. For a connected network these rules cannot err: a
link between two names met nowhere else would be a component of its own.
"""

from __future__ import annotations

import io
import re
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from pathveil.errors import BadFile
from pathveil.files.atomic_write import (
    SIZE_LIMIT,
    STREAM_LIMIT,
    decode,
    open_file,
    shorten,
    text_lines,
    too_large,
)
from pathveil.files.networks.raw_network import RawNetwork
from pathveil.files.text_tables import (
    CLEAN,
    HARD_SPACE,
    SAMPLE,
    Chosen,
    EndColumns,
    Row,
    Sheet,
    columns_asked,
    end_columns,
    fullest,
    is_total,
    lines_above,
    of_one_sheet,
    require_exact,
    separator_of,
    sharing_columns,
    sheets_of,
    text_rows,
)

SMALL = 1 << 20
"""Bytes up to which a file is read line by line: loading pyarrow takes as long."""

BLOCK = 1 << 20
"""Bytes that pyarrow parses at a time."""

SEEN = 1000
"""Lines in which columns are looked for that share names."""

UNDIRECTED = "{}: links are read as undirected"
_BATCH = 1 << 20
"""Rows of a Parquet file that are read at a time: each batch brings its own list of names."""

_WAITING = 1 << 24
"""Bytes of columns that wait at least, before their names are compared."""


def raw_of_table(
    handle: BinaryIO, where: str, *, columns: Chosen | None = None, is_part: bool = False
) -> RawNetwork:
    """Return the links of a table in a text file.

    Parameters
    ----------
    columns
        Which two columns hold the ends, where the first line does not say it in known words.
    is_part
        Whether this may be a few links of a network, such as a participant's own: then a first
        line of two names is a link even if no other line names them.

    *Cost*: for ten million lines about twice what pyarrow takes to parse and number them.
    """
    try:
        return _raw_below(handle, where, 0, columns, is_part=is_part)
    except BadFile:
        if handle.seek(0, io.SEEK_END) <= SIZE_LIMIT:
            said: list[str] = []
            handle.seek(0)
            text = decode(handle.read(), where, said.append)
            if said:  # no UTF-8
                handle = io.BytesIO(text.encode())
                raw = raw_of_table(handle, where, columns=columns, is_part=is_part)
                raw.remarks[:0] = said
                return raw
        head = list(islice(_lines(handle, where), SAMPLE))
        rows = lines_above(head, columns)
        if rows is None and columns is not None:
            end_columns(fullest(head), where, columns)  # its words are in the message
        above = [{*row} - {""} for row in rows or ()]
        if not any(above):
            raise
        raw = _raw_below(handle, where, len(above), columns, is_part=is_part)
        # What is above a header is no link, unless a link below names one of its two ends.
        words, named = {*(columns or ())}, {*raw.names}
        links = [row for row in above if len(row) > 1 and not row.isdisjoint(named | words)]
        if links or not words.isdisjoint(named):
            raise
    raw.remarks.insert(0, f"{where}: the table begins in line {len(above) + 1}, under a title")
    return raw


def raw_of_workbook(
    handle: BinaryIO, where: str, *, columns: Chosen | None = None, is_part: bool = False
) -> RawNetwork:
    """Return the links of the one sheet that holds such a table; the options are as for others.

    Sheets with a header of known words, or of those asked for, go before others.
    """

    def read(sheet: Sheet, place: str) -> RawNetwork:
        content = io.BytesIO(sheet.text.encode())
        return raw_of_table(content, place, columns=columns, is_part=is_part)

    sheets = sheets_of(handle, where)
    headed = [s for s in sheets if lines_above(s.text.splitlines()[:SAMPLE], columns) is not None]
    raw, taken = of_one_sheet(sheets, where, read, holds="links", likely=headed)
    require_exact(raw.names, lambda _: where)
    raw.remarks[:0] = [f"{where}: {taken}"] if taken else []
    return raw


def _raw_below(
    handle: BinaryIO, where: str, above: int, columns: Chosen | None, *, is_part: bool
) -> RawNetwork:
    """Return the links of a table with so many lines above it."""
    line, cells = opening = next(_rows(handle, where, above))
    first = end_columns(cells, where, columns)
    raw = _fast(handle, where, opening, first) if handle.seek(0, io.SEEK_END) > SMALL else None
    if raw is None:
        raw = _careful(handle, where, opening, first)
    if len(raw.left) < 2 or first.header or (is_part and len(cells) == 2):
        return raw
    ends = (raw.left[0], raw.right[0])
    named_again = any((side[1:] == end).any() for side in (raw.left, raw.right) for end in ends)
    if not first.asked:
        # It may be a header of unknown words, or its first cell a count.
        if not named_again or (len(cells) > 2 and _numbers_lines(raw)):
            rows = [row for _, row in islice(_rows(handle, where), 1, SEEN)]
            raise columns_asked(where, line, cells, rows)
    elif not named_again:
        words = (cells[first.left], cells[first.right])
        if len({*words, *cells}) == len(cells) and not all(map(str.isdecimal, words)):
            # Only a header: a link between two names met nowhere else would be a part of its own.
            raw = _raw_below(handle, where, line - 1, words, is_part=is_part)
            raw.remarks.append(f"{where}: line {line} is read as a header")
    return raw


# -- line by line -------------------------------------------------------------------------------


def _careful(handle: BinaryIO, where: str, opening: Row, meant: EndColumns) -> RawNetwork:
    """Return the links below the opening line, or say which line is none."""
    number: dict[str, int] = {}
    ends, lines, passed, alone = array("q"), array("q"), array("q"), ""
    totals: dict[str, Row] = {}
    first, _ = opening
    rows = _rows(handle, where, first - 1)
    for at, row in islice(rows, 1 if meant.header else 0, None):
        is_title = at == first and sum(map(bool, row)) == 1
        if len(row) < meant.need or is_title:
            raise _no_link(where, at, row, meant, rows)
        u, v = row[meant.left], row[meant.right]
        if not u and is_total(v):
            totals.setdefault(v, (at, row))
            u, v = v, ""
        if v and not u:
            raise _no_link(where, at, row, meant, rows)
        if not v:  # a row of totals, a vertex without a link
            passed.append(at)
            alone = alone or u
            continue
        ends.extend((number.setdefault(u, len(number)), number.setdefault(v, len(number))))
        lines.append(at)
    for word, (at, row) in totals.items():
        if word in number:  # a firm may be called Total
            raise _no_link(where, at, row, meant, rows)
    pairs = np.frombuffer(ends, dtype=np.int64).reshape(-1, 2)
    raw = _raw(
        where,
        list(number),
        (pairs[:, 0], pairs[:, 1]),
        columns=meant,
        first=first,
        line_of=lines.__getitem__,
    )
    if passed:
        others = f" and {len(passed) - 1:,} more" if len(passed) > 1 else ""
        named = f" beside {shorten(alone)}" if alone else ""
        raw.remarks.append(
            f"{where}, line {passed[0]}{others}: passed over: no second end of a link{named}"
        )
    return raw


def _no_link(
    where: str, at: int, row: Sequence[str], meant: EndColumns, below: Iterator[Row]
) -> BadFile:
    """Return the error for a line that lacks an end; suggested are columns that share names."""
    rows = [row for _, row in islice(below, SEEN)]
    left, right = sharing_columns(rows, (meant.left, meant.right))
    return BadFile(
        f"{where}, line {at}: found {', '.join(map(shorten, row[:12]))}, expected the two ends of "
        f"a link in columns {meant.left + 1} and {meant.right + 1}; complete the line (the file "
        "may have been cut off; a cell that spans several lines counts for the first alone), "
        "remove it if it is no link (a title, a total, a comment), or name the columns by their "
        "words or numbers: " + CLEAN.format(f"{left + 1},{right + 1}")
    )


def _raw(
    where: str,
    names: list[str],
    sides: Sequence[npt.NDArray[Any]],
    *,
    columns: EndColumns,
    first: int,
    line_of: Callable[[int], int],
) -> RawNetwork:
    """Return what was read; a header that is a link comes last."""
    left, right = sides
    count = len(left)
    remarks = [UNDIRECTED.format(where)] if columns.directed else []
    if columns.doubtful and not columns.doubtful.isdisjoint(names):
        number = {name: i for i, name in enumerate(names)}
        last = [number.setdefault(word, len(number)) for word in columns.header]
        names, remarks = list(number), []
        left, right = np.append(left, last[0]), np.append(right, last[1])
    elif not count:
        raise BadFile(f"{where}, line {first}: the file ends after its header, expected links")

    def place(link: int) -> str:
        return f"line {line_of(link) if link < count else first}"

    return RawNetwork(where, names, left, right, place, remarks=remarks)


def _numbers_lines(raw: RawNetwork) -> bool:
    """Whether the first ends are 0, 1, 2 ... or 1, 2, 3 ..., and no second end is one of them."""
    start = raw.names[int(raw.left[0])]
    if start not in {"0", "1"} or np.isin(raw.left, raw.right).any():
        return False
    numbers = range(int(start), int(start) + len(raw.left))
    return all(raw.names[end] == str(i) for i, end in zip(numbers, raw.left.tolist(), strict=True))


def _rows(handle: BinaryIO, where: str, above: int = 0) -> Iterator[Row]:
    lines = _lines(handle, where)
    return text_rows(lines, where, expected="two names on each line", above=above)


def _lines(handle: BinaryIO, where: str) -> Iterator[str]:
    handle.seek(0)
    return (line.replace(HARD_SPACE, " ") for line in text_lines(handle, where))


# -- by pyarrow ---------------------------------------------------------------------------------


_COMMENT = re.compile(rb"\n[ \t]*#")
_LONE_RETURN = re.compile(rb"\r[^\n]")


class _PlainLines(io.RawIOBase):
    """A file that fails where pyarrow, which reads from it, would read otherwise than we do."""

    def __init__(self, handle: BinaryIO, separator: str) -> None:
        # One letter for whatever may be in a name, so that a quote inside one is found fast.
        ends = b'\n\r"' + separator.encode()
        self._kinds = bytes(sign if sign in ends else ord("x") for sign in range(256))
        self._handle, self._last = handle, b"\n"
        self.lines, self.quotes = 0, False

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1, /) -> bytes:
        data = self._handle.read(size)
        joined = self._last + data
        quoted = b'"' in data
        self.quotes = self.quotes or quoted
        self.lines += data.count(b"\n") if data else not joined.endswith(b"\n")
        if (
            b"\0" in data
            or HARD_SPACE.encode() in joined
            or (b"#" in data and _COMMENT.search(joined))
            or (b"\r" in data and _LONE_RETURN.search(joined))
            or (quoted and b'x"x' in joined.translate(self._kinds))
        ):
            raise OSError("read it line by line")
        self._last = joined[-2:]
        return data


def _fast(handle: BinaryIO, where: str, opening: Row, ends: EndColumns) -> RawNetwork | None:
    """Return the links of a file that pyarrow reads as a person would; else None."""
    from pyarrow import ArrowException, PythonFile, string
    from pyarrow import csv as arrow_csv

    line, cells = opening
    begun = _opening(handle, line)
    if begun is None or len(cells) < ends.need:
        return None
    start, separator = begun
    handle.seek(start)
    headed = int(bool(ends.header))
    if headed:
        handle.readline()
    labels = [str(i) for i in range(len(cells))]
    chosen = [labels[ends.left], labels[ends.right]]
    table, plain = NameTable(), _PlainLines(handle, separator)
    try:
        batches = arrow_csv.open_csv(
            PythonFile(plain, mode="r"),
            read_options=arrow_csv.ReadOptions(block_size=BLOCK, column_names=labels),
            parse_options=arrow_csv.ParseOptions(
                delimiter=separator, quote_char=False if separator == " " else '"'
            ),
            convert_options=arrow_csv.ConvertOptions(
                include_columns=chosen,
                column_types=dict.fromkeys(chosen, string()),
                strings_can_be_null=False,
            ),
        )
        for batch in batches:
            table.add(batch.column(0), batch.column(1))
        names, left, right = table.finished()
    except (ArrowException, OSError, ValueError):
        return None
    if names is None or (plain.quotes and plain.lines != len(left)):
        return None  # a quote that goes on behind the end of its line
    return _raw(
        where,
        names,
        (left, right),
        columns=ends,
        first=line,
        # Counted again: it is asked for in messages alone.
        line_of=lambda link: next(islice(_rows(handle, where, line - 1), link + headed, None))[0],
    )


def _opening(handle: BinaryIO, line: int) -> tuple[int, str] | None:
    """Return where the first row begins, and the separator; None if rows need more than one."""
    handle.seek(0)
    handle.seek(3 if handle.read(3) == b"\xef\xbb\xbf" else 0)
    for _ in range(line - 1):
        handle.readline()
    start = handle.tell()
    head = [raw.decode(errors="replace") for raw in islice(handle, SAMPLE)]
    separator = separator_of(head) or " "
    is_plain = separator != " " or all(len(text.split(" ")) == len(text.split()) for text in head)
    return (start, separator) if is_plain else None


_ODD_NAME = r'^\s*$|^\s*#|["\x00-\x1f\x7f]'


class NameTable:
    """Names of two columns, numbered as batches come; pyarrow compares them.

    Columns wait until they take twice the room of the names that are known, so that no name
    is looked up often. A column that comes with a dictionary brings each of its names once, so one
    long name in many rows takes little memory.
    """

    def __init__(self) -> None:
        import pyarrow as pa

        self._arrow = pa
        self._names = pa.nulls(0, pa.string())  # pa.array and to_numpy would import pandas
        self._waiting: list[tuple[Any, npt.NDArray[Any] | None]] = []
        self._weight = 0
        self._codes = array("i"), array("i")  # they grow in place; many small ones would not go

    def add(self, left: Any, right: Any) -> None:
        """Add two columns of texts or whole numbers, dictionary-encoded or not."""
        for column in (left, right) if len(left) else ():
            places = None
            if self._arrow.types.is_dictionary(column.type):
                column, places = column.dictionary, np.from_dlpack(column.indices)
            names = column.cast(self._arrow.string())
            self._waiting.append((names, places))
            self._weight += names.nbytes + (0 if places is None else places.nbytes)
        if self._weight > max(2 * self._names.nbytes, _WAITING):
            self._merge()

    def _merge(self) -> None:
        if not self._waiting:
            return
        # The names come first, so they keep their numbers.
        columns = self._arrow.chunked_array([self._names, *(names for names, _ in self._waiting)])
        parts = columns.dictionary_encode().chunks[-len(self._waiting) :]
        for side, (part, (_, places)) in enumerate(zip(parts, self._waiting, strict=True)):
            numbers = np.asarray(np.from_dlpack(part.indices), dtype=np.int32)
            codes: npt.NDArray[np.int32] = numbers if places is None else numbers[places]
            self._codes[side % 2].frombytes(codes.data.cast("B"))
            self._names = part.dictionary
        self._waiting, self._weight = [], 0
        del columns, parts, part
        self._arrow.default_memory_pool().release_unused()

    def finished(
        self,
    ) -> tuple[list[str] | None, npt.NDArray[np.int32], npt.NDArray[np.int32]]:
        """Return the names in ascending order and the two ends of each link.

        The names are None if one of them is empty or holds a control character or a quote.
        """
        import pyarrow.compute as pc

        self._merge()
        sides = [np.frombuffer(codes, dtype=np.int32) for codes in self._codes]
        used = np.zeros(len(self._names), dtype=np.bool_)
        for codes in sides:
            used[codes] = True
        if not used.all():  # a dictionary may list names of no row
            kept = np.flatnonzero(used)
            at = self._arrow.py_buffer(kept)
            self._names = self._names.take(
                self._arrow.Array.from_buffers(self._arrow.int64(), len(kept), [None, at])
            )
            place = np.cumsum(used) - 1
            sides = [place[codes] for codes in sides]
        self._names = pc.replace_substring(self._names, HARD_SPACE, " ")
        is_odd = pc.any(pc.match_substring_regex(self._names, _ODD_NAME)).as_py()
        trimmed = pc.utf8_trim_whitespace(self._names).dictionary_encode()
        order = pc.sort_indices(trimmed.dictionary)
        ordered = trimmed.dictionary.take(order)
        rank = np.empty(len(order), dtype=np.int32)
        rank[np.from_dlpack(order)] = np.arange(len(order), dtype=np.int32)
        rank = rank[np.from_dlpack(trimmed.indices)]
        self._names = None
        left, right = (rank[codes] for codes in sides)
        self._codes = array("i"), array("i")
        names = None if is_odd else ordered.to_pylist()
        del trimmed, order, ordered
        self._arrow.default_memory_pool().release_unused()
        return names, left, right


# -- Parquet ------------------------------------------------------------------------------------


def raw_of_folder(folder: Path, *, columns: Chosen | None = None) -> RawNetwork:
    """Return the links of all Parquet files in a folder, which is one table in several files."""
    files = sorted(path for path in folder.rglob("*.parquet") if path.is_file())
    if not files:
        raise BadFile(
            f"{folder}: is a folder without Parquet files; expected the name of a network file"
        )
    size = sum(path.stat().st_size for path in files)
    if size > STREAM_LIMIT:
        raise too_large(str(folder), size, STREAM_LIMIT)
    opened = ((open_file(path, limit=STREAM_LIMIT), str(path)) for path in files)
    return raw_of_parquet(opened, str(folder), columns=columns)


def raw_of_parquet(
    files: Iterable[tuple[BinaryIO, str]], where: str, *, columns: Chosen | None = None
) -> RawNetwork:
    """Return the links of Parquet files, each with its name, read in batches as one table."""
    from pyarrow import ArrowException

    table, directed, starts = NameTable(), False, [(0, where)]
    rows = 0
    for handle, name in files:
        with handle:
            try:
                parquet, chosen, directed = _parquet_columns(handle, name, columns)
                starts.append((rows, name))
                for batch in parquet.iter_batches(batch_size=_BATCH, columns=chosen):
                    batch.validate(full=True)  # places may be none of the dictionary's
                    empty = [label for label in chosen if batch.column(label).null_count]
                    if empty:
                        raise BadFile(
                            f"{name}: column {shorten(empty[0])} has empty cells, expected the "
                            "name of a vertex in each; remove these rows, or complete them"
                        )
                    table.add(*(batch.column(label) for label in chosen))
                    rows += len(batch)
            except (ArrowException, OSError, ValueError) as error:
                if isinstance(error, BadFile):
                    raise
                said = " ".join(str(error).split())
                raise BadFile(
                    f"{name}: cannot be read as Parquet ({said[:120]}); get the file again"
                ) from None
    parquet = batch = None  # the reader keeps what it has read
    if not rows:
        raise BadFile(f"{where}: the table has no row, expected one for each link")
    try:
        names, left, right = table.finished()
    except ArrowException as error:
        raise BadFile(f"{where}: cannot be read as Parquet ({error}); get the file again") from None
    if names is None:
        raise BadFile(
            f"{where}: a name is empty, or holds a quote or a control character; rename it, or "
            "write the network as JSON"
        )

    def place(link: int) -> str:
        start, name = next(item for item in reversed(starts) if item[0] <= link)
        return f"row {link - start + 1}" + ("" if name == where else f" of {Path(name).name}")

    remarks = [UNDIRECTED.format(where)] if directed else []
    return RawNetwork(where, names, left, right, place, remarks=remarks)


def _parquet_columns(
    handle: BinaryIO, where: str, columns: Chosen | None
) -> tuple[Any, list[str], bool]:
    """Return an opened Parquet file, the two columns of the ends, and whether they are directed."""
    from pyarrow import types
    from pyarrow.parquet import ParquetFile

    parquet = ParquetFile(handle)
    _require_honest(parquet.metadata, handle, where)
    fields = parquet.schema_arrow
    listed = ", ".join(map(shorten, fields.names[:12]))
    if len(fields) < 2:
        raise BadFile(f"{where}: the table has the columns {listed}; a link has two ends")
    ends = end_columns(fields.names, where, columns)
    if len(fields) > 2 and not (ends.header or ends.asked):
        raise BadFile(
            f"{where}: the table has the columns {listed}, none of them known words for the two "
            "ends of a link; name them with pathveil network clean FILE -o NEW.csv --columns A,B"
        )
    chosen = [fields.names[ends.left], fields.names[ends.right]]
    for label in chosen:
        kind = fields.field(label).type
        inner = kind.value_type if types.is_dictionary(kind) else kind
        if not (types.is_string(inner) or types.is_large_string(inner) or types.is_integer(inner)):
            raise BadFile(
                f"{where}: column {shorten(label)} holds {inner}, expected the names of vertices "
                "as text or whole numbers"
            )
    # Read as a dictionary, a text takes its length once, not in each of its rows.
    again = ParquetFile(handle, read_dictionary=chosen, buffer_size=BLOCK)
    return again, chosen, ends.directed


def _require_honest(facts: Any, handle: BinaryIO, where: str) -> None:
    """Raise where a small file says it holds a large table: equal rows, or one endless text.

    Links of a network differ, so a row costs half a byte at least, however it is packed.
    """
    size = handle.seek(0, io.SEEK_END)
    groups = range(facts.num_row_groups)
    unpacked = sum(facts.row_group(number).total_byte_size for number in groups)
    if facts.num_rows > 2 * size + (1 << 17) or unpacked > 20 * size + (1 << 20):
        raise BadFile(
            f"{where}: {size:,} bytes say they hold {facts.num_rows:,} rows and {unpacked:,} bytes "
            "of columns, more than links of a network can be packed to; check the file, or write "
            "it as CSV"
        )
