"""The law of one vertex pair: what it shows when it is no edge, and how far an edge is believed.

Theory of operation. Each vertex pair is in one of ``states + 1`` states: *off* (no copy pair is on
the walk) or one of ``states`` *patterns* (which copy pairs are, and in which of several walks). A
pair that is no edge draws its state from a public law: a pattern with probability ``on``, each
pattern alike, else *off*. An edge shows its true state, except that with probability ``doubt`` it
is treated like a pair that is none. Everything this package publishes is this one law:

| policy | states | on | doubt |
|---|---|---|---|
| one-sided, one copy, one walk | 1 | the chaff rate | 0 |
| joint copies, T walks together (THEORY T4) | T times the patterns | uniform: 1 - 1/K | 0 |
| two-sided (THEORY T3) | K - 1 | uniform | e^-epsilon (or more, see below) |

With independent coins every *copy* pair is a pair of its own, with one state besides *off*.

The loss follows in one line each. Let b be the chance that a pair that is no edge shows the true
state. With the edge the state shows with chance 1 - doubt + doubt b, so presence costs
ln((1 - doubt + doubt b) / b). Any other state shows doubt times as often with the edge as without,
so absence costs ln(1 / doubt), and nothing if there is no other state.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from math import comb

import numpy as np

from pathveil.chance.exponential import ExactProbability
from pathveil.errors import BadBudget
from pathveil.model.bits import BoolArray

LARGEST_TABLE = 100_000
"""Patterns that are listed one by one; more would fill the memory."""

NEVER = ExactProbability.rational(0)
ALWAYS = ExactProbability.rational(1)


@dataclass(frozen=True)
class PairLaw:
    """The public law of a vertex pair (or, with independent coins, of a copy pair).

    Parameters
    ----------
    on
        Chance that a pair that is no edge looks as if on a walk.
    states
        How many states look like that, all equally likely.
    doubt
        Chance that an edge is drawn as if it were none. Zero: it is read back exactly.

    Examples
    --------
    >>> law = PairLaw.uniform(4)                   # 2 x 2 copies, each edge used at most once
    >>> law.chance(on_walk=True).as_fraction
    Fraction(1, 5)
    """

    on: ExactProbability
    states: int = 1
    doubt: ExactProbability = NEVER

    @classmethod
    def uniform(cls, states: int) -> PairLaw:
        """Return the law in which all states, *off* among them, are equally likely."""
        return cls(ExactProbability.rational(Fraction(states, states + 1)), states)

    @classmethod
    def two_sided(cls, epsilon: Fraction, states: int) -> PairLaw:
        """Return the law with the least doubt whose losses are at most epsilon both ways.

        *Privacy*: uniform states. Absence costs ln(1/doubt) <= epsilon, and presence
        ln(K - (K-1) doubt) <= epsilon with K = states + 1. The first asks doubt >= e^-epsilon,
        the second doubt >= (K - e^epsilon)/(K - 1), which is the larger one exactly when
        e^epsilon < K - 1. With K = 2 (one copy) it is always the first: THEORY T3.
        """
        doubt = ExactProbability.exponential(epsilon)
        if ExactProbability.exponential(-epsilon).at_most(ExactProbability.rational(states)):
            doubt = ExactProbability.ratio([(0, states + 1), (epsilon, -1)], [(0, states)])
        return cls(PairLaw.uniform(states).on, states, doubt)

    def chance(self, *, on_walk: bool) -> ExactProbability:
        """Return the chance that a pair that is no edge shows one given state."""
        if on_walk:
            return self.on.times(ExactProbability.rational(Fraction(1, self.states)))
        return self.on.complement()

    @property
    def is_exact(self) -> bool:
        """Whether edges are always read back exactly."""
        return self.doubt.as_fraction == 0


def pattern_count(copies: int, edge_uses: int | None) -> int:
    """Return how many sets of copy pairs an edge on the walk may show.

    Between two vertices of c copies each there are c^2 copy pairs. ``edge_uses`` says how many of
    them the walk uses at most. None allows every set but the empty one, also those that no walk
    can make: they need no list to draw from, which matters for many copies.

    >>> pattern_count(2, 1), pattern_count(2, 3), pattern_count(2, None), pattern_count(1, None)
    (4, 14, 15, 1)
    """
    if edge_uses is None:
        return (1 << copies * copies) - 1
    return len(pattern_table(copies, edge_uses))


@lru_cache(maxsize=8)
def pattern_table(copies: int, edge_uses: int) -> BoolArray:
    """Return the patterns as rows of ``copies^2`` booleans, few uses first.

    Column ``copies * i + j`` is copy i of the first vertex with copy j of the second. A walk over
    copies is a simple path, so what it shows between two vertices are parts of a path: no copy has
    three pairs, and there is no ring.
    """
    sets = sum(comb(copies * copies, used) for used in range(1, edge_uses + 1))
    if sets > LARGEST_TABLE:
        raise BadBudget(
            f"{copies} copies with up to {edge_uses} uses of an edge have {sets} patterns, more "
            f"than the {LARGEST_TABLE} that are listed; give fewer edge_uses, or leave it out"
        )
    pairs = [(i, copies + j) for i in range(copies) for j in range(copies)]
    rows = [
        chosen
        for used in range(1, edge_uses + 1)
        for chosen in combinations(range(len(pairs)), used)
        if _parts_of_a_path([pairs[place] for place in chosen])
    ]
    table = np.zeros((len(rows), len(pairs)), dtype=bool)
    for number, chosen in enumerate(rows):
        table[number, list(chosen)] = True
    table.setflags(write=False)
    return table


def _parts_of_a_path(pairs: list[tuple[int, int]]) -> bool:
    """Return whether the pairs make no copy with three links and no ring."""
    links = Counter(copy for pair in pairs for copy in pair)
    if max(links.values()) > 2:
        return False
    part = {copy: copy for copy in links}
    for first, second in pairs:
        one, other = part[first], part[second]
        if one == other:
            return False
        part = {copy: one if found == other else found for copy, found in part.items()}
    return True
