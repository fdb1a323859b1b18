"""Networks to files: one canonical form, so that the same network is the same file.

A cleaned network needs no option ever again: it is simple, connected, named, and its columns have
known words over them. CSV for people and programs, node-link JSON where there are coordinates to
keep or names that a table cannot hold.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pathveil.errors import BadFile, PathveilError
from pathveil.files.atomic_write import write_aside
from pathveil.files.networks.network_reader import parse_network
from pathveil.files.strict_json import json_list, json_object
from pathveil.files.text_tables import KNOWN_WORDS
from pathveil.model.network import Network

_TABLES = {".csv": ",", ".tsv": "\t"}


def save_network(network: Network, path: str | Path, *, replacing: bool = True) -> None:
    r"""Write a network as ``*.csv``, ``*.tsv`` or ``*.json``: there whole, or not at all.

    Links are what a publication hides, so the file is its owner's alone (mode 0600).

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     save_network(Network.parse("bc ab"), Path(folder) / "map.csv")
    ...     (Path(folder) / "map.csv").read_text()
    'source,target\na,b\nb,c\n'
    """
    write_aside(path, network_content(network, path), private=True, replacing=replacing)


def network_content(network: Network, name: str | Path) -> bytes:
    """Return the bytes of a network's file of that name; they read back to the same network.

    Raises
    ------
    BadFile
        If the name promises another form, or a table cannot hold the names.
    """
    suffix = Path(name).suffix.lower()
    if suffix == ".json":
        return _json(network)
    if suffix not in _TABLES and str(name) != "-":
        raise BadFile(
            f"{name}: networks are written as .csv, .tsv or .json; choose one of these names"
        )
    content = edge_table(network.links, separator=_TABLES.get(suffix, ","))
    try:
        if content is not None and parse_network(content, format="table") == network:
            return content
    except PathveilError:
        pass
    raise BadFile(
        f"{name}: some names of this network cannot be in a table (line ends, space around them, "
        "a # in front); write it as .json"
    )


def edge_table(edges: Sequence[tuple[str, str]], *, separator: str = ",") -> bytes | None:
    r"""Return edges line by line under a header without a vertex name; None if no header is free.

    >>> edge_table([("source", "a")])
    b'from,to\nsource,a\n'
    """
    names = {name.casefold() for edge in edges for name in edge}
    header = next((pair for pair in KNOWN_WORDS if names.isdisjoint(pair)), None)
    if header is None:
        return None
    text = io.StringIO()
    csv.writer(text, delimiter=separator, lineterminator="\n").writerows([header, *edges])
    return text.getvalue().encode("utf-8", "surrogatepass")


def _json(network: Network) -> bytes:
    places = network.coordinates or {}
    nodes: list[dict[str, Any]] = [
        {"id": name, **dict(zip("xy", places.get(name, ()), strict=False))}
        for name in network.vertices
    ]
    links = [{"source": u, "target": v} for u, v in network.links]
    parts = {"nodes": map(json.dumps, nodes), "links": map(json.dumps, links)}
    return json_object({key: json_list(list(rows)) for key, rows in parts.items()}).encode()
