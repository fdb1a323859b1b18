"""The command for many walks over one network: batch."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from math import exp
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pathveil.cli import options, paths
from pathveil.cli.console import print_json, progress_bar, say, say_aside, show_lines
from pathveil.cli.publish import (
    cover_words,
    outsider_words,
    reader_lines,
    readers_file,
    reading_lines,
    require_ledger_alone,
    require_public_series,
    seen_encrypted,
    write_reader_lines,
)
from pathveil.cli.results import BatchResult, result
from pathveil.errors import BadFile
from pathveil.model.publication import Publication, Verdict
from pathveil.policies import Policy
from pathveil.wording import counted

if TYPE_CHECKING:
    from pathveil.batching.batch_run import BatchReport, ParsedWalks
    from pathveil.ledger.entries import Delivery, Recorded
    from pathveil.model.network import Network
    from pathveil.publishing.terms import ReleaseTerms


def batch(
    network: options.NetworkFile,
    walks: Annotated[
        Path,
        options.argument(
            "WALKS",
            "The secret: a walk on each line, with commas or arrows; a table with a visit on each "
            "line and a column trip, patient or day; or a folder or workbook, with a walk in each "
            "file or sheet.",
        ),
    ],
    output: Annotated[Path, options.output("OUT", "A folder for the files, or *.jsonl.")],
    *,
    policy: options.PolicyText = None,
    to: options.Recipients = None,
    for_readers: options.ForReaders = False,
    codes: options.CodesFile = None,
    workers: options.Workers = 2,
    scheduler: options.Scheduler = None,
    force: options.Force = False,
    as_json: options.AsJson = False,
    after: options.AfterFiles = None,
    identity: options.Identity = None,
    groups: options.GroupsFile = None,
    ledger: options.LedgerOption = None,
    key: options.KeyFile = None,
    budget: options.Budget = None,
    direction: options.DirectionOption = "public",
) -> None:
    """Publish many walks over one network.

    The gate is asked first: if too little cover is left for all walks, nothing is released. Killed
    and started again, a batch goes on where it was.

    Examples
    --------
    pathveil batch network.csv walks.txt -o out --policy remembering:usage=0.15
    pathveil batch network.csv walks.txt -o out --groups groups.json
    """
    use = paths.LedgerUse.of(ledger, key=key, budget=budget)
    if use is not None:
        require_ledger_alone(after)
    _claim(
        output,
        [network, walks, codes, groups, *(after or []), *(use.files if use else [])],
        # A ledger gives back what is there and guards the rest; a journal goes on with its coins.
        force=force or use is not None or Path(f"{output}.journal").exists(),
    )
    if for_readers:
        if output.suffix:
            raise typer.BadParameter("--for-readers goes with a folder: give -o a folder's name")
        paths.claim_output(readers_file(output), inputs=[network, walks, codes], force=force)
    from pathveil.batching.batch_run import batch as publish_many
    from pathveil.batching.batch_run import batch_policy, walks_on
    from pathveil.batching.worker_pool import Crew
    from pathveil.ledger.entries import Delivery
    from pathveil.publishing.terms import ReleaseTerms

    table = paths.codes_read(codes)
    known = paths.open_network(network, before=walks, codes=table, tell=True)
    parsed = walks_on(walks, known, table)
    grouping = paths.grouping_read(groups)
    earlier = paths.load_publications(after, identity=identity)
    chosen = policy
    if chosen is None:
        chosen = batch_policy(known, parsed, grouping=grouping, earlier=earlier, encrypted=bool(to))
    terms = ReleaseTerms.of(policy=chosen, direction=direction, grouping=grouping)
    require_public_series(terms, earlier, sealed=bool(to or identity))
    recorded: Sequence[Recorded] = ()
    if use is not None:
        delivery = use.delivery(to or (), replacing=force)
        report, recorded, outsiders = _release_through(
            use, known, (parsed, output), terms, delivery
        )
    else:
        with progress_bar("walks written", quiet=as_json) as progress:
            report = publish_many(
                known,
                parsed,
                output,
                terms,
                Delivery(to or (), replacing=force),
                after=earlier,
                crew=Crew(workers, scheduler, progress=progress),
            )
        outsiders = "" if report.cover is None else outsider_words(report.cover, len(known.links))
    lines = None
    if for_readers and report.last is not None:
        first = _first_of(output)
        name, coded = first.relative_to(output.parent), table is not None
        sent = reader_lines(name, report.last, sealed=bool(to), coded=coded)
        lines = write_reader_lines(output, sent, replacing=force)
    if as_json:
        print_json(result(BatchResult, report, ledger=None if use is None else recorded))
    else:
        _tell_failures(report, walks, given_back=bool(recorded))
        _tell_verdict(report, outsiders, coded=table is not None, sealed=bool(to))
        if lines is not None:
            say(f"send also {lines}")
        if report.published and not (to or use):
            say(
                "Without a ledger only these walks and --after are counted; the same walks in "
                "another output are a second release."
            )
        if report.published and not (groups or output.suffix):
            first = _first_of(output)
            others = ["--ledger", "DB" if "://" in use.database else use.database] if use else []
            others = others or ["--after", str(output)]
            others += ["--codes", str(codes)] if codes else []
            command = ["pathveil", "inspect", str(first), str(network), *others]
            key_is_yours = "If a key of --to is yours: before" if to else "Before"
            command += ["--identity", "KEY"] if to else []
            say_aside(f"{key_is_yours} you send them, each: {shlex.join(command)}", typed=True)
    if report.failures:
        then = " after these, with --after" if report.published else ""
        raise BadFile(
            f"{walks}: {counted(len(report.failures), 'walk')} not published; correct those lines "
            f"in a file of their own and publish them{then}"
        )


def _first_of(output: Path) -> Path:
    """Return the first release in a folder."""
    return min(file for file in output.iterdir() if ".veil" in file.name)


def _release_through(
    use: paths.LedgerUse,
    network: Network,
    wanted: tuple[ParsedWalks, Path],
    terms: ReleaseTerms,
    delivery: Delivery,
) -> tuple[BatchReport, Sequence[Recorded], str]:
    """Return what became of the walks, each as the ledger recorded it, and the cover used now."""
    with paths.opened_ledger(use.database, use.key) as book:
        from pathveil.batching.batch_through_ledger import release_batch

        walks, output = wanted
        report, recorded = release_batch(book, network, walks, output, terms, delivery=delivery)
        life = book.past(network).life(encrypted=not delivery.public)
        outsiders = cover_words(life) if report.published else ""
    return report, recorded, outsiders


def _claim(output: Path, inputs: Sequence[Path | None], *, force: bool) -> None:
    """Raise unless releases may be written there; a batch that was stopped may go on."""
    if output == paths.STANDARD:
        raise typer.BadParameter(
            "-o -: a batch writes its releases and a certificate beside them; give -o a name"
        )
    paths.claim_output(
        output,
        inputs=inputs,
        force=force,
        why="releases handed out should not be replaced unnoticed",
        folder=True,
    )
    from pathveil.batching.batch_output import BESIDE

    for kind in (*BESIDE, "journal"):
        beside = output.with_name(f"{output.name}.{kind}")
        paths.require_no_input(beside, inputs)
        if beside.is_dir():
            raise BadFile(f"{beside}: is a folder, and a batch writes a file of that name; move it")


def _by_all(last: Publication, files: int) -> str:
    """Return how often a link that one walk uses is named by all files together."""
    from pathveil.planning.cover import Coins
    from pathveil.planning.gate import law_of
    from pathveil.planning.plan import lacking_one_link

    law = law_of(Policy.from_terms(last.policy))
    if last.grouped is not None or not isinstance(law, Coins) or law.at_most or law.copies > 1:
        return "all files together tell more: inspect each with the others"
    right, sure = lacking_one_link(exp(-law.on - (files - 1) * law.off))
    return f"by all {files} files {right} times in 100, certain in {sure}; more if on two walks"


def _tell_verdict(report: BatchReport, outsiders: str, *, coded: bool, sealed: bool) -> None:
    """Print what was released, who reads it and what others learn."""
    total = report.published + len(report.failures)
    said = f"{report.published} of {counted(total, 'walk')} to {report.output}"
    if report.resumed:
        said += f", {report.resumed} of them before"
    if report.certificate is not None:
        said += f"; certificate of all: {report.output}.certificate.json"
    last = report.last
    said += f"; outsiders {seen_encrypted(last)}" if sealed else ""
    rows = [("published", said)]
    if last is not None:
        more = " --groups GROUPS" if last.grouped is not None else ""
        alone = report.published > 1 and last.series is None
        words = Verdict.of(last, coded=coded, encrypted=sealed)
        rows += reading_lines(words, more, outsiders or None, sealed=sealed, alone=alone)
        if alone:
            rows.insert(-1, ("", _by_all(last, report.published)))
    show_lines(rows)


def _tell_failures(report: BatchReport, walks: Path, *, given_back: bool) -> None:
    """Print which lines failed and what to do, and which walks came twice."""
    said = [f"{walks}, {failure.message}" for failure in report.failures]
    lines = Path(f"{report.output}.lines.csv")
    which = [f"which walk each file is: {lines}"] if report.published and lines.exists() else []
    if report.failures:
        which.append(f"why: {report.output}.errors.csv")
    if which:
        said.append(f"for your eyes only: {'; '.join(which)}")
    became = "it was released again, and its links are charged again"
    if given_back:
        became = "the ledger gave its release back, and readers see that both are equal"
    from pathveil.batching.batch_run import MOST_NAMED

    if again := [f"{line} (of {first})" for line, first in report.repeated]:
        more = f" and {len(again) - MOST_NAMED} more" if len(again) > MOST_NAMED else ""
        numbers = ", ".join(again[:MOST_NAMED])
        said.append(f"{walks}, number {numbers}{more}: is an earlier walk once more; {became}")
    for line_said in said:
        say(line_said)
