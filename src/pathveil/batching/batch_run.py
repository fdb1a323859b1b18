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
Beside envelopes there is none: it would tell anybody what the readers got.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice
from pathlib import Path
from types import MappingProxyType
from typing import TypeVar

from pathveil.batching.batch_journal import BatchJournal
from pathveil.batching.batch_output import (
    certificate_beside,
    clear_left_over,
    custodians_lists,
    lay_out,
    release_file,
    require_form,
    require_no_others,
    require_room,
    suited_chunk,
    write_certificate,
    write_lists,
    write_rows,
)
from pathveil.batching.worker_pool import Crew, Progress
from pathveil.chance.urn import History
from pathveil.errors import BadBudget, BadFile, NeedsMoreCopies, PathveilError
from pathveil.files.atomic_write import open_file, read_text
from pathveil.files.codes import Codes
from pathveil.files.envelopes import sealing
from pathveil.files.publications.size_limits import require_drawable
from pathveil.files.text_tables import WORKBOOK, sheets_of
from pathveil.files.walks import parse_walk, read_walk, walks_of_table
from pathveil.grouping.grouping_loss import one_time_loss
from pathveil.ledger.entries import Delivery
from pathveil.model.certificate import Certificate
from pathveil.model.grouping import Grouping
from pathveil.model.layered import follows_walk
from pathveil.model.network import Network
from pathveil.model.publication import Publication
from pathveil.model.walk import Walk
from pathveil.planning.capacity import usage_for
from pathveil.planning.cover import CountedRelease, Cover, Life, cover
from pathveil.planning.gate import counted_release, life_of_files, require_open
from pathveil.policies import Policy
from pathveil.publishing.release import publish_under
from pathveil.publishing.terms import ReleaseTerms
from pathveil.reading.assemble import reconstruct
from pathveil.wording import counted

Line = tuple[int, str]
"""Number of a line, from 1, and the walk written on it."""


@dataclass(frozen=True)
class Failure:
    """A walk that could not be published, and why. The message may name vertices."""

    line: int
    message: str


def lines_in(text: str, path: str | Path) -> list[Line]:
    """Return the walks of a file as (line, text), not yet looked into."""
    lines = enumerate(text.splitlines(), start=1)
    found = [(n, line) for n, line in lines if line.strip() and not line.lstrip().startswith("#")]
    if not found:
        raise BadFile(f"{path}: holds no walk; write a walk on each line, with commas")
    return found


class ParsedWalks(dict[int, Walk | Failure]):
    """The walk on each line, or why there is none; and what each is called, if they have names."""

    def __init__(
        self, parsed: Mapping[int, Walk | Failure], names: Mapping[int, str] = MappingProxyType({})
    ) -> None:
        super().__init__(parsed)
        self.names = names


Walks = str | Path | ParsedWalks | Iterable[Walk | Iterable[str]]
"""A file of walks, a folder or workbook with a walk in each, or the walks, read already or not."""


def walk_on(line: int, text: str, network: Network, codes: Codes | None = None) -> Walk | Failure:
    """Return the walk on a line, or why there is none."""
    try:
        return parse_walk(text, where=f"line {line}", network=network, codes=codes)
    except PathveilError as error:
        return line_failure(line, error)


def walks_on(walks: Walks, network: Network, codes: Codes | None = None) -> ParsedWalks:
    """Return the walk on each line, or why there is none.

    Parameters
    ----------
    codes
        The table by which the names of the walks are codes of the network.

    Raises
    ------
    BadFile
        If all lines together are one walk, a vertex on each, as ``publish`` takes it.
    """
    if isinstance(walks, ParsedWalks):
        return walks
    if not isinstance(walks, str | Path):
        given = enumerate(walks, start=1)
        lines = [(n, json.dumps([str(vertex) for vertex in walk])) for n, walk in given]
    elif Path(walks).is_dir():
        return _walks_in_folder(Path(walks), network, codes)
    else:
        table = ""
        if Path(walks).suffix.lower() == WORKBOOK:
            with open_file(walks) as handle:
                sheets = sheets_of(handle, str(walks))
            if len(sheets) > 1:
                apart = {f"sheet {sheet.name}": sheet.text for sheet in sheets}
                return _walks_apart(apart, network, codes)
            table = sheets[0].text
        # A name that was read wrong is no vertex, and is refused.
        text = table or read_text(walks, note=lambda _: None)
        known = network if codes is None else codes.code_of
        if apart := walks_of_table(text, str(walks), known):
            return _walks_apart(apart, network, codes)
        lines = lines_in(text, walks)
    parsed = {line: walk_on(line, text, network, codes) for line, text in lines}
    if len(parsed) > 1 and all(isinstance(one, Failure) for one in parsed.values()):
        together = ",".join(text.strip() for _, text in lines)
        if isinstance(walk_on(1, together, network, codes), Walk):
            raise BadFile(
                f"{walks}: holds one walk, with a vertex on each line; release it with `pathveil "
                "publish`, or write each walk on one line, with commas"
            )
    return ParsedWalks(parsed)


