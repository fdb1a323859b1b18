"""A collection: files released under different terms over one network, laid side by side.

An outsider does not care under which policy a file was made, nor whether a vertex came later: he
takes all of them. A link must explain every file; as chaff a pair was drawn by the law of each
stretch, independently. What the public universe of any file rules out is no link. Files over other
copies or classes of vertices cannot be laid beside these pair by pair; how many were left out is
part of the result.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from pathveil.attacks.series.candidate_pairs import possible_pairs, with_coins
from pathveil.attacks.series.observed_pairs import ChaffLaw, MixedLaw, Sightings, Stretch
from pathveil.attacks.series.pile_attack import chaff_law
from pathveil.model.bits import (
    BoolArray,
    IndexArray,
    PackedBits,
    PairBits,
    pair_count,
    pair_places,
    unflatten,
)
from pathveil.model.network import Network
from pathveil.model.positions import Positions, copy_pairs
from pathveil.model.publication import Publication
from pathveil.policies import Policy


@dataclass(frozen=True, eq=False)
class Collection:
    """What files show together, and how chaff was drawn in them.

    Attributes
    ----------
    sightings, law
        For outsiders: see :mod:`~pathveil.attacks.series.outsider`.
    kept
        The places, in the list given, of the files looked at, in the order of the layers.
    left_out
        How many files were not.
    """

    sightings: Sightings
    law: ChaffLaw
    kept: tuple[int, ...]
    left_out: int


def collect(
    publications: Sequence[Publication],
    *,
    most: int | None = None,
    today: Network | None = None,
) -> Collection | None:
    """Return files laid side by side, at most so many of those that can be, the newest always.

    Taken is what shows the same things as the newest file does: vertices, each with as many copies,
    or the classes of one grouping. None if that one itself shows no list of pairs.

    Parameters
    ----------
    today
        The network, for who has it: a universe that lacks one of its links rules nothing out.

    Raises
    ------
    DoesNotFit
        If a file names its universe by digest: bring the pairs first
        (:func:`~pathveil.model.named_universes.bring_universes`).

    Examples
    --------
    >>> from pathveil import Network, Walk, publish
    >>> network = Network.parse("ab bc cd bd")
    >>> files = [publish(network, Walk("abc"), policy=p)
    ...          for p in (Policy.balanced(), Policy.sealed(), Policy.balanced(copies=2))]
    >>> found = collect(files[:2])
    >>> found.sightings, len(found.law.stretches), found.left_out
    (<Sightings: 6 pairs in 2 releases>, 2, 0)
    >>> collect(files[::-1]).left_out          # two copies of each vertex, one in the newest
    1
    """
    ground = _ground(publications[-1])
    if ground is None:
        return None
    fitting = [place for place, one in enumerate(publications) if _ground(one) == ground]
    kept = tuple(fitting if most is None else _first_and_last(fitting, most))
    chosen = [publications[place] for place in kept]
    positions = publications[-1].positions
    if any(one.vertices != positions.vertices for one in chosen):
        names = sorted({name for one in chosen for name in one.vertices})
        positions = Positions.uniform(tuple(names), positions.counts[0])
    # Between classes nobody reckons with pairs of vertices.
    universes = [] if ground[0] else [one.universe for one in publications if one.universe]
    pairs = possible_pairs(universes, positions.vertices, today)
    layers = [[_lifted(one, positions, pairs)] for one in chosen]
    sightings = Sightings.of(positions, layers, pairs=pairs, grouped=bool(ground[0]))
    return Collection(sightings, _law(sightings, chosen), kept, len(publications) - len(kept))


def between_vertices(publication: Publication) -> Publication:
    """Return a file over a grouping that hides nothing as what it is: one between vertices.

    Where no class has two members, its only member is a class by another name. Any other file comes
    back as it is.

    Raises
    ------
    DoesNotFit
        If nobody has brought the grouping.
    TooLarge
        If it is a sketch, and the vertices are too many for each pair to be looked at.

    Examples
    --------
    >>> from pathveil import Grouping, Network, Walk, publish
    >>> grouping = Grouping.of(["a", "b", "c"])
    >>> file = publish(Network.parse("ab bc"), Walk("abc"), grouping=grouping)
    >>> file.vertices, between_vertices(file).vertices
    (('class 1', 'class 2', 'class 3'), ('a', 'b', 'c'))
    """
    grouped = publication.grouped
    if grouped is None or grouped.known.hides:
        return publication
    # Classes are numbered by their first member: these stand in the order of the names.
    names = grouped.known.vertices
    if publication.drawing is not None:
        publication = replace(publication, drawing=None, layering="exact")
    if not publication.lists_vertices:
        return publication.among(names)
    positions = Positions(names, publication.positions.counts)
    return replace(publication, bits=PackedBits(positions, publication.packed.pairs))


def _ground(publication: Publication) -> tuple[str, int] | None:
    """Return what a file shows pairs of: the grouping if any, and how many copies of each.

    None if it lists nothing, or draws copies for each vertex: those differ from file to file.
    """
    if not publication.lists_vertices or Policy.from_terms(publication.policy).kind.draws_copies:
        return None
    over = "" if publication.grouped is None else publication.grouped.digest
    return over, publication.positions.counts[0]


def _first_and_last(places: Sequence[int], most: int) -> list[int]:
    """Return the first of some places, and the last one."""
    return [*places[: max(most, 1) - 1], places[-1]] if len(places) > most else list(places)


def _lifted(publication: Publication, positions: Positions, pairs: IndexArray | None) -> PairBits:
    """Return the bits of a file among all positions; what it says nothing of is not shown."""
    bits, here = publication.packed.pairs, publication.positions
    size = len(positions)
    if here != positions:
        place = positions.places_of(here)
        own = unflatten(np.arange(pair_count(bits.size), dtype=np.int64), bits.size)
        flat = np.ones(pair_count(size), dtype=bool)
        flat[pair_places(place[own[:, 0]], place[own[:, 1]], size)] = bits.flat()
        bits = PairBits.from_flat(size, flat)
    coinless = _without_coins(publication, positions, pairs)
    if len(coinless):
        # Outside its universe a file shows the same whatever is there.
        flat, counts = bits.flat(), np.asarray(positions.counts, dtype=np.int64)
        u, v = coinless[:, 0], coinless[:, 1]
        rows = copy_pairs(positions.starts[u], counts[u], positions.starts[v], counts[v])
        flat[pair_places(rows[:, 0], rows[:, 1], size)] = True
        bits = PairBits.from_flat(size, flat)
    return bits


def _without_coins(
    publication: Publication, positions: Positions, pairs: IndexArray | None
) -> IndexArray:
    """Return the candidate pairs, all if None, that are outside the universe of a file."""
    if publication.universe is None:
        return np.zeros((0, 2), dtype=np.int64)
    size = len(positions.vertices)
    if pairs is None:
        pairs = unflatten(np.arange(pair_count(size), dtype=np.int64), size)
    inside = with_coins(publication.universe, positions.vertices)
    found: IndexArray = pairs[~inside[pair_places(pairs[:, 0], pairs[:, 1], size)]]
    return found


def _law(sightings: Sightings, publications: Sequence[Publication]) -> ChaffLaw:
    """Return one law if all were drawn alike, else that of each stretch."""
    stretches: dict[object, list[int]] = {}
    for layer, publication in enumerate(publications):
        stretches.setdefault(_drawn_alike(publication), []).append(layer)
    if len(stretches) == 1 and _held(publications[0], sightings) is None:
        return chaff_law(Policy.from_terms(publications[0].policy))
    found = []
    for layers in stretches.values():
        first = publications[layers[0]]
        law = chaff_law(Policy.from_terms(first.policy))
        held = _held(first, sightings)
        found.append(Stretch(law, len(layers), sightings.shown_in(layers), held))
    return MixedLaw(tuple(found))


def _drawn_alike(publication: Publication) -> object:
    """Return what releases have in common that were drawn by one law, and one urn."""
    universe = publication.universe
    return (
        publication.policy,
        publication.vertices,
        publication.layering,
        publication.direction is None,
        None if universe is None else universe.digest,
    )


def _held(publication: Publication, sightings: Sightings) -> BoolArray | None:
    """Return which candidate pairs had coins in a file; None if all had."""
    known, pairs = set(publication.vertices), sightings.pairs
    there = np.array([name in known for name in sightings.positions.vertices])
    held: BoolArray = there[pairs[:, 0]] & there[pairs[:, 1]]
    if publication.universe is not None:
        inside = with_coins(publication.universe, sightings.positions.vertices)
        held &= inside[pair_places(pairs[:, 0], pairs[:, 1], len(there))]
    return None if held.all() else held
