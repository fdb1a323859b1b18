"""The command line: parse, call one verb, show. No logic lives here.

Exit codes: 0 done, 1 a claim does not hold (verify, audit, attack, exchanges) or was not
checked (verify), 2 bad input, 70 a fault of the program, 130 interrupted, 141 if whoever reads the
output stops reading. Errors go to standard error in one line, without a traceback.
Heavy modules are imported by the command that needs them, so that ``--help`` answers at once.
"""

from __future__ import annotations

import io
import os
import re
import sys
from collections.abc import Sequence
from typing import Annotated, Any

import typer

from pathveil.cli import ledger, network, party
from pathveil.cli.attack import attack, audit, verify
from pathveil.cli.batch import batch
from pathveil.cli.console import BROKEN_PIPE, console, leave_broken_pipe, notes
from pathveil.cli.demo import demo
from pathveil.cli.group import group
from pathveil.cli.inspect import draw, inspect
from pathveil.cli.interrupts import CUT_SHORT, INTERRUPTED, run_until_interrupted
from pathveil.cli.keys import keys, policies
from pathveil.cli.lab import app as lab
from pathveil.cli.options import NamesAfterLacking, PlainCommand, PlainGroup, make_plain
from pathveil.cli.plan import plan
from pathveil.cli.publish import publish
from pathveil.cli.reconstruct import reconstruct
from pathveil.cli.studio import studio
from pathveil.errors import PathveilError
from pathveil.wording import did_you_mean, safe_text, shown_text

BAD_INPUT, FAULT = 2, 70

_BAD_WORDS: Any = typer.BadParameter.__mro__[1]
"""Raised for words that make no command line; Typer brings its own Click, or uses another's."""

COMMANDS: dict[str, tuple[Any, ...]] = {
    "Start here": (demo, plan),
    "One walk": (publish, reconstruct, inspect, verify, attack, draw),
    "Many walks": (batch, group, ("ledger", ledger.app)),
    "And more": (
        ("network", network.app),
        ("party", party.app),
        keys,
        policies,
        ("lab", lab),
        studio,
    ),
}
"""The commands as ``pathveil --help`` lists them; a group of commands comes with its name."""
ORDER = [
    one[0] if isinstance(one, tuple) else one.__name__ for row in COMMANDS.values() for one in row
]

app = typer.Typer(
    name="pathveil",
    help="Publish a walk through a network: whoever knows the network reads it, others see its "
    "links among chaff, and a certificate states what they learn.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    rich_markup_mode=None,
    cls=type("Root", (PlainGroup,), {"order": ORDER}),
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


def _register() -> None:
    lab.command("audit", cls=NamesAfterLacking)(audit)
    for panel, commands in COMMANDS.items():
        for one in commands:
            if isinstance(one, tuple):
                app.add_typer(one[1], name=one[0], rich_help_panel=panel)
            else:
                kind = NamesAfterLacking if one is attack else PlainCommand
                app.command(one.__name__, cls=kind, rich_help_panel=panel)(one)
    make_plain(app)


_register()


def run(arguments: Sequence[str] | None = None) -> int:
    """Return the exit code of one command line."""
    console.stderr = console.quiet = notes.quiet = False
    words = sys.argv[1:] if arguments is None else list(arguments)
    try:
        done = app(args=words, prog_name="pathveil", standalone_mode=False)
        sys.stdout.flush()
    except SystemExit as left:
        if isinstance(left.__context__, BrokenPipeError):  # Typer makes 1 of it
            leave_broken_pipe()
            return BROKEN_PIPE
        return left.code if isinstance(left.code, int) else 0
    except _BAD_WORDS as error:
        if type(error).__name__ == "NoArgsIsHelpError":
            error.show()  # no words at all: then the help is what is wanted
        else:
            _complain(_explained(error))
        return BAD_INPUT
    except (typer.Abort, KeyboardInterrupt):
        return _left_with(INTERRUPTED)
    except PathveilError as error:
        _complain(str(error))
    except BrokenPipeError:
        leave_broken_pipe()
        return BROKEN_PIPE
    except OSError as error:
        _complain(_said_of_file(error))
    except MemoryError:
        _complain(_said_of_memory(words))
    except Exception as error:
        # A user is shown one line, whatever went wrong.
        if os.environ.get("PATHVEIL_TRACEBACK"):
            raise
        said = " ".join(str(error).split())[:200]
        _complain(
            f"this is a fault of pathveil itself ({type(error).__name__}: {said}); "
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
        _complain(CUT_SHORT)
    return done if isinstance(done, int) else 0


def _complain(message: str) -> None:
    typer.echo(f"pathveil: {safe_text(shown_text(message))}", err=True)


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
    if any(word.startswith("--capacity") for word in words):
        advice = (
            f"give a smaller --capacity: each link of it takes memory, used or not; or {advice}"
        )
    elif words[:1] == ["publish"]:
        advice = f"publish with --form sketch, which takes memory by the link; or {advice}"
    return f"out of memory: what was asked is too large for this machine; {advice}"


_REWORDED = tuple(
    (re.compile(theirs), ours)
    for theirs, ours in (
        (r"^Invalid value: ", ""),
        (r"^Invalid value for '([^']*)'( / '[^']*')*: ", r"\1: "),
        (r"(^|: )Value error, ", r"\1"),
        (r": Input should be ", ": should be "),
        (r"^Missing argument '([^']*)'$", r"\1: is missing"),
        (r"^Missing option '([^']*)' / '([^']*)'$", r"\1, \2: is missing"),
        (r"^Missing option '([^']*)'$", r"\1: is missing"),
        (r"^No such option: (\S+)", r"\1: no such option"),
        (r" \(Possible options?: (.*)\)$", r"; did you mean \1?"),
        (r"\.? Did you mean (\S+)\?$", r"; did you mean \1?"),
        (r"^No such command '([^']*)'\.?", r"\1: no such command"),
        (r"^Got unexpected extra argument\S* \((.*)\)$", r"\1: more words than are expected"),
        (r"^Option '([^']*)' requires (an argument|\d+ arguments)$", r"\1: needs \2"),
    )
)
"""What the parser of command lines says, and what we say: where, a colon, the fact."""
_CHOICE = re.compile(r"'([^']*)' is not one of (.*)$")


def _explained(error: Any) -> str:
    """Return what is wrong with the words of a command line, and where its help is."""
    said = reworded(error.format_message())
    choice = _CHOICE.search(said)
    if choice is not None:
        said += did_you_mean(choice[1], [word.strip("' ") for word in choice[2].split(",")])
    if error.ctx is None:
        return said
    return f"{said}{' See' if said.endswith('?') else '; see'} {error.ctx.command_path} --help"


def reworded(message: str) -> str:
    """Return a message of the parser in our style.

    >>> reworded("Invalid value for '--workers': Input should be greater than or equal to 1.")
    '--workers: should be greater than or equal to 1'
    >>> reworded("Missing option '-o' / '--output'.")
    '-o, --output: is missing'
    """
    said = " ".join(message.split())
    said = said.removesuffix(".") if not said.endswith("...") else said
    for pattern, ours in _REWORDED:
        said = pattern.sub(ours, said)
    return said


def main() -> None:
    """Run the command line and leave with its exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A screen that cannot show a character gets its number instead, not a traceback.
            stream.reconfigure(errors="backslashreplace")
    sys.exit(run_until_interrupted(run))
