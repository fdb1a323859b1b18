"""What is said to follow for a party, against every world that fits its view; and rehearsals."""

from __future__ import annotations

import os
from itertools import pairwise, permutations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pathveil import Network, Policy, Seeded, Walk, publish
from pathveil.errors import BadFile, DoesNotFit, ExchangeFailed
from pathveil.exchange import rehearse
from pathveil.exchange.protocol import Agreement, Learnt, Statuses
from pathveil.exchange.rehearse import rehearse_exchange, work_out

SIZE = 7
WALKS = [walk for size in range(2, SIZE + 1) for walk in permutations(range(SIZE), size)]


@settings(max_examples=60, deadline=None)
@given(
    order=st.permutations(range(SIZE)),
    length=st.integers(2, 5),
    own=st.sets(st.integers(0, SIZE - 1), max_size=3),
    spare=st.integers(0, SIZE),
)
def test_what_follows_is_what_all_possible_worlds_share(
    order: list[int], length: int, own: set[int], spare: int
) -> None:
    """By enumeration: every walk that fits a party's view, and what they have in common.

    Nothing false is said to follow; and nothing that follows is kept back, as long as a vertex is
    left over, so that none can be found by excluding all others.
    """
    path, held = order[:length], tuple(sorted(own))
    links = np.zeros((SIZE, SIZE), dtype=bool)
    for here, there in pairwise(path):
        links[here, there] = links[there, here] = True
    places = {p: path.index(p) + 1 if p in path else 0 for p in range(SIZE)}
    longest = min(length + spare, SIZE)
    rest = tuple(p for p in range(SIZE) if p not in held)
    result = work_out(
        Agreement(SIZE, (held, rest, ()), None, longest=longest),
        0,
        Statuses(links[list(held)]),
        Learnt({p: places[p] for p in held}),
    )
    fitting = [
        walk
        for walk in WALKS
        if len(walk) <= longest
        and all((walk.index(p) + 1 if p in walk else 0) == places[p] for p in held)
        and all(set(np.flatnonzero(links[p]).tolist()) == _neighbours(walk, p) for p in held)
    ]
    assert tuple(path) in fitting
    sure = {
        p: walk.index(p) + 1
        for walk in fitting[:1]
        for p in walk
        if p not in held and all(p in each and each.index(p) == walk.index(p) for each in fitting)
    }
    possible = {p: {walk.index(p) + 1 if p in walk else 0 for walk in fitting} for p in range(SIZE)}
    lengths = {len(walk) for walk in fitting}
    assert result.places.items() <= sure.items()
    for pair, (low, high) in result.swapped:
        assert {(walk[low - 1], walk[high - 1]) for walk in fitting} <= {pair, pair[::-1]}
    assert result.at_least <= min(lengths)
    assert result.length is None or {result.length} == lengths
    if not set(range(SIZE)) - {*path, *held}:
        return  # all others are on the walk: more can be found by exclusion
    assert result.places == sure
    pairs = {p for pair, _ in result.swapped for p in pair}
    assert all(len(possible[p]) == 2 for p in pairs)
    assert all(0 in possible[p] for p in set(range(SIZE)) - {*sure, *held, *pairs})
    assert result.at_least == min(lengths)
    assert result.length == (min(lengths) if len(lengths) == 1 else None)


def _neighbours(walk: tuple[int, ...], position: int) -> set[int]:
    if position not in walk:
        return set()
    k = walk.index(position)
    return {walk[i] for i in (k - 1, k + 1) if 0 <= i < len(walk)}


def test_a_neighbour_that_two_visits_share_is_between_them() -> None:
    # The walk 0 1 2 3 5 4 6 7; the party holds 2, at 3, and 5, at 5: only 3 can be at 4.
    walk = [0, 1, 2, 3, 5, 4, 6, 7]
    links = np.zeros((8, 8), dtype=bool)
    for here, there in pairwise(walk):
        links[here, there] = links[there, here] = True
    agreement = Agreement(8, ((2, 5), (0, 1, 3), (4, 6, 7)), None)
    result = work_out(agreement, 0, Statuses(links[[2, 5]]), Learnt({2: 3, 5: 5}))
    assert result.places == {1: 2, 3: 4, 4: 6}
    assert not result.swapped


# -- rehearsals -----------------------------------------------------------------------------------

KITE = Network.parse("ab ac bc bd cd ce de ef fg eg dg")


def test_a_rehearsal_runs_every_party(tmp_path: Path) -> None:
    file = tmp_path / "route.veil.json"
    publish(KITE, Walk("abdc"), source=Seeded(2)).save(file)
    exchange, performances = rehearse_exchange(file, KITE, 3, learn="walk", time_limit=600)
    for each in performances:
        places = each.outcome.learnt.places
        visits = sorted(
            (place, exchange.positions.label(p)) for p, place in places.items() if place
        )
        assert [vertex for _, (vertex, _) in visits] == list("abdc")


def test_what_cannot_be_read_together_is_refused_before_anybody_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rehearse, "_run_all", pytest.fail)
    file = tmp_path / "route.veil"
    publish(KITE, Walk("abdc"), policy=Policy.two_sided(epsilon=3), source=Seeded(2)).save(file)
    with pytest.raises(DoesNotFit, match="noisy"):
        rehearse_exchange(file, KITE, 3)
    with pytest.raises(BadFile, match="no honest majority"):
        rehearse_exchange(file, KITE, 2)


def test_a_party_that_fails_fails_the_rehearsal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = rehearse._run_all(["complain", "die"], _fail, patience=600)  # type: ignore[arg-type, list-item]
    assert answers == ["the row is missing", "its process ended without an answer"]
    file = tmp_path / "route.veil"
    publish(KITE, Walk("abdc"), source=Seeded(2)).save(file)
    monkeypatch.setattr(rehearse, "_run_all", lambda *_, **__: [*answers, ""])
    with pytest.raises(ExchangeFailed, match="party 'party-1': the row is missing"):
        rehearse_exchange(file, KITE, 3)


def _fail(how: str) -> None:
    if how == "die":
        os._exit(9)
    raise DoesNotFit("the row is missing")