def _walks_in_folder(folder: Path, network: Network, codes: Codes | None) -> ParsedWalks:
    """Return the walk in each file, in the order of their names."""
    files = sorted(file for file in folder.iterdir() if file.is_file() and file.name[0] != ".")
    if not files:
        raise BadFile(f"{folder}: holds no file; put each walk into a file of its own")
    return _walks_by(
        {file.name: partial(read_walk, file, network=network, codes=codes) for file in files},
    )


def _walks_apart(texts: Mapping[str, str], network: Network, codes: Codes | None) -> ParsedWalks:
    """Return the walk in each text."""
    return _walks_by(
        {
            name: partial(parse_walk, text, where=name, network=network, codes=codes)
            for name, text in texts.items()
        }
    )


def _walks_by(readers: Mapping[str, Callable[..., Walk]]) -> ParsedWalks:
    """Return the walk of each reader, and its name."""
    parsed = enumerate(readers.values(), start=1)
    return ParsedWalks(
        {number: _walk_apart(number, read) for number, read in parsed},
        dict(enumerate(readers, start=1)),
    )


def _walk_apart(number: int, read: Callable[..., Walk]) -> Walk | Failure:
    """Return a walk that has more than a line; nothing in it may be left out unnoticed."""
    said: list[str] = []
    try:
        walk = read(note=said.append)
    except PathveilError as error:
        return Failure(number, str(error))
    doubtful = [note for note in said if "as a header" in note or "under a title" in note]
    if doubtful:
        return Failure(number, f"{doubtful[0]}; remove that line, or correct the vertex")
    return walk


MOST_NAMED = 5
"""Walks that a message names."""


