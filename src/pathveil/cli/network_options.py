"""How a network file is to be read: the same four options on every command that reads one.

A command that reads a network takes one argument ``reader`` and is decorated with
:func:`reads_network`; :class:`NetworkReader` then reads whole networks and single rows alike. Who
would rather say the options once writes a cleaned file: ``pathveil network clean``.

Networks read for a command: behind a bar of bytes where the file is large.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from pathveil.cli.composed_options import Command, compose_options, option_parameter

if TYPE_CHECKING:
    from pathveil.files.networks.headers import Chosen
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
        help="Which columns of a table hold a link's ends: words of its header, or numbers.",
    ),
]
Simplify = Annotated[
    bool,
    typer.Option(
        "--simplify", help="Merge parallel links and both arcs of a street, drop self-loops."
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
        return open_network(
            path,
            names=self.names,
            columns=self.columns,
            simplify=self.simplify,
            largest_component=self.largest_component,
        )

    def row(self, path: Path, vertex: str) -> tuple[str, ...]:
        """Return the neighbours of one vertex; nothing else in the file is judged."""
        from pathveil.files.networks.network_reader import read_row

        return read_row(
            path, vertex, names=self.names, columns=self.columns, simplify=self.simplify
        )


def reads_network(command: Command) -> Command:
    """Return the command with the options of a network file in place of its argument ``reader``."""
    return compose_options(command, "reader", _OPTIONS, _reader)


def _reader(values: dict[str, Any]) -> NetworkReader:
    from pathveil.files.networks.headers import parse_columns

    names, columns = values.get("names"), values.get("columns")
    return NetworkReader(
        names=None if names is None else names.value,
        columns=None if columns is None else parse_columns(columns),
        simplify=values.get("simplify", False),
        largest_component=values.get("largest_component", False),
    )


LARGE = 8_000_000
"""Bytes from which a file is read behind a bar: about half a second."""


def open_network(path: Path, **options: Any) -> Network:
    """Return the network in a file, as :func:`pathveil.read_network` does, behind a bar.

    The bar is for a person: it stands on standard error, and only where that is a terminal.
    """
    from pathveil.files.networks.network_reader import read_network

    with _bytes_bar(path) as progress:
        return read_network(path, progress=progress, **options)


@contextmanager
def _bytes_bar(path: Path) -> Iterator[Callable[[int, int], None] | None]:
    """Yield a callback of (bytes read, bytes of the file), or nothing where no bar is wanted."""
    from pathveil.cli.console import SafeConsole
    from pathveil.cli.console import console as usual

    console = SafeConsole(stderr=True, highlight=False, quiet=usual.quiet)
    if not (console.is_terminal and path.is_file() and path.stat().st_size >= LARGE):
        yield None
        return
    from rich.markup import escape
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(escape(f"reading {path.name}"), total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
