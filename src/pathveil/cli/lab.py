"""Commands of the researcher: reproduce the paper, compare the prior systems, audit a release."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pathveil.cli import options
from pathveil.cli.console import (
    SturdyTable,
    busy,
    console,
    print_json,
    progress_bar,
    show_lines,
    table,
)
from pathveil.cli.paths import claim_folder, open_network
from pathveil.cli.results import AuditResult, ComparisonResult, ReproductionResult, result
from pathveil.policies import Policy
from pathveil.wording import counted

if TYPE_CHECKING:
    from pathveil.checking.auditing import Audit

app = typer.Typer(
    help="Reproduce the paper, compare it with the prior systems, measure losses from outside.",
    no_args_is_help=True,
)


@app.command()
def reproduce(
    *,
    output: Annotated[
        Path,
        typer.Option("-o", "--output", metavar="FOLDER", help="Tables, figures, report, journals."),
    ] = Path("results"),
    figure: Annotated[
        list[str] | None,
        typer.Option("--figure", metavar="N", help="A figure's number or name; again for more."),
    ] = None,
    runs: Annotated[
        int, typer.Option("--runs", min=1, max=1_000_000, help="Runs of each cell.")
    ] = 1000,
    workers: options.Workers = 2,
    scheduler: options.Scheduler = None,
    force: options.Force = False,
    as_json: options.AsJson = False,
) -> None:
    """Reproduce the paper's evaluation: 122 sizes of maps, both engines, every claim judged.

    1000 runs take about three minutes on two idle cores, 20 runs about twenty seconds. Killed and
    started again it goes on where it was.
    """
    _claim_evaluation(output, force=force)
    from pathveil.batching.worker_pool import Crew
    from pathveil.lab.reproduction.evaluation import reproduce as reproduce_paper

    try:
        with progress_bar("parts of the runs", quiet=as_json) as progress:
            crew = Crew(workers, scheduler, progress=progress)
            report = reproduce_paper(output, runs=runs, figures=figure, crew=crew)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None
    if as_json:
        print_json(result(ReproductionResult, report))
        return
    # A verdict is on the paper's engine, so its numbers are beside it, not ours.
    rows = [(one.claim, one.found, one.verdict) for one in report.findings]
    heads = ("claim", "the paper's engine", "verdict")
    console.print(table("The paper's claims, and what was found", heads, rows))
    console.print(f"written to {output}: report.md, tables/, figures/", markup=False)


def _claim_evaluation(output: Path, *, force: bool) -> None:
    """Raise if a finished evaluation would be replaced; one that was stopped goes on."""
    from pathveil.lab.reproduction.figures import FIGURES

    claim_folder(
        output,
        [f"tables/{figure.name}.csv" for figure in FIGURES],
        last=["report.md"],
        journal="journals",
        force=force,
    )


@app.command()
def compare(
    *,
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="FOLDER", help="For table, picture and page.")
    ] = Path("comparison"),
    vertices: Annotated[
        int, typer.Option("--vertices", min=3, max=1000, help="Of each random map.")
    ] = 10,
    links: Annotated[
        int, typer.Option("--links", min=2, max=10**6, help="Of each random map.")
    ] = 15,
    budgets: Annotated[
        list[float],
        typer.Option("--budget", min=1e-6, max=1e6, help="A budget to try; may be repeated."),
    ] = [0.5, 1, 5, 20],  # noqa: B006 - Typer copies it
    trials: Annotated[
        int, typer.Option("--trials", min=1, max=1_000_000, help="Games for each cell.")
    ] = 1000,
    systems: Annotated[
        list[str] | None,
        typer.Option("--system", metavar="NAME", help="A prior system; may be repeated, or all."),
    ] = None,
    network: Annotated[
        Path | None,
        typer.Option("--network", metavar="NETWORK", help="Real coordinates instead of maps."),
    ] = None,
    reach: Annotated[
        float | None,
        typer.Option("--reach", help="With --network: public bound on a link, in metres."),
    ] = None,
    workers: options.Workers = 2,
    scheduler: options.Scheduler = None,
    force: options.Force = False,
    as_json: options.AsJson = False,
) -> None:
    """Set the five prior systems, the paper and ours side by side under the attack of Figure 1.

    1000 trials take about four minutes on two idle cores. Killed and started again with the same
    arguments it goes on where it was.
    """
    from pathveil.batching.worker_pool import Crew
    from pathveil.lab.comparison.comparison_run import FILES, Board, write_comparison
    from pathveil.lab.comparison.comparison_run import compare as compare_systems
    from pathveil.lab.comparison.systems import SYSTEMS

    claim_folder(
        output,
        FILES[:-1],
        last=FILES[-1:],
        journal="comparison.journal",
        inputs=[network],
        force=force,
    )

    for name in systems or ():
        if name not in SYSTEMS:
            raise typer.BadParameter(f"--system {name}: expected one of {', '.join(SYSTEMS)}")
    board = Board.random(vertices, links)
    if network is not None:
        board = Board.real(open_network(network), network.stem, reach=reach)
    with progress_bar("trials, by twenties", quiet=as_json) as progress:
        comparison = compare_systems(
            board,
            budgets=budgets,
            trials=trials,
            systems=systems or tuple(SYSTEMS),
            journal=output / "comparison.journal",
            crew=Crew(workers, scheduler, progress=progress),
        )
    written = write_comparison(comparison, output)
    if as_json:
        named = {"verdict": comparison.sentences, "strongest": comparison.best}
        print_json(result(ComparisonResult, files=written, **named))
        return
    console.print(_comparison_table(comparison.best))
    for sentence in comparison.sentences:
        console.print(sentence, markup=False)
    console.print(f"written: {', '.join(map(str, written))}", markup=False)


def _comparison_table(records: Sequence[Mapping[str, Any]]) -> SturdyTable:
    """Return the strongest attack on each system at each budget; the files hold all the rest."""
    from pathveil.lab.comparison.comparison_tables import share

    rows = [
        (
            r["system"],
            f"{r['budget']:g}",
            f"{r['success']:.2f} \\[{r['low']:.2f}, {r['high']:.2f}]",
            f"{r['control_success']:.2f}",
            share(r["recovered"]),
            f"[red]{r['verdict']}[/]" if r["verdict"] in {"leaks", "definitely"} else r["verdict"],
        )
        for r in records
    ]
    numbers = ("budget", "success", "control", "read")
    heads = ("system", *numbers, "verdict")
    return table("The strongest attack on each system", heads, rows, numbers=numbers)


@app.command()
def audit(
    network: options.NetworkFile,
    walk: options.WalkFile,
    *,
    lacking: options.Lacking = None,
    policy: options.PolicyText = None,
    samples: Annotated[
        int,
        typer.Option(
            "--samples",
            min=100,
            max=100_000_000,
            metavar="N",
            help="Confirming releases on each side.",
        ),
    ] = 20_000,
    direction: options.DirectionOption = "public",
    as_json: options.AsJson = False,
) -> None:
    """Measure the loss of real releases from outside, and compare it with what is claimed.

    It can refute a claim, not prove it. The default catches a release whose loss is 10 % above its
    certificate; rare chaff (rates below 1 in 100) takes --samples 100000 or more. At most one
    honest release in a thousand is called broken.

    Examples
    --------
    pathveil lab audit network.csv walk.txt --lacking CZ SK
    """
    if len(lacking or ()) != 2:
        given = counted(len(lacking or ()), "end")
        raise typer.BadParameter(f"{given} of a link; expected two: --lacking U V")
    from pathveil.checking.release_audit import (
        LinkRelease,
        audit_release,
        claim,
        releases_drawn,
    )
    from pathveil.files.walks import read_walk
    from pathveil.publishing.terms import ReleaseTerms

    known = open_network(network, before=walk)
    secret = read_walk(walk, network=known)
    u, v = sorted(lacking or ())
    chosen, drawn = policy or Policy.balanced(), releases_drawn(samples)
    with busy(f"drawing {drawn} releases", quiet=as_json):
        terms = ReleaseTerms.of(policy=chosen, direction=direction)
        audited = audit_release(LinkRelease(known, secret, terms, (u, v)), samples=samples)
    whose, _, _ = claim(chosen, on_walk=(u, v) in secret.links)
    if as_json:
        more = {"policy": chosen, "claim": whose, "drawn": drawn, "direction": direction}
        print_json(result(AuditResult, audited, **more))
    else:
        _show_audit(audited, whose=whose, drawn=drawn)
    if audited.verdict == "refuted":
        raise typer.Exit(1)


def _show_audit(audited: Audit, *, whose: str, drawn: int) -> None:
    """Print what an audit measured beside what is claimed; ``drawn`` is of both sides."""
    rows = []
    for name, loss in (("link is there", audited.forward), ("link is not", audited.backward)):
        if loss.claimed is None or loss.claimed == inf:
            said = f"nothing is claimed ({whose})"
        else:
            refuted = "REFUTED" if loss.refuted else "not refuted"
            said = f"{loss.claimed:.4f} is claimed ({whose}): {refuted}"
        rows.append((name, f"at least {loss.epsilon:.4f} is lost, {said}"))
    show_lines(rows)
    console.print(
        f"{drawn} releases were drawn, of which {audited.samples} on each side confirm; a bound "
        f"is wrong with probability at most {1 - audited.confidence:.2g}. An audit can "
        "refute a claim, never prove it.",
        markup=False,
    )
