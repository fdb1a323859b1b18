"""Commands before the first release: plan, policies and keys."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pathveil.cli.console import aloud, console, print_json, show_lines
from pathveil.cli.options import AsJson, Force
from pathveil.cli.paths import claim_output, open_network
from pathveil.policies import KINDS


def plan(
    network: Annotated[
        Path | None,
        typer.Argument(metavar="NETWORK", help="The network; or give --vertices and --links."),
    ] = None,
    *,
    walks: Annotated[int, typer.Option("--walks", min=1, help="How many walks there will be.")],
    length: Annotated[int, typer.Option("--length", min=1, help="Links of one walk.")],
    vertices: Annotated[
        int | None, typer.Option("--vertices", min=2, help="Vertices, without a network.")
    ] = None,
    links: Annotated[
        int | None, typer.Option("--links", min=1, help="Links, without a network.")
    ] = None,
    alike: Annotated[bool, typer.Option("--alike", help="Most walks repeat a few routes.")] = False,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FILE", help="Draw it: cover used, as SVG."),
    ] = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Say whether walks fit a network, by which way, and what others would learn.

    Examples
    --------
    pathveil plan network.csv --walks 30 --length 6
    """
    from pathveil.files.atomic_write import write_aside
    from pathveil.planning.plan import EXPLAINED
    from pathveil.planning.plan import plan as make_plan

    if output is not None:
        claim_output(output, inputs=[network], force=force)
    known = None if network is None else open_network(network)
    made = make_plan(known, walks=walks, length=length, vertices=vertices, links=links, alike=alike)
    if output is not None:
        write_aside(output, made.picture())
    if as_json:
        print_json(made.to_json())
        return
    console.print(made.verdict, markup=False)
    for way in made.ways:
        head, lines = made.lines(way)
        console.print(f"\n{head}", markup=False)
        show_lines(lines)
    console.print(f"\n{EXPLAINED}", markup=False)


def keys(
    output: Annotated[
        Path,
        typer.Option(
            "-o", "--output", metavar="FILE", help="Where the secret key goes; keep it to yourself."
        ),
    ],
    *,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Make an age key pair: a secret key in a file, and the public key to give to senders.

    Examples
    --------
    pathveil keys -o my.key
    """
    from pathveil.files.atomic_write import write_aside
    from pathveil.files.envelopes import new_key_pair

    claim_output(output, force=force, why="files encrypted to that key need it")
    secret, public = new_key_pair()
    write_aside(output, f"# public key: {public}\n{secret}\n", private=True, replacing=force)
    if as_json:
        print_json({"public": public, "secret_key_file": str(output)})
        return
    with aloud():
        console.print(public, markup=False, soft_wrap=True)
    console.print(
        "Give this public key to whoever encrypts files to you (--to). "
        f"The secret key is in {output}, "
        "readable by you alone: open files with --identity.",
        markup=False,
    )


def policies(*, as_json: AsJson = False) -> None:
    """List the policies: how chaff is drawn, and what each is good for."""
    rows = [
        (f"{kind.name}:{kind.example}" if kind.example else kind.name, kind.summary)
        for kind in KINDS
    ]
    if as_json:
        print_json([{"policy": text, "summary": summary} for text, summary in rows])
        return
    with aloud():
        show_lines(rows)
    console.print(
        "Add ,copies=2 if the walk visits a vertex twice (a first parameter after a colon: "
        "balanced:copies=2), and ,link_uses=1 if it uses no link twice.",
        markup=False,
    )
