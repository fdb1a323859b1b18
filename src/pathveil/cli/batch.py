"""The command for many walks over one network: batch."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pathveil.cli.bars import progress_bar
from pathveil.cli.console import console, facts, print_json
from pathveil.cli.custodian_notes import Notes, are_wanted, tell_cover
from pathveil.cli.ledger_options import (
    LedgerUse,
    ledger_files,
    may_use_ledger,
    tell_recorded,
)
from pathveil.cli.network_options import NetworkReader, reads_network
from pathveil.cli.options import (
    TOLD,
    AsJson,
    DirectionOption,
    GroupsFile,
    NetworkFile,
    Recipients,
    Scheduler,
    Workers,
    direction_named,
)
from pathveil.cli.outputs import STANDARD, Force, claim_output, require_no_input
from pathveil.cli.policy_options import PolicyText, policy_of
from pathveil.cli.results import batch_data
from pathveil.cli.series import AfterFiles, load_publications
from pathveil.policies import Policy
from pathveil.wording import counted

if TYPE_CHECKING:
    from pathveil.batching.batch_run import BatchReport
    from pathveil.ledger.entries import Recorded
    from pathveil.model.network import Network
    from pathveil.publishing.terms import ReleaseTerms


@may_use_ledger
@reads_network
def batch(
    network: NetworkFile,
    walks: Annotated[
        Path,
        typer.Argument(metavar="WALKS", help="One walk a line: commas, or a JSON list. Secret."),
    ],
    output: Annotated[
        Path,
        typer.Option("-o", "--output", metavar="OUT", help="A folder's name, or *.jsonl."),
    ],
    *,
    reader: NetworkReader,
    ledger: LedgerUse | None,
    policy: PolicyText = None,
    force: Force = False,
    direction: DirectionOption = TOLD,
    groups: GroupsFile = None,
    after: AfterFiles = None,
    workers: Workers = 2,
    scheduler: Scheduler = None,
    to: Recipients = None,
    notes: Notes = None,
    as_json: AsJson = False,
) -> None:
    """Publish many walks over one network; killed and started again it goes on where it was."""
    _claim(
        output,
        [network, walks, groups, *(after or []), *ledger_files(ledger)],
        # A ledger gives back what is there and guards the rest; a journal goes on with its coins.
        force=force or ledger is not None or Path(f"{output}.journal").exists(),
    )
    from pathveil import Grouping
    from pathveil.batching.batch_run import batch as publish_many
    from pathveil.files.envelopes import sealing
    from pathveil.publishing.terms import ReleaseTerms

    known = reader.network(network)
    grouping = None if groups is None else Grouping.load(groups)
    recorded: Sequence[Recorded] = ()
    if ledger is not None:
        chosen = _series_policy(known, walks) if policy is None else policy_of(policy)
        report, recorded = _release_through(
            ledger,
            known,
            walks,
            output,
            ReleaseTerms.of(
                policy=chosen,
                direction=direction_named(direction),
                grouping=grouping,
            ),
            recipients=to or (),
            replacing=force,
        )
    else:
        with progress_bar("walks drawn, then written", quiet=as_json) as progress:
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
    if as_json:
        print_json(batch_data(report, None if ledger is None else recorded))
    else:
        _tell_batch(report, recorded, walks)
        if are_wanted(notes):
            tell_cover(report.cover)
    if report.failures:
        raise typer.Exit(2)


def _series_policy(network: Network, walks: Path) -> Policy:
    """Raise with the policy to type for these walks."""
    from pathveil.batching.batch_run import needs_policy, read_walks
    from pathveil.planning.plan import usage_for

    lengths = [text.count(",") for _, text in read_walks(walks)]
    mean = max(1, round(sum(lengths) / len(lengths)))
    raise needs_policy(usage_for(mean, len(network.pairs)))


def _release_through(
    ledger: LedgerUse,
    network: Network,
    walks: Path,
    output: Path,
    terms: ReleaseTerms,
    *,
    recipients: Sequence[str],
    replacing: bool,
) -> tuple[BatchReport, Sequence[Recorded]]:
    """Return what became of the walks, and each as the ledger recorded and wrote it."""
    with ledger.opened() as book:
        from pathveil.batching.batch_through_ledger import release_batch

        return release_batch(
            book,
            network,
            walks,
            output,
            terms,
            fresh=ledger.fresh,
            budget=ledger.budget,
            recipients=recipients,
            accept_clock=ledger.accept_clock,
            replacing=replacing,
        )


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


def _tell_batch(report: BatchReport, recorded: Sequence[Recorded], walks: Path) -> None:
    """Print what became of a batch, and which lines of its file failed."""
    console.print(
        f"{counted(report.published, 'walk')} published to {report.output}"
        + (f", {report.resumed} of them before" if report.resumed else ""),
        markup=False,
    )
    if recorded:
        console.print(facts(tell_recorded(recorded)))
    if report.certificate is not None:
        file = f"{report.output}.certificate.json"
        console.print(f"one certificate for all: {file}", markup=False)
    for failure in report.failures:
        console.print(f"{walks}, {failure.message}", markup=False)
    if report.failures:
        console.print(f"for your eyes only: {_lists(report.output)}", markup=False)
        console.print(
            "correct those lines in a file of their own and publish them"
            + (" after these, with --after" if report.published else ""),
            markup=False,
        )
    for line, first in report.repeated:
        console.print(
            f"{walks}, line {line}: is the walk of line {first} once more; "
            + (
                "the ledger gave its release back"
                if recorded
                else "it was released again, and its links are charged again"
            ),
            markup=False,
        )


def _lists(output: Path) -> str:
    """Return which lists for the custodian lie beside a batch with failures."""
    lines = Path(f"{output}.lines.csv")  # not there where releases have the numbers of the lines
    more = f", and which line each release is of: {lines}" if lines.exists() else ""
    return f"why: {output}.errors.csv{more}"
