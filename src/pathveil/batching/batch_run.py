"""batch(): many walks over one network, drawn as one series, tried at the gate, then handed out.

Three steps. *Drawing*: walk after walk, each after all those before it, and recorded in a journal
beside the output (:mod:`pathveil.batching.batch_run`). *The gate*: what would an outsider read who
has all
these files and nothing else (:mod:`pathveil.planning.gate`)? Too much: nothing is handed out, and
the
journal keeps the coins, so that nobody throws them again until the gate opens. *Laying out*: layers
are a function of the bits, so they are drawn by a pool or a Dask cluster, and written as they come.
A pool does not wait for the gate to draw layers; what it has drawn is written when the gate is
open, or forgotten.

A walk that cannot be published is reported with its line and does not stop the rest. Why it could
not names vertices and is for the custodian: it goes to a file of its own, never into the output.

*Privacy*: one certificate for all of them, beside the output; each file carries that of its place.

The walks of a batch, line by line: as they were given, and as walks or why they are none.

What a batch draws: walk after walk, each after all those before it, every draw recorded.

Chaff remembers what was shown (``Policy.remembering``), so the order is that of the lines, and a
draw is a line of the journal before anything else happens to it. What was recorded before is not
drawn again. When all is drawn, an outsider's view of it, together with all that was out before, can
be examined at the gate.

BatchReport: what became of many walks, whether a ledger kept them or a journal did.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain, islice
from pathlib import Path
from typing import TypeVar

from pathveil.batching.batch_journal import BatchJournal, DrawnLine
from pathveil.batching.batch_output import (
    Wrap,
    clear_left_over,
    custodians_lists,
    lay_out,
    require_drawn,
    require_form,
    require_room_beside,
    require_unreleased,
    suited_chunk,
    write_certificate,
    write_lists,
    write_rows,
)
from pathveil.batching.worker_pool import Progress
from pathveil.chance.history import History
from pathveil.chance.source import Seeded
from pathveil.errors import BadFile, PathveilError
from pathveil.files.atomic_write import read_text
from pathveil.files.publications.size_limits import require_drawable
from pathveil.files.walks import parse_walk
from pathveil.model.bits import PackedBits, PairBits
from pathveil.model.certificate import Certificate
from pathveil.model.engines import Layering, engine_named
from pathveil.model.grouping import Grouping
from pathveil.model.network import Network
from pathveil.model.positions import Positions
from pathveil.model.publication import Direction, Publication
from pathveil.model.walk import Walk
from pathveil.planning.gate import examine
from pathveil.planning.gate_report import Effort, GateReport, Limits
from pathveil.planning.gatekeeper import refusal, require_suits
from pathveil.policies import Policy
from pathveil.publishing.release import publish_under
from pathveil.publishing.terms import ReleaseTerms
from pathveil.reading.assemble import reconstruct

Line = tuple[int, str]
"""Number of a line, from 1, and the walk written on it."""


@dataclass(frozen=True)
class Failure:
    """A walk that could not be published, and why. The message may name vertices."""

    line: int
    message: str


def read_walks(path: str | Path) -> list[Line]:
    """Return the walks of a file as (line, text), not yet looked into."""
    lines = enumerate(read_text(path).splitlines(), start=1)
    found = [(n, text) for n, text in lines if text.strip() and not text.lstrip().startswith("#")]
    if not found:
        raise BadFile(f"{path}: holds no walk; write one walk a line, commas between vertices")
    return found


def lines_of(walks: str | Path | Iterable[Walk | Iterable[str]]) -> Iterator[Line]:
    """Yield the walks of a file, or those given, as numbered lines."""
    if isinstance(walks, str | Path):
        yield from read_walks(walks)
        return
    for line, walk in enumerate(walks, start=1):
        yield line, json.dumps([str(vertex) for vertex in walk])


def walk_on(line: int, text: str, network: Network) -> Walk | Failure:
    """Return the walk on a line, or why there is none."""
    try:
        walk = parse_walk(text, where=f"line {line}", network=network)
        walk.require_in(network)
    except PathveilError as error:
        return line_failure(line, error)
    return walk


def line_failure(line: int, error: PathveilError) -> Failure:
    """Return why the walk on a line could not be published."""
    # The reader counts lines of a walk's own text, of which there is one here.
    message = str(error).replace(f"line {line}, line 1", f"line {line}", 1)
    return Failure(line, message if message.startswith("line ") else f"line {line}: {message}")


def repeated_lines(parsed: Mapping[int, Walk | Failure]) -> tuple[tuple[int, int], ...]:
    """Return each line whose walk stood on an earlier line, with that line.

    >>> repeated_lines({1: Walk("abc"), 2: Walk("cba"), 4: Walk("abc")})
    ((4, 1),)
    """
    first: dict[Walk, int] = {}
    return tuple(
        (line, first[walk])
        for line, walk in parsed.items()
        if isinstance(walk, Walk) and first.setdefault(walk, line) != line
    )


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
            terms.text,
            self.seed,
            history.last,
        )
        return repr(facts)

    def template(self) -> Publication | None:
        """Return a publication with everything but bits; None where copies or layers are drawn."""
        terms = self.release
        if terms.policy.copies is None or engine_named(terms.layering).carried:
            return None
        names = self.network.vertices if terms.grouping is None else terms.grouping.names
        positions = Positions.uniform(names, terms.policy.copies)
        bits = PackedBits(positions, PairBits.from_pairs(len(positions), []))
        return Publication(
            bits=terms.over(bits),
            policy=terms.policy.terms(),
            layering=terms.layering,
            unsafe=self.seed is not None or terms.unsafe,
        )


class BatchDraws:
    """The draws of a batch, in the order of its lines.

    Parameters
    ----------
    parsed
        The walk on each line, or why there is none.
    history
        What was out before.

    Attributes
    ----------
    lines
        What became of the lines so far.
    """

    def __init__(
        self, terms: BatchTerms, parsed: Mapping[int, Walk | Failure], history: History
    ) -> None:
        self.lines: list[DrawnLine] = []
        self._terms, self._parsed, self._history = terms, parsed, history
        self._out = [publication for before in history.releases for publication in before]
        # The custodian has the network, so he reads the walks of earlier releases again.
        grouping = terms.release.grouping
        self._earlier = [
            reconstruct(publication, terms.network, grouping=grouping).walk
            for publication in self._out
        ]

    def require_suited(self, *, independent: bool) -> None:
        """Raise if these walks, after the earlier ones, must not be published with this policy."""
        good = [walk for walk in self._parsed.values() if isinstance(walk, Walk)]
        policy = self._terms.release.policy
        require_suits(policy, [*self._earlier, *good], independent=independent)

    def draw(self, record: BatchJournal, chunk: int) -> Iterator[DrawnLine]:
        """Yield what is drawn for each line: recalled from the journal, or drawn and recorded.

        Draws are recorded so many at a time, for the disk takes longer than the coins. Nobody has
        seen one before it is recorded: if we are stopped in between, other coins are as good.
        """
        terms, history = self._terms, self._history
        waiting: list[DrawnLine] = []
        for line, walk in self._parsed.items():
            if line in record.rows:
                one = _certified(record.recall(line), terms)
            else:
                one = _drawn(line, walk, terms, history)
            waiting.append(one)
            if one.publication is not None and terms.release.remembers:
                history = history.then((one.publication,))
            if len(waiting) == chunk:
                yield from self._kept(waiting, record)
                waiting = []
        yield from self._kept(waiting, record)

    def _kept(self, drawn: list[DrawnLine], record: BatchJournal) -> Iterator[DrawnLine]:
        record.append(one for one in drawn if one.line not in record.rows)
        for one in drawn:
            self.lines.append(one)
            yield one

    @property
    def released(self) -> list[int]:
        """The lines of which there is a release."""
        return [one.line for one in self.lines if one.publication is not None]

    @property
    def failures(self) -> tuple[Failure, ...]:
        """The lines of which there is none, and why."""
        return tuple(Failure(one.line, one.error) for one in self.lines if one.publication is None)

    def examine(self, *, limits: Limits | None, effort: Effort | None) -> GateReport | None:
        """Return what outsiders would read of all that is out and drawn; None of nothing."""
        made = [one.publication for one in self.lines if one.publication is not None]
        walks = [walk for line in self.released if isinstance(walk := self._parsed[line], Walk)]
        if not self._out and not made:
            return None
        return examine(
            self._terms.network,
            [*self._earlier, *walks],
            [*self._out, *made],
            self._terms.release.policy,
            grouping=self._terms.release.grouping,
            limits=limits,
            effort=effort,
        )


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
    direction: Direction = "public",
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
        ``*.jsonl``: one line for each walk, its publication under ``publication``. A name without
        suffix: a folder with one ``*.veil.json`` for each walk. Releases are numbered one
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
        not tell it goes on with ``"hidden"``.
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
        grouping=grouping,
        unsaid=Policy.remembering(),
    )
    release = release.continuing(history, network.vertices)
    over = network.vertices if grouping is None else grouping.names
    require_drawable(over, release.policy.copies or 1, float(release.policy.chaff), target)
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
        published = write_rows(target, shown, wrap, replacing=force or resumed > 0)
        promise = release.certificate(len(history) + max(published, 1))
        write_certificate(target, promise)
        listed = [(failure.line, failure.message) for failure in failures]
        write_lists(custodians_lists(target, draws.released, listed))
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
