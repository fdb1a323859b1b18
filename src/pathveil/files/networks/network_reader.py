"""Networks from files: tables of links (CSV, TSV, Parquet, Excel), GraphML, GEXF, GML, JSON.

The format follows from the suffix, else from the beginning of the content. Whatever the format, the
same rules hold: one connected network without self-loops and parallel links. What breaks them is
refused with the place in the file, because merging links changes what is published; two options
repair on demand, ``simplify`` and ``largest_component``.
"""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import BinaryIO, Literal

from pathveil.errors import BadFile
from pathveil.files.atomic_write import (
    STREAM_LIMIT,
    Progress,
    decode,
    open_file,
    shorten,
    too_large,
)
from pathveil.files.codes import Codes
from pathveil.files.networks.raw_network import Note, RawNetwork, Simplify, finish, row_of
from pathveil.files.networks.tables import (
    raw_of_folder,
    raw_of_parquet,
    raw_of_table,
    raw_of_workbook,
)
from pathveil.files.text_tables import WORKBOOK, Chosen
from pathveil.model.network import Network

Format = Literal["table", "workbook", "parquet", "xml", "gml", "json"]
Names = Literal["id", "label"]

TOPOHUB = "topohub:"
_SUFFIXES: dict[str, Format] = {
    **dict.fromkeys((".csv", ".tsv", ".tab", ".edges", ".edgelist", ".el"), "table"),
    ".graphml": "xml",
    ".gexf": "xml",
    ".gml": "gml",
    ".json": "json",
    ".parquet": "parquet",
    WORKBOOK: "workbook",
}
_GML_START = re.compile(rb"(?i)(?:#[^\n]*\n\s*)*(?:(?:creator|version|comment)\b|graph\s*\[)")


def read_network(
    path: str | Path,
    *,
    names: Names | None = None,
    columns: Chosen | None = None,
    simplify: Simplify = False,
    largest_component: bool = False,
    progress: Progress | None = None,
    note: Note | None = None,
) -> Network:
    r"""Return the network in a file.

    Parameters
    ----------
    path
        A table of links (CSV, TSV, columns, Parquet, a folder of Parquet files, an Excel sheet),
        GraphML, GEXF, GML or node-link JSON; or a network in the topohub package, such as
        ``topohub:sndlib/germany50``.
    names
        Whether vertices are named by ``"id"`` or ``"label"``; by default by label where every
        vertex has one and most are distinct, else by id.
    columns
        Which two columns of a table hold the ends of a link, by name or by number from 1, where its
        header has no known words: ``("origin airport", "3rd")``, ``("2", "3")``.
    simplify
        Drop self-loops and merge parallel links and opposite arcs; ``"parallel"`` merges alone.
        Real data often need it: 96 of the 276 Topology Zoo files hold parallel links.
    largest_component
        Keep the largest component of a network in several parts.
    progress
        Called with (bytes read, bytes of the file) as reading goes on.
    note
        Called with a sentence for each decision: links merged, directions ignored, labels taken.

    Raises
    ------
    BadFile
        Where the file is missing, empty, binary, cut off, too large or not of its format.
    NotSimple, NotConnected, UnknownVertex, NameClash
        Where it is read well but holds no network that can be used.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "map.csv"
    ...     _ = path.write_text("source,target\na,b\nb,c\n")
    ...     read_network(path).links
    (('a', 'b'), ('b', 'c'))
    """
    with _opened(path, progress) as handle:
        raw = _raw(handle, path, names, columns)
        network = finish(raw, simplify=simplify, largest_component=largest_component, note=note)
        if progress is not None:  # whatever was looked at again: all of it has been read
            size = handle.seek(0, io.SEEK_END)
            progress(size, size)
    return network


def parse_network(
    data: str | bytes,
    *,
    where: str = "network",
    format: Format | None = None,  # noqa: A002
    names: Names | None = None,
    columns: Chosen | None = None,
    simplify: Simplify = False,
    largest_component: bool = False,
) -> Network:
    r"""Return the network in a text or in bytes; the options are those of :func:`read_network`.

    >>> parse_network("a b\nb c\nc a").links
    (('a', 'b'), ('a', 'c'), ('b', 'c'))
    """
    handle = io.BytesIO(data.encode() if isinstance(data, str) else data)
    kind = format or _SUFFIXES.get(Path(where).suffix.lower()) or _guess(handle)
    raw = _raw_of_content(handle, where, kind, names, columns)
    return finish(raw, simplify=simplify, largest_component=largest_component)


