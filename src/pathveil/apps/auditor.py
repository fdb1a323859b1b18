"""Commands of the auditor, who trusts nobody: attack and audit."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Annotated

import typer

from pathveil.apps.console import (
    audit_table,
    console,
    frontier_picture,
    inference_table,
    print_json,
    warn_unsafe,
)
from pathveil.apps.options import (
    AsJson,
    GroupsFile,
    LargestComponent,
    NetworkFile,
    PublicationFile,
    Simplify,
    UniverseFile,
    WalkFile,
)
from pathveil.apps.policy_options import takes_policy
from pathveil.apps.results import audit_data, inference_data
from pathveil.chance.policy import Policy


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
        bool,
        typer.Option("--spanning", help="The adversary knows that the walk visits everything."),
    ] = False,
    universe: UniverseFile = None,
    groups: GroupsFile = None,
    simplify: Simplify = False,
    largest_component: LargestComponent = False,
    as_json: AsJson = False,
) -> None:
    """Show what is left to someone who knows the network but for some edges."""
    if len(ends) % 2:
        raise typer.BadParameter(f"{len(ends)} ends of edges; an edge has two: --missing U V ...")
    missing = list(zip(ends[::2], ends[1::2], strict=True))
    from pathveil import Grouping, Knowledge, Publication
    from pathveil import attack as infer
    from pathveil.formats import read_network

    known = read_network(network, simplify=simplify, largest_component=largest_component)
    grouping = None if groups is None else Grouping.load(groups)
    publication = Publication.load(file).over(grouping)
    held = Knowledge(known.without(*missing), missing=len(missing))
    try:
        pairs = None if universe is None else read_network(universe, simplify=True)
        found = infer(publication, held, spanning=spanning, universe=pairs)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None
    if as_json:
        print_json(inference_data(found))
    else:
        console.print(inference_table(found, truth=missing))
        warn_unsafe(publication)
    if found.within_certificate is False:
        raise typer.Exit(1)


@takes_policy
def audit(
    network: NetworkFile,
    walk: WalkFile,
    ends: Annotated[
        list[str], typer.Argument(metavar="U V", help="The edge that one side does not know.")
    ],
    *,
    _missing: Annotated[bool, typer.Option("--missing", help="Says that U V is that edge.")] = True,
    policy: Policy,
    samples: Annotated[
        int, typer.Option("--samples", min=100, help="Confirming releases on each side.")
    ] = 20_000,
    confidence: Annotated[
        float, typer.Option("--confidence", min=0.5, max=0.999999, help="That no bound is wrong.")
    ] = 0.999,
    simplify: Simplify = False,
    largest_component: LargestComponent = False,
    as_json: AsJson = False,
) -> None:
    """Measure the loss of real releases from outside, against what is claimed of them."""
    if len(ends) != 2:
        raise typer.BadParameter(f"{len(ends)} ends of an edge; expected two: --missing U V")
    from pathveil.formats import read_network, read_walk
    from pathveil.release_audit import audit_release, claim

    known = read_network(network, simplify=simplify, largest_component=largest_component)
    secret = read_walk(walk, network=known)
    u, v = sorted(ends)
    with nullcontext() if as_json else console.status(f"drawing {3 * samples} releases"):
        found = audit_release(
            known, secret, policy=policy, edge=(u, v), samples=samples, confidence=confidence
        )
    whose, presence, absence = claim(policy, on_walk=(u, v) in secret.edges)
    if as_json:
        terms = str(policy.terms())
        print_json(audit_data(found, policy=terms, whose=whose, claimed=(presence, absence)))
    else:
        console.print(audit_table(found, whose=whose))
        console.print(frontier_picture(policy), markup=False)
    if found.verdict == "refuted":
        raise typer.Exit(1)
