"""The command line: parse, call one verb, show. No logic lives here.

Exit codes: 0 done, 1 a claim does not hold (verify, audit), 2 bad input. Errors go to standard
error in one line, without a traceback. Heavy modules are imported by the command that needs them,
so that ``--help`` answers at once.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from pathveil.apps import (
    auditor,
    custodian,
    demonstration,
    groups,
    keeper,
    participant,
    party,
    rehearsal,
    researcher,
    viewer,
)
from pathveil.errors import PathveilError

BAD_INPUT = 2

app = typer.Typer(
    name="pathveil",
    help="Publish a walk through a network: participants read it back exactly, "
    "outsiders learn as little as possible about its links.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    rich_markup_mode="rich",
)


def _version(*, wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"pathveil {version('pathveil')}")
        raise typer.Exit


@app.callback()
def root(
    *,
    version: Annotated[
        bool,
        typer.Option("--version", help="Show the version.", callback=_version, is_eager=True),
    ] = False,
) -> None:
    """Publish a walk, read it back, attack it, check it."""


app.command("demo", rich_help_panel="Start here")(demonstration.demo)
app.command("publish", rich_help_panel="Custodian")(custodian.publish)
app.command("batch", rich_help_panel="Custodian")(custodian.batch)
app.command("group", rich_help_panel="Custodian")(groups.group)
app.command("verify", rich_help_panel="Custodian")(custodian.verify)
app.add_typer(keeper.app, name="ledger", rich_help_panel="Custodian")
app.command("reconstruct", rich_help_panel="Participant")(participant.reconstruct)
app.add_typer(party.app, name="party", rich_help_panel="Participant")
app.command("rehearse", rich_help_panel="Participant")(rehearsal.rehearse)
app.command("inspect", rich_help_panel="Anyone with the file")(viewer.inspect)
app.command("draw", rich_help_panel="Anyone with the file")(viewer.draw)
app.command("attack", rich_help_panel="Auditor")(auditor.attack)
app.command("audit", rich_help_panel="Auditor")(auditor.audit)
app.command("compare", rich_help_panel="Researcher")(researcher.compare)
app.command("reproduce", rich_help_panel="Researcher")(researcher.reproduce)


def run(arguments: Sequence[str] | None = None) -> int:
    """Return the exit code of one command line."""
    try:
        app(args=None if arguments is None else list(arguments))
    except SystemExit as done:
        return done.code if isinstance(done.code, int) else 0
    except PathveilError as error:
        _complain(str(error))
    except FileNotFoundError as error:
        _complain(f"{error.filename}: there is no such file; check the path")
    except IsADirectoryError as error:
        _complain(f"{error.filename}: is a folder, expected a file")
    except PermissionError as error:
        _complain(f"{error.filename}: permission denied; check who may read or write it")
    except OSError as error:
        _complain(f"{error.filename or 'input/output'}: {error.strerror}")
    return BAD_INPUT


def _complain(message: str) -> None:
    typer.echo(f"pathveil: {message}", err=True)


def main() -> None:
    """Run the command line and leave with its exit code."""
    sys.exit(run())
