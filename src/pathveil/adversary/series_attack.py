"""Attacks on a pile of files: what those who collected every release make of them together.

The files may be a series, each with its place, or separate releases with fresh coins. What is read
off them is the same for all attacks: :func:`read_releases`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from pathveil.adversary.collection import chaff_law
from pathveil.adversary.series_insider import SeriesInference, joining_insider
from pathveil.adversary.series_outsider import (
    SeriesReading,
    counting_outsider,
    structural_outsider,
)
from pathveil.adversary.sightings import ChaffLaw, Sightings
from pathveil.chance.policy import Policy
from pathveil.chance.source import Source
from pathveil.errors import DoesNotFit
from pathveil.model.bits import IndexArray
from pathveil.model.grouped_bits import GroupedBits
from pathveil.model.network import Network
from pathveil.model.publication import Publication
from pathveil.model.series import Release, order_series
from pathveil.model.universe import Pairs


@dataclass(frozen=True)
class OutsiderFindings:
    """What outsiders read from a pile of files: by counting, and by structure.

    ``files`` are the publications in the order of the layers of the readings.
    """

    sightings: Sightings
    files: tuple[Publication, ...]
    counting: SeriesReading
    structure: SeriesReading


def read_releases(
    publications: Sequence[Publication],
    *,
    universe: Pairs | None = None,
    names: Iterable[str] | None = None,
) -> tuple[Sightings, ChaffLaw, tuple[Publication, ...]]:
    """Return what the files show, how their chaff was drawn, and the files in that order.

    ``names`` are the vertices to look at in sketches, which list none (over a grouping its classes,
    and all of them if not said); what they show of these is then the file.

    Raises
    ------
    BrokenSeries
        If they are of a series that has a gap, a fork or a changed file.
    DoesNotFit
        If they are not over the same vertices, or were not drawn alike.
    """
    if not publications:
        raise DoesNotFit("no publication to attack; give one file or more")
    policy = Policy.from_terms(publications[0].policy)
    if policy.kind.urn is not None:
        releases = order_series(publications)
    else:
        releases = tuple((publication,) for publication in publications)
    releases = _pictured(releases, names)
    publications = [publication for release in releases for publication in release]
    first = publications[0]
    for number, publication in enumerate(publications, start=1):
        _require_alike(number, publication, first)
    pairs = None
    if first.universe is not None:
        brought = first.universe.brought(universe).pairs or ()
        index = {name: place for place, name in enumerate(first.vertices)}
        pairs = _sorted_pairs([(index[u], index[v]) for u, v in brought])
    layers = [[publication.packed.pairs for publication in release] for release in releases]
    files = tuple(publication for release in releases for publication in release)
    return Sightings.of(first.positions, layers, pairs=pairs), chaff_law(policy), files


def _require_alike(number: int, publication: Publication, first: Publication) -> None:
    """Raise unless a file can be laid beside the first, pair by pair."""
    for what, mine, others in (
        ("another policy", publication.policy.of_series, first.policy.of_series),
        ("other vertices", publication.vertices, first.vertices),
    ):
        if mine != others:
            raise DoesNotFit(
                f"publication {number} has {what} than the first; attack those together that are "
                "over one network and were drawn alike"
            )
    if len({*publication.positions.counts, *first.positions.counts}) > 1:
        raise DoesNotFit(
            f"publication {number}: its policy, {publication.policy.name}, draws how many copies "
            "each vertex has, afresh for each file; this attack lays files side by side, copy by "
            "copy, and cannot: attack one file at a time, with the edge that is missing "
            "(NETWORK --missing U V)"
        )


def _pictured(releases: tuple[Release, ...], names: Iterable[str] | None) -> tuple[Release, ...]:
    """Return the releases with what sketches show of some vertices in their place."""
    if not any(publication.is_sketched for release in releases for publication in release):
        return releases
    everything = [publication for release in releases for publication in release]
    listed = None if names is None else tuple(names)
    return tuple(
        tuple(_picture(publication.following(everything), listed) for publication in release)
        for release in releases
    )


def _picture(publication: Publication, names: tuple[str, ...] | None) -> Publication:
    """Return what a file shows of some vertices, or of the classes of its grouping."""
    bits = publication.bits
    if not isinstance(bits, GroupedBits):
        if names is None:
            raise DoesNotFit(
                "a sketch lists no vertices; an attack on several needs the names to look at: give "
                "the network"
            )
        return publication.among(names)
    classes = bits.known.names
    # Asked about a name that is no class, a sketch of classes would answer with chaff.
    others = sorted(set(names or ()).difference(classes))
    if others:
        raise DoesNotFit(
            f"{others[0]!r} is none of the {len(classes)} classes of the grouping; over a grouping "
            "an attack on several is between classes: Grouping.between_classes(network)"
        )
    return replace(publication, bits=bits.blocks).among(names or classes)


def attack_as_outsider(
    publications: Sequence[Publication],
    links: int,
    *,
    known: Pairs | None = None,
    longest: int | None = None,
    steps: int = 3_000_000,
    restarts: int = 3,
    universe: Pairs | None = None,
    names: Iterable[str] | None = None,
    source: Source | None = None,
) -> OutsiderFindings:
    """Return what outsiders read who hold these files and are told the number of links.

    Parameters
    ----------
    publications
        The files, in any order.
    links
        How many links the network has.
    known
        Links they know already, if any.
    names
        The vertices they know of, for sketches; over a grouping its classes.
    longest, steps, restarts, source
        See :func:`~pathveil.adversary.series_outsider.structural_outsider`.
    """
    sightings, law, files = read_releases(publications, universe=universe, names=names)
    held = None if known is None else _indices(sightings, known)
    counting = counting_outsider(sightings, law, links, known=held)
    structure = structural_outsider(
        sightings,
        law,
        links,
        known=held,
        longest=longest,
        steps=steps,
        restarts=restarts,
        source=source,
    )
    return OutsiderFindings(sightings, files, counting, structure)


def attack_as_insider(
    publications: Sequence[Publication],
    known: Network,
    *,
    universe: Pairs | None = None,
    names: Iterable[str] | None = None,
) -> SeriesInference:
    """Return what is left to someone who knows all links but one and holds these files."""
    names = known.vertices if names is None else names
    sightings, law, _ = read_releases(publications, universe=universe, names=names)
    return joining_insider(sightings, law, _indices(sightings, known))


def _indices(sightings: Sightings, known: Pairs) -> IndexArray:
    names = sightings.positions.vertices
    index = {name: place for place, name in enumerate(names)}
    listed = known.edges if isinstance(known, Network) else known
    edges = [(str(u), str(v)) for u, v in listed]
    for name in (name for edge in edges for name in edge):
        if name not in index:
            raise DoesNotFit(
                f"the known links name {name!r}, which is none of the {len(names)} published "
                "vertices; check the file of links"
            )
    return _sorted_pairs([(index[u], index[v]) for u, v in edges])


def _sorted_pairs(pairs: Sequence[tuple[int, int]]) -> IndexArray:
    import numpy as np

    rows = sorted((min(pair), max(pair)) for pair in pairs)
    return np.array(rows, dtype=np.int64).reshape(-1, 2)
