"""Attacks on several files: what somebody reads who collected every release.

The files are a whole series, or separate releases with fresh coins; all over the same vertices and
under the same terms. Files that were made otherwise are refused: over a universe, over a grouping,
under another policy. Each of those is attacked alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from pathveil.attacks.series.insider import SeriesInference, joining_insider
from pathveil.attacks.series.observed_pairs import ChaffLaw, Sightings
from pathveil.attacks.series.outsider import (
    Effort,
    SeriesReading,
    counting_outsider,
    structural_outsider,
)
from pathveil.errors import DoesNotFit
from pathveil.model.network import Network
from pathveil.model.publication import Publication
from pathveil.model.series import order_series
from pathveil.policies import Policy


@dataclass(frozen=True, repr=False)
class OutsiderFindings:
    """What outsiders read in several files: by counting, and by looking for paths.

    ``files`` are the publications in the order of the layers of the readings.
    """

    sightings: Sightings
    files: tuple[Publication, ...]
    counting: SeriesReading
    structure: SeriesReading

    def __repr__(self) -> str:
        return f"<OutsiderFindings: by counting {self.counting}; by structure {self.structure}>"


def read_releases(
    publications: Sequence[Publication], *, names: Iterable[str] | None = None
) -> tuple[Sightings, ChaffLaw, tuple[Publication, ...]]:
    """Return what the files show, how their chaff was drawn, and the files in that order.

    ``names`` are the vertices to look at in sketches, which list none; what a sketch shows of these
    is then the file.

    Raises
    ------
    BrokenSeries
        If they are of a series that has a gap, a fork or a changed file.
    DoesNotFit
        If they are not over the same vertices or not under the same terms; if one is over a
        universe or a grouping.
    """
    if not publications:
        raise DoesNotFit("no publication to attack; give one file or more")
    first = publications[0]
    for number, publication in enumerate(publications, start=1):
        _require_alike(number, publication, first)
    policy = Policy.from_terms(first.policy)
    files = tuple(publications)
    if policy.kind.urn is not None:
        files = order_series(publications)
    listed = None if names is None else tuple(names)
    files = tuple(_with_vertices(file, listed) for file in files)
    bits = [file.packed.pairs for file in files]
    return Sightings.of(files[0].positions, bits), chaff_law(policy), files


def chaff_law(policy: Policy) -> ChaffLaw:
    """Return how often a pair that is not a link is shown on a walk.

    >>> chaff_law(Policy.balanced())
    Fraction(1, 2)
    """
    if policy.kind.urn is not None:
        return policy.kind.urn
    rate = float(policy.law().on)
    if not policy.joint and policy.copies is not None:
        rate = 1 - (1 - rate) ** (policy.copies**2)
    return Fraction(rate).limit_denominator(1 << 30)


def _require_alike(number: int, publication: Publication, first: Publication) -> None:
    """Raise unless a file can be compared with the first, pair by pair."""
    odd = None
    if publication.universe is not None:
        odd = "is over a universe"
    elif publication.grouped is not None:
        odd = "is over a grouping, between whose classes everything counts as read"
    elif Policy.from_terms(publication.policy).kind.draws_copies:
        odd = f"was made by {publication.policy.name}, which draws copies afresh for each file"
    elif publication.policy != first.policy:
        odd = f"was made by {publication.policy}, the first by {first.policy}"
    elif publication.lists_vertices != first.lists_vertices or (
        first.lists_vertices and publication.vertices != first.vertices
    ):
        odd = "is over other vertices than the first"
    if odd is not None:
        raise DoesNotFit(
            f"publication {number} {odd}; several files are attacked together if they are over "
            "the same vertices and under the same terms, without universe and grouping. Attack "
            "this one alone, with the link that somebody lacks (NETWORK --lacking U V)"
        )


def _with_vertices(publication: Publication, names: tuple[str, ...] | None) -> Publication:
    """Return a file that lists vertices: of a sketch, what it shows of these names."""
    if publication.lists_vertices:
        return publication
    if names is None:
        raise DoesNotFit(
            "a sketch lists no vertices; an attack on several needs the names to look at: give "
            "the network"
        )
    return publication.among(names)


def attack_as_outsider(
    publications: Sequence[Publication],
    links: int,
    *,
    names: Iterable[str] | None = None,
    effort: Effort | None = None,
) -> OutsiderFindings:
    """Return what outsiders read who hold these files and know the number of links.

    Parameters
    ----------
    publications
        The files, in any order.
    links
        How many links the network has.
    names
        The vertices they know of, for sketches.
    effort
        See :func:`~pathveil.attacks.series.outsider.structural_outsider`.

    Raises
    ------
    DoesNotFit
        If the files do not belong together.
    """
    sightings, law, files = read_releases(publications, names=names)
    counting = counting_outsider(sightings, law, links)
    structure = structural_outsider(sightings, law, links, effort=effort)
    return OutsiderFindings(sightings, files, counting, structure)


def attack_as_insider(publications: Sequence[Publication], known: Network) -> SeriesInference:
    """Return what is left to someone who knows all links but one and holds these files."""
    known = Network.of(known, connected=False)
    sightings, law, files = read_releases(publications, names=known.vertices)
    files[0].bits.require_over(known)
    return joining_insider(sightings, law, known.pairs)
