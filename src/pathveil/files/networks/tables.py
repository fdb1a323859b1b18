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

import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from pathveil.errors import BadFile
from pathveil.files.atomic_write import STREAM_LIMIT, open_file, shorten, text_lines, too_large
from pathveil.files.networks.columns import (
    Chosen,
    EndColumns,
    counted_lines,
    end_columns,
    unknown_header,
)
from pathveil.files.networks.raw_network import RawNetwork

Row = tuple[int, list[str]]

SMALL = 1 << 20
"""Bytes up to which a file is read line by line: loading pyarrow takes as long."""

BLOCK = 1 << 23
"""Bytes that pyarrow parses at a time."""

UNDIRECTED = "{}: links are read as undirected"
_SEPARATORS = ("\t", ";", ",")
_SAMPLE = 20
_BATCH = 1 << 17


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
    raw = _fast(handle, where, columns) if handle.seek(0, io.SEEK_END) > SMALL else None
    if raw is None:
        raw = _careful(handle, where, columns)
    _require_link(raw, handle, columns, is_part=is_part)
    return raw


# -- line by line -------------------------------------------------------------------------------


def _careful(handle: BinaryIO, where: str, columns: Chosen | None) -> RawNetwork:
    number: dict[str, int] = {}
    ends: list[int] = []
    lines: list[int] = []
    rows = _rows(handle, where)
    line, cells = next(rows)
    columns_found = end_columns(cells, where, columns)
    left, right = columns_found.left, columns_found.right
    if not columns_found.header:
        rows = chain([(line, cells)], rows)
    for at, row in rows:
        if len(row) < columns_found.need:
            raise _too_short(where, at, row, columns_found.need)
        u, v = row[left].strip(), row[right].strip()
        if not u or not v:
            if at == line and len(row) > 2:
                raise unknown_header(where, line, cells, "one of the first two has no name")
            raise BadFile(
                f"{where}, line {at}: column {(left if not u else right) + 1} is empty, expected "
                "the name of a vertex"
            )
        ends += number.setdefault(u, len(number)), number.setdefault(v, len(number))
        lines.append(at)
    pairs = np.array(ends, dtype=np.int64).reshape(-1, 2)
    return _raw(
        where,
        list(number),
        (pairs[:, 0], pairs[:, 1]),
        columns=columns_found,
        first=line,
        line_of=lines.__getitem__,
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


def _require_link(
    raw: RawNetwork, handle: BinaryIO, columns: Chosen | None, *, is_part: bool
) -> None:
    """Raise if the first line looks like a header of unknown words, or its first cell like a count.

    A network in several parts may truly begin with a link of its own: then a user says so.
    """
    line, cells = next(_rows(handle, raw.where))
    first = end_columns(cells, raw.where, columns)
    if len(raw.left) < 2 or first.asked or first.header or (is_part and len(cells) == 2):
        return
    if len(cells) > 2 and _numbers_lines(raw):
        raise counted_lines(raw.where, line, cells)
    ends = (raw.left[0], raw.right[0])
    if not any((side[1:] == end).any() for side in (raw.left, raw.right) for end in ends):
        raise unknown_header(raw.where, line, cells, "no other line names either of the first two")


def _numbers_lines(raw: RawNetwork) -> bool:
    """Whether the first ends are 0, 1, 2 ... or 1, 2, 3 ..., and no second end is one of them."""
    start = raw.names[int(raw.left[0])]
    if start not in {"0", "1"} or np.isin(raw.left, raw.right).any():
        return False
    numbers = range(int(start), int(start) + len(raw.left))
    return all(raw.names[end] == str(i) for i, end in zip(numbers, raw.left.tolist(), strict=True))


def _rows(handle: BinaryIO, where: str) -> Iterator[Row]:
    """Yield (line, cells) of a file that has some, without comments and blank lines."""
    handle.seek(0)
    # A comment becomes a blank line, so that the line numbers stay right.
    lines = ("\n" if line.lstrip()[:1] == "#" else line for line in text_lines(handle, where))
    skipped = 0
    head: list[str] = []
    for line in lines:
        if line.strip():
            head = [line, *islice(lines, _SAMPLE)]
            break
        skipped += 1
    if not head:
        raise BadFile(
            f"{where}: is empty, expected two names on each line; check whether the file was "
            "written whole"
        )
    separator = _separator([line for line in head if line.strip()])
    every = chain(head, lines)
    if separator is None:
        for number, line in enumerate(every, start=skipped + 1):
            cells = line.split()
            if cells:
                yield number, cells
    else:
        yield from _quoted(every, separator, where, skipped)


def _quoted(lines: Iterable[str], separator: str, where: str, skipped: int) -> Iterator[Row]:
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
    """The first separator that divides every sample line into the same number of cells."""
    for sign in _SEPARATORS:
        counts = set()
        for line in sample:
            try:
                counts.add(len(next(csv.reader([line], delimiter=sign), [])))
            except csv.Error:
                counts.add(0)
        if len(counts) == 1 and counts.pop() >= 2:
            return sign
    # None fits all lines: take what the first line uses, and let the bad line be reported.
    return next((sign for sign in _SEPARATORS if sample and sign in sample[0]), None)


def _too_short(where: str, line: int, row: list[str], need: int) -> BadFile:
    shown = f"one column ({shorten(row[0])})" if len(row) == 1 else f"{len(row)} columns"
    return BadFile(
        f"{where}, line {line}: found {shown}, expected {need} or more: a link has two ends; "
        "complete the line (the file may have been cut off)"
    )


def _open_quote(where: str, line: int) -> BadFile:
    return BadFile(
        f"{where}, line {line}: a quote is opened and not closed on its line; "
        "close it, or double it where it is part of the name"
    )


# -- by pyarrow ---------------------------------------------------------------------------------


_COMMENT = re.compile(rb"\n[ \t]*#")


class _Watched(io.RawIOBase):
    """A file that is looked at for what pyarrow would read otherwise, while pyarrow reads it."""

    def __init__(self, handle: BinaryIO, separator: str) -> None:
        self._handle, self._last = handle, b"\n"
        self._stray = re.compile(
            rb'[^\n\r"'
            + re.escape(separator).encode()
            + rb']"[^\n\r"'
            + re.escape(separator).encode()
            + rb"]"
        )
        self.lines, self.quotes, self.odd = 0, False, False

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1, /) -> bytes:
        data = self._handle.read(size)
        if data:
            joined = self._last + data[:1]
            self.lines += data.count(b"\n")
            self.quotes = self.quotes or b'"' in data
            self.odd = (
                self.odd
                or (b"#" in data and _COMMENT.search(self._last + data) is not None)
                or b"\0" in data
                or data.count(b"\r") != data.count(b"\r\n") + data.endswith(b"\r")
                or (joined[:1] == b"\r" and joined != b"\r\n")
                or (self.quotes and self._stray.search(data) is not None)
            )
            self._last = data[-1:]
        else:
            self.lines += self._last != b"\n"
        return data


