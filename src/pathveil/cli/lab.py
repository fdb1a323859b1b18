"""Commands of the researcher: compare with the prior systems, reproduce the paper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pathveil.cli.console import SturdyTable, console, print_json, progress_bar
from pathveil.cli.options import AsJson, Force, PlainCommand, PlainGroup, Scheduler, Workers
from pathveil.cli.paths import claim_folder, open_network
from pathveil.cli.results import ComparisonResult, ReproductionResult, result

if TYPE_CHECKING:
    from pathveil.lab.reproduction.evaluation import ReproductionReport

app = typer.Typer(
    cls=PlainGroup,
    help="Reproduce the paper, compare it with the prior systems, measure losses from outside.",
    no_args_is_help=True,
)


@app.command(cls=PlainCommand)
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
    workers: Workers = 2,
    scheduler: Scheduler = None,
    force: Force = False,
    as_json: AsJson = False,
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
    console.print(_findings_table(report))
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


def _findings_table(report: ReproductionReport) -> SturdyTable:
    # A verdict is on the paper's engine, so its numbers are beside it, not ours.
    table = SturdyTable(title="The paper's claims, and what was found", title_justify="left")
    for head in ("claim", "the paper's engine", "verdict"):
        table.add_column(head)
    for finding in report.findings:
        table.add_row(finding.claim, finding.found, finding.verdict)
    return table


@app.command(cls=PlainCommand)
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
        str, typer.Option("--budgets", help="Budgets to try, with commas.")
    ] = "0.5,1,5,20",
    trials: Annotated[
        int, typer.Option("--trials", min=1, max=1_000_000, help="Games for each cell.")
    ] = 1000,
    systems: Annotated[
        str | None,
        typer.Option("--systems", help="Prior systems by name, with semicolons; all if not given."),
    ] = None,
    network: Annotated[
        Path | None,
        typer.Option("--network", metavar="NETWORK", help="Real coordinates instead of maps."),
    ] = None,
    reach: Annotated[
        float | None,
        typer.Option("--reach", help="With --network: public bound on a link, in metres."),
    ] = None,
    workers: Workers = 2,
    scheduler: Scheduler = None,
    force: Force = False,
    as_json: AsJson = False,
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

    names = _chosen_systems(systems, tuple(SYSTEMS))
    board = Board.random(vertices, links)
    if network is not None:
        board = Board.real(open_network(network), network.stem, reach=reach)
    with progress_bar("trials, by twenties", quiet=as_json) as progress:
        comparison = compare_systems(
            board,
            budgets=_numbers(budgets),
            trials=trials,
            systems=names,
            journal=output / "comparison.journal",
            crew=Crew(workers, scheduler, progress=progress),
        )
    written = write_comparison(comparison, output)
    if as_json:
        named = {"verdict": comparison.sentences, "strongest": comparison.best}
        print_json(result(ComparisonResult, files=written, **named))
        return
    console.print(comparison_rows(comparison.best))
    for sentence in comparison.sentences:
        console.print(sentence, markup=False)
    console.print(f"written: {', '.join(map(str, written))}", markup=False)


def _chosen_systems(wanted: str | None, known: tuple[str, ...]) -> tuple[str, ...]:
    if wanted is None:
        return known
    names = tuple(name.strip() for name in wanted.split(";"))
    for name in names:
        if name not in known:
            raise typer.BadParameter(
                f"--systems: {name!r} is not known; give some of {'; '.join(known)}"
            )
    return names


def _numbers(text: str) -> list[float]:
    from pathveil.policies import exact_number

    return [float(exact_number(part, what="a budget")) for part in text.split(",")]


def comparison_rows(records: Sequence[Mapping[str, Any]]) -> SturdyTable:
    """Return the strongest attack on each system at each budget; the files hold all the rest."""
    from pathveil.lab.comparison.comparison_tables import share

    table = SturdyTable(title="The strongest attack on each system", title_justify="left")
    table.add_column("system", no_wrap=True)
    for head in ("budget", "success", "control", "read"):
        table.add_column(head, justify="right", no_wrap=head == "success")
    table.add_column("verdict", no_wrap=True)
    for r in records:
        leaks = r["verdict"] in {"leaks", "definitely"}
        table.add_row(
            r["system"],
            f"{r['budget']:g}",
            f"{r['success']:.2f} \\[{r['low']:.2f}, {r['high']:.2f}]",
            f"{r['control_success']:.2f}",
            share(r["recovered"]),
            f"[red]{r['verdict']}[/]" if leaks else r["verdict"],
        )
    return table
