"""release_walks(): publish through a ledger. What was released before counts.

``publish`` draws a publication and forgets it. Here each walk is first looked up: the same walk
through the same network under the same terms is handed out again and costs nothing. Otherwise what
is impossible is refused first: a file that cannot be written, a price over the budget. Then it is
drawn, charged to every link, recorded in one transaction, and only then written. The order of
things, and why a kill at any instant is harmless, is in :mod:`pathveil.ledger.ledger`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from hashlib import sha256
from pathlib import Path

from pathveil.chance.urn import History
from pathveil.errors import BrokenSeries, FileTaken, GateClosed
from pathveil.files.atomic_write import require_writable, write_aside
from pathveil.files.envelopes import sealing
from pathveil.files.publications.any_publication import (
    COMPACT,
    is_compact,
    publication_content,
    publication_from,
)
from pathveil.files.publications.size_limits import require_drawable
from pathveil.ledger.entries import DrawnRelease, Recorded, Request
from pathveil.ledger.ledger import Ledger
from pathveil.ledger.pricing import compose_losses, grouping_loss, price_release
from pathveil.ledger.public_life import counted_text
from pathveil.ledger.views import Past
from pathveil.model.grouping import Grouping
from pathveil.model.layered import follows_walk
from pathveil.model.network import Network
from pathveil.model.publication import Publication
from pathveil.model.walk import Walk
from pathveil.planning.cover import CountedRelease
from pathveil.planning.gate import counted_release, require_one_way, require_open
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
    accept_clock: bool = False,
    replacing: bool = False,
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
        Public keys of readers; the files are then envelopes that only they can open. Without them
        the files are public, and the gate is asked before anything is drawn.
    replacing
        Whether a file that exists and holds another release may be replaced.

    Raises
    ------
    OverBudget
        With the numbers; nothing was recorded and nothing written.
    BadFile
        If a file cannot be written; nothing was recorded.
    FileTaken
        If a file exists and must not be replaced. If it appeared after the release was recorded,
        the message names the release, which the ledger keeps.

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
    _require_suits_ledger(terms)
    for walk, path in walks:
        walk.require_in(network)
        require_writable(path)
    # Keys of readers are checked before anything is recorded.
    seal = sealing(recipients) if recipients else bytes

    def wrap(data: bytes, request: Request) -> bytes:
        assert request.output is not None
        return seal(_in_form(data, request.output))

    drawing = _Drawing(terms, replacing=replacing)
    recorded = ledger.record(
        _requests(network, walks, terms, fresh=fresh, public=not recipients),
        drawing,
        compose=compose_losses,
        price=None if terms.policy.kind.draws_copies else drawing.price,
        gate=drawing.ask_gate,
        budget=budget,
        wrap=wrap,
        independent=bool(recipients) and terms.grouping is None and not terms.remembers,
        accept_clock=accept_clock,
    )
    if not replacing:
        _require_own_files(ledger, recorded)
    ledger.hand_out(recorded, lambda release: _write(ledger, release, replacing=replacing))
    return recorded


def _require_suits_ledger(terms: ReleaseTerms) -> None:
    """Raise if a ledger does not keep releases under such terms."""
    terms.require_goes_with("ledger")


def _requests(
    network: Network,
    walks: Sequence[tuple[Walk, Path]],
    terms: ReleaseTerms,
    *,
    fresh: bool,
    public: bool,
) -> list[Request]:
    """Return what the ledger is asked for."""
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
            public=public,
        )
        for walk, path in walks
    ]


class _Drawing:
    """Says what releases cost, asks the gate, and draws them."""

    def __init__(self, terms: ReleaseTerms, *, replacing: bool) -> None:
        self._terms, self._replacing = terms, replacing
        self._once: str | None = None
        self._grouping_loss = 0.0

    def price(self, wanted: Sequence[Request], past: Past) -> list[DrawnRelease]:
        """Return what requests cost, before a coin is thrown; refuse what cannot be written."""
        self._require_all_possible(wanted, past)
        return [self._priced(request) for request in wanted]

    def __call__(self, wanted: Sequence[Request], past: Past) -> list[DrawnRelease]:
        """Return requests drawn, with what they cost."""
        self._require_all_possible(wanted, past)
        made = list(_published(wanted, self._terms, past))
        return [
            replace(
                self._priced(request, publication),
                data=publication_content(publication, request.output or ""),
            )
            for request, publication in zip(wanted, made, strict=True)
        ]

    def ask_gate(self, coming: Sequence[Request], past: Past) -> None:
        """Raise :class:`GateClosed` if these releases must not be drawn, or become public.

        A series is all public or all sealed to its readers: later rates follow earlier bits.
        """
        public = coming[0].public
        if self._terms.remembers and (not public) in past.series_files(self._terms.text):
            raise GateClosed(
                "not released: a series is all public or all encrypted to its readers, because "
                f"later chaff follows earlier files; this one is {'not ' if public else ''}public "
                f"so far: go on {'with' if public else 'without'} --to, or publish this walk "
                "outside the series, with another policy such as balanced",
                cover=None,
            )
        life = past.life()
        if public:
            require_one_way(life, [self._counted(request) for request in coming])
        self._price_grouping(coming, past)
        if public:
            require_open(life, [self._counted(request) for request in coming])

    def _counted(self, request: Request) -> CountedRelease:
        """Return a request as cover counts it."""
        terms = self._terms
        grouping = terms.grouping
        return counted_release(
            request.network,
            [request.walk],
            terms.in_use,
            over=None if grouping is None else (grouping, self._grouping_loss),
            carried=follows_walk(terms.layering),
            capacity=terms.capacity,
            series=terms.text if terms.remembers else "",
        )

    def _require_all_possible(self, wanted: Sequence[Request], past: Past) -> None:
        """Raise if a release could not become a file."""
        for request in wanted:
            self._require_possible(request)
        self._price_grouping(wanted, past)

    def _require_possible(self, request: Request) -> None:
        """Raise if a new release could not become a file of that name."""
        assert request.output is not None
        if not self._replacing and request.output.exists():
            raise _would_replace(request.output, fresh=request.fresh)
        policy, grouping = self._terms.policy, self._terms.grouping
        over = request.network.vertices if grouping is None else grouping.names
        require_drawable(over, policy.copies or 1, float(policy.chaff), request.output)

    def _priced(self, request: Request, publication: Publication | None = None) -> DrawnRelease:
        priced = price_release(
            request.walk,
            self._terms.in_use,
            drawn=None if publication is None else (publication, request.network),
            terms=self._terms.text,
            once=self._once,
            capacity=self._terms.capacity,
        )
        return replace(priced, counted=counted_text(self._counted(request)))

    def _price_grouping(self, wanted: Sequence[Request], past: Past) -> None:
        """Estimate what the grouping costs, once, if it is new to this network."""
        grouping = self._terms.grouping
        if grouping is None:
            return
        known = past.grouping_loss(grouping.digest)
        if known is None:
            known = self._once = self._once or grouping_loss(wanted[0].network, grouping)
        self._grouping_loss = float(known)


def _require_own_files(ledger: Ledger, recorded: Sequence[Recorded]) -> None:
    """Raise unless files that exist hold the very releases that are to be written there."""
    for release in recorded:
        if release.output is not None and release.output.exists() and not _is_own(ledger, release):
            raise _kept(release)


def _write(ledger: Ledger, release: Recorded, *, replacing: bool) -> None:
    """Write a release to its file; a file that holds this release already stays as it is."""
    assert release.output is not None
    try:
        write_aside(release.output, release.parcel, replacing=replacing)
    except FileTaken:
        if _is_own(ledger, release):
            return
        raise _kept(release) from None


def _is_own(ledger: Ledger, release: Recorded) -> bool:
    """Return whether the file of a release holds this very release."""
    assert release.output is not None
    try:
        digest = sha256(release.output.read_bytes()).hexdigest()
    except OSError:
        return False
    return release.counter in ledger.find(digest)


def _kept(release: Recorded) -> FileTaken:
    """Return the error for a recorded release whose file must not be replaced."""
    return FileTaken(
        f"{release.output}: exists and holds something else, perhaps a release that was handed "
        f"out. The release that was to go there is entry {release.counter} of the ledger and is "
        "kept there: run the same command with another name, without --fresh, and it is handed "
        "out and costs nothing; or say --force to replace the file"
    )


def _would_replace(path: Path, *, fresh: bool = False) -> FileTaken:
    return FileTaken(
        f"{path}: exists and holds something else, perhaps a release that was handed out; give "
        "another folder, or say --force to replace it"
        + (
            ". A batch with fresh coins that was cut short goes on without --fresh: what was "
            "recorded is then handed out"
            if fresh
            else ""
        )
    )


def publication_of(recorded: Recorded, grouping: Grouping | None = None) -> Publication:
    """Return a recorded release as a publication, with its grouping at hand."""
    return _opened(recorded.data, recorded.digest).over(grouping)


def _published(
    requests: Sequence[Request], terms: ReleaseTerms, past: Past
) -> Iterator[Publication]:
    """Yield the walks published, each after all those before it."""
    history = History.of(_earlier(requests[0].network, terms, past) if terms.remembers else ())
    for request in requests:
        publication = publish_under(terms, request.network, request.walk, after=history, named=True)
        if terms.remembers:
            history = history.then(publication)
        yield publication


def _earlier(network: Network, terms: ReleaseTerms, past: Past) -> list[Publication]:
    """Return the series so far."""
    if past.comes_back(network):
        raise BrokenSeries(
            "a link of this network was removed during the series and is there again; what its "
            "coming back costs cannot be told from counts: begin a series with other terms"
        )
    earlier = [_opened(release.read(), release.digest) for release in past.earlier(terms.text)]
    return [publication.over(terms.grouping) for publication in earlier]


def _in_form(data: bytes, output: Path) -> bytes:
    """Return a kept release in the form a file's name asks for: as it is, or written anew."""
    name = output.with_suffix("") if output.suffix == ".age" else output
    if is_compact(data) == (name.suffix.lower() == COMPACT):
        return data
    return publication_content(publication_from(data, str(output)), name)


def _opened(data: bytes, digest: str) -> Publication:
    return publication_from(data, f"release {digest[:12]}")
