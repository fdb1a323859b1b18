"""Options that several commands share: each has one name, one meaning and one help text.

A command names them as its parameters; the help lists them in that order, in the groups named here.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pathveil.model.bits import Form
from pathveil.model.layered import Layering
from pathveil.model.publication import Direction
from pathveil.policies import Policy

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
        help="The table of `network clean --codes`: you give names, the file has codes.",
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
    list[Path] | None,
    typer.Option(
        "--identity", metavar="KEY", help="Your secret key, for encrypted files; may be repeated."
    ),
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
    typer.Option("--for-readers", help="Also write a note to send along: how to read it."),
]
PolicyText = Annotated[
    Policy | None,
    typer.Option(
        "--policy",
        parser=Policy.parse,
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
Lacking = Annotated[
    list[str] | None,
    typer.Option("--lacking", metavar="U V ...", help="Links the attacker does not know."),
]
