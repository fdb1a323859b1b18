from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pathveil.errors import SearchExhausted
from pathveil.reading import most_likely as path_program
from pathveil.reading.most_likely import PathTask, _Program, path_by_program
from tests.reading.path_makers import best_by_trying, one_link_twice, random_task


@pytest.mark.parametrize("spanning", [True, False])
@pytest.mark.parametrize("seed", range(6))
def test_it_finds_the_best_and_proves_it(seed: int, spanning: bool) -> None:  # noqa: FBT001
    task = random_task(seed, spanning=spanning)
    found = path_by_program(task)
    assert (found.agreeing, found.gap, found.rivals) == (best_by_trying(task)[0], 0, None)
    assert len(set(found.visits)) == len(found.visits)


def two_rings() -> PathTask:
    """Two rings of good pairs and a poor bridge: degrees alone would choose both rings."""
    rings = [[0, 1], [1, 2], [0, 2], [3, 4], [4, 5], [3, 5], [2, 3]]
    return replace(
        random_task(0),
        pairs=np.array(rings),
        score=np.array([1, 1, 1, 1, 1, 1, -1], dtype=np.int8),
        link=np.arange(7),
    )


def test_rings_are_cut_off() -> None:
    task = two_rings()
    found = path_by_program(task)
    assert (found.agreeing, found.gap) == (best_by_trying(task)[0], 0)
    assert set(found.visits) == set(range(6))


def test_a_link_is_used_once() -> None:
    task = one_link_twice()
    found = path_by_program(task)
    assert (len(found.visits), found.agreeing) == (2, task.base + 1)


def good(size: int, *pairs: tuple[int, int], spanning: bool = False) -> PathTask:
    """Pairs that are all shown on the walk."""
    rows, ones = np.array(pairs), np.ones(len(pairs), dtype=np.int8)
    link = np.arange(len(pairs))
    return PathTask(size, rows, ones, link, spanning=spanning, once=False, base=0)


@pytest.mark.parametrize(
    ("task", "most"),
    [
        (good(4, (0, 1), (1, 2), (0, 2)), 2),
        (good(4, (0, 1), (0, 2), (0, 3)), 2),
        (good(4, (0, 1), (2, 3)), 1),
    ],
    ids=["nobody is visited without a pair", "nobody has three", "two paths are not one"],
)
def test_degrees_alone_bound_the_score(task: PathTask, most: int) -> None:
    solved = _Program(task).solve()
    assert solved is not None
    upper, chosen = solved
    assert (upper, int(chosen.sum())) == (most, most)


def test_what_is_left_open_when_the_rounds_end_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first programme may take a ring and a path; what it promised beyond them is the gap."""
    task = two_rings()
    best = best_by_trying(task)[0]
    monkeypatch.setattr(path_program, "ROUNDS", 1)
    found = path_by_program(task)
    assert found.gap > 0
    assert found.agreeing < best <= found.agreeing + found.gap


def test_a_task_without_rings_is_solved_once(monkeypatch: pytest.MonkeyPatch) -> None:
    solved = []
    solve = _Program.solve

    def counted(program: _Program) -> object:
        solved.append(program)
        return solve(program)

    monkeypatch.setattr(_Program, "solve", counted)
    assert path_by_program(good(4, (0, 1), (1, 2), (2, 3))).visits == (0, 1, 2, 3)
    assert len(solved) == 1


def test_who_has_no_path_through_all_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(path_program, "ROUNDS", 3)
    star = good(4, (0, 1), (0, 2), (0, 3), spanning=True)
    with pytest.raises(SearchExhausted, match=r"all 4 vertices .* 3 rounds") as caught:
        path_by_program(star)
    assert caught.value.steps == 3
