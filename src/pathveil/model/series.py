"""A series: releases over one network, each of which knows what was published before it.

A publication of a series says its place, and names the release before it by digest; that one names
the one before, and so on: the last file commits to all. A digest is computed from what a file says
(names, copies, terms, universe, bits, directions, salt, place and predecessor), never from where it
lies or how it is called, so the order in which files are listed does not matter, and an edited
file falls out of its series.

*Privacy*: a file is handed out to more people than the one before it may have been. Of a small
network all that the file before could say can be listed, and a digest of nothing else would tell
which of it is true. So each file carries a salt that nobody knows who does not have that file: who
holds the next one cannot try out what its digest is of. Walks published together have a salt each,
for each of their files states the digest of all of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING

from pathveil.errors import BadPublication, BrokenSeries

if TYPE_CHECKING:
    from pathveil.model.certificate import PolicyTerms
    from pathveil.model.publication import Publication
    from pathveil.model.sketch import SketchedBits

SALT_BYTES = 16
"""Random bytes of a salt: too many to try."""

_SALT = re.compile(f"[0-9a-f]{{{2 * SALT_BYTES}}}")

MOST_RELEASES = 20_000
"""Releases a series may have: what one costs is computed from whole numbers of as many factors."""

_LONGEST_COUNT = 9
"""Digits of how many walks a policy may say are published together; more are no number of walks."""

Release = tuple["Publication", ...]
"""The publications of the walks that were published together; mostly one."""


@dataclass(frozen=True)
class SeriesPlace:
    """Where a publication stands in its series.

    Parameters
    ----------
    place
        1 for the first release, 2 for the next.
    before
        Digest of the release before; None for the first.
    release
        Digest of this release.
    walk
        Which of the walks published together this is, from 1.
    """

    place: int
    before: str | None
    release: str
    walk: int = 1

    def __post_init__(self) -> None:
        if self.place < 1 or self.walk < 1 or (self.before is None) != (self.place == 1):
            raise BrokenSeries(
                f"place {self.place}, walk {self.walk}, "
                f"{'no' if self.before is None else 'a'} release before; places and walks count "
                "from 1, and all but the first release name the one before"
            )
        if self.place > MOST_RELEASES:
            raise BrokenSeries(
                f"place {self.place:,}, a series has {MOST_RELEASES:,} releases at most; begin a "
                "new one, whose losses add to those of this one"
            )


def walks_together(terms: PolicyTerms) -> int:
    """Return how many walks a release of these terms publishes together, or raise.

    >>> from pathveil import Policy
    >>> walks_together(Policy.remembering().terms())
    1
    >>> walks_together(Policy.remembering().together(3).terms())
    3
    """
    stated = dict(terms.parameters).get("walks", "1")
    if not (stated.isascii() and stated.isdigit() and len(stated) <= _LONGEST_COUNT):
        raise BrokenSeries(
            "how many walks were published together is no number; get the file from its publisher"
        )
    return int(stated)


def require_salt(salt: str | None, *, series: bool) -> None:
    """Raise :class:`BrokenSeries` unless a salt is whole, and there if a series needs it.

    >>> require_salt(None, series=False)
    >>> require_salt("00" * SALT_BYTES, series=True)
    """
    if salt is None and not series:
        return
    if salt is None or not _SALT.fullmatch(salt):
        found = "none" if salt is None else f"of {len(salt)} characters"
        raise BrokenSeries(
            f"the salt is {found}, expected {2 * SALT_BYTES} hexadecimal digits: without it who "
            "has the next file of a series can try out what this one says; it was cut, or the file "
            "is of an earlier version: get it again, or publish the series anew"
        )


def release_digest(place: int, before: str | None, release: Sequence[Publication]) -> str:
    """Return the digest that names a release: of all it says that later releases build on.

    *Privacy*: it tells nothing to who lacks the salt of one of the files, as long as SHA-256 of
    128 bits unknown to him and whatever follows them tells nothing.
    """
    digest = sha256(b"pathveil series release 2")
    # First, so that nothing that can be guessed is hashed without all of them.
    _feed(digest, *(publication.salt or "" for publication in release))
    first = release[0]
    universe = "" if first.universe is None else first.universe.digest
    _feed(digest, str(place), before or "", first.policy.name, universe)
    _feed(digest, *(text for pair in first.policy.parameters for text in pair))
    for publication in release:
        _feed(digest, str(publication.direction), publication.layering)
        data = _content(publication)
        digest.update(len(data).to_bytes(8, "big") + data)
    return digest.hexdigest()


def keeps_its_digest(publication: Publication) -> bool | None:
    """Return whether the file has the digest it states; None where the file does not decide it.

    It belongs to no series, or the digest is of walks published together and covers other files.
    Whoever edits a file can compute its digest again: then it is another release, which no later
    one names.

    *Cost*: all bits are read once; fifty million take about a fortieth of a second.
    """
    place = publication.series
    if place is None or walks_together(publication.policy) != 1:
        return None
    return release_digest(place.place, place.before, (publication,)) == place.release


def require_unchanged(publication: Publication, where: str = "publication") -> None:
    """Raise :class:`BadPublication` if a file has not the digest it states of itself."""
    if keeps_its_digest(publication) is False:
        raise BadPublication(
            f"{where}: series: {_changed(_place(publication))}; 'pathveil inspect --trust' "
            "(trust=True) shows it all the same"
        )


def _content(publication: Publication) -> bytes:
    """Return the bits as bytes; every form that may be in a series has ``content``."""
    content = getattr(publication.bits, "content", None)
    if content is None:
        raise BrokenSeries(
            f"{type(publication.bits).__name__} cannot be part of a series; publish it packed"
        )
    data: bytes = content()
    return data


def _feed(digest: object, *texts: str) -> None:
    """Add texts so that no two lists of them look alike: lengths tell them apart."""
    data = len(texts).to_bytes(4, "big")
    for text in texts:
        encoded = text.encode("utf-8", "surrogatepass")
        data += len(encoded).to_bytes(8, "big") + encoded
    digest.update(data)  # type: ignore[attr-defined]


def order_series(publications: Iterable[Publication]) -> tuple[Release, ...]:
    """Return the releases of a series from the first to the last, by their digests.

    Raises
    ------
    BrokenSeries
        If a publication belongs to no series, was changed, or differs in vertices or terms; if one
        is missing, or two follow the same release.
    """
    releases = _whole_releases(list(publications))
    follower: dict[str | None, Release] = {}
    for release in releases:
        place = _place(release[0])
        other = follower.setdefault(place.before, release)
        if other is not release:
            raise BrokenSeries(
                f"two releases at place {place.place} follow the same one: {place.release[:12]} "
                f"and {_place(other[0]).release[:12]}. The series is forked: what the two show "
                "together costs more than either says. Go on with one of them, and count the other "
                "as a series of its own"
            )
    ordered: list[Release] = []
    after: str | None = None
    while after in follower:
        ordered.append(follower[after])
        after = _place(follower[after][0]).release
    if len(ordered) < len(releases):
        waiting = min(
            (_place(release[0]) for release in releases if release not in ordered),
            key=lambda place: place.place,
        )
        raise BrokenSeries(
            f"release {waiting.place} ({waiting.release[:12]}) follows a release that is not among "
            f"the files: {str(waiting.before)[:12]}; give every release from the first on"
        )
    for number, release in enumerate(ordered, start=1):
        if _place(release[0]).place != number:
            raise BrokenSeries(
                f"the release {_place(release[0]).release[:12]} says it is at place "
                f"{_place(release[0]).place}, but it is number {number} of its series; it was "
                "changed: get it again"
            )
    _require_alike(ordered)
    return tuple(ordered)


def _place(publication: Publication) -> SeriesPlace:
    if publication.series is None:
        raise BrokenSeries(
            f"a publication with policy {publication.policy} belongs to no series, so nothing can "
            "follow it; begin a series with Policy.remembering() (--policy remembering), and count "
            "this one beside it: the losses of the two add up"
        )
    return publication.series


def _whole_releases(publications: Sequence[Publication]) -> list[Release]:
    """Return the publications by release, each complete and as its digest says."""
    members: dict[str, dict[int, Publication]] = {}
    for publication in publications:
        place = _place(publication)
        found = members.setdefault(place.release, {})
        same = found.setdefault(place.walk, publication)
        if same is not publication and (same.bits, same.salt) != (
            publication.bits,
            publication.salt,
        ):
            raise _changed(place)
    releases = []
    for listed in members.values():
        release = tuple(listed[walk] for walk in sorted(listed))
        place = _place(release[0])
        expected = walks_together(release[0].policy)
        if sorted(listed) != list(range(1, expected + 1)):
            raise BrokenSeries(
                f"release {place.place} ({place.release[:12]}) published {expected} walks "
                f"together, but {len(listed)} of its files are here; give all of them"
            )
        if release_digest(place.place, place.before, release) != place.release:
            raise _changed(place)
        releases.append(release)
    _require_own_salts(releases)
    return releases


def _require_own_salts(releases: Sequence[Release]) -> None:
    """Raise if two files have one salt: who has either can try out what the other says."""
    owner: dict[str | None, SeriesPlace] = {}
    for publication in (one for release in releases for one in release if not one.unsafe):
        place = _place(publication)
        other = owner.setdefault(publication.salt, place)
        if other is not place:
            raise BrokenSeries(
                f"release {other.place} (walk {other.walk}) and release {place.place} (walk "
                f"{place.walk}) have the same salt, so who has one of the two files can try out "
                "what the other says; the source of random bytes repeats itself, or a file was "
                "made by hand: mend it and publish the series anew"
            )


def _changed(place: SeriesPlace) -> BrokenSeries:
    return BrokenSeries(
        f"release {place.place} is not what its digest {place.release[:12]} says: it was changed "
        "after it was published; give the file as it was handed out"
    )


def _ground(publication: Publication) -> object:
    """Return what a release is over: its copies, or of a sketch its capacity and copies."""
    sketch = publication.sketch
    return publication.positions if sketch is None else (sketch.capacity, sketch.copies)


def releases_before(place: SeriesPlace, publications: Iterable[Publication]) -> tuple[Release, ...]:
    """Return the releases that one builds on, out of files that may hold more of its series."""
    ordered = order_series(publications)[: place.place - 1]
    last = _place(ordered[-1][0]).release if ordered else None
    if len(ordered) < place.place - 1 or last != place.before:
        raise BrokenSeries(
            f"release {place.place} ({place.release[:12]}) follows {str(place.before)[:12]}, which "
            "is not among the earlier files given; give every release from the first on"
        )
    return ordered


def sketches_of(releases: Iterable[Release]) -> tuple[SketchedBits, ...]:
    """Return one sketch for each release: those of walks published together hold the same."""
    found = (release[0].sketch for release in releases)
    return tuple(sketch for sketch in found if sketch is not None)


def _require_alike(releases: Sequence[Release]) -> None:
    """Raise unless all releases have the same vertices, copies, terms and universe."""
    if not releases:
        return
    first = releases[0][0]
    for number, release in enumerate(releases, start=1):
        for publication in release:
            for what, mine, theirs in (
                ("terms", publication.policy.of_series, first.policy.of_series),
                ("form or vertices", _ground(publication), _ground(first)),
                ("universe", publication.universe, first.universe),
            ):
                if mine != theirs:
                    raise BrokenSeries(
                        f"release {number} has other {what} than the first; a series keeps its "
                        f"{what}: begin a new series, whose losses add to those of this one"
                    )