def _fast(handle: BinaryIO, where: str, columns: Chosen | None) -> RawNetwork | None:
    """Return the links of a file that pyarrow reads as a person would; else None."""
    from pyarrow import ArrowException, PythonFile, dictionary, int32, string
    from pyarrow import csv as arrow_csv

    line, cells = next(_rows(handle, where))
    ends = end_columns(cells, where, columns)
    opening = _opening(handle, line)
    if opening is None or len(cells) < ends.need:
        return None
    start, separator = opening
    handle.seek(start)
    if ends.header:
        handle.readline()
    watched = _Watched(handle, separator)
    labels = [str(i) for i in range(len(cells))]
    chosen = [labels[ends.left], labels[ends.right]]
    table = NameTable()
    try:
        batches = arrow_csv.open_csv(
            PythonFile(watched, mode="r"),
            read_options=arrow_csv.ReadOptions(block_size=BLOCK, column_names=labels),
            parse_options=arrow_csv.ParseOptions(
                delimiter=separator, quote_char=False if separator == " " else '"'
            ),
            convert_options=arrow_csv.ConvertOptions(
                include_columns=chosen,
                column_types=dict.fromkeys(chosen, dictionary(int32(), string())),
                strings_can_be_null=False,
            ),
        )
        for batch in batches:
            table.add(batch.column(0), batch.column(1))
        names, left, right = table.finished()
    except (ArrowException, OSError, ValueError):
        return None
    if watched.odd or names is None or (watched.quotes and watched.lines != len(left)):
        return None
    raw = _raw(
        where,
        names,
        (left, right),
        columns=ends,
        first=line,
        line_of=lambda link: _line_of(handle, where, link, ends),
    )
    raw.is_sorted = len(raw.left) == len(left)
    return raw


def _opening(handle: BinaryIO, line: int) -> tuple[int, str] | None:
    """Return where the first row begins, and the separator; None if rows need more than one."""
    handle.seek(0)
    start = 3 if handle.read(3) == b"\xef\xbb\xbf" else 0
    handle.seek(start)
    for _ in range(line - 1):
        start += len(handle.readline())
    try:
        head = [text for text in (raw.decode() for raw in islice(handle, _SAMPLE)) if text.strip()]
    except UnicodeDecodeError:
        return None
    separator = _separator(head)
    if separator is None:
        separator = " "
        if any(len(text.split(separator)) != len(text.split()) for text in head):
            return None
    return start, separator


def _line_of(handle: BinaryIO, where: str, link: int, ends: EndColumns) -> int:
    """Return the line of a link, counted again: it is asked for in messages alone."""
    return next(islice(_rows(handle, where), link + bool(ends.header), None))[0]


_ODD_NAME = r'^\s*$|^\s*#|["\x00-\x1f\x7f]'


