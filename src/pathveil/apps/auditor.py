"""Commands of auditors and researchers: attack, audit, compare, reproduce, batch."""

from __future__ import annotations

from typing import Annotated

import typer

from pathveil.apps.console import console, inference_table, print_json, warn_unsafe
from pathveil.apps.options import (
    AsJson,
    LargestComponent,
    NetworkFile,
    PublicationFile,
    Simplify,
)


def register(app: typer.Typer) -> None:
    """Add the auditor's commands to the application."""
    app.command("attack", rich_help_panel="Auditor")(attack)


def attack(
    file: PublicationFile,
    network: NetworkFile,
    ends: Annotated[
        list[str], typer.Argument(metavar="U V ...", help="Edges the adversary does not know.")
    ],
    *,
    _missing: Annotated[
        bool, typer.Option("--missing", help="Says that U V ... are the missing edges.")
    ] = True,
    spanning: Annotated[
        bool, typer.Option("--spanning", help="The adversary knows that the walk visits everything.")
    ] = False,
    simplify: Simplify = False,
    largest_component: LargestComponent = False,
    as_json: AsJson = False,
) -> None:
    """Show what is left to someone who knows the network but for some edges."""
    if len(ends) % 2:
        raise typer.BadParameter(f"{len(ends)} ends of edges; an edge has two: --missing U V ...")
    missing = list(zip(ends[::2], ends[1::2], strict=True))
    from pathveil import Knowledge, Publication
    from pathveil import attack as infer
    from pathveil.formats import read_network

    known = read_network(network, simplify=simplify, largest_component=largest_component)
    publication = Publication.load(file)
    found = infer(
        publication, Knowledge(known.without(*missing), missing=len(missing)), spanning=spanning
    )
    if as_json:
        print_json(
            {
                "candidates": [
                    {"candidate": label, "prior": prior, "posterior": posterior}
                    for label, prior, posterior in found.rows()
                ],
                "best_guess_right": {"with_release": found.success, "without": found.control},
                "odds": found.odds,
                "certified_odds": found.certified,
                "within_certificate": found.within_certificate,
                "method": found.method,
                "error": found.error,
            }
        )
    else:
        console.print(inference_table(found, truth=missing))
        warn_unsafe(publication)
    if found.within_certificate is False:
        raise typer.Exit(1)
