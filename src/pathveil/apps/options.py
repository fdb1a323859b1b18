"""Arguments and options that several commands share: one name, one meaning, one help text."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

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
