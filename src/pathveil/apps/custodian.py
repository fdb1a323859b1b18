"""Commands of the custodian, who holds the walk: publish, batch and verify."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pathveil.apps.console import (
    certificate_json,
    console,
    facts,
    print_certificate,
    print_json,
    progress_bar,
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
    Scheduler,
    Simplify,
    WalkFile,
    WalkLoss,
    Workers,
    policy_from_options,
)
from pathveil.formats.pictures.labelling import counted

if TYPE_CHECKING:
    from pathveil.chance.losses import EdgeLoss


class LayeringChoice(StrEnum):
    """The engines by name."""

    exact = "exact"
    backtracking = "backtracking"


def publish(
    network: NetworkFile,
    walk: WalkFile,
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="FILE", help="Where to write *.veil.json.")
    ],
    *,
    policy: PolicyOption = PolicyChoice.balanced,
    walk_loss: WalkLoss = None,
    epsilon: Epsilon = None,
    epsilon_vertex: EpsilonVertex = None,
    epsilon_edge: EpsilonEdge = None,
    copies: Copies = 1,
    edge_uses: EdgeUses = None,
    layering: Annotated[
        LayeringChoice, typer.Option("--layering", help="Which engine draws the layers.")
    ] = LayeringChoice.exact,
    universe: Annotated[
        Path | None,
        typer.Option("--universe", metavar="FILE", help="Public pairs chaff is drawn from."),
    ] = None,
    seed: Annotated[
        str | None,
        typer.Option("--seed", metavar="N", help="Repeatable coins, for tests; needs --unsafe."),
    ] = None,
    unsafe: Annotated[
        bool,
        typer.Option("--unsafe", help="Yes, publish with a seed although it protects nothing."),
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace an existing file.")] = False,
    simplify: Simplify = False,
    largest_component: LargestComponent = False,
    as_json: AsJson = False,
) -> None:
    """Publish a walk: who knows the network reads it back, others see chaff."""
    if (seed is None) == unsafe:
        raise typer.BadParameter("--seed and --unsafe go together: a seeded release is not private")
    if output.exists() and not force:
        raise typer.BadParameter(
            f"{output} exists; a release handed out should not be replaced unnoticed: choose "
            "another name, or say --force"
        )
    chosen = policy_from_options(
        policy,
        walk_loss=walk_loss,
        epsilon=epsilon,
        epsilon_vertex=epsilon_vertex,
        epsilon_edge=epsilon_edge,
        copies=copies,
        edge_uses=edge_uses,
    )
    from pathveil import Seeded
    from pathveil import publish as publish_walk
    from pathveil.chance.losses import custodian_losses
    from pathveil.formats import read_network, read_walk

    known = read_network(network, simplify=simplify, largest_component=largest_component)
    pairs = None
    if universe is not None:
        pairs = read_network(universe, simplify=True)
    secret = read_walk(walk, network=known)
    with nullcontext() if as_json else console.status("drawing coins and layers"):
        publication = publish_walk(
            known,
            secret,
            policy=chosen,
            layering=layering.value,
            source=None if seed is None else Seeded(seed),
            universe=pairs,
        )
    publication.save(output)
    if as_json:
        print_json(
            {
                "file": str(output),
                "policy": str(publication.policy),
                "certificate": certificate_json(publication.certificate),
                "pieces": len(publication.layered.position_of),
                "unsafe": publication.unsafe,
            }
        )
        return
    console.print(
        facts(
            [
                ("written", str(output)),
                ("policy", str(publication.policy)),
                ("layered graph", repr(publication.layered)[1:-1].partition(": ")[2]),
            ]
        )
    )
    print_certificate(publication.certificate)
    _tell_custodian(custodian_losses(known, secret, chosen, publication.positions))
    warn_unsafe(publication)


def _tell_custodian(losses: Sequence[EdgeLoss]) -> None:
    """Print what the walk itself decides; it is in no file and no JSON, which may be passed on."""
    dearest = max((loss for loss in losses if loss.uses), key=lambda loss: float(loss.presence))
    u, v = dearest.edge
    first, second = dearest.copies
    console.print(
        f"For your eyes only: the dearest walk edge here is {u} - {v}, used "
        f"{counted(dearest.uses, 'time')}, with {first} x {second} copies: {dearest.presence}",
        markup=False,
    )


def batch(
    network: NetworkFile,
    walks: Annotated[
        Path,
        typer.Argument(metavar="WALKS", help="One walk a line: commas, or a JSON list. Secret."),
    ],
    output: Annotated[
        Path,
        typer.Option(
            "-o", "--output", metavar="OUT", help="*.jsonl, *.csv, *.parquet, or a folder's name."
        ),
    ],
    *,
    policy: PolicyOption = PolicyChoice.balanced,
    walk_loss: WalkLoss = None,
    epsilon: Epsilon = None,
    epsilon_vertex: EpsilonVertex = None,
    epsilon_edge: EpsilonEdge = None,
    copies: Copies = 1,
    edge_uses: EdgeUses = None,
    workers: Workers = 2,
    scheduler: Scheduler = None,
    simplify: Simplify = False,
    largest_component: LargestComponent = False,
    as_json: AsJson = False,
) -> None:
    """Publish many walks over one network; killed and started again it goes on where it was."""
    from pathveil.batching import batch as publish_many
    from pathveil.formats import read_network

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
    with progress_bar("walks", quiet=as_json) as progress:
        report = publish_many(
            known,
            walks,
            output,
            policy=chosen,
            workers=workers,
            scheduler=scheduler,
            progress=progress,
        )
    if as_json:
        print_json(
            {
                "output": str(report.output),
                "published": report.published,
                "resumed": report.resumed,
                "failures": [{"line": f.line, "error": f.message} for f in report.failures],
            }
        )
    else:
        console.print(
            f"{report.published} walks published to {report.output}"
            + (f", {report.resumed} of them before" if report.resumed else ""),
            markup=False,
        )
        for failure in report.failures:
            console.print(f"{walks}, {failure.message}", markup=False)
    if report.failures:
        raise typer.Exit(2)


def verify(
    file: PublicationFile,
    network: Annotated[Path | None, typer.Argument(metavar="[NETWORK]")] = None,
    walk: Annotated[Path | None, typer.Argument(metavar="[WALK]")] = None,
    *,
    simplify: Simplify = False,
    largest_component: LargestComponent = False,
    as_json: AsJson = False,
) -> None:
    """Check a publication against itself; with NETWORK and WALK, that it says that walk."""
    if (network is None) != (walk is None):
        raise typer.BadParameter("give NETWORK and WALK together, or neither")
    from pathveil import Publication
    from pathveil.formats import read_network, read_walk
    from pathveil.verifying import verify_publication

    publication = Publication.load(file)
    known = secret = None
    if network is not None and walk is not None:
        known = read_network(network, simplify=simplify, largest_component=largest_component)
        secret = read_walk(walk, network=known)
    findings = verify_publication(publication, known, secret)
    holds = all(finding.holds for finding in findings)
    if as_json:
        print_json(
            {
                "holds": holds,
                "findings": [
                    {"claim": f.claim, "holds": f.holds, "detail": f.detail} for f in findings
                ],
            }
        )
    else:
        for finding in findings:
            mark = "[green]holds[/]" if finding.holds else "[bold red]fails[/]"
            detail = f" [dim]{finding.detail}[/]" if finding.detail else ""
            console.print(f"{mark}  {finding.claim}{detail}")
        warn_unsafe(publication)
    if not holds:
        raise typer.Exit(1)
