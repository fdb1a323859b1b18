"""pathveil convert: the same publication in the other kind of file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pathveil.cli.console import console, print_json, warn_unsafe
from pathveil.cli.options import AsJson, PublicationFile
from pathveil.cli.outputs import (
    STANDARD,
    Force,
    claim_output,
    file_size,
    save_publication,
    size_text,
)
from pathveil.cli.results import conversion_data


def convert(
    file: PublicationFile,
    output: Annotated[
        Path, typer.Argument(metavar="OUT", help="*.veil is compact, any other name JSON.")
    ],
    *,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Write a publication as the other kind of file: the same publication, no coin thrown anew."""
    claim_output(output, inputs=[file], force=force)
    if as_json and output == STANDARD:
        raise typer.BadParameter("--json and OUT - both want standard output; give OUT a name")
    from pathveil import Publication

    publication = Publication.load(file)
    save_publication(publication, output, (), replacing=force)
    before, after = file_size(file), file_size(output)
    if as_json:
        print_json(conversion_data(output, size=after, before=before))
        return
    console.print(f"written {output}: {size_text(output)}; before: {size_text(file)}", markup=False)
    warn_unsafe(publication)
