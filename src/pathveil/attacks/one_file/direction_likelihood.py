"""Which way a supposed walk runs: what its ends, its steps, the direction bit and the layout say.

A world is a walk without a direction: either end may be the first, each as likely as the other
before the release. What is known of the walk's course rules directions out; so does the direction
bit; and a drawing in walk order is the drawing of some directions only.

How likely copies are handed to visits in a given way: the part of the likelihood above coins.

Our policies hand a public number of copies out at random: given the walk over vertices, each of the
s! / (s - v)! ways to serve v visits from s copies is as likely as the others. The paper draws the
number of copies by Alg. 1 and hands them out in visiting order, which tells walks apart.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from math import perm

from pathveil.chance.copies import copy_mechanism
from pathveil.layering.backtracking import draw_in_walk_order
from pathveil.model.grouping import Grouping
from pathveil.model.knowledge import Knowledge
from pathveil.model.positions import Positions
from pathveil.model.publication import Publication
from pathveil.policies import Policy


@lru_cache(maxsize=256)
def copy_law(fewest: int, most: int, budget: Fraction) -> tuple[float, ...]:
    """Return the paper's law of the number of copies, from ``fewest`` on."""
    law = copy_mechanism(fewest, most, 0, largest_degree=0, budget=budget).law()
    return tuple(float(chance) for chance in law)


Visits = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Course:
    """Weighs the two directions of a supposed walk over copies.

    Parameters
    ----------
    positions, policy
        The copies, and how they are handed to visits.
    knowledge
        What the adversary knows of the walk's course.
    told
        The direction bit; None where it is not told.
    classes
        Over a grouping the class of each position: there the direction bit compares the sequence of
        classes with its reverse, and is a coin where they are the same. Empty elsewhere.
    drawn
        Whether the published drawing is the one of a walk in this direction; None where the
        drawing tells nothing, or is not used.
    """

    positions: Positions
    policy: Policy
    knowledge: Knowledge
    told: bool | None
    drawn: Callable[[Visits], bool] | None
    classes: tuple[int, ...] = ()

    @classmethod
    def of(
        cls,
        publication: Publication,
        knowledge: Knowledge,
        policy: Policy,
        *,
        layout: bool = True,
        grouping: Grouping | None = None,
    ) -> Course:
        """Return what a publication and an adversary's knowledge say of a walk's course."""
        positions = publication.positions
        drawing = publication.drawing if layout else None
        if drawing is None:
            classes: tuple[int, ...] = ()
            if grouping is not None:
                names = (positions.vertices[int(place)] for place in positions.vertex_of)
                classes = tuple(grouping.classes_of(names).tolist())
            return cls(positions, policy, knowledge, publication.direction, None, classes)
        bits = publication.packed.pairs

        def drawn(visits: Visits) -> bool:
            return draw_in_walk_order(bits, positions, visits) == drawing

        return cls(positions, policy, knowledge, publication.direction, drawn)

    def weight(self, visits: Visits) -> float:
        """Return the chance of these copies for the walk in this direction, up to a factor."""
        if len(self.positions) == len(self.positions.vertices):
            return 1.0  # one copy of each vertex
        used: dict[int, list[int]] = {}
        starts = self.positions.starts
        for position in visits:
            vertex = int(self.positions.vertex_of[position])
            used.setdefault(vertex, []).append(position - int(starts[vertex]))
        if self.policy.copies is None:
            return self._paper_weight(used)
        counts = self.positions.counts
        chance = 1.0
        for vertex, copies in used.items():
            chance /= perm(counts[vertex], len(copies))
        return chance

    def _paper_weight(self, used: dict[int, list[int]]) -> float:
        """Alg. 1: numbers of copies by the exponential mechanism, copy i-1 for the i-th visit."""
        if any(copies != list(range(len(copies))) for copies in used.values()):
            return 0.0
        most = max(*(len(copies) for copies in used.values()), 2)
        chance = 1.0
        for vertex, count in enumerate(self.positions.counts):
            fewest, budget = max(len(used.get(vertex, ())), 1), self.policy.copy_budget
            if budget is None:
                chance *= count == fewest
            else:
                law = copy_law(fewest, most, budget)
                chance *= law[count - fewest] if fewest <= count <= most else 0.0
        return chance

    def before(self, visits: Visits) -> float:
        """Return the weight of a walk, either way round, without direction bit and drawing."""
        ways = (way for way in (visits, visits[::-1]) if self.known(way))
        return sum(self.weight(way) for way in ways)

    def after(self, visits: Visits) -> float:
        """Return the weight of a walk, either way round, with all that is published of it."""
        total = 0.0
        for way in (visits, visits[::-1]):
            weight = self.weight(way) if self.known(way) else 0.0
            weight *= self._telling(way)
            if weight and self.drawn is not None and not self.drawn(way):
                weight = 0.0
            total += weight
        return total

    def _telling(self, way: Visits) -> float:
        """Return the chance that a walk in this direction gets the direction bit published."""
        if self.told is None:
            return 1.0
        if not self.classes:
            return float(self.told == (way[0] < way[-1]))
        along = [self.classes[position] for position in way]
        return 0.5 if along == along[::-1] else float(self.told == (along < along[::-1]))

    def known(self, visits: Visits) -> bool:
        """Return whether the walk in this direction has the known ends and steps."""
        if not self.knowledge.knows_course:
            return True
        names, owner = self.positions.vertices, self.positions.vertex_of
        walk = [names[int(owner[position])] for position in visits]
        first, last = self.knowledge.first, self.knowledge.last
        if first not in (None, walk[0]) or last not in (None, walk[-1]):
            return False
        return set(self.knowledge.steps) <= set(pairwise(walk))
