"""Arguments and options that several commands share: one name, one meaning, one help text."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from pathveil.model.publication import DIRECTIONS, LAYERINGS, Direction, Layering

NetworkFile = Annotated[
    Path,
    typer.Argument(
        metavar="NETWORK",
        help="Edge list (CSV, TSV), GraphML, GEXF, GML or node-link JSON.",
    ),
]
WalkFile = Annotated[
    Path, typer.Argument(metavar="WALK", help="One vertex a line, CSV, or a JSON list. Secret.")
]
PublicationFile = Annotated[
    Path, typer.Argument(metavar="FILE", help="A publication, *.veil.json.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON, nothing else.")]
Simplify = Annotated[
    bool,
    typer.Option(
        "--simplify", help="Merge parallel edges and both arcs of a street, drop self-loops."
    ),
]
LargestComponent = Annotated[
    bool,
    typer.Option("--largest-component", help="Keep the largest component of a torn network."),
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
UniverseFile = Annotated[
    Path | None,
    typer.Option(
        "--universe", metavar="FILE", help="Public pairs that may be links; only they have coins."
    ),
]


GroupsFile = Annotated[
    Path | None,
    typer.Option("--groups", metavar="FILE", help="The public grouping, groups.json."),
]


EXACT, TOLD = LayeringChoice("exact"), DirectionChoice("told")


def layering_named(choice: LayeringChoice) -> Layering:
    """Return the layering a choice stands for."""
    return next(name for name in LAYERINGS if name == choice.value)


def direction_named(choice: DirectionChoice) -> Direction:
    """Return the direction a choice stands for."""
    return next(name for name in DIRECTIONS if name == choice.value)
