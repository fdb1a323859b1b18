"""Where a result may be written, decided before any work is done: nothing is ever lost.

An output that is also an input is refused, whatever is said. A file that exists is kept unless
``--force`` is given. What is no regular file (a device, a pipe) is written to, never replaced.
``-`` is standard output.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from pathveil.apps.console import console

STANDARD = Path("-")
Force = Annotated[bool, typer.Option("--force", help="Replace an existing file.")]


def claim_output(
    output: Path, *, inputs: Iterable[Path | None] = (), force: bool = False, why: str = ""
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
    """
    # What is said about a result that goes to standard output goes to standard error.
    console.stderr = output == STANDARD
    if output == STANDARD:
        return
    for given in inputs:
        if given is not None and _is_same(given, output):
            raise typer.BadParameter(
                f"-o {output} is {given}, which this command reads; an input is never replaced: "
                "choose another name"
            )
    if output.is_file() and not force:
        reason = f"; {why}" if why else ""
        raise typer.BadParameter(
            f"{output} exists{reason}: choose another name, or say --force to replace it"
        )


def claim_folder(folder: Path, names: Iterable[str], *, force: bool = False) -> None:
    """Raise if a folder for results is a file, or holds results that would be replaced."""
    if folder.exists() and not folder.is_dir():
        raise typer.BadParameter(f"-o {folder} is a file, expected a folder: choose another name")
    there = [name for name in names if (folder / name).exists()]
    if there and not force:
        raise typer.BadParameter(
            f"{folder / there[0]} exists: choose another folder, or say --force to replace it"
        )


def _is_same(first: Path, second: Path) -> bool:
    try:
        return first.samefile(second)
    except OSError:
        return first.resolve() == second.resolve()
