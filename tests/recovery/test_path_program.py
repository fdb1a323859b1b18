from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pathveil.recovery.path_program import path_by_program
from tests.recovery.path_makers import best_by_trying, one_edge_twice, random_task


@pytest.mark.parametrize("spanning", [True, False])
@pytest.mark.parametrize("seed", range(6))
def test_it_finds_the_best_and_proves_it(seed: int, spanning: bool) -> None:  # noqa: FBT001
    task = random_task(seed, spanning=spanning)
    found = path_by_program(task)
    assert (found.agreeing, found.gap, found.rivals) == (best_by_trying(task)[0], 0, None)
    assert len(set(found.visits)) == len(found.visits)


def test_rings_are_cut_off() -> None:
    """Two rings of good pairs and a poor bridge: degrees alone would choose both rings."""
    rings = [[0, 1], [1, 2], [0, 2], [3, 4], [4, 5], [3, 5], [2, 3]]
    task = replace(
        random_task(0),
        pairs=np.array(rings),
        score=np.array([1, 1, 1, 1, 1, 1, -1], dtype=np.int8),
        edge=np.arange(7),
    )
    found = path_by_program(task)
    assert (found.agreeing, found.gap) == (best_by_trying(task)[0], 0)
    assert set(found.visits) == set(range(6))


def test_an_edge_is_used_once() -> None:
    task = one_edge_twice()
    found = path_by_program(task)
    assert (len(found.visits), found.agreeing) == (2, task.base + 1)
