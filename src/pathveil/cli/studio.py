"""pathveil studio: the page on this machine."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pathveil.cli import options, paths
from pathveil.cli.console import aloud, say
from pathveil.errors import MissingExtra


def studio(
    network: Annotated[
        Path | None, options.argument("[NETWORK]", "Begin with this network.")
    ] = None,
    *,
    port: Annotated[
        int, options.option("--port", "N", "Where; any free port if 0.", min=0, max=65535)
    ] = 0,
    no_browser: Annotated[
        bool, options.option("--no-browser", None, "Only print the address.")
    ] = False,
) -> None:
    """Open a page on this machine: see what you publish, be the reader, be the attacker.

    Examples
    --------
    pathveil studio network.csv
    """
    try:
        from pathveil.studio.server import serve
    except ModuleNotFoundError:
        raise MissingExtra("studio", "FastAPI and Uvicorn") from None

    def show(address: str) -> None:
        with aloud():
            say(address, soft_wrap=True)
        say("The studio runs on this machine only. Ctrl-C ends it.")

    serve(
        None if network is None else paths.open_network(network),
        port=port,
        open_browser=not no_browser,
        show=show,
    )
