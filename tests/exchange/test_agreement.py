from __future__ import annotations

import numpy as np
import pytest

from pathveil.exchange.protocol import CHALLENGES, Agreement, Statuses, Untold


def agreement(**more: object) -> Agreement:
    return Agreement(7, ((0, 1), (2, 3, 4, 5, 6), ()), (0, 0, 3), Untold(), **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(("longest", "steps"), [(None, 7), (4, 4), (7, 7), (9, 7)])
def test_as_many_visits_are_computed_as_could_be(longest: int | None, steps: int) -> None:
    assert agreement(longest=longest).steps == steps


def test_what_a_party_puts_in_is_a_public_number() -> None:
    """Rows of its positions, two one-hot ends and a status for each link place, coin, challenge."""
    assert CHALLENGES * 61 == 122
    assert agreement().numbers_of(0) == 2 * 7 + 2 + CHALLENGES
    assert agreement().numbers_of(1) == 5 * 7 + 2 + CHALLENGES
    assert agreement().numbers_of(2) == 3 * (7 + 7 + 1) + 2 + CHALLENGES


def test_unless_asked_each_learns_its_own_places_alone() -> None:
    assert agreement().learn == "own"
    assert not agreement().length
    assert agreement().longest is None


def test_the_secret_input_is_silent() -> None:
    mine = Statuses(np.ones((2, 7), dtype=np.bool_), ((3, 4, True),))
    assert repr(mine) == "<Statuses: 2 rows, 1 link places>"
    assert Statuses(mine.rows).links == ()
