"""Arguments and options that several commands share: one name, one meaning, one help text."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pathveil.model.bits import FORMS, Form
from pathveil.model.layered import LAYERINGS, Layering
from pathveil.model.publication import DIRECTIONS, Direction
from pathveil.policies import KINDS, Policy

if TYPE_CHECKING:
    from pathveil.model.grouping import Grouping
    from pathveil.model.universe import Universe

SEVERAL, EXPERT, KNOWS = "Several walks", "Expert", "What the attacker knows"
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
PublicationFile = Annotated[
    Path, typer.Argument(metavar="FILE", help="A publication: *.veil, *.veil.json or *.age.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]
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
    typer.Option("--identity", metavar="KEY", help="Your secret key, if the file is encrypted."),
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


def policy_of(text: str | None) -> Policy | None:
    """Return the policy that the option names; None where it is left out.

    >>> policy_of("frontier:walk_loss=1/2,copies=2")
    Policy.parse('frontier:walk_loss=1/2,copies=2')
    """
    return None if text is None else Policy.parse(text)


def policies_listed() -> list[tuple[str, str]]:
    """Return each policy as it is typed, with what it is good for."""
    return [
        (f"{kind.name}:{kind.example}" if kind.example else kind.name, kind.summary)
        for kind in KINDS
    ]


LayeringChoice = StrEnum("LayeringChoice", {name: name for name in LAYERINGS})  # type: ignore[misc]
LayeringOption = Annotated[
    LayeringChoice,
    typer.Option(
        "--layering", metavar="ENGINE", rich_help_panel=EXPERT, help="exact, or the paper's engine."
    ),
]
DirectionChoice = StrEnum("DirectionChoice", {name: name for name in DIRECTIONS})  # type: ignore[misc]
DirectionOption = Annotated[
    DirectionChoice,
    typer.Option(
        "--direction",
        metavar="WHICH",
        rich_help_panel=EXPERT,
        help="public or hidden: whether the file says which end is the first.",
    ),
]
FormChoice = StrEnum("FormChoice", {name: name for name in FORMS})  # type: ignore[misc]
FormOption = Annotated[
    FormChoice,
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
GroupsFile = Annotated[
    Path | None,
    typer.Option(
        "--groups",
        metavar="FILE",
        rich_help_panel=SEVERAL,
        help="The public grouping that the walks are published over, groups.json.",
    ),
]
EXACT, PUBLIC, PACKED = LayeringChoice("exact"), DirectionChoice("public"), FormChoice("packed")


def universe_read(file: Path | None) -> Universe | None:
    """Return the public pairs in a file, if one is given."""
    from pathveil.files.networks.network_reader import read_network
    from pathveil.model.universe import Universe

    return None if file is None else Universe.of(read_network(file, simplify=True))


def grouping_read(file: Path | None) -> Grouping | None:
    """Return the grouping in a file, if one is given."""
    from pathveil.model.grouping import Grouping

    return None if file is None else Grouping.load(file)


def layering_named(choice: LayeringChoice) -> Layering:
    """Return the layering of a choice."""
    return next(name for name in LAYERINGS if name == choice.value)


def form_named(choice: FormChoice) -> Form:
    """Return the form of a choice."""
    return next(name for name in FORMS if name == choice.value)


def direction_named(choice: DirectionChoice) -> Direction:
    """Return the direction of a choice."""
    return next(name for name in DIRECTIONS if name == choice.value)
