from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pathveil.errors import SearchExhausted
from pathveil.reading.most_likely import path_by_table
from tests.reading.path_makers import best_by_trying, one_link_twice, random_task


@pytest.mark.parametrize("spanning", [True, False])
@pytest.mark.parametrize("seed", range(12))
def test_it_finds_the_best_and_counts_who_is_as_good(seed: int, spanning: bool) -> None:  # noqa: FBT001
    task = random_task(seed, spanning=spanning)
    found = path_by_table(task)
    assert found is not None
    assert (found.agreeing, found.rivals) == (
        best_by_trying(task)[0],
        best_by_trying(task)[1] - 1,
    )
    assert found.gap == 0
    walked = int(task.score[task.pairs_along(found.visits)].sum())
    assert found.agreeing == task.base + walked
    assert found.visits[0] <= found.visits[-1]


def test_a_link_used_twice_is_for_another_solver() -> None:
    """Two copies of one link, both shown: the best path takes both, which no walk does."""
    task = one_link_twice()
    assert path_by_table(task) is None
    apart = path_by_table(replace(task, link=np.array([0, 1])))
    assert apart is not None
    assert (apart.visits, apart.rivals) == ((0, 1, 2), None)


def test_no_path_through_all_is_said() -> None:
    star = replace(
        random_task(0),
        size=4,
        pairs=np.array([[0, 1], [0, 2], [0, 3]]),
        score=np.ones(3, dtype=np.int8),
        link=np.arange(3),
        spanning=True,
    )
    with pytest.raises(SearchExhausted, match="no path through all"):
        path_by_table(star)
