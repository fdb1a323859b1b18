"""Commands of auditors and researchers: attack, audit, compare, reproduce, batch."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

import typer

from pathveil.apps.console import (
    audit_table,
    comparison_rows,
    console,
    frontier_picture,
    inference_table,
    print_json,
    progress_bar,
    warn_unsafe,
)
from pathveil.apps.options import (
    AsJson,
    Copies,
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


def register(app: typer.Typer) -> None:
    """Add the auditor's commands to the application."""
    app.command("attack", rich_help_panel="Auditor")(attack)
    app.command("audit", rich_help_panel="Auditor")(audit)
    app.command("compare", rich_help_panel="Researcher")(compare)


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
    from pathveil.experiments.release_audit import audit_release, claim
    from pathveil.formats import read_network, read_walk

    chosen = policy_from_options(
        policy,
        walk_loss=walk_loss,
        epsilon=epsilon,
        epsilon_vertex=epsilon_vertex,
        epsilon_edge=epsilon_edge,
        copies=copies,
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


def compare(
    *,
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="FOLDER", help="For table, picture and page.")
    ] = Path("comparison"),
    vertices: Annotated[int, typer.Option("--vertices", min=3, help="Of each random map.")] = 10,
    edges: Annotated[int, typer.Option("--edges", min=2, help="Of each random map.")] = 15,
    budgets: Annotated[
        str, typer.Option("--budgets", help="Budgets to try, with commas.")
    ] = "0.5,1,5,20",
    trials: Annotated[int, typer.Option("--trials", min=1, help="Games for each cell.")] = 1000,
    systems: Annotated[
        str | None,
        typer.Option("--systems", help="'all', or names with semicolons; the usual if not given."),
    ] = None,
    network: Annotated[
        Path | None,
        typer.Option("--network", metavar="NETWORK", help="Real coordinates instead of maps."),
    ] = None,
    visits: Annotated[
        int, typer.Option("--visits", min=3, help="With --network: length of the random paths.")
    ] = 10,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Of all maps and streams.")] = 0,
    workers: Workers = 2,
    scheduler: Scheduler = None,
    simplify: Simplify = False,
    largest_component: LargestComponent = False,
    as_json: AsJson = False,
) -> None:
    """Set the five prior systems and ours side by side under the attack of the paper's Figure 1."""
    from pathveil.experiments.comparison import SYSTEMS
    from pathveil.experiments.comparison_report import USUAL, write_comparison
    from pathveil.experiments.comparison_report import compare as compare_systems
    from pathveil.formats import read_network

    names = _chosen_systems(systems, tuple(SYSTEMS), USUAL)
    map_ = None
    if network is not None:
        map_ = read_network(network, simplify=simplify, largest_component=largest_component)
    with progress_bar("trials", quiet=as_json) as progress:
        comparison, rows = compare_systems(
            vertices=vertices,
            edges=edges,
            budgets=_numbers(budgets),
            trials=trials,
            systems=names,
            network=map_,
            visits=visits,
            seed=seed,
            workers=workers,
            scheduler=scheduler,
            progress=progress,
        )
    written = write_comparison(comparison, rows, output)
    if as_json:
        print_json(
            {
                "verdict": comparison.verdict,
                "files": [str(path) for path in written],
                "strongest": [
                    {k: None if v != v else v for k, v in record.items()}  # noqa: PLR0124 - NaN
                    for record in comparison.best
                ],
            }
        )
        return
    console.print(comparison_rows(comparison.best))
    console.print(comparison.verdict, markup=False)
    console.print(f"written: {', '.join(map(str, written))}", markup=False)


def _chosen_systems(
    wanted: str | None, known: tuple[str, ...], usual: tuple[str, ...]
) -> tuple[str, ...]:
    if wanted is None:
        return usual
    if wanted == "all":
        return known
    names = tuple(name.strip() for name in wanted.split(";"))
    for name in names:
        if name not in known:
            raise typer.BadParameter(f"--systems: {name!r} is none of {'; '.join(known)}")
    return names


def _numbers(text: str) -> list[float]:
    from pathveil.chance.policy import exact_number

    return [float(exact_number(part, what="a budget")) for part in text.split(",")]
