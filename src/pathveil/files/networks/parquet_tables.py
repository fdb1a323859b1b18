"""Edges from Parquet tables: two columns of names, read batch by batch. Needs pyarrow.

The columns are found by the same words as those of an edge list (``source`` and ``target``, ``u``
and ``v`` ...); the only two columns of a table are taken whatever they are called, and of more the
two that are meant must be named. Whole numbers become their text, as everywhere.
"""

from __future__ import annotations

from io import SEEK_END
from typing import Any, BinaryIO

import numpy as np

from pathveil.errors import BadFile
from pathveil.files.atomic_write import shorten
from pathveil.files.networks.headers import Chosen, end_columns
from pathveil.files.networks.plain_lists import Numbering
from pathveil.files.networks.raw_network import Draft

MAGIC = b"PAR1"
_ROWS = 1 << 17


def draft_of_parquet(handle: BinaryIO, where: str, *, columns: Chosen | None = None) -> Draft:
    """Return the draft of a table with one edge a row.

    Parameters
    ----------
    columns
        Which two columns hold the ends, where their names are not among the known words.

    *Cost*: about 0.5 s for a million edges; a batch of rows is held at a time.
    """
    table = _opened(handle, where)
    _require_honest(table.metadata, handle, where)
    fields = table.schema_arrow
    if len(fields) < 2:
        raise BadFile(
            f"{where}: the table has {len(fields)} columns, expected two or more: an edge has two "
            "ends"
        )
    found = end_columns(fields.names, where, columns)
    if len(fields) > 2 and not (found.header or found.asked):
        listed = ", ".join(map(shorten, fields.names[:12]))
        raise BadFile(
            f"{where}: the table has the columns {listed}, none of them known words for the two "
            'ends of an edge; say which they are with columns=("A", "B") (--columns A,B)'
        )
    chosen = [fields.names[found.left], fields.names[found.right]]
    for name in chosen:
        _require_names(fields.field(name).type, name, where)
    numbers = Numbering()
    parts, row = [], 0
    try:
        for batch in table.iter_batches(batch_size=_ROWS, columns=chosen):
            sides = [_texts(batch.column(name), where, row, name) for name in chosen]
            ends = np.empty((len(sides[0]), 2), dtype=np.int64)
            for side, texts in enumerate(sides):
                ends[:, side] = np.fromiter(
                    map(numbers.__getitem__, texts), np.int64, count=len(texts)
                )
            parts.append(ends)
            row += len(ends)
    except (OSError, ValueError) as error:
        raise _broken(where, error) from None
    if not row:
        raise BadFile(f"{where}: the table has no row, expected one for each edge")
    ends = np.concatenate(parts)
    places = range(1, row + 1)
    return Draft(where, unit="row {}", names=list(numbers), ends=ends, places=places)


def _opened(handle: BinaryIO, where: str) -> Any:
    try:
        from pyarrow import ArrowException
        from pyarrow.parquet import ParquetFile
    except ImportError:
        raise BadFile(
            f"{where}: is a Parquet file, which takes pyarrow to read; "
            "pip install 'pathveil[parquet]'"
        ) from None
    try:
        return ParquetFile(handle)
    except (ArrowException, OSError, ValueError) as error:
        raise _broken(where, error) from None


def _require_honest(facts: Any, handle: BinaryIO, where: str) -> None:
    """Raise where a small file says it holds a large table: equal rows, or one endless text.

    Links of a network differ, so a row costs half a byte at least, however it is packed.
    """
    size = handle.seek(0, SEEK_END)
    handle.seek(0)
    groups = range(facts.num_row_groups)
    unpacked = sum(facts.row_group(number).total_byte_size for number in groups)
    if facts.num_rows > 2 * size + _ROWS or unpacked > 20 * size + (1 << 20):
        raise BadFile(
            f"{where}: {size:,} bytes say they hold {facts.num_rows:,} rows and {unpacked:,} bytes "
            "of columns, more than links of a network can be packed to; check the file, or write "
            "it as CSV"
        )


def _require_names(kind: Any, name: str, where: str) -> None:
    from pyarrow import types

    inner = kind.value_type if types.is_dictionary(kind) else kind
    if not (types.is_string(inner) or types.is_large_string(inner) or types.is_integer(inner)):
        raise BadFile(
            f"{where}: column {shorten(name)} holds {inner}, expected the names of vertices as "
            "text or whole numbers"
        )


def _texts(column: Any, where: str, row: int, name: str) -> list[str]:
    if column.null_count:
        gap = next(i for i, value in enumerate(column) if not value.is_valid)
        raise BadFile(
            f"{where}, row {row + gap + 1}: column {shorten(name)} is empty, expected the name of "
            "a vertex"
        )
    texts = [value if isinstance(value, str) else str(value) for value in column.to_pylist()]
    stripped = [text.strip() for text in texts]
    if "" in stripped:
        raise BadFile(
            f"{where}, row {row + stripped.index('') + 1}: column {shorten(name)} is empty, "
            "expected the name of a vertex"
        )
    return stripped


def _broken(where: str, error: Exception) -> BadFile:
    said = " ".join(str(error).split())
    return BadFile(f"{where}: cannot be read as Parquet ({said[:120]}); get the file again")
