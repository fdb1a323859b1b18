"""The command for many walks over one network: batch."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pathveil.cli.bars import progress_bar
from pathveil.cli.console import console, print_json
from pathveil.cli.ledger_options import (
    AcceptClock,
    Budget,
    Fresh,
    KeyFile,
    LedgerOption,
    LedgerUse,
    opened_ledger,
)
from pathveil.cli.network_options import open_network
from pathveil.cli.options import (
    PUBLIC,
    AsJson,
    DirectionOption,
    ForReaders,
    GroupsFile,
    NetworkFile,
    PolicyText,
    Recipients,
    Scheduler,
    Workers,
    direction_named,
    grouping_read,
    policy_of,
)
from pathveil.cli.outputs import STANDARD, Force, claim_output, require_no_input
from pathveil.cli.release_shown import cover_words, write_reader_lines
from pathveil.cli.results import batch_data
from pathveil.cli.series import AfterFiles, load_publications
from pathveil.wording import counted

if TYPE_CHECKING:
    from pathveil.batching.batch_run import BatchReport
    from pathveil.errors import BadBudget
    from pathveil.ledger.entries import Recorded
    from pathveil.model.network import Network
    from pathveil.publishing.terms import ReleaseTerms


def batch(
    network: NetworkFile,
    walks: Annotated[
        Path,
        typer.Argument(
            metavar="WALKS", help="The secret: a walk on each line, with commas, or a JSON list."
        ),
    ],
    output: Annotated[
        Path,
        typer.Option("-o", "--output", metavar="OUT", help="A folder for the files, or *.jsonl."),
    ],
    *,
    policy: PolicyText = None,
    to: Recipients = None,
    for_readers: ForReaders = False,
    workers: Workers = 2,
    scheduler: Scheduler = None,
    force: Force = False,
    as_json: AsJson = False,
    after: AfterFiles = None,
    groups: GroupsFile = None,
    ledger: LedgerOption = None,
    key: KeyFile = None,
    budget: Budget = None,
    fresh: Fresh = False,
    accept_clock: AcceptClock = False,
    direction: DirectionOption = PUBLIC,
) -> None:
    """Publish many walks over one network.

    The gate is asked first: if too little cover is left for all walks, nothing is released. Killed
    and started again, a batch goes on where it was.
    """
    use = LedgerUse.of(ledger, key=key, budget=budget, fresh=fresh, accept_clock=accept_clock)
    _claim(
        output,
        [network, walks, groups, *(after or []), *(use.files if use else [])],
        # A ledger gives back what is there and guards the rest; a journal goes on with its coins.
        force=force or use is not None or Path(f"{output}.journal").exists(),
    )
    from pathveil.batching.batch_run import batch as publish_many
    from pathveil.files.envelopes import sealing
    from pathveil.publishing.terms import ReleaseTerms

    known = open_network(network)
    grouping = grouping_read(groups)
    recorded: Sequence[Recorded] = ()
    if use is not None:
        if policy is None and grouping is None:
            raise _needs_policy(known, walks)
        terms = ReleaseTerms.of(
            policy=policy_of(policy), direction=direction_named(direction), grouping=grouping
        )
        report, recorded, outsiders = _release_through(
            use, known, (walks, output), terms, to or (), replacing=force
        )
    else:
        with progress_bar("walks written", quiet=as_json) as progress:
            report = publish_many(
                known,
                walks,
                output,
                policy=policy_of(policy),
                grouping=grouping,
                direction=direction_named(direction),
                after=load_publications(after),
                force=force,
                workers=workers,
                scheduler=scheduler,
                progress=progress,
                wrap=sealing(to) if to else None,
            )
        outsiders = "" if report.cover is None else f"{report.cover.sentence}"
    lines = None
    if for_readers and report.published:
        lines = write_reader_lines(output, sealed=bool(to), grouped=grouping is not None)
    if as_json:
        print_json(batch_data(report, None if use is None else recorded))
    else:
        _tell_failures(report, walks, given_back=bool(recorded))
        outsiders = "get nothing: the files are encrypted" if to else outsiders
        _tell_verdict(report, outsiders, counted_all=bool(to) or use is not None)
        if lines is not None:
            console.print(f"send also {lines}", markup=False)
    if report.failures:
        raise typer.Exit(2)


def _needs_policy(network: Network, walks: Path) -> BadBudget:
    """Return the error that names the policy to type for these walks."""
    from pathveil.batching.batch_run import needs_policy, read_walks
    from pathveil.planning.capacity import usage_for

    lengths = [text.count(",") for _, text in read_walks(walks)]
    mean = max(1, round(sum(lengths) / len(lengths)))
    return needs_policy(usage_for(mean, len(network.pairs)))


def _release_through(
    use: LedgerUse,
    network: Network,
    paths: tuple[Path, Path],
    terms: ReleaseTerms,
    recipients: Sequence[str],
    *,
    replacing: bool,
) -> tuple[BatchReport, Sequence[Recorded], str]:
    """Return what became of the walks, each as the ledger recorded it, and the cover used now."""
    with opened_ledger(use.database, use.key) as book:
        from pathveil.batching.batch_through_ledger import release_batch

        walks, output = paths
        report, recorded = release_batch(
            book,
            network,
            walks,
            output,
            terms,
            recipients=recipients,
            replacing=replacing,
            **use.ways,
        )
        counts = report.published and not recipients
        outsiders = cover_words(book.past(network).life()) if counts else ""
    return report, recorded, outsiders


def _claim(output: Path, inputs: Sequence[Path | None], *, force: bool) -> None:
    """Raise unless releases may be written there; a batch that was stopped may go on."""
    if output == STANDARD:
        raise typer.BadParameter(
            "-o -: a batch writes its releases and a certificate beside them; give -o a name"
        )
    claim_output(
        output,
        inputs=inputs,
        force=force,
        why="releases handed out should not be replaced unnoticed",
        folder=True,
    )
    from pathveil.batching.batch_output import BESIDE

    for kind in (*BESIDE, "journal", "journal.key"):
        require_no_input(output.with_name(f"{output.name}.{kind}"), inputs)
    if output.is_dir() and not force:
        there = next(iter(sorted(output.glob("*.veil.json*"))), None)
        if there is not None:
            raise typer.BadParameter(
                f"{there} exists; releases handed out should not be replaced unnoticed: choose "
                "another folder, or say --force to replace them"
            )


def _tell_verdict(report: BatchReport, outsiders: str, *, counted_all: bool) -> None:
    """Print what was released, and what outsiders get."""
    total = report.published + len(report.failures)
    said = f"{report.published} of {counted(total, 'walk')} published to {report.output}"
    if report.resumed:
        said += f", {report.resumed} of them before"
    console.print(said, markup=False)
    if report.certificate is not None:
        console.print(f"certificate of all: {report.output}.certificate.json", markup=False)
    if outsiders:
        console.print(f"outsiders: {outsiders}", markup=False)
    if not counted_all:
        console.print(
            "without a ledger only these walks and --after are counted; the same walks in another "
            "output are a second release",
            markup=False,
        )


def _tell_failures(report: BatchReport, walks: Path, *, given_back: bool) -> None:
    """Print which lines failed and what to do, and which walks came twice."""
    for failure in report.failures:
        console.print(f"{walks}, {failure.message}", markup=False)
    if report.failures:
        lines = Path(f"{report.output}.lines.csv")
        more = f"; which line each release is of: {lines}" if lines.exists() else ""
        console.print(f"for your eyes only: why: {report.output}.errors.csv{more}", markup=False)
        after = " after these, with --after" if report.published else ""
        console.print(
            f"correct those lines in a file of their own and publish them{after}", markup=False
        )
    for line, first in report.repeated:
        said = (
            "the ledger gave its release back"
            if given_back
            else "it was released again, and its links are charged again"
        )
        console.print(
            f"{walks}, line {line}: is the walk of line {first} once more; {said}", markup=False
        )
