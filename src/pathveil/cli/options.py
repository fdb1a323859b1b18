"""Arguments and options that several commands share: one name, one meaning, one help text."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pathveil.model.bits import FORMS, Form
from pathveil.model.layered import LAYERINGS, Layering
from pathveil.model.publication import (
    DIRECTIONS,
    Direction,
)

if TYPE_CHECKING:
    from pathveil.model.universe import Universe

NetworkFile = Annotated[
    Path,
    typer.Argument(
        metavar="NETWORK",
        help="Edge list (CSV, TSV), Parquet, GraphML, GEXF, GML, JSON, topohub:NAME, or - (input).",
    ),
]
WalkFile = Annotated[
    Path, typer.Argument(metavar="WALK", help="One vertex a line, CSV, or a JSON list. Secret.")
]
PublicationFile = Annotated[
    Path, typer.Argument(metavar="FILE", help="A publication, *.veil or *.veil.json.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON, nothing else.")]
Trust = Annotated[
    bool,
    typer.Option(
        "--trust",
        help="Go on though the certificate is not what the policy earns, or the digest is another.",
    ),
]
Workers = Annotated[
    int, typer.Option("--workers", min=1, max=256, help="Processes on this machine.")
]
Scheduler = Annotated[
    str | None,
    typer.Option("--scheduler", metavar="ADDRESS", help="A Dask scheduler, tcp://host:port."),
]

Identity = Annotated[
    Path | None,
    typer.Option(
        "--identity", metavar="FILE", help="Your secret key, to open a file that is sealed to you."
    ),
]
Recipients = Annotated[
    list[str] | None,
    typer.Option(
        "--to",
        metavar="RECIPIENT",
        help="Seal to this reader (age1..., ssh-..., or a file of such keys); may be repeated.",
    ),
]

LayeringChoice = StrEnum("LayeringChoice", {name: name for name in LAYERINGS})  # type: ignore[misc]
LayeringOption = Annotated[
    LayeringChoice, typer.Option("--layering", help="Which engine draws the layers.")
]
DirectionChoice = StrEnum("DirectionChoice", {name: name for name in DIRECTIONS})  # type: ignore[misc]
DirectionOption = Annotated[
    DirectionChoice,
    typer.Option("--direction", help="Whether a bit tells which end of the walk is the first."),
]
FormChoice = StrEnum("FormChoice", {name: name for name in FORMS})  # type: ignore[misc]
FormOption = Annotated[
    FormChoice,
    typer.Option(
        "--form",
        help="packed: a bit for each pair. sketch: a bit or more for each link of --capacity.",
    ),
]
Capacity = Annotated[
    int | None,
    typer.Option(
        "--capacity",
        metavar="N",
        help="sketch: a public number of links that the network does not exceed.",
    ),
]
UniverseFile = Annotated[
    Path | None,
    typer.Option(
        "--universe",
        metavar="FILE",
        help="Public pairs that may be links; packed, only they have coins.",
    ),
]


def universe_read(file: Path | None) -> Universe | None:
    """Return the public pairs in a file, if one is given."""
    from pathveil.files.networks.network_reader import read_network
    from pathveil.model.universe import Universe

    return None if file is None else Universe.of(read_network(file, simplify=True))


GroupsFile = Annotated[
    Path | None,
    typer.Option("--groups", metavar="FILE", help="The public grouping, groups.json."),
]


EXACT, TOLD, PACKED = LayeringChoice("exact"), DirectionChoice("public"), FormChoice("packed")


def layering_named(choice: LayeringChoice) -> Layering:
    """Return the layering a choice stands for."""
    return next(name for name in LAYERINGS if name == choice.value)


def form_named(choice: FormChoice) -> Form:
    """Return the form a choice stands for."""
    return next(name for name in FORMS if name == choice.value)


def direction_named(choice: DirectionChoice) -> Direction:
    """Return the direction a choice stands for."""
    return next(name for name in DIRECTIONS if name == choice.value)
