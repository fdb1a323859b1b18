"""What is said to follow, against every world that fits a party's view."""

from __future__ import annotations

from itertools import pairwise, permutations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pathveil.exchange.consequences import work_out
from pathveil.exchange.protocol import Agreement, Learnt, Statuses, Untold

SIZE = 7
WALKS = [walk for size in range(2, SIZE + 1) for walk in permutations(range(SIZE), size)]
ROWS, OWN, OTHERS = "by both ends", "by this party as a holder", "by another holder"


def agreement_of(
    size: int, held: tuple[int, ...], *, holders: bool, own: int = 0, longest: int | None = None
) -> Agreement:
    rest = tuple(p for p in range(size) if p not in held)
    return Agreement(size, (held, rest, ()), (own, 0, 9 * holders), Untold(), longest=longest)


@settings(max_examples=60, deadline=None)
@given(
    order=st.permutations(range(SIZE)),
    length=st.integers(2, 5),
    own=st.sets(st.integers(0, SIZE - 1), max_size=3),
    stated=st.lists(st.sampled_from([ROWS, OWN, OTHERS]), min_size=4, max_size=4),
    holders=st.booleans(),
    opened=st.booleans(),
    spare=st.integers(0, SIZE),
)
@example([0, 1, 2, 3, 4, 5, 6], 4, {1, 5}, [OTHERS, ROWS, ROWS, ROWS], True, False, 3)
@example([0, 1, 2, 3, 4, 5, 6], 4, {1, 5}, [ROWS, OTHERS, ROWS, ROWS], True, False, 3)
@example([0, 1, 2, 3, 4, 5, 6], 4, {1}, [OWN, ROWS, ROWS, ROWS], False, False, 3)
def test_what_follows_is_what_all_possible_worlds_share(
    order: list[int],
    length: int,
    own: set[int],
    stated: list[str],
    holders: bool,  # noqa: FBT001
    opened: bool,  # noqa: FBT001
    spare: int,
) -> None:
    """By enumeration: every walk that fits a party's view, and what they have in common.

    Who states a link is drawn too: both ends, this party as a holder of links, or another one, of
    which this party sees nothing. Nothing false is said to follow; and nothing that follows is kept
    back, as long as a vertex is left over, so that none can be found by excluding all others.
    """
    path, held = order[:length], tuple(sorted(own))
    by = dict(zip(pairwise(path), stated, strict=False))
    if not holders:
        by = {link: OWN if who == OWN else ROWS for link, who in by.items()}
    links = np.zeros((SIZE, SIZE), dtype=bool)
    for (here, there), who in by.items():
        links[here, there] = links[there, here] = who == ROWS
    mine = [link for link, who in by.items() if who == OWN]
    places = {p: path.index(p) + 1 if p in path else 0 for p in range(SIZE)}
    longest = min(length + spare, SIZE)
    found = work_out(
        agreement_of(SIZE, held, holders=holders, own=len(mine), longest=longest),
        0,
        Statuses(links[list(held)], tuple((*link, True) for link in mine)),
        Learnt(
            {p: places[p] for p in held},
            tuple((places[here], places[there]) for here, there in mine),
            length if opened else None,
        ),
    )
    told = {*held, *(p for link in mine for p in link)}
    seen = {p: set(np.flatnonzero(links[p]).tolist()) for p in held}
    for here, there in [*mine, *((there, here) for here, there in mine)]:
        if here in seen:
            seen[here].add(there)
    fitting = [
        walk
        for walk in WALKS
        if len(walk) <= longest
        and (not opened or len(walk) == length)
        and all((walk.index(p) + 1 if p in walk else 0) == places[p] for p in told)
        and all(
            seen[p] <= _neighbours(walk, p) if holders else seen[p] == _neighbours(walk, p)
            for p in held
        )
    ]
    assert tuple(path) in fitting
    sure = {
        p: walk.index(p) + 1
        for walk in fitting[:1]
        for p in walk
        if p not in told and all(p in each and each.index(p) == walk.index(p) for each in fitting)
    }
    possible = {p: {walk.index(p) + 1 if p in walk else 0 for walk in fitting} for p in range(SIZE)}
    lengths = {len(walk) for walk in fitting}
    assert found.places.items() <= sure.items()
    for pair, (low, high) in found.swapped:
        assert {(walk[low - 1], walk[high - 1]) for walk in fitting} <= {pair, pair[::-1]}
    assert all(possible[p] <= set(two) for p, two in found.either)
    assert found.at_least <= min(lengths)
    assert found.length is None or {found.length} == lengths
    if not set(range(SIZE)) - {*path, *told}:
        return  # all others are on the walk: more can be found by exclusion
    assert found.places == sure
    assert all(len(possible[p]) == 2 for p, _ in found.either)
    assert all(len(possible[p]) == 2 for pair, _ in found.swapped for p in pair)
    pairs = {p for pair, _ in found.swapped for p in pair}
    unspoken = set(range(SIZE)) - {*sure, *told, *pairs, *(p for p, _ in found.either)}
    assert all(0 in possible[p] for p in unspoken)
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
    agreement = agreement_of(8, (2, 5), holders=False)
    found = work_out(agreement, 0, Statuses(links[[2, 5]]), Learnt({2: 3, 5: 5}))
    assert found.places == {1: 2, 3: 4, 4: 6}
    assert not found.swapped


@pytest.mark.parametrize("left_out", [0, 2])
def test_a_visit_with_one_stated_link_is_no_end_beside_a_holder_of_links(left_out: int) -> None:
    # The walk 0 1 2 3; the party holds 1, at 2, and states one link of it; a holder states the
    # other. The neighbour may be at 1 or at 3, and the walk may have any number of visits.
    rows = np.zeros((1, 6), dtype=bool)
    rows[0, 2 - left_out] = True
    mine, learnt = Statuses(rows), Learnt({1: 2})
    found = work_out(agreement_of(6, (1,), holders=True), 0, mine, learnt)
    assert (found.places, found.either) == ({}, ((2 - left_out, (1, 3)),))
    assert (found.length, found.at_least) == (None, 2)
    without = work_out(agreement_of(6, (1,), holders=False), 0, mine, learnt)
    assert (without.places, without.length) == ({2 - left_out: 1}, 2)
