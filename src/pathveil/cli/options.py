"""Commands as people meet them: shared options, help that fits a screen, ``--quiet`` on each.

An option that several commands share has one name, one meaning and one help text. Typer's own
panels spend half of eighty columns on frames and types, and cut what is left. Here help is plain
text: options in groups (the ``rich_help_panel`` of each, in the order in which the command names
them), one column of names, one of words, and the examples of its docstring last.

With ``--quiet`` the exit code tells, errors are still printed, and so are results that have no
file: the walk that was read, a digest, JSON.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from pathveil.cli.console import console, notes
from pathveil.model.bits import Form
from pathveil.model.layered import Layering
from pathveil.model.publication import Direction
from pathveil.policies import Policy

WIDTH = 80
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

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write usage, purpose, options by group and examples."""
        formatter.width = min(formatter.width, WIDTH)
        formatter.write_usage(ctx.command_path, self._words())
        self.format_help_text(ctx, formatter)
        _write_groups(self, ctx, formatter)
        if self.epilog:
            lines = (f"  {line}\n" for line in self.epilog.strip().splitlines())
            formatter.write(f"\nExamples:\n{''.join(lines)}")  # as they are typed, not wrapped

    def _words(self) -> str:
        """Return the words of the command line: arguments, options one must give, others."""
        words = [one.metavar for one in self.params if one.param_type_name == "argument"]
        for option in self.params:
            if option.required and option.param_type_name != "argument":
                words += [min(option.opts, key=len), option.metavar or "N"]
        return " ".join([*(str(word) for word in words), "[OPTIONS]"])


def _hush(value: bool) -> None:  # noqa: FBT001 - Typer calls it so
    console.quiet = notes.quiet = value


