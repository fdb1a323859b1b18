"""The command that comes before all others: whether walks fit, and by which way."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pathveil.cli import options
from pathveil.cli.console import console, print_json, show_lines
from pathveil.cli.paths import claim_output, open_network


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
    force: options.Force = False,
    as_json: options.AsJson = False,
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
        write_aside(output, made.picture(), replacing=force)
    if as_json:
        print_json(made.to_json())
        return
    console.print(made.verdict, markup=False)
    for way in made.ways:
        head, lines = made.lines(way)
        console.print(f"\n{head}", markup=False)
        show_lines(lines)
    console.print(f"\n{EXPLAINED}", markup=False)
