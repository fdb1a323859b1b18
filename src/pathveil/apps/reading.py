"""Networks read for a command: behind a bar of bytes where the file is large."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathveil.model.network import Network

LARGE = 8_000_000
"""Bytes from which a file is read behind a bar: about half a second."""


def open_network(path: Path, **options: Any) -> Network:
    """Return the network in a file, as :func:`pathveil.read_network` does, behind a bar.

    The bar is for a person: it stands on standard error, and only where that is a terminal.
    """
    from pathveil.formats import read_network

    with _bytes_bar(path) as progress:
        return read_network(path, progress=progress, **options)


@contextmanager
def _bytes_bar(path: Path) -> Iterator[Callable[[int, int], None] | None]:
    """Yield a callback of (bytes read, bytes of the file), or nothing where no bar is wanted."""
    from pathveil.apps.console import SafeConsole
    from pathveil.apps.console import console as usual

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
