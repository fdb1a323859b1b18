"""batch(): many walks over one network, drawn as one series, tried at the gate, then handed out.

Three steps. *Drawing*: walk after walk, each after all those before it, and recorded in a journal
beside the output (:mod:`pathveil.batch_draws`). *The gate*: what would an outsider read who has all
these files and nothing else (:mod:`pathveil.gate`)? Too much: nothing is handed out, and the
journal keeps the coins, so that nobody throws them again until the gate opens. *Laying out*: layers
are a function of the bits, so they are drawn by a pool or a Dask cluster, and written as they come.
A pool does not wait for the gate to draw layers; what it has drawn is written when the gate is
open, or forgotten.

A walk that cannot be published is reported with its line and does not stop the rest. Why it could
not names vertices and is for the custodian: it goes to a file of its own, never into the output.

*Privacy*: one certificate for all of them, beside the output; each file carries that of its place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from pathlib import Path
from typing import TypeVar

from pathveil.batch_draws import BatchDraws, BatchTerms
from pathveil.batch_journal import BatchJournal, DrawnLine
from pathveil.batch_layout import lay_out, suited_chunk
from pathveil.batch_lines import lines_of, repeated_lines, walk_on
from pathveil.batch_output import (
    Wrap,
    clear_left_over,
    require_drawn,
    require_form,
    require_room_beside,
    require_unreleased,
    write_certificate,
    write_custodians_lists,
    write_rows,
)
from pathveil.batch_report import BatchReport
from pathveil.chance.history import History
from pathveil.chance.policy import Policy
from pathveil.gate_report import Effort, GateReport, Limits
from pathveil.gatekeeper import refusal
from pathveil.model.engines import Layering
from pathveil.model.grouping import Grouping
from pathveil.model.network import Network
from pathveil.model.publication import Direction, Publication
from pathveil.model.universe import Pairs, Universe
from pathveil.model.walk import Walk
from pathveil.runners import Progress
from pathveil.terms import ReleaseTerms

T = TypeVar("T")


def batch(
    network: Network,
    walks: str | Path | Iterable[Walk | Iterable[str]],
    output: str | Path,
    *,
    policy: Policy | None = None,
    grouping: Grouping | None = None,
    after: Iterable[Publication] = (),
    independent: bool = False,
    accept_outsider: bool = False,
    force: bool = False,
    layering: Layering = "exact",
    direction: Direction = "told",
    universe: Universe | Pairs | None = None,
    seed: int | str | None = None,
    workers: int = 2,
    scheduler: str | None = None,
    progress: Progress | None = None,
    tell: Callable[[str], None] | None = None,
    chunk: int | None = None,
    wrap: Wrap | None = None,
    limits: Limits | None = None,
    effort: Effort | None = None,
) -> BatchReport:
    """Return what became of many walks over one network; the releases are in the output.

    Parameters
    ----------
    walks
        A file with one walk a line, commas between vertices or a JSON list (empty lines and lines
        that begin with ``#`` are skipped), or the walks themselves.
    output
        ``*.jsonl``: one line for each walk, its publication under ``publication``. ``*.csv`` or
        ``*.parquet``: one row for each walk, the publication as text in the last column. A name
        without suffix: a folder with one ``*.veil.json`` for each walk. Releases are numbered one
        after another, so that no gap tells of a walk that failed; which line each is of stands in
        ``*.lines.csv`` where it is not the same, why others failed in ``*.errors.csv``, both for
        the custodian alone.
    policy
        ``Policy.remembering()`` if not given. One that throws fresh coins each time needs
        ``independent``.
    grouping
        Publish over classes of vertices: the way for many walks.
    after
        Every earlier publication of the series; with them the gate looks at all that is out.
    independent
        Yes, throw fresh coins for each walk although losses then add up in full.
    direction
        Whether a bit of each release tells which end of its walk is the first; a series that did
        not tell it goes on with ``"untold"``.
    accept_outsider
        Yes, hand the files out although an outsider who collects them reads walks.
    force
        Yes, replace releases that are there, with fresh coins: their links are charged once more.
    seed
        For tests: coins from ``Seeded``, other ones for each line; stamps every release unsafe.
    workers, scheduler
        Processes here, or the address of a Dask scheduler instead. They lay out; coins are thrown
        in this process, one walk after another, while workers lay out those before.
    progress
        Called with (done, total) walks: once through while drawing, once while laying out.
    tell
        Called with what the custodian should know though the batch goes on: that the end of its
        journal is damaged, and coins are thrown again.
    wrap
        Puts what is written into something else: an envelope for its readers. Then there is no
        outsider, and the gate stays open.
    limits, effort
        When the gate closes, and how hard it tries.

    Raises
    ------
    BadFile
        If the walks cannot be read, the output holds releases already, or the journal beside it
        is of another batch.
    BadBudget
        If the policy does not suit a batch.
    GateClosed
        If an outsider would read too much. Nothing is written but the journal, which keeps the
        coins.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> network = Network.parse("ab bc cd bd de ef fg gh ha eh")
    >>> with TemporaryDirectory() as folder:
    ...     # So small a map may be read by anybody: say that it may.
    ...     report = batch(
    ...         network, ["abc", "ad", "bd"], f"{folder}/x.jsonl", workers=1, accept_outsider=True
    ...     )
    >>> report.published, [failure.line for failure in report.failures]
    (2, [2])
    """
    target = Path(output)
    require_form(target, wrap)
    lines = list(lines_of(walks))
    history = History.of(after)
    release = ReleaseTerms.understood(
        history,
        policy=policy,
        layering=layering,
        direction=direction,
        universe=universe,
        grouping=grouping,
        unsaid=Policy.remembering(),
    )
    release = release.continuing(history, network.vertices)
    terms = BatchTerms(network, release, seed)
    parsed = {line: walk_on(line, text, network) for line, text in lines}
    draws = BatchDraws(terms, parsed, history)
    draws.require_suited(independent=independent)
    journal = target.with_name(f"{target.name}.journal")
    if not force and not journal.exists():
        require_unreleased(target)
        require_room_beside(target)
    with BatchJournal(
        journal, terms.facts(history), lines, names=network.vertices, template=terms.template()
    ) as record:
        if not force:
            _require_kept(record, target, len(lines))
        if record.damage and tell is not None:
            tell(record.damage)
        resumed = len(record.rows)
        size = chunk or suited_chunk(len(network) * (release.policy.copies or 2), len(lines))
        steps = 2 * len(lines)  # each is drawn, then written
        reports: list[GateReport | None] = []

        def made() -> Iterator[DrawnLine]:
            """Draw, and at the end stand before the gate: whoever wants all passes it."""
            for one in _watched(draws.draw(record, size), progress, 0, steps):
                if one.publication is not None:
                    yield one
            report = draws.examine(limits=limits, effort=effort)
            if report is not None and not report.open and not accept_outsider and wrap is None:
                raise refusal(report, network, journal)
            reports.append(report)

        rows = lay_out(
            made(),
            workers=workers,
            scheduler=scheduler,
            chunk=size,
            on_one_line=target.suffix == ".jsonl",
        )
        clear_left_over(target)
        # All is drawn, and the gate is passed, before there is a first row.
        first = list(islice(rows, 1))
        failures = draws.failures
        shown = _watched(chain(first, rows), progress, len(lines) + len(failures), steps)
        published = write_rows(target, shown, wrap)
        promise = release.certificate(len(history) + max(published, 1))
        write_certificate(target, promise)
        listed = [(failure.line, failure.message) for failure in failures]
        write_custodians_lists(target, draws.released, listed)
        record.remove()
    again = repeated_lines(parsed)
    return BatchReport(target, published, resumed, failures, reports[0], promise, again)


def _require_kept(record: BatchJournal, target: Path, lines: int) -> None:
    """Raise if releases are out whose coins the journal may have lost."""
    if record.damage:
        require_unreleased(target)
    require_drawn(target, record.path, len(record.rows), record.releases, lines)


def _watched(things: Iterable[T], progress: Progress | None, done: int, total: int) -> Iterator[T]:
    """Yield things, telling at first and after each how many are done."""
    if progress is not None:
        progress(done, total)
    for thing in things:
        yield thing
        done += 1
        if progress is not None:
            progress(done, total)
