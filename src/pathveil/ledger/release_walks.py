"""release_walks(): publish through a ledger. What was released before counts.

``publish`` draws a publication and forgets it. Here each walk is first looked up: the same walk
through the same network under the same terms is handed out again and costs nothing. Otherwise what
is impossible is refused first: a file that cannot be written, a price over the budget. Then it is
drawn, charged to every link, recorded in one transaction, and only then written. The order of
things, and why a kill at any instant is harmless, is in :mod:`pathveil.ledger.ledger`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from pathveil.chance.urn import History
from pathveil.errors import BadFile, BrokenSeries, FileTaken, GateClosed
from pathveil.files.atomic_write import require_writable, taken, write_aside
from pathveil.files.envelopes import sealing
from pathveil.files.publications.any_publication import (
    is_compact,
    is_compact_name,
    publication_content,
    publication_from,
    require_publication_name,
)
from pathveil.files.publications.size_limits import require_drawable
from pathveil.ledger.entries import Delivery, DrawnRelease, Recorded, Request
from pathveil.ledger.ledger import Ledger
from pathveil.ledger.past import Past, counted_text
from pathveil.ledger.pricing import grouping_loss, price_release
from pathveil.ledger.record import content_of
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
    delivery: Delivery | None = None,
) -> tuple[Recorded, ...]:
    """Return walks as recorded releases, each written to its file: all of them, or none.

    Parameters
    ----------
    walks
        Each with the file it goes to.

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
    terms, delivery = terms or ReleaseTerms(), delivery or Delivery()
    terms.require_goes_with("ledger")
    for walk, path in walks:
        walk.require_in(network)
        require_writable(path)
        require_publication_name(path, sealed=not delivery.public)
    drawing = TermsDrawing(terms, delivery)
    requests = requests_for(network, walks, terms, delivery)

    def release() -> tuple[Recorded, ...]:
        recorded = ledger.record(requests, drawing, delivery)
        if not delivery.replacing:
            for one in recorded:  # before any of them is written
                if os.path.lexists(one.output) and content_of(one.output) != one.parcel:
                    raise _kept(one)
        ledger.hand_out(recorded, lambda one: _write(one, delivery))
        return recorded

    try:
        return release()
    except FileTaken:
        # Perhaps by somebody who released the same walk meanwhile: then the ledger has it now.
        return release()


def requests_for(
    network: Network,
    walks: Sequence[tuple[Walk, Path]],
    terms: ReleaseTerms,
    delivery: Delivery | None = None,
) -> list[Request]:
    """Return what the ledger is asked for."""
    grouping, delivery = terms.grouping, delivery or Delivery()
    return [
        Request(
            network,
            walk,
            path.absolute(),
            terms.text,
            terms.policy.kind.name,
            grouping=None if grouping is None else grouping.digest,
            public=delivery.public,
        )
        for walk, path in walks
    ]


