"""Options that several commands share: each has one name, one meaning and one help text.

A command names them as its parameters; the help lists them in that order, in the groups named here.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from pathveil.model.bits import Form
from pathveil.model.layered import Layering
from pathveil.model.publication import Direction
from pathveil.policies import Policy

SEVERAL, EXPERT = "Several walks", "Expert"
"""Groups of options in the help."""


def option(names: str, takes: str | None, words: str, panel: str | None = None, **more: Any) -> Any:
    """Return an option: its names, what it takes if it is no flag, and its help."""
    return typer.Option(*names.split(), metavar=takes, help=words, rich_help_panel=panel, **more)


def argument(name: str, words: str) -> Any:
    """Return an argument with its help."""
    return typer.Argument(metavar=name, help=words)


def output(takes: str, words: str) -> Any:
    """Return the option that says where the result goes."""
    return option("-o --output", takes, words)


NetworkFile = Annotated[
    Path,
    argument(
        "NETWORK",
        "CSV, Excel, Parquet, GraphML, GEXF, GML, JSON, topohub:NAME, or - (standard input).",
    ),
]
WalkFile = Annotated[
    Path, argument("WALK", "The secret: a vertex on each line, CSV, 'A > B > C', or a JSON list.")
]
Column = Annotated[
    str | None,
    option("--column", "NAME", "The column of WALK that holds the vertices, if several."),
]
CodesFile = Annotated[
    Path | None,
    option(
        "--codes",
        "CODES.csv",
        "The table of `network clean --codes`: you give names, the file has codes.",
    ),
]
PublicationFile = Annotated[Path, argument("FILE", "A publication: *.veil, *.veil.json or *.age.")]
AsJson = Annotated[bool, option("--json", None, "Print the result as JSON.")]
Force = Annotated[bool, option("--force", None, "Replace an existing file.")]
Trust = Annotated[
    bool,
    option(
        "--trust",
        None,
        "Go on although the file states a certificate or digest that is not its own.",
        EXPERT,
    ),
]
Workers = Annotated[int, option("--workers", "N", "Processes on this machine.", min=1, max=256)]
Scheduler = Annotated[
    str | None, option("--scheduler", "ADDRESS", "A Dask scheduler, tcp://host:port.")
]
Identity = Annotated[
    list[Path] | None,
    option("--identity", "KEY", "Your secret key, for encrypted files; may be repeated."),
]
Recipients = Annotated[
    list[str] | None,
    option(
        "--to",
        "KEY",
        "Encrypt to this reader (age1..., ssh-..., or a file of keys); may be repeated.",
    ),
]
ForReaders = Annotated[
    bool, option("--for-readers", None, "Also write a note to send along: how to read it.")
]
PolicyText = Annotated[
    Policy | None,
    option(
        "--policy",
        "POLICY",
        "How chaff is drawn, such as frontier:walk_loss=1/2; `pathveil policies` lists them. "
        "Default: balanced; a batch without a grouping needs one.",
        parser=Policy.parse,
    ),
]
AfterFiles = Annotated[
    list[Path] | None,
    option(
        "--after",
        "FILE",
        "An earlier publication over this network, or a folder of them; may be repeated.",
        SEVERAL,
    ),
]
GroupsFile = Annotated[
    Path | None,
    option(
        "--groups",
        "FILE",
        "The public grouping that the walks are published over, groups.json.",
        SEVERAL,
    ),
]
LedgerOption = Annotated[
    str | None,
    option("--ledger", "DB", "Count what was released before, and record this release.", SEVERAL),
]
KeyFile = Annotated[
    Path | None,
    option("--key", "FILE", "The ledger's key, if it is not DB.key beside it.", SEVERAL),
]
Budget = Annotated[
    str | None,
    option(
        "--budget", "LOSS", "With a ledger: the largest loss that any link may run up.", SEVERAL
    ),
]
LayeringOption = Annotated[
    Layering, option("--layering", "ENGINE", "exact, or backtracking, the paper's engine.", EXPERT)
]
DirectionOption = Annotated[
    Direction,
    option(
        "--direction",
        "WHICH",
        "public or hidden: whether the file says which end is the first.",
        EXPERT,
    ),
]
FormOption = Annotated[
    Form,
    option(
        "--form",
        "FORM",
        "packed: a bit for each pair. sketch: one for each link, for large networks.",
        EXPERT,
    ),
]
Capacity = Annotated[
    int | None,
    option("--capacity", "N", "For a sketch: a public limit on the number of links.", EXPERT),
]
UniverseFile = Annotated[
    Path | None,
    option("--universe", "FILE", "Public pairs that may be links; only they get chaff.", EXPERT),
]
Lacking = Annotated[
    list[str] | None, option("--lacking", "U V ...", "Links the attacker does not know.")
]
