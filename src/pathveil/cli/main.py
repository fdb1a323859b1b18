"""The command line: parse, call one verb, show. No logic lives here.

Exit codes: 0 done, 1 a claim does not hold (verify, audit, attack, exchanges) or was not
checked (verify), 2 bad input, 70 a fault of the program, 130 interrupted, 141 if whoever reads the
output stops reading. Errors go to standard error in one line, without a traceback.
Heavy modules are imported by the command that needs them, so that ``--help`` answers at once.

Typer's own help spends half of eighty columns on frames and types, and cuts what is left. Here help
is plain text: options in groups, one column of names, one of words, and the examples of the
command's docstring last. Every command can be ``--quiet``: then the exit code tells, and only
errors are printed, and results that have no file: the walk that was read, a digest, JSON.
"""

from __future__ import annotations

import errno
import io
import os
import re
import sys
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Annotated, Any

import typer
from rich.text import Text
from typer.core import TyperCommand, TyperGroup

from pathveil.cli.attack import attack, verify
from pathveil.cli.batch import batch
from pathveil.cli.console import BROKEN_PIPE, console, leave_broken_pipe, notes
from pathveil.cli.demo import demo
from pathveil.cli.group import group
from pathveil.cli.inspect import draw, inspect
from pathveil.cli.interrupts import CUT_SHORT, INTERRUPTED, outputs_there, run_until_interrupted
from pathveil.cli.keys import keys, policies
from pathveil.cli.lab import app as lab
from pathveil.cli.ledger import app as ledger
from pathveil.cli.network import app as network
from pathveil.cli.party import app as party
from pathveil.cli.plan import plan
from pathveil.cli.publish import publish
from pathveil.cli.reconstruct import reconstruct
from pathveil.cli.studio import studio
from pathveil.errors import PathveilError
from pathveil.wording import LONGEST_MESSAGE, safe_text, shown_text

BAD_INPUT, FAULT = 2, 70
_NO_ROOM = {errno.EBADF, errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO}

_BAD_WORDS: Any = typer.BadParameter.__mro__[1]
"""Raised for words that make no command line; Typer brings its own Click, or uses another's."""

OUT_OF_MEMORY = (
    "out of memory: what was asked is too large for this machine; keep a part of the network, "
    "publish it with --form sketch and a --capacity just above its links, or use another machine"
)
EXAMPLES = "\n\nExamples\n--------\n"
"""What stands before the examples in the docstring of a command."""
_NAMES = 24
"""Columns for names of options; a longer name gets a line of its own."""


class PlainCommand(TyperCommand):
    """A command with plain help and the option ``--quiet``."""

    def __init__(self, *args: Any, **given: Any) -> None:
        super().__init__(*args, **given)
        self.help, _, self.epilog = (self.help or "").partition(EXAMPLES)
        self.params.append(_quiet_option())

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Return what is left over, once every name has been given its own ``--lacking=``."""
        return super().parse_args(ctx, names_apart(args))

    def collect_usage_pieces(self, _ctx: Any) -> list[str]:
        """Return the words of the command line: arguments, options one must give, others."""
        words = [one.metavar for one in self.params if one.param_type_name == "argument"]
        for option in self.params:
            if option.required and option.param_type_name != "argument":
                words += [min(option.opts, key=len), option.metavar or "N"]
        return [*(str(word) for word in words), "[OPTIONS]"]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write arguments and options, group by group."""
        _write_parameters(self, ctx, formatter)

    def format_epilog(self, _ctx: Any, formatter: Any) -> None:
        """Write the examples as they are typed, not wrapped."""
        if self.epilog:
            lines = (f"  {line}\n" for line in self.epilog.strip().splitlines())
            formatter.write(f"\nExamples:\n{''.join(lines)}")


def _hush(value: bool) -> None:  # noqa: FBT001 - Typer calls it so
    console.quiet = notes.quiet = value


