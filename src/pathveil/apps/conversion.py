"""pathveil convert: the same publication in the other kind of file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pathveil.apps.console import console, print_json, warn_unsafe
from pathveil.apps.options import AsJson, PublicationFile
from pathveil.apps.outputs import Force, claim_output


def convert(
    file: PublicationFile,
    output: Annotated[
        Path, typer.Argument(metavar="OUT", help="*.veil is compact, any other name JSON.")
    ],
    *,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Write a publication as the other kind of file: nothing is lost, nothing is drawn anew."""
    claim_output(output, inputs=[file], force=force)
    from pathveil import Publication

    publication = Publication.load(file)
    publication.save(output)
    sizes = [path.stat().st_size for path in (file, output)]
    if as_json:
        print_json({"file": str(output), "bytes": sizes[1], "bytes_before": sizes[0]})
        return
    console.print(f"written {output}: {sizes[1]:,} bytes, {sizes[0]:,} before", markup=False)
    warn_unsafe(publication)
