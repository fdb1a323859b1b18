"""Networks from files: edge lists, Parquet tables, GraphML, GEXF, GML, node-link JSON.

The format follows from the suffix, else from the first letters of the content. Whatever the
format, the same rules hold: one connected network without self-loops and parallel edges; what
breaks them is refused with the place in the file, never silently repaired, because merging edges
changes what is published. Two options repair on demand: ``simplify`` and ``largest_component``.

Names: vertices of GraphML, GEXF and JSON are named by their ids, which are unique and what edges
refer to; those of GML by their labels where these are distinct, since GML ids are bare numbers;
those of topohub by the names of their places.
``names="label"`` or ``names="id"`` insists on one of them.
"""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import BinaryIO, Literal, get_args

from pathveil.errors import BadFile
from pathveil.files.atomic_write import (
    SIZE_LIMIT,
    STREAM_LIMIT,
    Progress,
    decode,
    open_file,
    shorten,
    too_large,
)
from pathveil.files.networks.edge_lists import draft_of_edge_list, row_of_edge_list
from pathveil.files.networks.gml_graphs import draft_of_gml
from pathveil.files.networks.headers import Chosen
from pathveil.files.networks.json_graphs import PREFIX, draft_of_json, draft_of_topohub
from pathveil.files.networks.parquet_tables import MAGIC, draft_of_parquet
from pathveil.files.networks.raw_network import Draft, finish, row_of
from pathveil.model.network import Network

Format = Literal["edges", "graphml", "gexf", "gml", "json", "parquet"]
Names = Literal["id", "label"]

_SUFFIXES: dict[str, Format] = {
    ".csv": "edges",
    ".tsv": "edges",
    ".tab": "edges",
    ".edges": "edges",
    ".edgelist": "edges",
    ".el": "edges",
    ".graphml": "graphml",
    ".gexf": "gexf",
    ".gml": "gml",
    ".json": "json",
    ".parquet": "parquet",
}
_GML_START = re.compile(rb"(?i)(?:#[^\n]*\n\s*)*(?:(?:creator|version|comment)\b|graph\s*\[)")


