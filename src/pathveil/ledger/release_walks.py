"""release_walks(): publish through a ledger. What was released before is reckoned with.

``publish`` draws a publication and forgets it. Here each walk is first looked up: the same walk
through the same network under the same terms is handed out again and costs nothing.
Else it is drawn, charged to every link, recorded in one transaction and only then written; over the
budget nothing happens at all. The order of things, and why a kill at any instant is harmless, is in
:mod:`pathveil.ledger.ledger`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from hashlib import sha256
from pathlib import Path

from pathveil.batching.batch_output import clear_left_over, release_name, write_custodians_lists
from pathveil.batching.batch_run import BatchReport, Failure, read_walks, repeated_lines, walk_on
from pathveil.chance.urn import History
from pathveil.errors import BadFile, BrokenSeries, PathveilError
from pathveil.files.atomic_write import write_aside
from pathveil.files.envelopes import sealing
from pathveil.files.publications.any_publication import (
    COMPACT,
    is_compact,
    publication_content,
    publication_from,
)
from pathveil.ledger.entries import (
    DrawnRelease,
    Recorded,
    Request,
)
from pathveil.ledger.ledger import Ledger
from pathveil.ledger.pricing import compose_losses, drawn_for_ledger, grouping_loss
from pathveil.ledger.views import Past
from pathveil.model.grouping import Grouping
from pathveil.model.network import Network
from pathveil.model.publication import Publication
from pathveil.model.walk import Walk
from pathveil.planning.gatekeeper import Gate
from pathveil.publishing.release import publish_under
from pathveil.publishing.terms import ReleaseTerms


def release_walks(
    ledger: Ledger,
    network: Network,
    walks: Sequence[tuple[Walk, Path]],
    terms: ReleaseTerms | None = None,
    *,
    fresh: bool = False,
    budget: Fraction | None = None,
    recipients: Sequence[str | Path] = (),
    gate: Gate | None = None,
    accept_clock: bool = False,
    replacing: bool = True,
) -> tuple[Recorded, ...]:
    """Return walks as recorded releases, each written to its file: all of them, or none.

    Parameters
    ----------
    walks
        Each with the file it goes to.
    fresh
        Release again with fresh coins, charged, though a walk was released before.
    budget
        From now on the largest loss any link of this network may run up.
    recipients
        Public keys of readers; the files are then envelopes that only they can open.
    gate
        Looks at all earlier releases over this network together with the new ones, and refuses.
    replacing
        Whether a file that is there and holds another release may be replaced.

    Raises
    ------
    OverBudget
        With the numbers; nothing was recorded and nothing written.
    BadFile
        If a file would be replaced and may not be; nothing was written.
    Incompatible
        If the terms have a universe.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> network = Network.parse("ab bc cd bd")
    >>> with TemporaryDirectory() as folder, Ledger.begin(f"{folder}/ledger.db") as ledger:
    ...     file = Path(folder) / "route.veil.json"
    ...     first = release_walks(ledger, network, [(Walk("abc"), file)])[0]
    ...     again = release_walks(ledger, network, [(Walk("abc"), file)])[0]
    >>> str(first.spent), again.replayed, first.data == again.data
    ('ln 2 = 0.6932', True, True)
    """
    terms = terms or ReleaseTerms()
    terms.require_goes_with("ledger")
    # Keys of readers are checked before anything is recorded.
    seal = sealing(recipients) if recipients else bytes

    def wrap(data: bytes, request: Request) -> bytes:
        assert request.output is not None
        return seal(_in_form(data, request.output))

    draw = _Drawing(terms, gate, replacing=replacing)
    try:
        recorded = ledger.record(
            _requests(network, walks, terms, fresh=fresh),
            draw,
            compose=compose_losses,
            budget=budget,
            wrap=wrap,
            independent=gate is None and terms.grouping is None and not terms.remembers,
            accept_clock=accept_clock,
        )
    except PathveilError:
        if draw.refused:
            ledger.hold(draw.refused)
        raise
    if not replacing:
        _require_own_files(ledger, recorded)
    ledger.hand_out(recorded, write_aside)
    return recorded


def _requests(
    network: Network, walks: Sequence[tuple[Walk, Path]], terms: ReleaseTerms, *, fresh: bool
) -> list[Request]:
    """Return what the ledger is asked for; every walk must be one through the network."""
    for walk, _ in walks:
        walk.require_in(network)
    grouping = terms.grouping
    return [
        Request(
            network,
            walk,
            terms.text,
            terms.policy.kind.name,
            grouping=None if grouping is None else grouping.digest,
            voids=None if grouping is None else grouping.terms.voids,
            fresh=fresh,
            output=path.absolute(),
        )
        for walk, path in walks
    ]


class _Drawing:
    """Draws what a ledger asks for, tries it at the gate, and says what it costs.

    Attributes
    ----------
    refused
        What the gate would not let out: request, basis of the draw, bytes.
    """

    def __init__(self, terms: ReleaseTerms, gate: Gate | None, *, replacing: bool) -> None:
        self.refused: list[tuple[Request, str, bytes]] = []
        self._terms, self._gate, self._replacing = terms, gate, replacing

    def __call__(self, wanted: Sequence[Request], past: Past) -> list[DrawnRelease]:
        for request in wanted:
            if not self._replacing and request.output is not None and request.output.exists():
                raise _would_replace(request.output, fresh=request.fresh)
        made = list(_published(wanted, self._terms, past))
        written = [
            publication_content(publication, request.output or "")
            for request, (_, publication) in zip(wanted, made, strict=True)
        ]
        if self._gate is not None:
            self.refused = [
                (request, basis, data)
                for request, (basis, _), data in zip(wanted, made, written, strict=True)
            ]
            walks = [request.walk for request in wanted]
            self._gate(past, walks, [publication for _, publication in made])
            self.refused = []
        return self._charged(wanted, [publication for _, publication in made], written, past)

    def _charged(
        self,
        wanted: Sequence[Request],
        made: Sequence[Publication],
        written: Sequence[bytes],
        past: Past,
    ) -> list[DrawnRelease]:
        """Return what was drawn with what it costs; a grouping costs once, if it is new here."""
        terms, once = self._terms, None
        if terms.grouping is not None and terms.grouping.digest not in past.groupings():
            once = grouping_loss(wanted[0].network, terms.grouping)
        return [
            drawn_for_ledger(
                publication,
                data,
                request.network,
                request.walk,
                terms.in_use,
                terms=terms.text,
                once=once,
                capacity=terms.capacity,
            )
            for request, publication, data in zip(wanted, made, written, strict=True)
        ]


def _require_own_files(ledger: Ledger, recorded: Sequence[Recorded]) -> None:
    """Raise unless files that are there hold the very releases that are to be put there."""
    for release in recorded:
        path = release.output
        if path is None or not path.exists():
            continue
        if release.counter not in ledger.find(sha256(path.read_bytes()).hexdigest()):
            raise _would_replace(path)


def _would_replace(path: Path, *, fresh: bool = False) -> BadFile:
    return BadFile(
        f"{path}: exists and holds something else, perhaps a release that was handed out; give "
        "another folder, or say --force to replace it"
        + (
            ". A batch with fresh coins that was cut short goes on without --fresh: what was "
            "recorded is then handed out"
            if fresh
            else ""
        )
    )


def release_batch(
    ledger: Ledger,
    network: Network,
    walks: str | Path,
    folder: str | Path,
    terms: ReleaseTerms | None = None,
    *,
    fresh: bool = False,
    budget: Fraction | None = None,
    recipients: Sequence[str | Path] = (),
    gate: Gate | None = None,
    accept_clock: bool = False,
    replacing: bool = False,
) -> tuple[BatchReport, tuple[Recorded, ...]]:
    """Return what became of a file of walks, each released through the ledger to one file.

    A walk that is none is reported with its line and left out; the others are recorded together,
    all or none. Killed and started again, it hands out what was recorded and charges nothing.
    Parameters are those of :func:`release_walks`. Files are numbered one after another, so that no
    gap tells of a walk that failed; see :func:`pathveil.batching.batch_run.batch`. A walk that
    stands on two
    lines is released once and given back the second time.
    """
    target, terms = Path(folder), terms or ReleaseTerms()
    if target.suffix:
        raise BadFile(
            f"{target}: with a ledger each walk goes to a file of its own; give a folder's name "
            "without a suffix"
        )
    suffix = ".veil.json" if terms.form == "packed" else COMPACT
    suffix += ".age" if recipients else ""
    parsed = {line: walk_on(line, text, network) for line, text in read_walks(walks)}
    failures = [found for found in parsed.values() if isinstance(found, Failure)]
    good = {line: walk for line, walk in parsed.items() if isinstance(walk, Walk)}
    wanted = [
        (walk, target / release_name(number, suffix))
        for number, walk in enumerate(good.values(), start=1)
    ]
    clear_left_over(target)
    recorded: tuple[Recorded, ...] = ()
    if wanted:
        target.mkdir(parents=True, exist_ok=True)
        recorded = release_walks(
            ledger,
            network,
            wanted,
            terms,
            fresh=fresh,
            budget=budget,
            recipients=recipients,
            gate=gate,
            accept_clock=accept_clock,
            replacing=replacing,
        )
    listed = [(failure.line, failure.message) for failure in failures]
    write_custodians_lists(target, list(good), listed)
    resumed = sum(release.replayed for release in recorded)
    again = repeated_lines(parsed)
    report = BatchReport(target, len(recorded), resumed, tuple(failures), repeated=again)
    return report, recorded


def publication_of(recorded: Recorded, grouping: Grouping | None = None) -> Publication:
    """Return a recorded release as a publication, with its grouping at hand."""
    return _opened(recorded.data, recorded.digest).over(grouping)


def _published(
    requests: Sequence[Request], terms: ReleaseTerms, past: Past
) -> Iterator[tuple[str, Publication]]:
    """Yield the walks published, each with the basis its coins were thrown on.

    Coins that were thrown on this basis before, and refused at the gate, are not thrown again.
    """
    history = History.of(_earlier(requests[0].network, terms, past) if terms.remembers else ())
    for request in requests:
        basis = f"{past.counter} {history.last or ''}" if terms.remembers else ""
        held = past.held(request, basis)
        if held is not None:
            found = _opened(held, "held").over(terms.grouping)
        else:
            found = publish_under(terms, request.network, request.walk, after=history, named=True)
        if terms.remembers:
            history = history.then(found)
        yield basis, found


def _earlier(network: Network, terms: ReleaseTerms, past: Past) -> list[Publication]:
    """Return the series so far."""
    if past.comes_back(network):
        raise BrokenSeries(
            "a link of this network was removed during the series and is there again; what its "
            "coming back costs cannot be told from counts: begin a series with other terms"
        )
    found = [_opened(e.read(), e.digest) for e in past.earlier(terms.text)]
    return [publication.over(terms.grouping) for publication in found]


def _in_form(data: bytes, output: Path) -> bytes:
    """Return a kept release in the form a file's name asks for: as it is, or written anew."""
    name = output.with_suffix("") if output.suffix == ".age" else output
    if is_compact(data) == (name.suffix.lower() == COMPACT):
        return data
    return publication_content(publication_from(data, str(output)), name)


def _opened(data: bytes, digest: str) -> Publication:
    return publication_from(data, f"release {digest[:12]}")
