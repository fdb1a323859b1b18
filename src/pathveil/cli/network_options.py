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

from pathveil.cli.console import notes

if TYPE_CHECKING:
    from pathveil.model.network import Network

LARGE = 8_000_000
"""Bytes from which a file is read behind a bar: about half a second."""


def open_network(path: Path, **options: Any) -> Network:
    """Return the network in a file, behind a bar where it is large; notes go to standard error."""
    from pathveil.files.networks.network_reader import read_network

    _require_network_file(path)
    said: list[str] = []
    with _bytes_bar(path) as progress:
        network = read_network(
            path, progress=progress, note=said.append, **{"simplify": "parallel", **options}
        )
    for note in said:
        notes.print(f"note: {note}", markup=False, soft_wrap=True)
    return network


def open_row(path: Path, vertex: str) -> tuple[str, ...]:
    """Return the neighbours of one vertex; nothing else in the file is judged."""
    from pathveil.files.networks.network_reader import read_row

    _require_network_file(path)
    return read_row(path, vertex)


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
    if not (path.is_file() and path.stat().st_size >= LARGE):
        yield None
        return
    from pathveil.cli.bars import progress_bar

    with progress_bar(f"reading {path.name}", quiet=notes.quiet, unit=1_000_000) as report:
        yield report
