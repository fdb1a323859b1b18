"""pathveil keys: a key pair for a reader to whom files are sealed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pathveil.cli.command_line import aloud
from pathveil.cli.console import console, print_json
from pathveil.cli.options import AsJson
from pathveil.cli.outputs import claim_output


def keys(
    output: Annotated[
        Path,
        typer.Option(
            "-o", "--output", metavar="FILE", help="Where the secret key goes; keep it to yourself."
        ),
    ],
    *,
    as_json: AsJson = False,
) -> None:
    """Make an age key pair: a secret key in a file, and the public key to give to senders."""
    from pathveil.files.atomic_write import write_aside
    from pathveil.files.envelopes import new_key_pair

    claim_output(output)
    secret, public = new_key_pair()
    write_aside(output, f"# public key: {public}\n{secret}\n", private=True)
    if as_json:
        print_json({"public": public, "secret_key_file": str(output)})
        return
    with aloud():
        console.print(public, markup=False, soft_wrap=True)
    console.print(
        "Give this public key to whoever seals files to you (--to). "
        f"The secret key is in {output}, "
        "readable by you alone: open files with --identity.",
        markup=False,
    )
