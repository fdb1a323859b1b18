"""Networks read for a command.

Commands decide by themselves how a file is read: vertices are named by their labels where these are
distinct, parallel links are merged with a note, directions are ignored with a note. What needs a
decision of the user is refused with the words of ``pathveil network clean``, which alone has
options for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pathveil.cli.composed_options import Command, compose_options

if TYPE_CHECKING:
    from pathveil.model.network import Network


class NetworkReader:
    """Reads network files for a command."""

    def network(self, path: Path) -> Network:
        """Return the network in a file."""
        return open_network(path)

    def row(self, path: Path, vertex: str) -> tuple[str, ...]:
        """Return the neighbours of one vertex; nothing else in the file is judged."""
        from pathveil.files.networks.network_reader import read_row

        return read_row(path, vertex, simplify="parallel")

    def links(self, path: Path) -> list[tuple[str, str]]:
        """Return the links in a file, which need not be a network."""
        from pathveil.files.networks.network_reader import read_links

        return read_links(path)


def reads_network(command: Command) -> Command:
    """Return the command with its argument ``reader`` filled in."""
    return compose_options(command, "reader", (), lambda _: NetworkReader())


LARGE = 8_000_000
"""Bytes from which a file is read behind a bar: about half a second."""


def open_network(path: Path, **options: Any) -> Network:
    """Return the network in a file, behind a bar where it is large; notes go to standard error."""
    from pathveil.files.networks.network_reader import read_network

    _require_network_file(path)
    notes: list[str] = []
    with _bytes_bar(path) as progress:
        network = read_network(
            path, progress=progress, note=notes.append, **{"simplify": "parallel", **options}
        )
    print_notes(notes)
    return network


def print_notes(notes: list[str]) -> None:
    """Say on standard error what was decided while a network was read."""
    from pathveil.cli.console import SafeConsole
    from pathveil.cli.console import console as usual

    console = SafeConsole(stderr=True, highlight=False, quiet=usual.quiet)
    for note in notes:
        console.print(f"note: {note}", markup=False, soft_wrap=True)


def _require_network_file(path: Path) -> None:
    """Raise if this is a publication: then the arguments are in the wrong order."""
    from pathveil.errors import BadFile
    from pathveil.files.atomic_write import shorten

    if path.name.endswith((".veil", ".veil.json", ".age")):
        raise BadFile(
            f"{shorten(str(path))}: is a publication, expected a network; were the arguments given "
            "in another order? See --help"
        )


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
