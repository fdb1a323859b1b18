"""Where a result may be written, decided before any work is done: nothing is ever lost.

An output that is also an input is refused, whatever is said. A file that exists is kept unless
``--force`` is given. What is no regular file (a device, a pipe) is written to, never replaced.
``-`` is standard output.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import typer

from pathveil.cli.console import console
from pathveil.cli.interrupts import drop_if_interrupted
from pathveil.files.atomic_write import write_aside
from pathveil.files.envelopes import seal_envelope
from pathveil.files.publications.any_publication import (
    publication_content,
    require_publication_name,
)
from pathveil.model.publication import Publication

STANDARD = Path("-")


def claim_output(
    output: Path,
    *,
    inputs: Iterable[Path | None] = (),
    force: bool = False,
    why: str = "",
    folder: bool = False,
) -> None:
    """Raise unless a result may be written there.

    Parameters
    ----------
    inputs
        What the same command reads: never replaced, not even with ``force``.
    force
        Whether an existing file may be replaced.
    why
        Why an existing file is worth a thought.
    folder
        Whether the result may be a folder.
    """
    # What is said about a result that goes to standard output goes to standard error.
    console.stderr = output == STANDARD
    if output == STANDARD:
        return
    _require_name(output, "a file or folder of its own" if folder else "a file")
    if not folder:
        if output.is_dir():
            raise typer.BadParameter(f"-o {output}: is a folder, expected the name of a file")
        _require_folder_of(output)
    require_no_input(output, inputs)
    if output.is_file() and not force:
        reason = f"; {why}" if why else ""
        raise typer.BadParameter(
            f"{output} exists{reason}: choose another name, or say --force to replace it"
        )
    if not output.exists():
        drop_if_interrupted(output)


def _require_name(output: Path, expected: str) -> None:
    """Raise if a name is empty, or a way to some folder, which nobody wants to have filled."""
    if output.name in {"", ".."}:
        given = '""' if output == Path() else output  # pathlib makes "." of an empty text
        raise typer.BadParameter(f"-o {given}: expected the name of {expected}")


def _require_folder_of(output: Path) -> None:
    """Raise if the folder of an output is missing, or is a file, before any work is done."""
    if not output.parent.is_dir():
        fact = "is a file" if output.parent.exists() else "does not exist"
        raise typer.BadParameter(
            f"-o {output}: the folder {output.parent} {fact}; make it, or choose another one"
        )


def claim_folder(
    folder: Path,
    names: Iterable[str],
    *,
    last: Iterable[str] = (),
    journal: str | None = None,
    inputs: Iterable[Path | None] = (),
    force: bool = False,
) -> None:
    """Raise if a folder for results is no folder, or holds results that would be replaced.

    Parameters
    ----------
    names, last
        What will be written into it; ``last`` comes after all others, so that work whose last file
        is not there was stopped, and goes on.
    journal
        What stopped work leaves there: beside it ``names`` are its own.
    inputs, force
        As in :func:`claim_output`.
    """
    last = tuple(last)
    names = (*names, *last)
    if folder == STANDARD:
        raise typer.BadParameter("-o -: several files are written; give -o a folder's name")
    _require_name(folder, "a folder of its own")
    for name in names:
        require_no_input(folder / name, inputs)
    if folder.exists() and not folder.is_dir():
        raise typer.BadParameter(f"-o {folder} is a file, expected a folder: choose another name")
    went_on = journal is not None and (folder / journal).exists()
    there = [name for name in (last if went_on else names) if (folder / name).exists()]
    if there and not force:
        raise typer.BadParameter(
            f"{folder / there[0]} exists: choose another folder, or say --force to replace it"
        )
    if not folder.exists():
        drop_if_interrupted(folder)


def file_size(path: Path) -> int | None:
    """Return how many bytes a file has; None for what is no file: a stream, a device."""
    return path.stat().st_size if path.is_file() else None


def size_text(path: Path) -> str:
    """Return the size of a file as people say it."""
    size = file_size(path)
    if size is None:
        return "a stream"
    if size < 1000:
        return f"{size} bytes"
    amount, unit = (size / 1e3, "kB") if size < 1e6 else (size / 1e6, "MB")
    return f"{amount:,.{1 if amount < 10 else 0}f} {unit}"


def require_no_input(output: Path, inputs: Iterable[Path | None]) -> None:
    """Raise if an output is one of the files that the same command reads."""
    for given in inputs:
        if given is not None and _is_same(given, output):
            raise typer.BadParameter(
                f"-o {output} is {given}, which this command reads; an input is never replaced: "
                "choose another name"
            )


def _is_same(first: Path, second: Path) -> bool:
    try:
        return first.samefile(second)
    except OSError:
        return first.resolve() == second.resolve()


def save_publication(
    publication: Publication, file: Path, recipients: Sequence[str], *, replacing: bool
) -> None:
    """Write a publication; with recipients, so that only they can open it."""
    require_publication_name(file, sealed=bool(recipients))
    content = publication_content(publication, file)
    if recipients:
        content = seal_envelope(content, recipients)
    write_aside(file, content, replacing=replacing)
