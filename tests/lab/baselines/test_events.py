from __future__ import annotations

from itertools import pairwise, product

import numpy as np
import pytest

from pathveil.errors import BadBudget
from pathveil.lab.baselines.events import EdgeUse, Event, Presence, Worlds
from tests.lab.baselines.conftest import Floats

SIZE, HORIZON = 3, 4


def happened(event: Event, walk: tuple[int, ...]) -> bool:
    """The event read off a walk directly; times count from 1."""
    if isinstance(event, Presence):
        return any(walk[t - 1] in event.region for t in range(event.first, event.last + 1))
    assert isinstance(event, EdgeUse)
    steps = pairwise(walk[: event.last])
    return any({u, v} == {event.u, event.v} for u, v in steps)


EVENTS: list[Event] = [
    Presence(frozenset({1}), 1, 4),
    Presence(frozenset({0, 2}), 2, 3),
    Presence(frozenset({2}), 4, 4),
    Presence(frozenset({1}), 1, 1),
    EdgeUse(0, 1, 4),
    EdgeUse(1, 2, 3),
]


def random_model(seed: int) -> tuple[Floats, Floats]:
    rng = np.random.default_rng(seed)
    matrix = rng.dirichlet(np.ones(SIZE), size=SIZE)
    matrix[0, 0] = 0.0  # a forbidden move
    matrix[0] /= matrix[0].sum()
    return matrix, rng.random((HORIZON, SIZE))


@pytest.mark.parametrize("event", EVENTS, ids=str)
@pytest.mark.parametrize("seed", range(3))
def test_two_worlds_equal_enumeration(event: Event, seed: int) -> None:
    """Pr(event), Pr(release) and Pr(both), from every start, at every time, by all 81 walks."""
    matrix, emission = random_model(seed)
    worlds = Worlds.of([event], matrix, HORIZON)
    a, b, c = np.zeros(SIZE), np.zeros((HORIZON, SIZE)), np.zeros((HORIZON, SIZE))
    for walk in product(range(SIZE), repeat=HORIZON):
        chance = np.prod([matrix[u, v] for u, v in pairwise(walk)])
        true = happened(event, walk)
        a[walk[0]] += chance * true
        for t in range(HORIZON):
            seen = chance * np.prod([emission[k, walk[k]] for k in range(t + 1)])
            b[t, walk[0]] += seen * true
            c[t, walk[0]] += seen
    assert np.allclose(worlds.chance[0], a)
    forward = worlds.opening[0]
    for t in range(HORIZON):
        forward = forward * np.tile(emission[t], 2)
        assert np.allclose(forward @ worlds.tails[t][0], b[t])
        assert np.allclose(forward.sum(axis=1), c[t])
        if t + 1 < HORIZON:
            forward = forward @ worlds.moves[t][0]


def test_an_event_beyond_the_horizon_still_counts() -> None:
    matrix, _ = random_model(1)
    long = Worlds.of([Presence(frozenset({1}), 3, 4)], matrix, HORIZON)
    short = Worlds.of([Presence(frozenset({1}), 3, 4)], matrix, 2)
    assert len(short.tails) == 2
    assert len(short.moves) == 1
    assert np.allclose(short.chance, long.chance)


def test_times_count_from_one() -> None:
    with pytest.raises(BadBudget, match="time"):
        Presence(frozenset({1}), 0, 2)
