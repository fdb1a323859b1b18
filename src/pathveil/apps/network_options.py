"""How a network file is to be read: the same four options on every command that reads one.

A command that reads a network takes one argument ``reader`` and is decorated with
:func:`reads_network`; :class:`NetworkReader` then reads whole networks and single rows alike. Who
would rather say the options once writes a cleaned file: ``pathveil network clean``.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from pathveil.apps.composed_options import Command, compose_options, option_parameter

if TYPE_CHECKING:
    from pathveil.formats.headers import Chosen
    from pathveil.model.network import Network


class NamesChoice(StrEnum):
    """What vertices are named by."""

    id = "id"
    label = "label"


Names = Annotated[
    NamesChoice | None,
    typer.Option(
        "--names",
        help="Name vertices by id, or by label. Unsaid: by label in topohub, and in GML if labels "
        "are distinct; else by id.",
    ),
]
Columns = Annotated[
    str | None,
    typer.Option(
        "--columns",
        metavar="A,B",
        help="Which columns of a table hold an edge's ends: words of its header, or numbers.",
    ),
]
Simplify = Annotated[
    bool,
    typer.Option(
        "--simplify", help="Merge parallel edges and both arcs of a street, drop self-loops."
    ),
]
LargestComponent = Annotated[
    bool,
    typer.Option("--largest-component", help="Keep the largest component of a torn network."),
]
_OPTIONS = (
    option_parameter("names", Names, None),
    option_parameter("columns", Columns, None),
    option_parameter("simplify", Simplify, default=False),
    option_parameter("largest_component", LargestComponent, default=False),
)


@dataclass(frozen=True)
class NetworkReader:
    """Reads network files as the options say."""

    names: Literal["id", "label"] | None = None
    columns: Chosen | None = None
    simplify: bool = False
    largest_component: bool = False

    def network(self, path: Path) -> Network:
        """Return the network in a file."""
        from pathveil.apps.reading import open_network

        return open_network(
            path,
            names=self.names,
            columns=self.columns,
            simplify=self.simplify,
            largest_component=self.largest_component,
        )

    def row(self, path: Path, vertex: str) -> tuple[str, ...]:
        """Return the neighbours of one vertex; nothing else in the file is judged."""
        from pathveil.formats import read_row

        return read_row(
            path, vertex, names=self.names, columns=self.columns, simplify=self.simplify
        )

    def links(self, path: Path) -> list[tuple[str, str]]:
        """Return the pairs in an edge list, which need not be a network."""
        from pathveil.formats.edge_lists import edges_of
        from pathveil.formats.files import open_file

        with open_file(path) as handle:
            return [(u, v) for _, u, v in edges_of(handle, str(path), columns=self.columns)]


def reads_network(command: Command) -> Command:
    """Return the command with the options of a network file in place of its argument ``reader``."""
    return compose_options(command, "reader", _OPTIONS, _reader)


def _reader(values: dict[str, Any]) -> NetworkReader:
    from pathveil.formats.headers import parse_columns

    names, columns = values.get("names"), values.get("columns")
    return NetworkReader(
        names=None if names is None else names.value,
        columns=None if columns is None else parse_columns(columns),
        simplify=values.get("simplify", False),
        largest_component=values.get("largest_component", False),
    )
