"""batch(): many walks over one network, drawn as one series, tried at the gate, then handed out.

Three steps. *Drawing*: walk after walk, each after all those before it, so that chaff remembers
what was shown (``Policy.remembering``); every draw is a line of a journal beside the output before
anything else happens to it. *The gate*: what would an outsider read who has all these files and
nothing else (:mod:`pathveil.gate`)? Too much: nothing is handed out, and the journal keeps the
coins, so that nobody throws them again until the gate opens. *Laying out*: layers are a function of
the bits, so they are drawn by a pool or a Dask cluster, and written as they come. A pool does not
wait for the gate to draw layers; what it has drawn is written when the gate is open, or forgotten.

A walk that cannot be published is reported with its line and does not stop the rest. Why it could
not names vertices and is for the custodian: it goes to a file of its own, never into the output.

*Privacy*: one certificate for all of them, beside the output; each file carries that of its place.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from pathlib import Path
from typing import TypeVar

from pathveil.batch_journal import BatchJournal, DrawnLine
from pathveil.batch_layout import lay_out, suited_chunk
from pathveil.batch_lines import Failure, line_failure, lines_of, repeated_lines, walk_on
from pathveil.batch_output import (
    Wrap,
    clear_left_over,
    require_form,
    require_unreleased,
    write_custodians_lists,
    write_rows,
)
from pathveil.chance.history import History
from pathveil.chance.policy import Policy
from pathveil.chance.source import Seeded
from pathveil.errors import PathveilError
from pathveil.formats.files import write_aside
from pathveil.formats.veil import row_data
from pathveil.gate import examine
from pathveil.gate_report import Effort, GateReport, Limits
from pathveil.gatekeeper import refusal, require_suits
from pathveil.model.bits import PackedBits, PairBits
from pathveil.model.certificate import Certificate
from pathveil.model.grouping import Grouping
from pathveil.model.network import Network
from pathveil.model.positions import Positions
from pathveil.model.publication import Layering, Publication
from pathveil.model.universe import Pairs, Universe
from pathveil.model.walk import Walk
from pathveil.publishing import publish_under
from pathveil.recovery.assembly import reconstruct
from pathveil.runners import Progress
from pathveil.terms import ReleaseTerms

T = TypeVar("T")


@dataclass(frozen=True)
class BatchReport:
    """What became of a batch.

    Attributes
    ----------
    published
        How many walks are in the output.
    resumed
        How many of them had been drawn before this call took the batch up.
    failures
        Walks that could not be published, by line.
    repeated
        Lines whose walk stood on an earlier line, with that line. Each was released again, and
        costs its links again.
    gate
        What outsiders would read; for the custodian alone. None if nothing was published.
    certificate
        What the series promises after the last of them.
    """

    output: Path
    published: int
    resumed: int
    failures: tuple[Failure, ...]
    gate: GateReport | None = None
    certificate: Certificate | None = None
    repeated: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True)
class BatchTerms:
    """What all walks of a batch have in common."""

    network: Network
    release: ReleaseTerms
    seed: int | str | None

    def facts(self, history: History) -> str:
        """Return what the journal of this batch goes by; it names vertices."""
        terms = self.release
        facts = (
            self.network.vertices,
            self.network.pairs.tolist(),
            repr(terms.policy),
            terms.layering,
            None if terms.universe is None else terms.universe.digest,
            None if terms.grouping is None else terms.grouping.digest,
            self.seed,
            history.last,
        )
        return repr(facts)

    def template(self) -> Publication | None:
        """Return a publication with everything but bits; None where copies or layers are drawn."""
        terms = self.release
        if terms.policy.copies is None or terms.layering != "exact":
            return None
        names = self.network.vertices if terms.grouping is None else terms.grouping.names
        positions = Positions.uniform(names, terms.policy.copies)
        bits = PackedBits(positions, PairBits.from_pairs(len(positions), []))
        return Publication(
            bits=terms.over(bits),
            policy=terms.policy.terms(),
            universe=None if terms.universe is None else terms.universe.as_published,
            unsafe=self.seed is not None or terms.unsafe,
        )


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
        universe=universe,
        grouping=grouping,
        unsaid=Policy.remembering(),
    )
    release = release.continuing(history, network.vertices)
    terms = BatchTerms(network, release, seed)
    parsed = {line: walk_on(line, text, network) for line, text in lines}
    earlier = [
        _read_again(publication, terms) for before in history.releases for publication in before
    ]
    good = [walk for walk in parsed.values() if isinstance(walk, Walk)]
    require_suits(release.policy, [*earlier, *good], independent=independent)
    journal = target.with_name(f"{target.name}.journal")
    if not force and not journal.exists():
        require_unreleased(target)
    with BatchJournal(
        journal, terms.facts(history), lines, names=network.vertices, template=terms.template()
    ) as record:
        if record.damage:
            if not force:
                require_unreleased(target)  # they may be the very ones whose coins are lost
            if tell is not None:
                tell(record.damage)
        resumed = len(record.rows)
        size = chunk or suited_chunk(len(network) * (release.policy.copies or 2), len(lines))
        drawn: list[DrawnLine] = []
        steps = 2 * len(lines)  # each is drawn, then written
        reports: list[GateReport | None] = []

        def made() -> Iterator[DrawnLine]:
            """Draw, and at the end stand before the gate: whoever wants all passes it."""
            each = _draw(parsed, record, terms, history, size)
            for one in _watched(each, progress, 0, steps):
                drawn.append(one)
                if one.publication is not None:
                    yield one
            report = _at_the_gate(
                terms, earlier, history, drawn, parsed, limits=limits, effort=effort
            )
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
        failures = tuple(Failure(one.line, one.error) for one in drawn if one.publication is None)
        shown = _watched(chain(first, rows), progress, len(lines) + len(failures), steps)
        published = write_rows(target, shown, wrap)
        promise = release.certificate(len(history) + max(published, 1))
        _write_certificate(target, promise)
        write_custodians_lists(
            target,
            [one.line for one in drawn if one.publication is not None],
            [(failure.line, failure.message) for failure in failures],
        )
        record.remove()
    again = repeated_lines(parsed)
    return BatchReport(target, published, resumed, failures, reports[0], promise, again)


# -- drawing --------------------------------------------------------------------------------------


def _draw(
    parsed: dict[int, Walk | Failure],
    record: BatchJournal,
    terms: BatchTerms,
    history: History,
    chunk: int,
) -> Iterator[DrawnLine]:
    """Yield what is drawn for each line: recalled from the journal, or drawn and recorded.

    Draws are recorded so many at a time, for the disk takes longer than the coins. Nobody has seen
    one before it is recorded: if we are stopped in between, other coins are as good.
    """
    drawn: list[DrawnLine] = []
    for line, walk in parsed.items():
        if line in record.rows:
            one = _certified(record.recall(line), terms)
        else:
            one = _drawn(line, walk, terms, history)
        drawn.append(one)
        if one.publication is not None and terms.release.remembers:
            history = history.then((one.publication,))
        if len(drawn) == chunk:
            yield from _recorded(drawn, record)
            drawn = []
    yield from _recorded(drawn, record)


def _recorded(drawn: list[DrawnLine], record: BatchJournal) -> list[DrawnLine]:
    record.append(one for one in drawn if one.line not in record.rows)
    return drawn


def _drawn(line: int, walk: Walk | Failure, terms: BatchTerms, history: History) -> DrawnLine:
    if isinstance(walk, Failure):
        return DrawnLine(line, None, walk.message)
    source = None if terms.seed is None else Seeded(f"batch {terms.seed} line {line}")
    try:
        (publication,) = publish_under(
            terms.release, terms.network, [walk], after=history, source=source
        )
    except PathveilError as error:
        return DrawnLine(line, None, line_failure(line, error).message)
    return DrawnLine(line, publication)


def _certified(drawn: DrawnLine, terms: BatchTerms) -> DrawnLine:
    """Return what was recalled, with the certificate it had: a function of its place."""
    found = drawn.publication
    if found is None or found.certificate.rows:
        return drawn
    place = 1 if found.series is None else found.series.place
    return replace(drawn, publication=replace(found, certificate=terms.release.certificate(place)))


# -- the gate -------------------------------------------------------------------------------------


def _read_again(publication: Publication, terms: BatchTerms) -> Walk:
    """Return the walk of an earlier release: the custodian has the network, so he reads it."""
    return reconstruct(publication, terms.network, grouping=terms.release.grouping).walk


def _at_the_gate(
    terms: BatchTerms,
    earlier: Sequence[Walk],
    history: History,
    drawn: Sequence[DrawnLine],
    parsed: dict[int, Walk | Failure],
    *,
    limits: Limits | None,
    effort: Effort | None,
) -> GateReport | None:
    released = [publication for release in history.releases for publication in release]
    made = [one for one in drawn if one.publication is not None]
    publications = [*released, *(one.publication for one in made if one.publication is not None)]
    walks = [walk for one in made if isinstance(walk := parsed[one.line], Walk)]
    if not publications:
        return None
    return examine(
        terms.network,
        [*earlier, *walks],
        publications,
        terms.release.policy,
        grouping=terms.release.grouping,
        limits=limits,
        effort=effort,
    )


def _watched(things: Iterable[T], progress: Progress | None, done: int, total: int) -> Iterator[T]:
    """Yield things, telling at first and after each how many are done."""
    if progress is not None:
        progress(done, total)
    for thing in things:
        yield thing
        done += 1
        if progress is not None:
            progress(done, total)


def _write_certificate(target: Path, certificate: Certificate) -> None:
    """Write the one certificate of the whole series beside the output; it is public."""
    data = {
        "rows": [row_data(row) for row in certificate.rows],
        "not_protected": list(certificate.not_protected),
    }
    text = json.dumps(data, indent=2, ensure_ascii=False) + "\n"
    write_aside(target.with_name(f"{target.name}.certificate.json"), text)
