"""The command line: parse, call one verb, show. No logic lives here.

Exit codes: 0 done, 1 a claim does not hold (verify, audit, attack, exchanges) or was not
checked (verify), 2 bad input, 70 a fault of the program, 130 interrupted. Errors go to
standard error in one line, without a traceback.
Heavy modules are imported by the command that needs them, so that ``--help`` answers at once.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence
from typing import Annotated, Any

import typer

from pathveil.cli import attack as auditor
from pathveil.cli import batch as batches
from pathveil.cli import demo as demonstration
from pathveil.cli import group as groups
from pathveil.cli import inspect as viewer
from pathveil.cli import keys as key_pairs
from pathveil.cli import lab as researcher
from pathveil.cli import ledger as keeper
from pathveil.cli import network as networks
from pathveil.cli import party
from pathveil.cli import plan as planner
from pathveil.cli import publish as custodian
from pathveil.cli import reconstruct as participant
from pathveil.cli import studio as page
from pathveil.cli.command_line import NamesAfterMissing, offer_quiet
from pathveil.cli.console import console, notes
from pathveil.cli.error_text import explained
from pathveil.cli.interrupts import INTERRUPTED, MESSAGE, run_until_interrupted
from pathveil.cli.plain_help import PlainCommand, PlainGroup
from pathveil.errors import PathveilError

BAD_INPUT, FAULT = 2, 70

_BAD_WORDS: Any = typer.BadParameter.__mro__[1]
"""Raised for words that make no command line; Typer brings its own Click, or uses another's."""

app = typer.Typer(
    name="pathveil",
    help="Publish a walk through a network: who knows the network reads it back, and a "
    "certificate says what it tells others about a link they miss.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    rich_markup_mode=None,
    cls=PlainGroup,
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


app.command("keys", cls=PlainCommand, rich_help_panel="Custodian")(key_pairs.keys)
app.command("demo", cls=PlainCommand, rich_help_panel="Start here")(demonstration.demo)
app.command("plan", cls=PlainCommand, rich_help_panel="Start here")(planner.plan)
app.command("studio", cls=PlainCommand, rich_help_panel="Start here")(page.studio)
app.command("publish", cls=PlainCommand, rich_help_panel="Custodian")(custodian.publish)
app.command("batch", cls=PlainCommand, rich_help_panel="Custodian")(batches.batch)
app.command("group", cls=PlainCommand, rich_help_panel="Custodian")(groups.group)
app.command("verify", cls=PlainCommand, rich_help_panel="Custodian")(custodian.verify)
app.add_typer(keeper.app, name="ledger", rich_help_panel="Custodian")
app.add_typer(networks.app, name="network", rich_help_panel="Custodian")
app.command("reconstruct", cls=PlainCommand, rich_help_panel="Participant")(participant.reconstruct)
app.add_typer(party.app, name="party", rich_help_panel="Participant")
app.command("inspect", cls=PlainCommand, rich_help_panel="Anyone with the file")(viewer.inspect)
app.command("draw", cls=PlainCommand, rich_help_panel="Anyone with the file")(viewer.draw)
app.command("attack", cls=NamesAfterMissing, rich_help_panel="Auditor")(auditor.attack)
researcher.app.command("audit", cls=NamesAfterMissing)(auditor.audit)
app.add_typer(researcher.app, name="lab", rich_help_panel="Researcher")
offer_quiet(app)


def _said_of_file(error: OSError) -> str:
    """Return what is wrong with a file, and what to do."""
    if isinstance(error, FileNotFoundError):
        return f"{error.filename}: there is no such file; check the path"
    if isinstance(error, IsADirectoryError):
        return f"{error.filename}: is a folder, expected a file"
    if isinstance(error, PermissionError):
        return f"{error.filename}: permission denied; check who may read or write it"
    where = error.filename or "standard output, or a file that was being written"
    return f"{where}: {error.strerror or error}; make room, or choose another place"


def _said_of_memory(words: Sequence[str]) -> str:
    """Return what helps where memory ran out, by what was asked for."""
    advice = "keep a part of the network, or run it on a machine with more memory"
    if "--capacity" in words or any(word.startswith("--capacity=") for word in words):
        advice = (
            f"give a smaller --capacity: each link of it takes memory, used or not; or {advice}"
        )
    elif words[:1] == ["publish"]:
        advice = f"publish with --form sketch, which takes memory by the link; or {advice}"
    return f"out of memory: what was asked is too large for this machine; {advice}"


def run(arguments: Sequence[str] | None = None) -> int:
    """Return the exit code of one command line."""
    console.stderr = console.quiet = notes.quiet = False
    words = None if arguments is None else list(arguments)
    try:
        done = app(args=words, prog_name="pathveil", standalone_mode=False)
    except SystemExit as left:
        return left.code if isinstance(left.code, int) else 0
    except _BAD_WORDS as error:
        if type(error).__name__ == "NoArgsIsHelpError":
            error.show()  # no words at all: then the help is what is wanted
        else:
            _complain(explained(error))
        return BAD_INPUT
    except (typer.Abort, KeyboardInterrupt):
        return _left_with(INTERRUPTED)
    except PathveilError as error:
        _complain(str(error))
    except OSError as error:
        _complain(_said_of_file(error))
    except MemoryError:
        _complain(_said_of_memory(sys.argv[1:] if words is None else words))
    except Exception as error:
        # A user is shown one line, whatever went wrong.
        if os.environ.get("PATHVEIL_TRACEBACK"):
            raise
        _complain(
            f"this is a fault of pathveil itself ({type(error).__name__}: {_one_line(error)}); "
            "please report it with what you ran; PATHVEIL_TRACEBACK=1 shows where"
        )
        return FAULT
    else:
        return _left_with(done)
    return BAD_INPUT


def _left_with(done: object) -> int:
    """Return the exit code of a command that came to an end, and say so if it was cut short.

    Typer itself turns an interrupt into this code, without a word.
    """
    if done == INTERRUPTED:
        _complain(MESSAGE.removeprefix("pathveil: "))
    return done if isinstance(done, int) else 0


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())[:200]


def _complain(message: str) -> None:
    from pathveil.wording import safe_text, shown_text

    typer.echo(f"pathveil: {safe_text(shown_text(message))}", err=True)


def main() -> None:
    """Run the command line and leave with its exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A screen that cannot show a sign gets its number instead, not a traceback.
            stream.reconfigure(errors="backslashreplace")
    sys.exit(run_until_interrupted(run))
