"""pathveil studio: the page on this machine."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pathveil.cli.console import console
from pathveil.errors import MissingExtra


def studio(
    network: Annotated[
        Path | None, typer.Argument(metavar="[NETWORK]", help="Begin with this network.")
    ] = None,
    *,
    port: Annotated[
        int, typer.Option("--port", min=0, max=65535, metavar="N", help="0: any that is free.")
    ] = 0,
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Only print the address.")
    ] = False,
) -> None:
    """See what you publish, be the reader, be the attacker: a page on this machine."""
    from pathveil import read_network

    try:
        from pathveil.studio.server import serve
    except ImportError:
        raise MissingExtra("studio", "fastapi and uvicorn") from None

    def say(address: str) -> None:
        console.print(address, markup=False, soft_wrap=True)
        console.print(
            "The studio runs on this machine alone, until you press Ctrl-C.", markup=False
        )

    serve(
        None if network is None else read_network(network),
        port=port,
        open_browser=not no_browser,
        say=say,
    )
