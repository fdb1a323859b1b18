from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from pathveil.reading.most_likely import sorted_ends
from tests.reading.path_makers import random_task


@pytest.mark.parametrize("seed", range(5))
def test_pairs_along_a_path_are_its_steps_in_order(seed: int) -> None:
    task = random_task(seed)
    visits = list(range(task.size))[:: 1 if seed % 2 else -1]
    steps = [sorted(step) for step in pairwise(visits)]
    assert task.pairs[task.pairs_along(visits)].tolist() == steps
    assert task.links_along(visits) == task.link[task.pairs_along(visits)].tolist()


def test_pairs_may_be_listed_in_any_order() -> None:
    task = random_task(1)
    order = np.random.default_rng(2).permutation(len(task.pairs))
    mixed = type(task)(
        task.size, task.pairs[order], task.score[order], task.link[order], False, False, 0
    )
    visits = list(range(task.size))
    assert mixed.pairs[mixed.pairs_along(visits)].tolist() == [[i, i + 1] for i in range(5)]


def test_a_path_is_told_from_the_end_that_sorts_first() -> None:
    assert sorted_ends([4, 1, 2]) == (2, 1, 4)
    assert sorted_ends([2, 1, 4]) == (2, 1, 4)


def test_a_path_visits_two_at_least_or_all() -> None:
    task = random_task(1)
    assert replace(task, spanning=False).fewest == 2
    assert replace(task, spanning=True).fewest == task.size > 2
