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
    Copies,
    EdgeUses,
    Epsilon,
    EpsilonEdge,
    EpsilonVertex,
    LargestComponent,
    NetworkFile,
    PolicyChoice,
    PolicyOption,
    PublicationFile,
    Simplify,
    WalkFile,
    WalkLoss,
    policy_from_options,
)


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
    held = Knowledge(known.without(*missing), missing=len(missing))
    try:
        found = infer(publication, held, spanning=spanning)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None
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


def audit(
    network: NetworkFile,
    walk: WalkFile,
    ends: Annotated[
        list[str], typer.Argument(metavar="U V", help="The edge that one side does not know.")
    ],
    *,
    _missing: Annotated[bool, typer.Option("--missing", help="Says that U V is that edge.")] = True,
    policy: PolicyOption = PolicyChoice.balanced,
    walk_loss: WalkLoss = None,
    epsilon: Epsilon = None,
    epsilon_vertex: EpsilonVertex = None,
    epsilon_edge: EpsilonEdge = None,
    copies: Copies = 1,
    edge_uses: EdgeUses = None,
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

    chosen = policy_from_options(
        policy,
        walk_loss=walk_loss,
        epsilon=epsilon,
        epsilon_vertex=epsilon_vertex,
        epsilon_edge=epsilon_edge,
        copies=copies,
        edge_uses=edge_uses,
    )
    known = read_network(network, simplify=simplify, largest_component=largest_component)
    secret = read_walk(walk, network=known)
    u, v = sorted(ends)
    with nullcontext() if as_json else console.status(f"drawing {3 * samples} releases"):
        found = audit_release(
            known, secret, policy=chosen, edge=(u, v), samples=samples, confidence=confidence
        )
    whose, presence, absence = claim(chosen, on_walk=(u, v) in secret.edges)
    if as_json:
        print_json(
            {
                "policy": str(chosen.terms()),
                "claim": whose,
                "claimed": {"presence": str(presence), "absence": str(absence)},
                "measured_at_least": {
                    "presence": str(found.forward.epsilon),
                    "absence": str(found.backward.epsilon),
                },
                "samples": samples,
                "confidence": confidence,
                "verdict": found.verdict,
            }
        )
    else:
        console.print(audit_table(found, whose=whose))
        console.print(frontier_picture(chosen), markup=False)
    if found.verdict == "refuted":
        raise typer.Exit(1)
