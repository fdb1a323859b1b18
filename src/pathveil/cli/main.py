"""The command line: parse, call one verb, show. No logic lives here.

Exit codes: 0 done, 1 a claim does not hold (verify, audit, attack, exchanges) or was not
checked (verify), 2 bad input, 70 a fault of the program, 130 interrupted, 141 if whoever reads the
output stops reading. Errors go to standard error in one line, without a traceback.
Heavy modules are imported by the command that needs them, so that ``--help`` answers at once.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
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
from pathveil.cli.console import BROKEN_PIPE, console, leave_broken_pipe, notes
from pathveil.cli.error_text import explained
from pathveil.cli.interrupts import INTERRUPTED, MESSAGE, run_until_interrupted
from pathveil.cli.plain_help import NamesAfterLacking, PlainCommand, PlainGroup, make_plain
from pathveil.errors import PathveilError

BAD_INPUT, FAULT = 2, 70
ORDER = (
    *("demo", "plan", "publish", "reconstruct", "inspect", "verify", "attack", "draw"),
    *("batch", "group", "ledger", "network", "party", "keys", "policies", "lab", "studio"),
)

_BAD_WORDS: Any = typer.BadParameter.__mro__[1]
"""Raised for words that make no command line; Typer brings its own Click, or uses another's."""

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


START, ONE, MANY, MORE = "Start here", "One walk", "Many walks", "And more"


@dataclass(frozen=True)
class Entry:
    """One line of ``pathveil --help``: a command, or a group of commands."""

    panel: str
    name: str
    does: Callable[..., None] | typer.Typer
    words: str
    examples: str = ""
    cls: type[PlainCommand] = PlainCommand


COMMANDS = (
    Entry(
        START,
        "demo",
        demonstration.demo,
        "The idea in a minute: publish, read back, attack.",
        "pathveil demo\npathveil demo --paper",
    ),
    Entry(
        START,
        "plan",
        planner.plan,
        "Will my walks fit this network, and by which way?",
        "pathveil plan network.csv --walks 30 --length 6",
    ),
    Entry(
        ONE,
        "publish",
        custodian.publish,
        "Publish a walk: readers with the network read it.",
        "pathveil publish suppliers.csv route.txt -o route.veil.json\n"
        "pathveil publish net.graphml day3.csv -o day3.veil --ledger releases.db",
    ),
    Entry(
        ONE,
        "reconstruct",
        participant.reconstruct,
        "Read a walk back: all of it, or your own places.",
        "pathveil reconstruct route.veil.json network.csv\n"
        "pathveil reconstruct route.veil.json my-links.csv --as 'Lyon Stamping'",
    ),
    Entry(
        ONE,
        "inspect",
        viewer.inspect,
        "Who can read a file, and what others learn.",
        "pathveil inspect route.veil.json --certificate\n"
        "pathveil inspect route.veil.json -o route.veil.age --to age1...",
    ),
    Entry(
        ONE,
        "verify",
        custodian.verify,
        "Check every claim of a file.",
        "pathveil verify route.veil.json\npathveil verify route.veil.json network.csv walk.txt",
    ),
    Entry(
        ONE,
        "attack",
        auditor.attack,
        "What would an attacker learn?",
        "pathveil attack route.veil.json network.csv --lacking CZ SK\n"
        "pathveil attack monday.veil tuesday.veil network.csv",
        NamesAfterLacking,
    ),
    Entry(
        ONE,
        "draw",
        viewer.draw,
        "Draw a file, a network, or the whole story.",
        "pathveil draw route.veil.json -o route.svg\n"
        "pathveil draw network.csv --story --walk walk.txt -o story.svg",
    ),
    Entry(
        MANY,
        "batch",
        batches.batch,
        "Publish many walks over one network.",
        "pathveil batch network.csv walks.txt -o out --policy remembering:usage=0.15\n"
        "pathveil batch network.csv walks.txt -o out --groups groups.json",
    ),
    Entry(
        MANY,
        "group",
        groups.group,
        "Draw classes to publish many walks over, before the first release.",
        "pathveil group network.csv -o groups.json",
    ),
    Entry(MANY, "ledger", keeper.app, "Remember what was released, and see what is left."),
    Entry(MORE, "network", networks.app, "Clean a network file once; compare networks."),
    Entry(MORE, "party", party.app, "Read a walk together, without showing your links."),
    Entry(
        MORE,
        "keys",
        key_pairs.keys,
        "Make a key pair, to get encrypted files.",
        "pathveil keys -o my.key",
    ),
    Entry(MORE, "policies", key_pairs.policies, "List the policies, one sentence each."),
    Entry(MORE, "lab", researcher.app, "Reproduce the paper, compare systems, audit losses."),
    Entry(
        MORE,
        "studio",
        page.studio,
        "A page on this machine: publish, read, attack.",
        "pathveil studio network.csv",
    ),
)


def _register() -> None:
    researcher.app.command("audit", cls=NamesAfterLacking)(auditor.audit)
    for one in COMMANDS:
        if isinstance(one.does, typer.Typer):
            app.add_typer(
                one.does,
                name=one.name,
                help=one.words,
                short_help=one.words,
                rich_help_panel=one.panel,
            )
        else:
            app.command(
                one.name,
                cls=one.cls,
                short_help=one.words,
                epilog=one.examples or None,
                rich_help_panel=one.panel,
            )(one.does)
    make_plain(app)


_register()


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
            _complain(explained(error))
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
            # A screen that cannot show a character gets its number instead, not a traceback.
            stream.reconfigure(errors="backslashreplace")
    sys.exit(run_until_interrupted(run))
