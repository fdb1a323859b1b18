"""pathveil studio: the page on this machine."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pathveil.cli.console import aloud, console
from pathveil.cli.paths import open_network
from pathveil.errors import MissingExtra


def studio(
    network: Annotated[
        Path | None, typer.Argument(metavar="[NETWORK]", help="Begin with this network.")
    ] = None,
    *,
    port: Annotated[
        int,
        typer.Option("--port", min=0, max=65535, metavar="N", help="Where; any free port if 0."),
    ] = 0,
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Only print the address.")
    ] = False,
) -> None:
    """Open a page on this machine: see what you publish, be the reader, be the attacker.

    Examples
    --------
    pathveil studio network.csv
    """
    try:
        from pathveil.studio.server import serve
    except ModuleNotFoundError as error:
        if error.name is not None and error.name.startswith("pathveil"):
            raise
        raise MissingExtra("studio", "FastAPI and Uvicorn") from None

    def show(address: str) -> None:
        with aloud():
            console.print(address, markup=False, highlight=False, soft_wrap=True)
        console.print("The studio runs on this machine only. Ctrl-C ends it.", markup=False)

    serve(
        None if network is None else open_network(network),
        port=port,
        open_browser=not no_browser,
        show=show,
    )