Quiet = Annotated[
    bool,
    typer.Option(
        "--quiet", "-q", callback=_hush, help="Print only errors, and a result that has no file."
    ),
]


@cache
def _quiet_option() -> Any:
    """Return the option as Typer makes it, whatever its version."""
    maker = typer.Typer(add_completion=False)

    @maker.command()
    def command(*, quiet: Quiet = False) -> None:
        pass

    (option,) = (one for one in typer.main.get_command(maker).params if one.name == "quiet")
    option.expose_value = False
    return option


class PlainGroup(TyperGroup):
    """A group of commands whose help is plain text of at most eighty columns."""

    def collect_usage_pieces(self, _ctx: Any) -> list[str]:
        """Return the words of the command line."""
        return ["COMMAND [OPTIONS]"]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the commands by group, each with its first sentence, then the options."""
        rows = []
        for name in self.list_commands(ctx):
            command: Any = self.get_command(ctx, name)
            words = " ".join((command.help or "").partition("\n\n")[0].split())
            rows.append((_panel(command, "Commands"), (name, words)))
        _write_groups(rows, formatter)
        _write_parameters(self, ctx, formatter)


def _write_parameters(command: Any, ctx: Any, formatter: Any) -> None:
    rows = []
    for one in command.get_params(ctx):
        own = "Arguments" if one.param_type_name == "argument" else "Options"
        rows.append((_panel(one, own), _row(one, ctx)))
    _write_groups(rows, formatter)


def _write_groups(rows: Iterable[tuple[str, tuple[str, str]]], formatter: Any) -> None:
    """Write rows, each with the title of its group, group by group."""
    groups: dict[str, list[tuple[str, str]]] = {}
    for title, row in rows:
        groups.setdefault(title, []).append(row)
    for title, listed in groups.items():
        with formatter.section(title):
            formatter.write_dl(listed, col_max=_NAMES)


def _panel(one: Any, otherwise: str) -> str:
    """Return the group of a command or parameter in the help."""
    panel = getattr(one, "rich_help_panel", None)
    return panel if isinstance(panel, str) else otherwise


def _row(parameter: Any, ctx: Any) -> tuple[str, str]:
    """Return names and words of one parameter."""
    words = " ".join((getattr(parameter, "help", None) or "").split())
    if parameter.param_type_name == "argument":
        name = parameter.metavar or parameter.name.upper()
        return (f"{name}..." if parameter.nargs == -1 and "..." not in name else name), words
    names = ", ".join(sorted(parameter.opts, key=len))
    if not getattr(parameter, "is_flag", False):
        default = parameter.get_default(ctx)
        names += f" {parameter.metavar or 'N'}"
        if default not in (None, [], ()):
            words += f" Default: {default}."
    if parameter.required:
        words += " Required."
    return names, words


FLAG = "--lacking"


def names_apart(words: Sequence[str]) -> list[str]:
    """Return the words with each name after ``--lacking`` as a value of its own.

    They are names up to the next option, whatever they begin with: some networks have a vertex -1.

    >>> names_apart(["f", "n", "--lacking", "-1", "2", "--json"])
    ['f', 'n', '--lacking=-1', '--lacking=2', '--json']
    """
    apart: list[str] = []
    inside = False
    for word in words:
        inside = word == FLAG or (inside and not word.startswith("--") and word not in {"-q", "-h"})
        if not inside or word == FLAG:
            apart.append(word)
            continue
        if apart[-1] == FLAG:
            apart.pop()
        apart.append(f"{FLAG}={word}")
    return apart


COMMANDS: dict[str, tuple[Any, ...]] = {
    "Start here": (demo, plan),
    "One walk": (publish, reconstruct, inspect, verify, attack, draw),
    "Many walks": (batch, group, ledger),
    "And more": (network, party, keys, policies, lab, studio),
}
"""The commands, and groups of commands, as ``pathveil --help`` lists them."""

app = typer.Typer(
    name="pathveil",
    help="Publish a walk through a network: whoever knows the network reads it, others see its "
    "links among chaff, and a certificate states what they learn.",
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
        bool, typer.Option("--version", help="Show the version.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    """Publish a walk, read it back, attack it, check it."""


def _register() -> None:
    for panel, commands in COMMANDS.items():
        for one in commands:
            if isinstance(one, typer.Typer):
                app.add_typer(one, cls=PlainGroup, rich_help_panel=panel, no_args_is_help=True)
                for registered in one.registered_commands:
                    registered.cls = PlainCommand
            else:
                app.command(one.__name__, cls=PlainCommand, rich_help_panel=panel)(one)


_register()


@cache
def _program() -> Any:
    """Return the commands as Typer makes them, which takes longer than most of them run."""
    return typer.main.get_command(app)


def run(arguments: Sequence[str] | None = None) -> int:
    """Return the exit code of one command line."""
    console.stderr = console.quiet = notes.quiet = False
    words = sys.argv[1:] if arguments is None else list(arguments)
    odd = next((word for word in words if any("\ud800" <= sign <= "\udfff" for sign in word)), None)
    if odd is not None:
        _complain(f"{odd!r}: is not UTF-8; rename the file")
        return BAD_INPUT
    try:
        done = _program()(args=words, prog_name="pathveil", standalone_mode=False)
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
        _complain(OUT_OF_MEMORY)
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


_PYTHON = re.compile(r"(?:[\w.]+\([^()]*\)|\w+=\S*(?: and \w+=\S*)*) \((--[^()]*)\)")
"""What to write in Python, and behind it in brackets what to type."""


def _complain(message: str) -> None:
    typed = _PYTHON.sub(r"\1", message)
    said = f"pathveil: {safe_text(shown_text(typed, limit=LONGEST_MESSAGE))}"
    if notes.is_terminal:  # which would break lines inside words
        said = "\n".join(line.plain.rstrip() for line in Text(said).wrap(notes, notes.width))
    try:
        typer.echo(said, err=True)
    except OSError:  # nobody hears it; the exit code tells
        leave_broken_pipe()


def _said_of_file(error: OSError) -> str:
    """Return what is wrong with a file, or what else the system reports, and what to do."""
    why = error.strerror or error
    if error.filename:
        return f"{error.filename}: {why}; check the path, the rights and the room left"
    if error.errno in _NO_ROOM:
        there = " and ".join(map(str, outputs_there()))
        where = "standard output, or a file that was being written"
        said = f"standard output: {why}; {there} is written" if there else f"{where}: {why}"
        return f"{said}; make room, or write elsewhere"
    return f"the operating system says: {why}; check the files and addresses of the command"


_PREFIX = re.compile(r"^Invalid value(?::| for) |(?<=: )Value error, ")
"""What the parser of command lines puts before a fact."""

_WORDS = {
    r"(?<=: )(?:Input should be|.* is not) a valid int.*": "expected a whole number",
    r"(?<=: )Input should be a valid number.*": "expected a number, such as 2.5",
    r"(?<=: )Input should be (?=greater|less)": "expected a number ",
    r"^'(-[^']*)':": r"\1:",
}
"""What it says of a wrong value, and what we say."""


def _explained(error: Any) -> str:
    """Return what is wrong with the words of a command line, and where its help is."""
    said = _PREFIX.sub("", " ".join(error.format_message().split()))
    for theirs, ours in _WORDS.items():
        said = re.sub(theirs, ours, said)
    said = said.removesuffix(".") if not said.endswith("...") else said
    if error.ctx is None:
        return said
    return f"{said}{' See' if said.endswith('?') else '; see'} {error.ctx.command_path} --help"


def main() -> None:
    """Run the command line and leave with its exit code."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # it was closed before we began
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115, PTH123
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A screen that cannot show a character gets its number instead, not a traceback.
            stream.reconfigure(errors="backslashreplace")
    sys.exit(run_until_interrupted(run))
