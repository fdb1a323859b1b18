"""A series: releases over one network, each of which knows what was published before it.

A publication of a series states its place, and names the release before it by digest; that one
names the one before, and so on: the last file commits to all. A digest is computed from what a file
says (names, copies, terms, bits, direction, salt, place and predecessor), never from its name or
folder, so the order in which files are listed does not matter, and an edited file falls out of its
series.

*Privacy*: a file is handed out to more people than the one before it may have been. Of a small
network all that the file before could say can be listed, and a digest of nothing else would tell
which of it is true. So each file carries a salt that nobody knows without that file: somebody who
holds the next one cannot try out what its digest is of.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256

from pathveil.errors import BadPublication, BrokenSeries
from pathveil.model.publication import Publication, SeriesPlace


def release_digest(place: int, before: str | None, publication: Publication) -> str:
    """Return the digest that names a release: of all it says that later releases build on.

    *Privacy*: it tells nothing to anybody without the file's salt, as long as SHA-256 of 128
    unknown bits and whatever follows them tells nothing.
    """
    digest = sha256(b"pathveil series release 3")
    # The salt first, so that nothing that can be guessed is hashed without it.
    _feed(digest, publication.salt or "", str(place), before or "", publication.policy.name)
    _feed(digest, *(text for pair in publication.policy.parameters for text in pair))
    _feed(digest, str(publication.direction), publication.layering)
    data = publication.bits.content()
    digest.update(len(data).to_bytes(8, "big") + data)
    return digest.hexdigest()


def keeps_its_digest(publication: Publication) -> bool | None:
    """Return whether the file has the digest it states; None where it belongs to no series.

    Whoever edits a file can compute its digest again: then it is another release, which no later
    one names.

    *Cost*: all bits are read once; fifty million take about a fortieth of a second.
    """
    place = publication.series
    if place is None:
        return None
    return release_digest(place.place, place.before, publication) == place.release


def require_unchanged(publication: Publication, where: str = "publication") -> None:
    """Raise :class:`BadPublication` if a file has not the digest it states of itself."""
    if keeps_its_digest(publication) is False:
        raise BadPublication(
            f"{where}: series: {_changed(publication)}; 'pathveil inspect --trust' "
            "shows it all the same"
        )


def _feed(digest: object, *texts: str) -> None:
    """Add texts so that no two lists of them look alike: lengths tell them apart."""
    data = len(texts).to_bytes(4, "big")
    for text in texts:
        encoded = text.encode("utf-8", "surrogatepass")
        data += len(encoded).to_bytes(8, "big") + encoded
    digest.update(data)  # type: ignore[attr-defined]


def order_series(publications: Iterable[Publication]) -> tuple[Publication, ...]:
    """Return the releases of a series from the first to the last, by their digests.

    Raises
    ------
    BrokenSeries
        If a publication belongs to no series, was changed, or differs in vertices or terms; if one
        is missing, or two follow the same release.
    """
    ordered = sorted(_distinct(publications), key=lambda release: _place(release).place)
    for number, release in enumerate(ordered, start=1):
        place = _place(release)
        last = ordered[number - 2] if number > 1 else None
        if last is not None and _place(last).before == place.before:
            raise BrokenSeries(
                f"two releases at place {place.place} follow the same one: {_called(last)} and "
                f"{_called(release)}. The series is forked: what the two show "
                "together costs more than either says. Go on with one of them, and count the other "
                "as a series of its own"
            )
        follows = None if last is None else _place(last).release
        if (place.place, place.before) != (number, follows):
            raise BrokenSeries(
                f"release {place.place} ({_called(release)}) is number {number} of the files, and "
                f"follows a release that is not number {number - 1}: {str(place.before)[:12]}; "
                "give every release from the first on, as it was handed out"
            )
    _require_alike(ordered)
    return tuple(ordered)


def _place(publication: Publication) -> SeriesPlace:
    if publication.series is None:
        raise BrokenSeries(
            f"a publication with policy {publication.policy} belongs to no series, so nothing can "
            "follow it; begin a series with Policy.remembering(usage=...) (--policy "
            "remembering:usage=...), and count this one beside it: the losses of the two add up"
        )
    return publication.series


def _called(publication: Publication) -> str:
    """Return what messages call a release: its file, or its digest."""
    return publication.where or _place(publication).release[:12]


def _distinct(publications: Iterable[Publication]) -> list[Publication]:
    """Return each release once, as its digest says, no two with the same salt."""
    releases: dict[str, Publication] = {}
    for publication in publications:
        place = _place(publication)
        same = releases.setdefault(place.release, publication)
        both = (same.bits, same.salt) == (publication.bits, publication.salt)
        if not both or keeps_its_digest(publication) is False:
            raise _changed(publication)
    owner: dict[str | None, SeriesPlace] = {}
    for publication in releases.values():
        place = _place(publication)
        other = owner.setdefault(publication.salt, place)
        if other is not place and not publication.unsafe:
            raise BrokenSeries(
                f"release {other.place} and release {place.place} have the same salt, so somebody "
                "who has one of the two files can try out what the other says; the source of "
                "random bytes repeats itself, or a file was made by hand: mend it and publish the "
                "series anew"
            )
    return list(releases.values())


def _changed(publication: Publication) -> BrokenSeries:
    return BrokenSeries(
        f"release {_place(publication).place} ({_called(publication)}) is not what its digest "
        "says: it was changed after it was published; give the file as it was handed out"
    )


def _require_alike(releases: Sequence[Publication]) -> None:
    """Raise unless all releases have the same vertices, copies and terms."""
    for number, publication in enumerate(releases, start=1):
        for what, mine, theirs in (
            ("terms", publication.policy, releases[0].policy),
            ("form or vertices", publication.positions, releases[0].positions),
        ):
            if mine != theirs:
                raise BrokenSeries(
                    f"release {number} has other {what} than the first; a series keeps its {what}"
                )
