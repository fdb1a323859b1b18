"""pathveil keys and pathveil policies: what a reader needs once, what a custodian chooses from."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pathveil.cli import options, paths
from pathveil.cli.console import aloud, print_json, say, show_lines
from pathveil.policies import KINDS


def keys(
    output: Annotated[
        Path, options.output("FILE", "Where the secret key goes; keep it to yourself.")
    ],
    *,
    force: options.Force = False,
    as_json: options.AsJson = False,
) -> None:
    """Make an age key pair: a secret key in a file, and the public key to give to senders.

    Examples
    --------
    pathveil keys -o my.key
    """
    from pathveil.files.atomic_write import write_aside
    from pathveil.files.envelopes import new_key_pair

    paths.claim_output(output, force=force, why="files encrypted to that key need it")
    secret, public = new_key_pair()
    write_aside(output, f"# public key: {public}\n{secret}\n", private=True, replacing=force)
    if as_json:
        print_json({"public": public, "secret_key_file": str(output)})
        return
    with aloud():
        say(public, soft_wrap=True)
    place = f"in {output}, readable by you alone"
    say(
        "Give this public key to whoever encrypts files to you (--to). The secret key is "
        f"{'above' if output == paths.STANDARD else place}: open files with --identity."
    )


def policies(*, as_json: options.AsJson = False) -> None:
    """List the policies: how chaff is drawn, and what each is good for."""
    rows = [(f"{kind.name}:{kind.example}".removesuffix(":"), kind.summary) for kind in KINDS]
    if as_json:
        print_json([{"policy": text, "summary": summary} for text, summary in rows])
        return
    with aloud():
        show_lines(rows)
    say(
        "Add ,copies=2 if the walk visits a vertex twice (a first parameter after a colon: "
        "balanced:copies=2), and ,link_uses=1 if it uses no link twice."
    )