class NameTable:
    """Names of two columns, numbered as batches come; pyarrow compares them.

    Dictionaries are merged when those that wait are four times as large as the one there is, so
    that few wait and none is looked up often.
    """

    def __init__(self) -> None:
        import pyarrow as pa

        self._arrow = pa
        self._names = pa.array([], pa.string())
        self._waiting: list[Any] = []
        self._weight = 0
        self._codes: list[npt.NDArray[np.int32]] = []

    def add(self, left: Any, right: Any) -> None:
        """Add the dictionary-encoded columns of one batch."""
        self._waiting += [left, right]
        self._weight += len(left.dictionary) + len(right.dictionary)
        if self._weight > max(4 * len(self._names), _BATCH):
            self._merge()

    def _merge(self) -> None:
        pa = self._arrow
        known = pa.DictionaryArray.from_arrays(pa.array([], pa.int32()), self._names)
        # The first dictionary keeps its numbers.
        merged = pa.chunked_array([known, *self._waiting]).unify_dictionaries()
        self._codes += [part.indices.to_numpy() for part in merged.chunks[1:]]
        self._names = merged.chunk(0).dictionary
        self._waiting, self._weight = [], 0

    def finished(
        self,
    ) -> tuple[list[str] | None, npt.NDArray[np.int32], npt.NDArray[np.int32]]:
        """Return the names in ascending order and the two ends of each link.

        The names are None if one of them is empty or holds a control character or a quote.
        """
        import pyarrow.compute as pc

        self._merge()
        empty = np.zeros(0, dtype=np.int32)
        names = self._names
        if pc.any(pc.match_substring_regex(names, _ODD_NAME)).as_py():
            return None, empty, empty
        trimmed = pc.utf8_trim_whitespace(names).dictionary_encode()
        self._names = names = None
        order = pc.sort_indices(trimmed.dictionary)
        ordered = trimmed.dictionary.take(order)
        rank = np.empty(len(order), dtype=np.int32)
        rank[order.to_numpy()] = np.arange(len(order), dtype=np.int32)
        rank = rank[trimmed.indices.to_numpy()]
        del trimmed, order
        sides = []
        for side in (0, 1):
            whole = np.empty(sum(map(len, self._codes[side::2])), dtype=np.int32)
            end = 0
            for place in range(side, len(self._codes), 2):
                start, end = end, end + len(self._codes[place])
                np.take(rank, self._codes[place], out=whole[start:end], mode="clip")
                self._codes[place] = empty
            sides.append(whole)
        del rank
        self._arrow.default_memory_pool().release_unused()
        return ordered.to_pylist(), sides[0], sides[1]


# -- Parquet ------------------------------------------------------------------------------------


def raw_of_parquet(handle: BinaryIO, where: str, *, columns: Chosen | None = None) -> RawNetwork:
    """Return the links of a Parquet file, read in batches."""
    return _raw_of_files([(handle, where)], where, columns)


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
    return _raw_of_files(opened, str(folder), columns)


def _raw_of_files(
    files: Iterable[tuple[BinaryIO, str]], where: str, columns: Chosen | None
) -> RawNetwork:
    from pyarrow import ArrowException

    table, directed, starts = NameTable(), False, [(0, where)]
    rows = 0
    for handle, name in files:
        with handle:
            try:
                parquet, chosen, directed = _parquet_columns(handle, name, columns)
                starts.append((rows, name))
                for batch in parquet.iter_batches(batch_size=_BATCH, columns=chosen):
                    table.add(*(_texts(batch.column(label), name, label) for label in chosen))
                    rows += len(batch)
            except (ArrowException, OSError, ValueError) as error:
                if isinstance(error, BadFile):
                    raise
                said = " ".join(str(error).split())
                raise BadFile(
                    f"{name}: cannot be read as Parquet ({said[:120]}); get the file again"
                ) from None
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
    return RawNetwork(where, names, left, right, place, is_sorted=True, remarks=remarks)


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
            "ends of a link; name them with pathveil network clean --columns A,B "
            '(columns=("A", "B"))'
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
    return parquet, chosen, ends.directed


def _require_honest(facts: Any, handle: BinaryIO, where: str) -> None:
    """Raise where a small file says it holds a large table: equal rows, or one endless text.

    Links of a network differ, so a row costs half a byte at least, however it is packed.
    """
    size = handle.seek(0, io.SEEK_END)
    groups = range(facts.num_row_groups)
    unpacked = sum(facts.row_group(number).total_byte_size for number in groups)
    if facts.num_rows > 2 * size + _BATCH or unpacked > 20 * size + (1 << 20):
        raise BadFile(
            f"{where}: {size:,} bytes say they hold {facts.num_rows:,} rows and {unpacked:,} bytes "
            "of columns, more than links of a network can be packed to; check the file, or write "
            "it as CSV"
        )


def _texts(column: Any, where: str, label: str) -> Any:
    """Return a column as a dictionary of texts."""
    from pyarrow import DictionaryArray, int32, string, types

    if column.null_count:
        raise BadFile(
            f"{where}: column {shorten(label)} has empty cells, expected the name of a vertex in "
            "each; remove these rows, or complete them"
        )
    encoded = column if types.is_dictionary(column.type) else column.dictionary_encode()
    return DictionaryArray.from_arrays(
        encoded.indices.cast(int32()), encoded.dictionary.cast(string())
    )
