"""Commands of the researcher: reproduce the paper, compare the prior systems, audit a release."""

from __future__ import annotations

from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pathveil.cli import options, paths
from pathveil.cli.console import busy, console, print_json, progress_bar, say, show_lines, table
from pathveil.cli.results import AuditResult, ComparisonResult, ReproductionResult, result
from pathveil.policies import Policy
from pathveil.wording import counted

if TYPE_CHECKING:
    from pathveil.checking.auditing import Audit

app = typer.Typer(
    name="lab",
    help="Reproduce the paper, compare it with the prior systems, measure losses from outside.",
)


@app.command()
def reproduce(
    *,
    output: Annotated[Path, options.output("FOLDER", "Tables, figures, report, journals.")] = Path(
        "results"
    ),
    figure: Annotated[
        list[str] | None,
        options.option("--figure", "N", "A figure's number or name; again for more."),
    ] = None,
    runs: Annotated[
        int, options.option("--runs", None, "Runs of each cell.", min=1, max=1_000_000)
    ] = 1000,
    workers: options.Workers = 2,
    scheduler: options.Scheduler = None,
    force: options.Force = False,
    as_json: options.AsJson = False,
) -> None:
    """Reproduce the paper's evaluation: 122 sizes of maps, both engines, every claim judged.

    1000 runs take about two minutes on two idle cores, 20 runs about twenty seconds. Killed and
    started again it goes on where it was.
    """
    from pathveil.batching.worker_pool import Crew
    from pathveil.lab.reproduction.evaluation import reproduce as reproduce_paper
    from pathveil.lab.reproduction.figures import FIGURES
    from pathveil.lab.svg_figures import require_matplotlib

    tables = [f"tables/{one.name}.csv" for one in FIGURES]
    paths.claim_folder(output, [*tables, "report.md"], journal="journals", force=force)
    require_matplotlib()
    try:
        with progress_bar("parts of the runs", quiet=as_json) as progress:
            crew = Crew(workers, scheduler, progress=progress)
            report = reproduce_paper(output, runs=runs, figures=figure, crew=crew, replacing=force)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None
    if as_json:
        print_json(result(ReproductionResult, report))
        return
    # A verdict is on the paper's engine, so its numbers are beside it, not ours.
    rows = [(one.claim, one.found, one.verdict) for one in report.findings]
    heads = ("claim", "the paper's engine", "verdict")
    console.print(table("The paper's claims, and what was found", heads, rows))
    say(f"written to {output}: report.md, tables/, figures/")


@app.command()
def compare(
    *,
    output: Annotated[Path, options.output("FOLDER", "For table, picture and page.")] = Path(
        "comparison"
    ),
    budgets: Annotated[
        list[float],
        options.option("--budget", None, "A budget to try; may be repeated.", min=1e-6, max=1e6),
    ] = [0.5, 1, 5, 20],  # noqa: B006 - Typer copies it
    trials: Annotated[
        int, options.option("--trials", None, "Games for each cell.", min=1, max=1_000_000)
    ] = 1000,
    systems: Annotated[
        list[str] | None,
        options.option("--system", "NAME", "A prior system; may be repeated, or all."),
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
    from pathveil.lab.svg_figures import require_matplotlib

    paths.claim_folder(output, FILES, journal="comparison.journal", force=force)
    require_matplotlib()
    for name in systems or ():
        if name not in SYSTEMS:
            raise typer.BadParameter(f"--system {name}: expected one of {'; '.join(SYSTEMS)}")
    with progress_bar("trials, by twenties", quiet=as_json) as progress:
        comparison = compare_systems(
            Board.random(),
            budgets=budgets,
            trials=trials,
            systems=systems or tuple(SYSTEMS),
            journal=output / "comparison.journal",
            crew=Crew(workers, scheduler, progress=progress),
        )
    written = write_comparison(comparison, output, replacing=force)
    if as_json:
        named = {"verdict": comparison.sentences, "strongest": comparison.best}
        print_json(result(ComparisonResult, files=written, **named))
        return
    for sentence in comparison.sentences:
        say(sentence)
    say(f"written: {', '.join(map(str, written))}")


@app.command()
def audit(
    network: options.NetworkFile,
    walk: options.WalkFile,
    *,
    lacking: options.Lacking = None,
    policy: options.PolicyText = None,
    samples: Annotated[
        int,
        options.option(
            "--samples", "N", "Confirming releases on each side.", min=100, max=100_000_000
        ),
    ] = 6_000,
    direction: options.DirectionOption = "public",
    as_json: options.AsJson = False,
) -> None:
    """Measure the loss of real releases from outside, and compare it with what is claimed.

    It can refute a claim, not prove it. The default draws 21,600 releases, some seconds on a small
    network, and caught 200 of 200 whose loss was 20 % above their certificate. --samples 20000
    caught 200 of 200 at 10 %. Where chaff is rare (rates below 1 in 100) it misses many: give
    more. At most one honest release in a thousand is called broken.

    Examples
    --------
    pathveil lab audit network.csv walk.txt --lacking CZ SK
    """
    if len(lacking or ()) != 2:
        given = counted(len(lacking or ()), "end")
        raise typer.BadParameter(f"{given} of a link; expected two: --lacking U V")
    from pathveil.checking.release_audit import LinkRelease, audit_release, claim, releases_drawn
    from pathveil.files.walks import read_walk
    from pathveil.publishing.terms import ReleaseTerms

    known = paths.open_network(network, before=walk)
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
    say(
        f"{drawn} releases were drawn, of which {audited.samples} on each side confirm; a bound "
        f"is wrong with probability at most {1 - audited.confidence:.2g}. An audit can "
        "refute a claim, never prove it."
    )
