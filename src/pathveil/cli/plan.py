"""The command that comes before all others: whether walks fit, and by which way."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pathveil.cli import options, paths
from pathveil.cli.console import aloud, console, print_json, say, show_lines, table


def plan(
    network: Annotated[
        Path | None, options.argument("NETWORK", "The network; or give --vertices and --links.")
    ] = None,
    *,
    walks: Annotated[int, options.option("--walks", None, "How many walks there will be.", min=1)],
    length: Annotated[int, options.option("--length", None, "Links of one walk.", min=1)],
    vertices: Annotated[
        int | None, options.option("--vertices", None, "Vertices, without a network.", min=2)
    ] = None,
    links: Annotated[
        int | None, options.option("--links", None, "Links, without a network.", min=1)
    ] = None,
    alike: Annotated[
        bool, options.option("--alike", None, "Most walks repeat a few routes.")
    ] = False,
    as_json: options.AsJson = False,
) -> None:
    """Say whether walks fit a network, by which way, and what others would learn.

    Examples
    --------
    pathveil plan network.csv --walks 30 --length 6
    """
    from pathveil.planning.plan import EXPLAINED
    from pathveil.planning.plan import plan as make_plan

    known = None if network is None else paths.open_network(network)
    made = make_plan(known, walks=walks, length=length, vertices=vertices, links=links, alike=alike)
    if as_json:
        print_json(made.to_json())
        return
    fits, typed = made.verdict.split("\n")
    with aloud():
        say(fits)
        say(typed, soft_wrap=True)
    heads, rows = made.table()
    say("")
    console.print(table("", heads, rows, numbers=heads[1:]))
    say(f"{made.caption()}\n")
    show_lines(made.commands())
    say(f"\n{EXPLAINED}")
