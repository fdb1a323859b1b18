"""Layout consistency: the picture itself as a witness.

The bits leave several joins possible. If the publisher's layout depends on the walk, as the paper's
does (its insertion order *is* the walk, and its flip looks at the ends), an adversary re-runs the
publisher on each possible walk and keeps those that give the published picture.
A layout computed from the bits, the names and the direction bit gives the same picture for every
join, so this attack then succeeds exactly as often as the bits alone.

The publisher's layout is an argument: this room may not import it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

import numpy as np

from pathveil.adversary.attacks import Case, possible_joins
from pathveil.adversary.fragments import Edge
from pathveil.adversary.rates import AttackOutcome, Rate, generator
from pathveil.adversary.worlds import World
from pathveil.chance.source import Source
from pathveil.model.bits import PairBits
from pathveil.model.layered import LayeredGraph
from pathveil.model.positions import Positions
from pathveil.model.publication import Publication

Layout = Callable[[PairBits, Positions, tuple[int, ...]], LayeredGraph]
"""The publisher from the bits on: bits, copies, the supposed walk over copies."""


@dataclass(frozen=True)
class LayoutOutcome(AttackOutcome):
    """The outcome of layout consistency; its control is the guess from the bits alone.

    Attributes
    ----------
    differs
        In how many of the same trials layout and bits gave other sets of candidates.
    """

    differs: int = 0


def consistent_joins(
    publication: Publication, joins: dict[Edge, World], layout: Layout
) -> dict[Edge, int]:
    """Return the joins that could have given the picture, with the number of directions that do.

    Parameters
    ----------
    joins
        The possible joins, from :func:`~pathveil.adversary.attacks.possible_joins`.
    layout
        The publisher, to be run on each of them.
    """
    bits, positions = publication.packed.pairs, publication.positions
    found: dict[Edge, int] = {}
    for edge, world in joins.items():
        directions = sum(
            layout(bits, positions, visits) == publication.layered
            for visits in _directions(world.visits, publication.direction)
        )
        if directions:
            found[edge] = directions
    return found


def _directions(visits: tuple[int, ...], told: bool | None) -> list[tuple[int, ...]]:  # noqa: FBT001
    both = [visits, visits[::-1]]
    return both if told is None else [v for v in both if (v[0] < v[-1]) == told]


def layout_consistency(
    cases: Iterable[Case], layout: Layout, *, source: Source, spanning: bool = True
) -> LayoutOutcome:
    """Return how often the missing walk edge is named from bits and picture together.

    *Paper*: refutes Theorem 1, which calls the drawing free.

    The control guesses from the bits alone. The placebo publishes the same bits with the picture of
    a possible join taken at random, so that the picture knows nothing of the answer.
    """
    random = generator(source)
    found, control, placebo, differs = [], [], [], 0
    for case in cases:
        bits = case.publication.packed.pairs
        joins = {
            edge: world
            for edge, world in possible_joins(bits, case, spanning=spanning).items()
            if not any(bits.same_branch(*join) for join in world.joins)
        }
        kept = consistent_joins(case.publication, joins, layout)
        # Both directions of a walk are as likely as each other, so each match is one vote.
        found.append(_vote(kept, random) == case.answer)
        control.append(_vote(dict.fromkeys(joins, 1), random) == case.answer)
        differs += len(set(kept.values())) != 1 or kept.keys() != joins.keys()
        decoy = _decoy(case.publication, joins, layout, random)
        placebo.append(_vote(consistent_joins(decoy, joins, layout), random) == case.answer)
    return LayoutOutcome(
        "layout consistency", Rate.of(found), Rate.of(control), Rate.of(placebo), differs
    )


def _vote(votes: dict[Edge, int], random: np.random.Generator) -> Edge:
    """Return the edge with the most votes, a tie broken by a coin."""
    most = max(votes.values())
    best = [edge for edge, count in votes.items() if count == most]
    return best[int(random.integers(len(best)))]


def _decoy(
    publication: Publication,
    joins: dict[Edge, World],
    layout: Layout,
    random: np.random.Generator,
) -> Publication:
    worlds = list(joins.values())
    world = worlds[int(random.integers(len(worlds)))]
    options = _directions(world.visits, publication.direction)
    visits = options[int(random.integers(len(options)))]
    drawn = layout(publication.packed.pairs, publication.positions, visits)
    if publication.drawing is not None:
        return replace(publication, drawing=drawn)
    return publication.showing(drawn)
