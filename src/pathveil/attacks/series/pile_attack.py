"""Attacks on a pile of files: what those who collected every release make of them together.

The files may be a series, each with its place, or separate releases with fresh coins. What is read
off them is the same for all attacks: :func:`read_releases`. Over a grouping it is between classes,
where a walk may pass one twice and need not be a path: outsiders count there, and look for paths
only where a link may lie between two classes of one member, which hide nothing. Where every class
has one member all is read between vertices. An insider reads each file between vertices in any
case (:mod:`pathveil.attacks.series.grouped_insider`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from pathveil.attacks.series.candidate_pairs import with_coins
from pathveil.attacks.series.grouped_insider import infer_between_vertices
from pathveil.attacks.series.insider import SeriesInference, joining_insider
from pathveil.attacks.series.observed_pairs import ChaffLaw, Sightings
from pathveil.attacks.series.outsider import SeriesReading, counting_outsider, structural_outsider
from pathveil.attacks.series.release_pile import between_vertices, chaff_law
from pathveil.chance.source import Source
from pathveil.errors import DoesNotFit
from pathveil.model.bits import IndexArray, unflatten
from pathveil.model.grouping import Grouping
from pathveil.model.network import Network
from pathveil.model.publication import Publication
from pathveil.model.series import order_series
from pathveil.model.universe import Pairs, Universe
from pathveil.policies import Policy


@dataclass(frozen=True)
class OutsiderFindings:
    """What outsiders read from a pile of files: by counting, and by structure.

    ``files`` are the publications in the order of the layers of the readings. ``structure`` is None
    over a grouping without two classes of one member, where nobody looks for paths.
    """

    sightings: Sightings
    files: tuple[Publication, ...]
    counting: SeriesReading
    structure: SeriesReading | None


Release = tuple[Publication, ...]
"""The publications of one release."""


def read_releases(
    publications: Sequence[Publication],
    *,
    universe: Pairs | None = None,
    names: Iterable[str] | None = None,
) -> tuple[Sightings, ChaffLaw, tuple[Publication, ...]]:
    """Return what the files show, how their chaff was drawn, and the files in that order.

    ``names`` are the vertices to look at in sketches, which list none (over a grouping its classes,
    and all of them if not said); what they show of these is then the file. Files over a grouping
    that hides nothing come back as files between all its vertices. A pair outside the universe of
    any file is no link; ``universe`` are the pairs that files name by digest only.

    Raises
    ------
    BrokenSeries
        If they are of a series that has a gap, a fork or a changed file.
    DoesNotFit
        If they are not over the same vertices, or were not drawn alike; if the pairs of a universe
        are not brought, or those of another one are.
    """
    publications = _with_universes(publications, universe)
    policy, releases = _ordered(publications)
    grouping = _grouping_of(publications)
    grouped = grouping is not None and grouping.hides
    releases = _pictured(releases, names) if grouping is None or grouped else _bared(releases)
    publications = [publication for release in releases for publication in release]
    first = publications[0]
    for number, publication in enumerate(publications, start=1):
        _require_alike(number, publication, first)
    pairs = _in_every_universe(publications, first.vertices)
    layers = [[publication.packed.pairs for publication in release] for release in releases]
    files = tuple(publication for release in releases for publication in release)
    sightings = Sightings.of(first.positions, layers, pairs=pairs, grouped=grouped)
    return sightings, chaff_law(policy), files


def _with_universes(
    publications: Sequence[Publication], universe: Pairs | None
) -> list[Publication]:
    """Return files with the pairs of their universes; refuse what lacks, and what is not theirs."""
    given = None if universe is None else Universe.of(universe)
    named = [one.universe for one in publications if one.universe is not None]
    if given is not None and given.digest not in {one.digest for one in named}:
        for one in named:
            one.brought(given.pairs)
        raise DoesNotFit(
            "a universe is given, but every pair of these publications had a coin; leave it out"
        )
    return list(publications)


def _in_every_universe(
    publications: Sequence[Publication], vertices: Sequence[str]
) -> IndexArray | None:
    """Return the pairs that could be links: those with coins in every file; None if all."""
    universes = {one.universe.digest: one.universe for one in publications if one.universe}
    if not universes:
        return None
    inside = np.all([with_coins(one, vertices) for one in universes.values()], axis=0)
    return unflatten(np.flatnonzero(inside), len(vertices))


def is_grouped(publications: Sequence[Publication]) -> bool:
    """Return whether files are over a grouping, the same for all and at hand.

    Raises
    ------
    DoesNotFit
        If some are and others are not, or over another one; if nobody has brought it.
    """
    found = {
        "" if bits is None else bits.known.digest
        for bits in (publication.grouped for publication in publications)
    }
    if len(found) > 1:
        raise DoesNotFit(
            f"the {len(publications)} publications are not all over one grouping; attack those "
            "together that are over the same vertices or classes"
        )
    return found != {""}


def _grouping_of(publications: Sequence[Publication]) -> Grouping | None:
    """Return the grouping that all files are over, if any."""
    bits = publications[0].grouped
    return bits.known if is_grouped(publications) and bits is not None else None


def _bared(releases: tuple[Release, ...]) -> tuple[Release, ...]:
    """Return releases over a grouping that hides nothing as releases between vertices."""
    return tuple(
        tuple(between_vertices(publication) for publication in release) for release in releases
    )


def _ordered(publications: Sequence[Publication]) -> tuple[Policy, tuple[Release, ...]]:
    """Return the policy of the first, and the releases in order, of a series or not."""
    if not publications:
        raise DoesNotFit("no publication to attack; give one file or more")
    policy = Policy.from_terms(publications[0].policy)
    if policy.kind.urn is not None:
        return policy, tuple((publication,) for publication in order_series(publications))
    return policy, tuple((publication,) for publication in publications)


def _require_alike(number: int, publication: Publication, first: Publication) -> None:
    """Raise unless a file can be laid beside the first, pair by pair."""
    _require_same_policy(number, publication, first)
    if publication.vertices != first.vertices:
        raise _unlike(number, "other vertices")
    if len({*publication.positions.counts, *first.positions.counts}) > 1:
        raise DoesNotFit(
            f"publication {number}: its policy, {publication.policy.name}, draws how many copies "
            "each vertex has, afresh for each file; this attack lays files side by side, copy by "
            "copy, and cannot: attack one file at a time, with the link that is missing "
            "(NETWORK --missing U V)"
        )


def _require_same_policy(number: int, publication: Publication, first: Publication) -> None:
    if publication.policy != first.policy:
        raise _unlike(number, "another policy")


def _unlike(number: int, what: str) -> DoesNotFit:
    return DoesNotFit(
        f"publication {number} has {what} than the first; attack those together that are over one "
        "network and were drawn alike"
    )


def _pictured(releases: tuple[Release, ...], names: Iterable[str] | None) -> tuple[Release, ...]:
    """Return the releases with what sketches show of some vertices in their place."""
    if not any(not publication.lists_vertices for release in releases for publication in release):
        return releases
    listed = None if names is None else tuple(names)
    return tuple(
        tuple(_picture(publication, listed) for publication in release) for release in releases
    )


def _picture(publication: Publication, names: tuple[str, ...] | None) -> Publication:
    """Return what a file shows of some vertices, or of the classes of its grouping."""
    bits = publication.grouped
    if bits is None:
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
            "outsiders see these alone"
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
        Links they know already, if any: between vertices, also over a grouping.
    names
        The vertices they know of, for sketches; over a grouping its classes, all if not said.
    longest, steps, restarts, source
        See :func:`~pathveil.attacks.series.outsider.structural_outsider`; over a grouping he is
        asked only if two classes have one member. Walks that pass a class twice he does not read.

    Raises
    ------
    DoesNotFit
        If the files do not belong together; over a grouping, if the longest walk is told where
        nobody would use it.
    """
    sightings, law, files = read_releases(publications, universe=universe, names=names)
    grouping = _grouping_of(publications)
    searched = grouping is None or grouping.leaves_bare
    if sightings.grouped:
        if longest is not None and not searched:
            raise DoesNotFit(
                "the longest walk is told, which helps who looks for paths; over a grouping a walk "
                "may pass a class twice, and nobody looks for paths: leave it out (--longest)"
            )
        known = None if known is None else _blocks(publications[0], known)
    held = None if known is None else _indices(sightings, known)
    counting = counting_outsider(sightings, law, links, known=held)
    if not searched:
        return OutsiderFindings(sightings, files, counting, None)
    structure = structural_outsider(
        replace(sightings, grouped=False),
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
    """Return what is left to someone who knows all links but one and holds these files.

    ``known`` is between vertices, also over a grouping; ``names`` are for sketches without one.
    """
    if is_grouped(publications):
        _, releases = _ordered(publications)
        files = [publication for release in releases for publication in release]
        for number, publication in enumerate(files, start=1):
            _require_same_policy(number, publication, files[0])
        bound = list(files)
        return infer_between_vertices(bound, known, universe=universe)
    names = known.vertices if names is None else names
    sightings, law, _ = read_releases(publications, universe=universe, names=names)
    return joining_insider(sightings, law, _indices(sightings, known))


def _blocks(publication: Publication, known: Pairs) -> list[tuple[str, str]]:
    """Return links between vertices as links between the classes of a publication's grouping."""
    assert publication.grouped is not None, "asked before"
    network = Network.from_links(_listed(known), simplify=True, connected=False)
    return list(publication.grouped.known.between_classes(network).links)


def _listed(known: Pairs) -> list[tuple[str, str]]:
    listed = known.links if isinstance(known, Network) else known
    return [(str(u), str(v)) for u, v in listed]


def _indices(sightings: Sightings, known: Pairs) -> IndexArray:
    names = sightings.positions.vertices
    index = {name: place for place, name in enumerate(names)}
    links = _listed(known)
    for name in (name for link in links for name in link):
        if name not in index:
            raise DoesNotFit(
                f"the known links name {name!r}, which is none of the {len(names)} published "
                "vertices; check the file of links"
            )
    for u, v in links:
        if (min(index[u], index[v]), max(index[u], index[v])) not in sightings.index:
            raise DoesNotFit(
                f"the known links have {u!r} - {v!r}, which is outside the universe of these "
                "publications and so no link; check the file of links"
            )
    return _sorted_pairs([(index[u], index[v]) for u, v in links])


def _sorted_pairs(pairs: Sequence[tuple[int, int]]) -> IndexArray:
    rows = sorted((min(pair), max(pair)) for pair in pairs)
    return np.array(rows, dtype=np.int64).reshape(-1, 2)