class TermsDrawing:
    """Says what releases under some terms cost, asks the gate, and draws them."""

    def __init__(self, terms: ReleaseTerms, delivery: Delivery | None = None) -> None:
        self._terms, self._delivery = terms, delivery or Delivery()
        # Keys of readers are checked here, before anything is recorded.
        self._seal = sealing(self._delivery.recipients) if self._delivery.recipients else bytes
        self._once: str | None = None
        self._grouping_loss = 0.0
        self.independent = (
            not self._delivery.public and terms.grouping is None and not terms.remembers
        )

    def price(self, wanted: Sequence[Request], past: Past) -> list[DrawnRelease] | None:
        """Return what requests cost, before a coin is thrown; refuse what cannot be written."""
        if self._terms.policy.kind.draws_copies:
            return None
        self._require_possible(wanted, past)
        return [self._priced(request) for request in wanted]

    def draw(self, wanted: Sequence[Request], past: Past) -> list[DrawnRelease]:
        """Return requests drawn, with what they cost."""
        self._require_possible(wanted, past)
        made = list(_published(wanted, self._terms, past))
        return [
            replace(
                self._priced(request, publication),
                data=publication_content(publication, request.output),
            )
            for request, publication in zip(wanted, made, strict=True)
        ]

    def wrap(self, data: bytes, request: Request) -> bytes:
        """Return a kept release in the form a file's name asks for, in its envelope."""
        output = request.output
        if is_compact(data) != is_compact_name(output):
            data = publication_content(publication_from(data, str(output)), output)
        return self._seal(data)

    def ask_gate(self, coming: Sequence[Request], past: Past) -> None:
        """Raise :class:`GateClosed` if these releases must not be drawn, or become public.

        A series is all public or all sealed to its readers: later rates follow earlier bits.
        """
        public = coming[0].public
        series = past.of_series(self._terms.text) if self._terms.remembers else []
        if any(public is not one for release in series for one, _ in release.row.files):
            raise GateClosed(
                "not released: a series is all public or all encrypted to its readers, because "
                f"later chaff follows earlier files; this one is {'not ' if public else ''}public "
                f"so far: go on {'with' if public else 'without'} --to, or publish this walk "
                "outside the series, with another policy such as balanced"
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

    def _require_possible(self, wanted: Sequence[Request], past: Past) -> None:
        """Raise if a new release could not become a file of its name."""
        policy, grouping = self._terms.policy, self._terms.grouping
        for request in wanted:
            if not self._delivery.replacing and os.path.lexists(request.output):
                raise taken(request.output)
            over = request.network.vertices if grouping is None else grouping.names
            require_drawable(over, policy.copies or 1, float(policy.chaff), request.output)
        self._price_grouping(wanted, past)

    def _priced(self, request: Request, publication: Publication | None = None) -> DrawnRelease:
        drawn = None if publication is None else (publication, request.network)
        priced = price_release(request.walk, self._terms, drawn=drawn, once=self._once)
        return replace(priced, counted=counted_text(self._counted(request)))

    def _price_grouping(self, wanted: Sequence[Request], past: Past) -> None:
        """Estimate what the grouping costs, once, if it is new to this network."""
        grouping = self._terms.grouping
        if grouping is None:
            return
        known = past.grouping_losses().get(grouping.digest)
        if known is None:
            known = self._once = self._once or grouping_loss(wanted[0].network, grouping)
        self._grouping_loss = float(known)


def _write(release: Recorded, delivery: Delivery) -> None:
    """Write a release to its file; a file that holds this release already stays as it is."""
    try:
        write_aside(release.output, release.parcel, replacing=delivery.replacing, resuming=True)
    except FileTaken:
        raise _kept(release) from None
    except (BadFile, OSError) as error:
        raise BadFile(
            f"{error}. The release is entry {release.counter} of the ledger and is kept there: run "
            "the same command again, and it is handed out and costs nothing"
        ) from None


def _kept(release: Recorded) -> FileTaken:
    """Return the error for a recorded release whose file must not be replaced."""
    return FileTaken(
        f"{release.output}: exists and holds something else, perhaps a release that was handed "
        f"out. The release that was to go there is entry {release.counter} of the ledger and is "
        "kept there: run the same command with another name, and it is handed out and costs "
        "nothing; or say --force to replace the file"
    )


def publication_of(recorded: Recorded, grouping: Grouping | None = None) -> Publication:
    """Return a recorded release as a publication, with its grouping at hand."""
    return publication_from(recorded.data, f"entry {recorded.counter}").over(grouping)


def _published(
    requests: Sequence[Request], terms: ReleaseTerms, past: Past
) -> Iterator[Publication]:
    """Yield the walks published, each after all those before it."""
    history = History()
    if terms.remembers:
        if past.comes_back(requests[0].network):
            raise BrokenSeries(
                "a link of this network was removed during the series and is there again; what its "
                "coming back costs cannot be told from counts: begin a series with other terms"
            )
        where = "a release of this series"
        history = History.of(publication_from(data, where) for data in past.earlier(terms.text))
    for request in requests:
        publication = publish_under(terms, request.network, request.walk, after=history, named=True)
        if terms.remembers:
            history = history.then(publication)
        yield publication