def read_network(
    path: str | Path,
    *,
    format: Format | None = None,  # noqa: A002
    names: Names | None = None,
    columns: Chosen | None = None,
    simplify: bool = False,
    largest_component: bool = False,
    limit: int | None = None,
    progress: Progress | None = None,
) -> Network:
    r"""Return the network in a file.

    Parameters
    ----------
    path
        Edge list (CSV, TSV, columns), Parquet table, GraphML, GEXF, GML or node-link JSON; or the
        name of a network that the topohub package ships, such as ``topohub:sndlib/germany50``.
    format
        ``"edges"``, ``"parquet"``, ``"graphml"``, ``"gexf"``, ``"gml"`` or ``"json"``; by default
        the suffix tells, else the content.
    names
        Whether vertices are named by ``"id"`` or ``"label"``; see the module for the default.
    columns
        Which two columns of a table hold the ends of an edge, by name or by number from 1, where
        its header has no known words: ``("origin airport", "3rd")``, ``("2", "3")``.
    simplify
        Drop self-loops and merge parallel edges and opposite arcs. Real data often need it: 96
        of the 276 Topology Zoo files hold parallel edges.
    largest_component
        Keep the largest component of a network in several parts.
    limit
        Bytes the file may have; by default 4 GiB for edge lists and Parquet, which are read piece
        by piece, and 512 MiB for what is held whole.
    progress
        Called with (bytes read, bytes of the file) as reading goes on.

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
    if str(path).startswith(PREFIX):
        _require_table(columns, None, str(path))
        draft = draft_of_topohub(str(path), labels=names != "id")
        return finish(draft, simplify=simplify, largest_component=largest_component)
    with open_file(path, limit=limit or STREAM_LIMIT, progress=progress) as handle:
        kind = _chosen(format, path) or _guess(handle)
        if limit is None:
            _require_holdable(handle, str(path), kind)
        draft = _draft(handle, str(path), kind, names, columns)
        if progress is not None:  # whatever was looked at again: all of it has been read
            size = handle.seek(0, io.SEEK_END)
            progress(size, size)
    return finish(draft, simplify=simplify, largest_component=largest_component)


def parse_network(
    data: str | bytes,
    *,
    where: str = "network",
    format: Format | None = None,  # noqa: A002
    names: Names | None = None,
    columns: Chosen | None = None,
    simplify: bool = False,
    largest_component: bool = False,
    limit: int = SIZE_LIMIT,
) -> Network:
    r"""Return the network in a text or in bytes; the options are those of :func:`read_network`.

    >>> parse_network("a b\nb c\nc a").links
    (('a', 'b'), ('a', 'c'), ('b', 'c'))
    """
    raw = data.encode() if isinstance(data, str) else data
    if len(raw) > limit:
        raise too_large(where, len(raw), limit)
    draft = _draft(io.BytesIO(raw), where, _chosen(format, None), names, columns)
    return finish(draft, simplify=simplify, largest_component=largest_component)


def read_row(
    path: str | Path,
    vertex: str,
    *,
    format: Format | None = None,  # noqa: A002
    names: Names | None = None,
    columns: Chosen | None = None,
    simplify: bool = False,
    limit: int | None = None,
) -> tuple[str, ...]:
    """Return the neighbours of one vertex, sorted: all a participant needs of the network.

    The rest of the file is not judged: it may be disconnected, not simple, or not there at all. Of
    an edge list only the participant's own lines are ever held.

    Raises
    ------
    UnknownVertex
        Where the file does not name the vertex.
    NotSimple
        Where the vertex's own row holds a self-loop or a parallel edge, without ``simplify``.
    """
    if str(path).startswith(PREFIX):
        _require_table(columns, None, str(path))
        draft = draft_of_topohub(str(path), labels=names != "id")
        return row_of(draft, vertex, simplify=simplify)
    with open_file(path, limit=limit or STREAM_LIMIT) as handle:
        kind = _chosen(format, path) or _guess(handle)
        if limit is None:
            _require_holdable(handle, str(path), kind)
        if kind == "edges":
            return row_of_edge_list(handle, str(path), vertex, simplify=simplify, columns=columns)
        return row_of(_draft(handle, str(path), kind, names, columns), vertex, simplify=simplify)


def _require_holdable(handle: BinaryIO, where: str, kind: str) -> None:
    """Refuse a file that would have to be held whole and is too large for it."""
    if kind in {"edges", "parquet"}:
        return
    size = handle.seek(0, io.SEEK_END)
    handle.seek(0)
    if size > SIZE_LIMIT:
        raise too_large(where, size, SIZE_LIMIT)


def _chosen(format_name: str | None, path: str | Path | None) -> Format | None:
    """The format asked for, or promised by the suffix."""
    if format_name is not None:
        for known in get_args(Format):
            if known == format_name:
                return known  # type: ignore[no-any-return]
        raise BadFile(
            f"{shorten(format_name)} is no network format; choose one of "
            + ", ".join(get_args(Format))
        )
    return _SUFFIXES.get(Path(path).suffix.lower()) if path is not None else None


def _guess(handle: BinaryIO) -> Format | Literal["xml"]:
    """The format the content looks like."""
    head = handle.read(4096)
    handle.seek(0)
    if head.startswith(MAGIC):
        return "parquet"
    if head[:2] in {b"\xff\xfe", b"\xfe\xff"}:
        head = head.decode("utf-16", errors="replace").encode()
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if start.startswith(b"<"):
        return "xml"
    if start.startswith((b"{", b"[")):
        return "json"
    return "gml" if _GML_START.match(start) else "edges"


def _require_table(columns: Chosen | None, kind: str | None, where: str) -> None:
    if columns is not None and kind not in {"edges", "parquet"}:
        raise BadFile(
            f"{where}: is no table, so it has no columns; leave columns (--columns) out, or say "
            'how vertices are named: names="id" or "label" (--names)'
        )


def _draft(
    handle: BinaryIO,
    where: str,
    kind: Format | Literal["xml"] | None,
    names: Names | None,
    columns: Chosen | None,
) -> Draft:
    kind = kind or _guess(handle)
    _require_table(columns, kind, where)
    if kind in {"edges", "parquet"}:
        if names == "label":
            raise BadFile(
                f"{where}: a table of edges has no labels; leave names (--names) out, or choose "
                "the columns that hold the names you want (--columns A,B)"
            )
        draft_of_table = draft_of_edge_list if kind == "edges" else draft_of_parquet
        return draft_of_table(handle, where, columns=columns)
    if kind in {"graphml", "gexf", "xml"}:
        root = None if kind == "xml" else kind
        from pathveil.files.networks.xml_graphs import (
            draft_of_xml,  # brings the whole of urllib along
        )

        return draft_of_xml(handle, where, root=root, labels=names == "label")
    text = decode(handle.read(), where)
    if not text.strip():
        raise BadFile(f"{where}: is empty, expected {kind.upper()}; get the file again")
    if kind == "gml":
        return draft_of_gml(text, where, labels=None if names is None else names == "label")
    return draft_of_json(text, where, labels=names == "label")
