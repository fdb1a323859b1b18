from __future__ import annotations

from itertools import pairwise, permutations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from pathveil.recovery.exchange.agreement import Learnt, Statuses
from pathveil.recovery.exchange.consequences import work_out

SIZE = 7


@settings(max_examples=25, deadline=None)
@given(
    st.permutations(range(SIZE)),
    st.integers(2, 5),
    st.sets(st.integers(0, SIZE - 1), min_size=1, max_size=2),
)
def test_what_follows_is_what_all_possible_walks_share(
    order: list[int], length: int, own: set[int]
) -> None:
    """By enumeration: every walk that fits a party's view, and what they have in common.

    Nothing false is said to follow; and nothing that follows is kept back, as long as enough
    vertices are left over that none can be found by excluding all others.
    """
    path = order[:length]
    held = tuple(sorted(own))
    links = np.zeros((SIZE, SIZE), dtype=bool)
    for here, there in pairwise(path):
        links[here, there] = links[there, here] = True
    places = {p: path.index(p) + 1 if p in path else 0 for p in range(SIZE)}
    found = work_out(held, Statuses(links[list(held)]), Learnt({p: places[p] for p in held}))
    fitting = [
        walk
        for size in range(2, SIZE + 1)
        for walk in permutations(range(SIZE), size)
        if all((walk.index(p) + 1 if p in walk else 0) == places[p] for p in held)
        and all(_neighbours(walk, p) == set(np.flatnonzero(links[p]).tolist()) for p in held)
    ]
    assert tuple(path) in fitting
    sure = {
        p: walk.index(p) + 1
        for walk in fitting[:1]
        for p in walk
        if p not in held and all(p in each and each.index(p) == walk.index(p) for each in fitting)
    }
    assert found.places == sure
    for (one, other), (low, high) in found.swapped:
        assert {(walk[low - 1], walk[high - 1]) for walk in fitting} == {(one, other), (other, one)}
    lengths = {len(walk) for walk in fitting}
    assert found.at_least == min(lengths)
    assert found.length == (min(lengths) if len(lengths) == 1 else None)


def _neighbours(walk: tuple[int, ...], position: int) -> set[int]:
    if position not in walk:
        return set()
    k = walk.index(position)
    return {walk[i] for i in (k - 1, k + 1) if 0 <= i < len(walk)}


def test_a_neighbour_that_two_visits_share_lies_between_them() -> None:
    # The walk 0 1 2 3 5 4 6 7; the party holds 2, at 3, and 5, at 5: only 3 can be at 4.
    walk = [0, 1, 2, 3, 5, 4, 6, 7]
    links = np.zeros((8, 8), dtype=bool)
    for here, there in pairwise(walk):
        links[here, there] = links[there, here] = True
    found = work_out((2, 5), Statuses(links[[2, 5]]), Learnt({2: 3, 5: 5}))
    assert found.places == {1: 2, 3: 4, 4: 6}
    assert not found.swapped