def require_copies_for_all(parsed: ParsedWalks, terms: ReleaseTerms) -> None:
    """Raise before anything is drawn if walks visit a vertex more often than it has copies."""
    copies = terms.policy.copies
    if copies is None or terms.grouping is not None:
        return
    visits = {n: max(w.visits.values()) for n, w in parsed.items() if isinstance(w, Walk)}
    if short := [n for n, many in visits.items() if many > copies]:
        needed = max(visits.values())
        more = f" and {len(short) - MOST_NAMED} more" if len(short) > MOST_NAMED else ""
        named = f"number {', '.join(map(str, short[:MOST_NAMED]))}{more}"
        raise NeedsMoreCopies(
            f"{named} of {counted(len(visits), 'walk')}: visit a vertex up to {needed} times, more "
            f"often than the policy has copies ({copies}). All files must go one way, so nothing "
            f"was drawn: give the policy copies={needed}, as in balanced:copies={needed}, or leave "
            "these walks out",
            needed=needed,
        )


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
        How much of the network's cover is used; for the custodian alone. None if it was not
        counted.
    certificate
        What the series promises after the last of them; it is in a file beside the output. None
        if the releases are in envelopes, which hold their own.
    last
        The last release, which says of all of them who reads it and what others learn.
    """

    output: Path
    published: int
    resumed: int
    failures: tuple[Failure, ...]
    cover: Cover | None = None
    certificate: Certificate | None = None
    repeated: tuple[tuple[int, int], ...] = ()
    last: Publication | None = None


T = TypeVar("T")


def batch_policy(
    network: Network,
    walks: Walks,
    *,
    grouping: Grouping | None = None,
    earlier: Sequence[Publication] = (),
    encrypted: bool = False,
) -> Policy:
    """Return the policy of a batch that names none: that of earlier files, or the default.

    The default is for a grouping and for encrypted files, whose number the rate does not limit.

    Raises
    ------
    BadBudget
        If neither is there: with the line to type.
    """
    if earlier:
        return Policy.from_terms(earlier[-1].policy)
    if grouping is not None or encrypted:
        return Policy.balanced()
    parsed = walks_on(walks, network).values()
    steps = [len(walk.links) for walk in parsed if isinstance(walk, Walk)] or [1]
    usage = float(usage_for(max(1, round(sum(steps) / len(steps))), len(network.pairs)))
    raise BadBudget(
        "a batch needs a policy: its rate of chaff is public and decides how many walks fit. Give "
        f"policy remembering:usage={usage:g}, or ask `pathveil plan` which one fits"
    )


def batch(
    network: Network,
    walks: Walks,
    output: str | Path,
    terms: ReleaseTerms,
    delivery: Delivery | None = None,
    *,
    after: Iterable[Publication] = (),
    crew: Crew | None = None,
) -> BatchReport:
    """Return what became of many walks over one network; the releases are in the output.

    Parameters
    ----------
    walks
        A file with a walk on each line, by commas or a JSON list (empty lines and lines that
        begin with ``#`` are skipped), or a table with a visit on each line and a column such as
        trip, patient or day; a folder of files, in the order of their names, or an Excel workbook
        of sheets, with a walk in each; or the walks themselves, as :func:`walks_on` reads them too.
    output
        ``*.jsonl``: one line for each walk, its publication under ``publication``. A name without
        suffix: a folder with one ``*.veil.json`` for each walk. Releases are numbered one
        after another, so that no gap tells of a walk that failed; which line each is of stands in
        ``*.lines.csv`` where it is not the same or has a name, why others failed in
        ``*.errors.csv``, both for the custodian alone.
    delivery
        To readers: then nothing is public, and the gate is not asked. Replacing: yes, replace
        releases that are there, with fresh coins: their links are charged once more.
    after
        Every earlier publication over this network; with them the gate counts all that is out.

    Raises
    ------
    BadFile
        If the walks cannot be read, the output holds releases already, or the journal beside it
        is damaged or belongs to another batch.
    GateClosed
        If too little cover would be left. Nothing was drawn and nothing is written.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> links = {(i, (i * i + 7 * k) % 97) for i in range(97) for k in (0, 1)}
    >>> network = Network.from_links({(min(u, v), max(u, v)) for u, v in links if u != v})
    >>> walks = [["24", "1", "8", "28"], ["66", "95", "99"], ["66", "95", "4", "26"]]
    >>> terms = ReleaseTerms(Policy.remembering(usage="0.07"))
    >>> with TemporaryDirectory() as folder:
    ...     report = batch(network, walks, f"{folder}/x.jsonl", terms, crew=Crew(workers=1))
    >>> report.published, [failure.line for failure in report.failures]
    (2, [2])
    """
    target, delivery, crew = Path(output), delivery or Delivery(), crew or Crew(workers=2)
    wrap = None if delivery.public else sealing(delivery.recipients)
    require_form(target, wrap)
    parsed = walks_on(walks, network)
    require_copies_for_all(parsed, terms)
    earlier = list(after)
    history = History.of(one for one in earlier if one.series is not None)
    good = [walk for walk in parsed.values() if isinstance(walk, Walk)]
    if parsed and not good:
        first = next(walk.message for walk in parsed.values() if isinstance(walk, Failure))
        raise BadFile(f"no walk can be published; the first fault: {first}. Nothing was written")
    if history:
        terms.require_goes_with("series")
    terms.require_continues(history, network.vertices)
    over = network.vertices if terms.grouping is None else terms.grouping.names
    require_drawable(over, terms.policy.copies or 1, float(terms.policy.chaff), target)
    answer = None
    if delivery.public and good:
        answer = ask_gate_about(network, terms, earlier, good)
    elif good and not earlier:  # for someone who has a key and no network
        answer = cover(Life(tuple(counted_lives(network, terms, [], good)[1])))
    path = target.with_name(f"{target.name}.journal")
    # What each line asks for: a batch goes on only with the same lines.
    asked = [
        (n, one.vertices if isinstance(one, Walk) else one.message) for n, one in parsed.items()
    ]
    facts = (target.name, network.digest, terms.text, history.last, asked)
    if not delivery.replacing and not path.exists():
        require_room(target)
    outcome: dict[int, Failure | None] = {}
    last: Publication | None = None

    def kept(drawn: Iterable[Publication]) -> Iterator[Publication]:
        nonlocal last
        for publication in drawn:
            last = publication
            yield publication

    with closing(BatchJournal(path, repr(facts))) as journal:
        rows = lay_out(
            kept(_drawn(network, terms, parsed, history, journal, outcome=outcome)),
            workers=crew.workers,
            scheduler=crew.scheduler,
            chunk=crew.chunk
            or suited_chunk(len(network) * (terms.policy.copies or 2), len(parsed)),
            on_one_line=target.suffix == ".jsonl",
        )
        clear_left_over(target)
        shown = _watched(rows, crew.progress, len(parsed))
        begun = list(islice(shown, 1))  # by then all are drawn
        failures = tuple(failure for failure in outcome.values() if failure is not None)
        released = [line for line, failure in outcome.items() if failure is None]
        wrong = [(one.line, one.message) for one in failures]
        lists = custodians_lists(target, released, wrong, parsed.names)
        files = [target / release_file(place + 1, wrap) for place in range(len(released))]
        files += [*lists, *([certificate_beside(target)] if delivery.public else [])]
        try:
            if not (delivery.replacing or journal.resumed):
                require_room(target)  # another process may have come and gone since we asked
            require_no_others(target, files, replacing=delivery.replacing)
        except BadFile:
            if not journal.resumed:
                journal.remove()
            raise
        replacing, promise = delivery.replacing, None
        published, resumed = write_rows(
            target, chain(begun, shown), wrap, journal, replacing=replacing
        )
        if delivery.public:
            promise = terms.certificate(len(history) + max(published, 1))
            write_certificate(target, promise, replacing=replacing)
        write_lists(target, lists, replacing=replacing)
        journal.remove()
    again = repeated_lines(parsed)
    return BatchReport(target, published, resumed, failures, answer, promise, again, last)


def _drawn(
    network: Network,
    terms: ReleaseTerms,
    parsed: Mapping[int, Walk | Failure],
    history: History,
    journal: BatchJournal,
    *,
    outcome: dict[int, Failure | None],
) -> Iterator[Publication]:
    """Yield the walks published, each after all those before it; note why others are not."""
    for line, walk in parsed.items():
        if isinstance(walk, Failure):
            outcome[line] = walk
            continue
        facts = (network.digest, terms.text, history.last or "", str(line))
        visits = json.dumps(walk.vertices)
        source = journal.source(*(fact.encode() for fact in (*facts, visits)))
        try:
            publication = publish_under(terms, network, walk, after=history, source=source)
        except PathveilError as error:
            outcome[line] = line_failure(line, error)
            continue
        outcome[line] = None
        if terms.remembers:
            history = history.then(publication)
        yield publication


def ask_gate_about(
    network: Network, terms: ReleaseTerms, earlier: Sequence[Publication], walks: Sequence[Walk]
) -> Cover:
    """Return the cover that is used once these walks are public after those files.

    Raises
    ------
    GateClosed
        If too little would be left, or an earlier file cannot be counted.
    """
    return require_open(*counted_lives(network, terms, earlier, walks))


def counted_lives(
    network: Network, terms: ReleaseTerms, earlier: Sequence[Publication], walks: Sequence[Walk]
) -> tuple[Life, list[CountedRelease]]:
    """Return what those files are, and what these walks will be, as cover counts them."""
    grouping = terms.grouping
    over = None
    if grouping is not None:
        plain = any(one.grouped is None for one in earlier)  # refused below
        over = (grouping, 0.0 if plain else one_time_loss(network, grouping))

    def read(publication: Publication) -> Walk:
        return reconstruct(publication, network, grouping=grouping).walk

    files = [one if one.grouped is None else one.over(grouping) for one in earlier]
    life = life_of_files(files, network, read=read, over=over, universe=terms.universe)
    carried = follows_walk(terms.layering)
    new = [
        counted_release(
            network, [walk], terms.in_use, over=over, carried=carried, capacity=terms.capacity
        )
        for walk in walks
    ]
    return life, new


def _watched(things: Iterable[T], progress: Progress | None, total: int) -> Iterator[T]:
    """Yield things, telling at first and after each how many are done."""
    if progress is not None:
        progress(0, total)
    for done, thing in enumerate(things, start=1):
        yield thing
        if progress is not None:
            progress(done, total)