Quiet = Annotated[
    bool,
    typer.Option(
        "--quiet",
        "-q",
        callback=_hush,
        help="Print only errors, and a result that has no file.",
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

    order: Sequence[str] = ()
    """Names of commands as they are listed; others come after them."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the commands in their order."""
        names = super().list_commands(ctx)
        rank = {name: place for place, name in enumerate(self.order)}
        return sorted(names, key=lambda name: rank.get(name, len(rank)))

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write usage, purpose and the commands by group."""
        formatter.width = min(formatter.width, WIDTH)
        formatter.write_usage(ctx.command_path, "COMMAND [OPTIONS]")
        self.format_help_text(ctx, formatter)
        groups: dict[str, list[tuple[str, str]]] = {}
        for name in self.list_commands(ctx):
            command = self.get_command(ctx, name)
            if command is not None and not command.hidden:
                panel = getattr(command, "rich_help_panel", None)
                title = panel if isinstance(panel, str) else "Commands"
                words = " ".join((command.help or "").partition("\n\n")[0].split())
                groups.setdefault(title, []).append((name, words))
        for title, rows in groups.items():
            with formatter.section(title):
                formatter.write_dl(rows)
        _write_groups(self, ctx, formatter)


def make_plain(app: typer.Typer) -> None:
    """Give every command of an app, and of the apps in it, plain help and ``--quiet``."""
    for registered in app.registered_commands:
        if not issubclass(registered.cls or TyperCommand, PlainCommand):
            registered.cls = PlainCommand
    for group in app.registered_groups:
        if group.typer_instance is not None:
            group.cls = PlainGroup
            make_plain(group.typer_instance)


def _write_groups(command: Any, ctx: Any, formatter: Any) -> None:
    """Write arguments and options, group by group."""
    groups: dict[str, list[tuple[str, str]]] = {}
    for parameter in command.get_params(ctx):
        if not getattr(parameter, "hidden", False):
            groups.setdefault(_title(parameter), []).append(_row(parameter, ctx))
    for title, rows in groups.items():
        with formatter.section(title):
            formatter.write_dl(rows, col_max=_NAMES)


def _title(parameter: Any) -> str:
    panel = getattr(parameter, "rich_help_panel", None)
    if isinstance(panel, str):
        return panel
    return "Arguments" if parameter.param_type_name == "argument" else "Options"


def _row(parameter: Any, ctx: Any) -> tuple[str, str]:
    """Return names and words of one parameter."""
    words = " ".join((getattr(parameter, "help", None) or "").split())
    if parameter.param_type_name == "argument":
        name = parameter.metavar or parameter.name.upper()
        return (f"{name}..." if parameter.nargs == -1 and "..." not in name else name), words
    names = ", ".join(sorted(parameter.opts, key=len))
    if parameter.secondary_opts:
        names += f" / {', '.join(parameter.secondary_opts)}"
    if getattr(parameter, "is_flag", False):
        names += f" {parameter.metavar}" if parameter.metavar else ""
    else:
        default = parameter.get_default(ctx)
        names += f" {parameter.metavar or 'N'}"
        if default not in (None, [], ()):
            words += f" Default: {default}."
    if parameter.required:
        words += " Required."
    return names, words


FLAG = "--lacking"


class NamesAfterLacking(PlainCommand):
    """A command in which the words after ``--lacking`` are names up to the next option.

    They are names whatever they begin with: some networks have a vertex -1.
    """

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Return what is left over, once every name has been given its own ``--lacking=``."""
        return super().parse_args(ctx, names_apart(args))


def names_apart(words: Sequence[str]) -> list[str]:
    """Return the words with each name after ``--lacking`` as a value of its own.

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


SEVERAL, EXPERT = "Several walks", "Expert"
"""Groups of options in the help."""

NetworkFile = Annotated[
    Path,
    typer.Argument(
        metavar="NETWORK",
        help="CSV, TSV, Parquet, GraphML, GEXF, GML, JSON, topohub:NAME, or - (standard input).",
    ),
]
WalkFile = Annotated[
    Path,
    typer.Argument(
        metavar="WALK", help="The secret: a vertex on each line, CSV, 'A > B > C', or a JSON list."
    ),
]
Column = Annotated[
    str | None,
    typer.Option(
        "--column", metavar="NAME", help="The column of WALK that holds the vertices, if several."
    ),
]
CodesFile = Annotated[
    Path | None,
    typer.Option(
        "--codes",
        metavar="CODES.csv",
        help="The table of `network clean --codes`: you give and get names, the file has codes.",
    ),
]
PublicationFile = Annotated[
    Path, typer.Argument(metavar="FILE", help="A publication: *.veil, *.veil.json or *.age.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]
Force = Annotated[bool, typer.Option("--force", help="Replace an existing file.")]
Trust = Annotated[
    bool,
    typer.Option(
        "--trust",
        rich_help_panel=EXPERT,
        help="Go on although the file states a certificate or digest that is not its own.",
    ),
]
Workers = Annotated[
    int,
    typer.Option("--workers", min=1, max=256, metavar="N", help="Processes on this machine."),
]
Scheduler = Annotated[
    str | None,
    typer.Option("--scheduler", metavar="ADDRESS", help="A Dask scheduler, tcp://host:port."),
]
Identity = Annotated[
    Path | None,
    typer.Option("--identity", metavar="KEY", help="Your secret key, for encrypted files."),
]
Recipients = Annotated[
    list[str] | None,
    typer.Option(
        "--to",
        metavar="KEY",
        help="Encrypt to this reader (age1..., ssh-..., or a file of keys); may be repeated.",
    ),
]
ForReaders = Annotated[
    bool,
    typer.Option("--for-readers", help="Also write three lines to send along: how to read it."),
]
PolicyText = Annotated[
    str | None,
    typer.Option(
        "--policy",
        metavar="POLICY",
        help="How chaff is drawn, such as frontier:walk_loss=1/2; `pathveil policies` lists them. "
        "Default: balanced; a batch without a grouping needs one.",
    ),
]
AfterFiles = Annotated[
    list[Path] | None,
    typer.Option(
        "--after",
        metavar="FILE",
        rich_help_panel=SEVERAL,
        help="An earlier publication over this network, or a folder of them; may be repeated.",
    ),
]
GroupsFile = Annotated[
    Path | None,
    typer.Option(
        "--groups",
        metavar="FILE",
        rich_help_panel=SEVERAL,
        help="The public grouping that the walks are published over, groups.json.",
    ),
]
LedgerOption = Annotated[
    str | None,
    typer.Option(
        "--ledger",
        metavar="DB",
        rich_help_panel=SEVERAL,
        help="Count what was released before, and record this release.",
    ),
]
KeyFile = Annotated[
    Path | None,
    typer.Option(
        "--key",
        metavar="FILE",
        rich_help_panel=SEVERAL,
        help="The ledger's key, if it is not DB.key beside it.",
    ),
]
Budget = Annotated[
    str | None,
    typer.Option(
        "--budget",
        metavar="LOSS",
        rich_help_panel=SEVERAL,
        help="With a ledger: the largest loss that any link may run up.",
    ),
]
AcceptClock = Annotated[
    bool,
    typer.Option(
        "--accept-clock",
        rich_help_panel=SEVERAL,
        help="With a ledger: this clock is right, the last entry's was not.",
    ),
]
LayeringOption = Annotated[
    Layering,
    typer.Option(
        "--layering",
        metavar="ENGINE",
        rich_help_panel=EXPERT,
        help="exact, or backtracking, the paper's engine.",
    ),
]
DirectionOption = Annotated[
    Direction,
    typer.Option(
        "--direction",
        metavar="WHICH",
        rich_help_panel=EXPERT,
        help="public or hidden: whether the file says which end is the first.",
    ),
]
FormOption = Annotated[
    Form,
    typer.Option(
        "--form",
        metavar="FORM",
        rich_help_panel=EXPERT,
        help="packed: a bit for each pair. sketch: one for each link, for large networks.",
    ),
]
Capacity = Annotated[
    int | None,
    typer.Option(
        "--capacity",
        metavar="N",
        rich_help_panel=EXPERT,
        help="For a sketch: a public limit on the number of links.",
    ),
]
UniverseFile = Annotated[
    Path | None,
    typer.Option(
        "--universe",
        metavar="FILE",
        rich_help_panel=EXPERT,
        help="Public pairs that may be links; only they get chaff.",
    ),
]


def policy_of(text: str | None) -> Policy | None:
    """Return the policy that the option names; None where it is left out.

    >>> policy_of("frontier:walk_loss=1/2,copies=2")
    Policy.parse('frontier:walk_loss=1/2,copies=2')
    """
    return None if text is None else Policy.parse(text)
