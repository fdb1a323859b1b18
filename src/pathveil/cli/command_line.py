"""--quiet on every command: the exit code tells, errors are still said, and results are printed.

A result is what has no file: the walk that was read, a digest, JSON. All else on the screen is for
a person who watches.

Names after ``--lacking``, whatever they begin with: some networks have a vertex -1.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from pathveil.cli.composed_options import compose_options, option_parameter
from pathveil.cli.console import console, notes

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


FLAG = "--lacking"


class NamesAfterMissing(TyperCommand):
    """A command in which the words after ``--lacking`` are names up to the next option."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Return what is left over; names that look like options have been set apart."""
        known = {word for option in self.params for word in (*option.opts, *option.secondary_opts)}
        return super().parse_args(ctx, names_apart(args, known | {"-h", "--help"}))


def names_apart(words: Sequence[str], options: Collection[str]) -> list[str]:
    """Return the words with the names after ``--lacking`` last, where nothing is an option.

    Parameters
    ----------
    options
        Words that are options of the command; everything with two dashes is taken for one.

    Examples
    --------
    >>> names_apart(["f", "n", "--lacking", "-1", "2", "--json"], {"--json", "-h"})
    ['f', 'n', '--lacking', '--json', '--', '-1', '2']
    """
    if FLAG not in words or "--" in words:
        return list(words)
    start = words.index(FLAG) + 1
    end = start
    while end < len(words) and not (words[end].startswith("--") or words[end] in options):
        end += 1
    names = words[start:end]
    if not any(name.startswith("-") for name in names):
        return list(words)
    return [*words[:start], *words[end:], "--", *names]
