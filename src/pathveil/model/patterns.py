"""Patterns: which copy pairs of two vertices an edge on the walk may show.

Both who draws coins for whole vertex pairs and who reads such a pair must count the patterns in the
same order: they are public, a function of the number of copies and of the uses of an edge alone.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import combinations
from math import comb

import numpy as np

from pathveil.errors import BadBudget
from pathveil.model.bits import BoolArray

LARGEST_TABLE = 100_000
"""Patterns that are listed one by one; more would fill the memory."""


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


def pattern_rows(copies: int, edge_uses: int | None) -> BoolArray:
    """Return every pattern as a row, also where any set but the empty one is allowed.

    >>> pattern_rows(1, None).tolist(), len(pattern_rows(2, None)), len(pattern_rows(2, 1))
    ([[True]], 15, 4)
    """
    if edge_uses is not None:
        return pattern_table(copies, edge_uses)
    count = pattern_count(copies, None)
    if count > LARGEST_TABLE:
        raise BadBudget(
            f"{copies} copies have {count} patterns, more than the {LARGEST_TABLE} that can be "
            "listed; give edge_uses, or fewer copies"
        )
    numbers = np.arange(1, count + 1)[:, None] >> np.arange(copies * copies)
    rows: BoolArray = (numbers & 1).astype(np.bool_)
    return rows


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
