"""Plausibility: chaff between places that cannot be linked is seen through.

Where vertices have public coordinates and edges are short, a coin that links the two ends of a
country deceives nobody. The adversary weighs the joins left by the bits with their length and takes
the shortest. The remedy is a public universe of plausible pairs from which chaff and edges both
come: then no join left is out of the question.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import dist

from pathveil.adversary.attacks import Case, possible_joins
from pathveil.adversary.fragments import Edge
from pathveil.adversary.rates import AttackOutcome, Rate, generator
from pathveil.chance.source import Source

Place = tuple[float, float]


def plausibility(cases: Iterable[Case], *, source: Source, spanning: bool = True) -> AttackOutcome:
    """Return how often the missing walk edge is the shortest of the joins the bits leave.

    The control guesses among the same joins without coordinates. The placebo deals the coordinates
    out to the vertices at random.

    Raises
    ------
    ValueError
        If a known network has no coordinates.
    """
    random = generator(source)
    found, control, placebo = [], [], []
    for case in cases:
        places = case.knowledge.network.coordinates
        if places is None:
            raise ValueError("the known network has no coordinates; this attack needs them")
        bits = case.publication.packed.pairs
        joins = [
            edge
            for edge, world in possible_joins(bits, case, spanning=spanning).items()
            if not any(bits.same_branch(*join) for join in world.joins)
        ]
        names = list(places)
        dealt = random.permutation(len(names))
        mixed = {name: places[names[int(i)]] for name, i in zip(names, dealt, strict=True)}
        found.append(_shortest(joins, places) == case.answer)
        control.append(joins[int(random.integers(len(joins)))] == case.answer)
        placebo.append(_shortest(joins, mixed) == case.answer)
    return AttackOutcome("plausibility", Rate.of(found), Rate.of(control), Rate.of(placebo))


def _shortest(joins: list[Edge], places: Mapping[str, Place]) -> Edge:
    return min(joins, key=lambda edge: (dist(places[edge[0]], places[edge[1]]), edge))