def read_row(
    path: str | Path,
    vertex: str,
    *,
    codes: Codes | None = None,
    note: Note | None = None,
    passed: Note | None = None,
) -> tuple[str, ...]:
    """Return the neighbours of one vertex, sorted: all a participant needs of the network.

    The rest of the file is not judged: it may be disconnected or not simple. Parallel links are
    merged. With codes, the vertex and the file are in names, and the neighbours are given as codes.
    ``note`` is told if the file seems to be the row of another vertex. ``passed`` is told which
    neighbours are passed over because the codes do not name them; without it they are refused.

    Raises
    ------
    UnknownVertex
        Where the file does not name the vertex, or the codes do not name a neighbour, or none.
    NotSimple
        Where the vertex has a self-loop.
    """
    with _opened(path) as handle:
        row = row_of(_raw(handle, path, None, None, is_part=True), vertex, note)
    if codes is None:
        return row
    coded = [name for name in row if name in codes.code_of]
    strange = [name for name in row if name not in codes.code_of]
    if coded and strange and passed is not None:
        others = f" and {len(strange) - 1:,} more are" if len(strange) > 1 else " is"
        passed(f"passed over: {shorten(strange[0])}{others} not in {codes.where}")
        row = tuple(coded)
    return tuple(sorted(codes.encode(row)))


def _opened(path: str | Path, progress: Progress | None = None) -> BinaryIO:
    if str(path).startswith(TOPOHUB) or Path(path).is_dir():
        return io.BytesIO()
    return open_file(path, limit=STREAM_LIMIT, progress=progress)


def _raw(
    handle: BinaryIO,
    path: str | Path,
    names: Names | None,
    columns: Chosen | None,
    *,
    is_part: bool = False,
) -> RawNetwork:
    where = str(path)
    if where.startswith(TOPOHUB):
        from pathveil.files.networks.graph_files import raw_of_topohub

        _require_table(columns, where)
        return raw_of_topohub(where, names=names)
    if Path(path).is_dir():
        return raw_of_folder(Path(path), columns=columns)
    kind = _SUFFIXES.get(Path(path).suffix.lower()) or _guess(handle)
    return _raw_of_content(handle, where, kind, names, columns, is_part=is_part)


def _raw_of_content(
    handle: BinaryIO,
    where: str,
    kind: Format,
    names: Names | None,
    columns: Chosen | None,
    *,
    is_part: bool = False,
) -> RawNetwork:
    if kind in {"table", "workbook", "parquet"}:
        if names == "label":
            raise BadFile(
                f"{where}: a table of links has no labels; leave names (--names) out, or choose "
                "the columns that hold the names you want (--columns A,B)"
            )
        if kind == "parquet":
            return raw_of_parquet([(handle, where)], where, columns=columns)
        read = raw_of_workbook if kind == "workbook" else raw_of_table
        return read(handle, where, columns=columns, is_part=is_part)
    from pathveil.files.networks import graph_files

    _require_table(columns, where)
    size = handle.seek(0, io.SEEK_END)
    if size > graph_files.GRAPH_LIMIT:
        raise too_large(where, size, graph_files.GRAPH_LIMIT, advice="write the links as CSV")
    handle.seek(0)
    data = handle.read()
    if kind == "xml":
        return graph_files.raw_of_xml(data, where, names=names)
    parse = graph_files.raw_of_gml if kind == "gml" else graph_files.raw_of_json
    return parse(decode(data, where), where, names=names)


def _require_table(columns: Chosen | None, where: str) -> None:
    if columns is not None:
        raise BadFile(
            f"{where}: is no table, so it has no columns; leave columns (--columns) out, or say "
            'how vertices are named: names="id" or "label" (--names)'
        )


def _guess(handle: BinaryIO) -> Format:
    """The format the content looks like."""
    handle.seek(0)
    head = handle.read(4096)
    handle.seek(0)
    if head.startswith(b"PAR1"):
        return "parquet"
    if head[:2] in {b"\xff\xfe", b"\xfe\xff"}:
        head = head.decode("utf-16", errors="replace").encode()
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if start.startswith(b"<"):
        return "xml"
    if start.startswith((b"{", b"[")):
        return "json"
    return "gml" if _GML_START.match(start) else "table"
