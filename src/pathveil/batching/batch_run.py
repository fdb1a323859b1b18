"""batch(): many walks over one network, asked at the gate, drawn as one series, then laid out.

Three steps. *The gate*: how much of the network's cover would these walks use, together with all
that is public already (:mod:`pathveil.planning.gate`)? Too much: nothing is drawn. *Drawing*: walk
after walk, each after all those before it, with coins that follow from the batch's key
(:mod:`pathveil.batching.batch_journal`), so that a batch that was stopped goes on with the same
ones. *Laying out*: layers are a function of the bits, so they are drawn by a pool or a Dask
cluster, and written as they come.

A walk that cannot be published is reported with its line and does not stop the rest. Why it could
not names vertices and is for the custodian: it goes to a file of its own, never into the output.

*Privacy*: one certificate for all of them, beside the output; each file carries that of its place.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TypeVar

from pathveil.batching.batch_journal import BatchJournal
from pathveil.batching.batch_output import (
    Wrap,
    clear_left_over,
    custodians_lists,
    lay_out,
    require_form,
    require_room_beside,
    require_unreleased,
    suited_chunk,
    write_certificate,
    write_lists,
    write_rows,
)
from pathveil.batching.worker_pool import Progress
from pathveil.chance.source import Seeded, Source
from pathveil.chance.urn import History
from pathveil.errors import BadBudget, BadFile, PathveilError
from pathveil.files.atomic_write import read_text
from pathveil.files.publications.size_limits import require_drawable
from pathveil.files.walks import parse_walk
from pathveil.grouping.grouping_loss import one_time_loss
from pathveil.model.certificate import Certificate
from pathveil.model.grouping import Grouping
from pathveil.model.layered import Layering, follows_walk
from pathveil.model.network import Network
from pathveil.model.publication import Direction, Publication
from pathveil.model.walk import Walk
from pathveil.planning.capacity import usage_for
from pathveil.planning.cover import CountedRelease, Cover, Life
from pathveil.planning.gate import counted_release, life_of_files, require_open
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
        raise BadFile(f"{path}: holds no walk; write a walk on each line, with commas")
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
class DrawnLine:
    """What became of one line: a publication, or why there is none."""

    line: int
    publication: Publication | None
    error: str = ""


class BatchDraws:
    """The draws of a batch, in the order of its lines, each after all those before it.

    Parameters
    ----------
    parsed
        The walk on each line, or why there is none.
    history
        What was out before.
    journal
        Where coins come from.

    Attributes
    ----------
    lines
        What became of the lines so far.
    """

    def __init__(
        self,
        network: Network,
        terms: ReleaseTerms,
        parsed: Mapping[int, Walk | Failure],
        history: History,
        journal: BatchJournal,
        *,
        seed: int | str | None,
    ) -> None:
        self.lines: list[DrawnLine] = []
        self._network, self._terms, self._parsed = network, terms, parsed
        self._history, self._journal, self._seed = history, journal, seed

    def __iter__(self) -> Iterator[DrawnLine]:
        for line, walk in self._parsed.items():
            drawn = self._drawn(line, walk)
            if drawn.publication is not None and self._terms.remembers:
                self._history = self._history.then(drawn.publication)
            self.lines.append(drawn)
            yield drawn

    def _drawn(self, line: int, walk: Walk | Failure) -> DrawnLine:
        if isinstance(walk, Failure):
            return DrawnLine(line, None, walk.message)
        try:
            publication = publish_under(
                self._terms,
                self._network,
                walk,
                after=self._history,
                source=self._source(line, walk),
            )
        except PathveilError as error:
            return DrawnLine(line, None, line_failure(line, error).message)
        return DrawnLine(line, publication)

    def _source(self, line: int, walk: Walk) -> Source:
        if self._seed is not None:
            return Seeded(f"batch {self._seed} line {line}")
        facts = (self._network.digest, self._terms.text, self._history.last or "", str(line))
        visits = json.dumps(walk.vertices)
        return self._journal.source(*(fact.encode() for fact in (*facts, visits)))

    @property
    def released(self) -> list[int]:
        """The lines of which there is a release."""
        return [one.line for one in self.lines if one.publication is not None]

    @property
    def failures(self) -> tuple[Failure, ...]:
        """The lines of which there is none, and why."""
        return tuple(Failure(one.line, one.error) for one in self.lines if one.publication is None)


@dataclass(frozen=True)
class BatchReport:
    """What became of a batch.

    Attributes
    ----------
    published
        How many walks are in the output.
    resumed
        How many releases were there before this call took the batch up.
    failures
        Walks that could not be published, by line.
    repeated
        Lines whose walk stood on an earlier line, with that line. Each was released again, and
        costs its links again.
    cover
        How much of the network's cover is used; for the custodian alone. None if nothing was
        published, or to envelopes.
    certificate
        What the series promises after the last of them.
    """

    output: Path
    published: int
    resumed: int
    failures: tuple[Failure, ...]
    cover: Cover | None = None
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
    force: bool = False,
    layering: Layering = "exact",
    direction: Direction = "public",
    seed: int | str | None = None,
    workers: int = 2,
    scheduler: str | None = None,
    progress: Progress | None = None,
    chunk: int | None = None,
    wrap: Wrap | None = None,
) -> BatchReport:
    """Return what became of many walks over one network; the releases are in the output.

    Parameters
    ----------
    walks
        A file with a walk on each line, by commas or a JSON list (empty lines and lines
        that begin with ``#`` are skipped), or the walks themselves.
    output
        ``*.jsonl``: one line for each walk, its publication under ``publication``. A name without
        suffix: a folder with one ``*.veil.json`` for each walk. Releases are numbered one
        after another, so that no gap tells of a walk that failed; which line each is of stands in
        ``*.lines.csv`` where it is not the same, why others failed in ``*.errors.csv``, both for
        the custodian alone.
    policy
        That of the earlier files if not given; the first batch of a network needs one.
    grouping
        Publish over classes of vertices: the way for many walks.
    after
        Every earlier publication over this network; with them the gate counts all that is out.
    direction
        Whether a bit of each release tells which end of its walk is the first; a series that did
        not tell it goes on with ``"hidden"``.
    force
        Yes, replace releases that are there, with fresh coins: their links are charged once more.
    seed
        For tests: coins from ``Seeded``, other ones for each line; stamps every release unsafe.
    workers, scheduler
        Processes here, or the address of a Dask scheduler instead. They lay out; coins are thrown
        in this process, one walk after another, while workers lay out those before.
    progress
        Called with (done, total) walks written.
    wrap
        Puts what is written into something else: an envelope for its readers. Then nothing is
        public, and the gate is not asked.

    Raises
    ------
    BadFile
        If the walks cannot be read, the output holds releases already, or the journal beside it
        is damaged or belongs to another batch.
    BadBudget
        If there is no policy.
    GateClosed
        If too little cover would be left. Nothing was drawn and nothing is written.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> links = [(i, (i + step) % 40) for i in range(40) for step in (1, 7)]
    >>> network = Network.from_links(links)
    >>> with TemporaryDirectory() as folder:
    ...     report = batch(
    ...         network,
    ...         [["1", "2", "3", "10"], ["20", "27", "99"], ["27", "28", "29", "36"]],
    ...         f"{folder}/x.jsonl",
    ...         policy=Policy.remembering(usage="0.07"),
    ...         workers=1,
    ...     )
    >>> report.published, [failure.line for failure in report.failures]
    (2, [2])
    """
    target = Path(output)
    require_form(target, wrap)
    lines = list(lines_of(walks))
    earlier = list(after)
    history = History.of(one for one in earlier if one.series is not None)
    parsed = {line: walk_on(line, text, network) for line, text in lines}
    good = [walk for walk in parsed.values() if isinstance(walk, Walk)]
    terms = ReleaseTerms.of(
        after=history,
        policy=policy or _default_policy(network, earlier, good, grouping),
        layering=layering,
        direction=direction,
        grouping=grouping,
    )
    terms.require_continues(history, network.vertices)
    over = network.vertices if grouping is None else grouping.names
    require_drawable(over, terms.policy.copies or 1, float(terms.policy.chaff), target)
    answer = None
    if wrap is None and good:
        answer = ask_gate_about(network, terms, earlier, good)
    path = target.with_name(f"{target.name}.journal")
    if not force and not path.exists():
        require_unreleased(target)
        require_room_beside(target)
    facts = (target.name, network.digest, terms.text, history.last, lines, seed)
    journal = BatchJournal(path, repr(facts))
    draws = BatchDraws(network, terms, parsed, history, journal, seed=seed)
    rows = lay_out(
        (one.publication for one in draws if one.publication is not None),
        workers=workers,
        scheduler=scheduler,
        chunk=chunk or suited_chunk(len(network) * (terms.policy.copies or 2), len(lines)),
        on_one_line=target.suffix == ".jsonl",
    )
    clear_left_over(target)
    resumed = len(list(target.glob("[0-9]*.veil.json*"))) if journal.resumed else 0
    shown = _watched(rows, progress, len(lines))
    published = write_rows(target, shown, wrap, replacing=force or journal.resumed)
    promise = terms.certificate(len(history) + max(published, 1))
    write_certificate(target, promise)
    listed = [(failure.line, failure.message) for failure in draws.failures]
    write_lists(custodians_lists(target, draws.released, listed))
    journal.remove()
    again = repeated_lines(parsed)
    return BatchReport(target, published, resumed, draws.failures, answer, promise, again)


def ask_gate_about(
    network: Network,
    terms: ReleaseTerms,
    earlier: Sequence[Publication],
    walks: Sequence[Walk],
) -> Cover:
    """Return the cover that is used once these walks are public after those files.

    Raises
    ------
    GateClosed
        If too little would be left, or an earlier file cannot be counted.
    """
    life, new = _lives(network, terms, earlier, walks)
    return require_open(life, new)


def life_after(
    network: Network,
    terms: ReleaseTerms,
    earlier: Sequence[Publication],
    walks: Sequence[Walk],
) -> Life:
    """Return what is public over a network once these walks are, after those files."""
    life, new = _lives(network, terms, earlier, walks)
    return life.and_then(*new)


def _lives(
    network: Network,
    terms: ReleaseTerms,
    earlier: Sequence[Publication],
    walks: Sequence[Walk],
) -> tuple[Life, list[CountedRelease]]:
    """Return what those files are, and what these walks will be, as cover counts them."""

    def read(publication: Publication) -> Walk:
        return reconstruct(publication, network, grouping=terms.grouping).walk

    grouping = terms.grouping
    over = None
    if grouping is not None:
        plain = any(one.grouped is None for one in earlier)  # refused below
        over = (grouping, 0.0 if plain else one_time_loss(network, grouping))
    files = [one if one.grouped is None else one.over(grouping) for one in earlier]
    life = life_of_files(files, network, read=read, over=over)
    if terms.universe is not None:
        life = Life(life.releases, terms.universe.count, life.counts)
    new = [
        counted_release(
            network,
            [walk],
            terms.in_use,
            over=over,
            carried=follows_walk(terms.layering),
            capacity=terms.capacity,
        )
        for walk in walks
    ]
    return life, new


def _default_policy(
    network: Network, earlier: list[Publication], walks: list[Walk], grouping: Grouping | None
) -> Policy:
    """Return the policy of the earlier files, or balanced over a grouping; else ask for one."""
    if earlier:
        return Policy.from_terms(earlier[-1].policy)
    if grouping is not None:
        return Policy.balanced()
    steps = [len(walk.links) for walk in walks] or [1]
    usage = usage_for(max(1, round(sum(steps) / len(steps))), len(network.pairs))
    raise needs_policy(usage)


def needs_policy(usage: Fraction) -> BadBudget:
    """Return the error that asks for a policy, with the line to type."""
    return BadBudget(
        "a batch needs a policy: its rate of chaff is public and decides how many walks fit. Give "
        f"policy=Policy.remembering(usage='{float(usage):g}') (--policy remembering:usage="
        f"{float(usage):g}), or ask `pathveil plan` which one fits"
    )


def _watched(things: Iterable[T], progress: Progress | None, total: int) -> Iterator[T]:
    """Yield things, telling at first and after each how many are done."""
    if progress is not None:
        progress(0, total)
    for done, thing in enumerate(things, start=1):
        yield thing
        if progress is not None:
            progress(done, total)
