"""--quiet on every command: the exit code tells, errors are still said, and results are printed.

A result is what has no file: the walk that was read, a digest, JSON. All else on the screen is for
a person who watches.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any

import typer

from pathveil.apps.composed_options import compose_options, option_parameter
from pathveil.apps.console import console, notes

Quiet = Annotated[
    bool,
    typer.Option("--quiet", "-q", help="Print errors, and a result that has no file; no more."),
]


def offer_quiet(app: typer.Typer) -> None:
    """Give every command of an app, and of the apps in it, the option ``--quiet``."""
    option = option_parameter("quiet", Quiet, default=False)
    for registered in app.registered_commands:
        if registered.callback is not None:
            registered.callback = compose_options(registered.callback, None, [option], _hush)
    for group in app.registered_groups:
        if group.typer_instance is not None:
            offer_quiet(group.typer_instance)


def _hush(values: dict[str, Any]) -> None:
    console.quiet = notes.quiet = bool(values.get("quiet"))


@contextmanager
def aloud() -> Iterator[None]:
    """Let what is printed inside be seen in any case: it is the result itself."""
    before, console.quiet = console.quiet, False
    try:
        yield
    finally:
        console.quiet = before
