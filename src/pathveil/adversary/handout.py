"""How likely copies are handed to visits in a given way: the part of the likelihood above coins.

Our policies hand a public number of copies out at random: given the walk over vertices, each of the
s! / (s - v)! ways to serve v visits from s copies is as likely as the others. The paper draws the
number of copies by Alg. 1 and hands them out in visiting order, which tells walks apart.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from math import perm

from pathveil.chance.copies import copy_mechanism
from pathveil.chance.policy import Policy
from pathveil.model.positions import Positions


@dataclass(frozen=True, eq=False)
class Handout:
    """Weighs a walk over copies, in one direction, against the walk over vertices it stands for."""

    positions: Positions
    in_order: bool
    budget: Fraction | None

    @classmethod
    def of(cls, policy: Policy, positions: Positions) -> Handout:
        """Return the hand-out of a policy."""
        return cls(positions, policy.copies is None, policy.kind.copy_budget)

    @cached_property
    def _trivial(self) -> bool:
        return max(self.positions.counts) == 1

    def weight(self, visits: tuple[int, ...]) -> float:
        """Return the chance of these copies for the walk in this direction, up to a factor."""
        if self._trivial:
            return 1.0
        used: dict[int, list[int]] = {}
        starts = self.positions.starts
        for position in visits:
            vertex = int(self.positions.vertex_of[position])
            used.setdefault(vertex, []).append(position - int(starts[vertex]))
        if self.in_order:
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
            chance *= self._count_chance(count, max(len(used.get(vertex, ())), 1), most)
        return chance

    def _count_chance(self, count: int, fewest: int, most: int) -> float:
        if self.budget is None:
            return float(count == fewest)
        if not fewest <= count <= most:
            return 0.0
        return copy_law(fewest, most, self.budget)[count - fewest]


@lru_cache(maxsize=256)
def copy_law(fewest: int, most: int, budget: Fraction) -> tuple[float, ...]:
    """Return the paper's law of the number of copies, from ``fewest`` on."""
    law = copy_mechanism(fewest, most, 0, largest_degree=0, budget=budget).law()
    return tuple(float(chance) for chance in law)
