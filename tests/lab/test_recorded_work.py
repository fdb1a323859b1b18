"""Killed at any moment, long work goes on where it was, and comes out the same whoever does it."""

from __future__ import annotations

from pathlib import Path

import pytest

from pathveil.batching.worker_pool import Crew
from pathveil.lab.recorded_work import Job, run_recorded


def square(number: int) -> list[int]:
    return [number, number**2]


WANTED = [square(number) for number in range(5)]


def run(path: Path | None, crew: Crew | None = None, *, title: str = "squares") -> list[list[int]]:
    (made,) = run_recorded(square, [Job(title, range(5), path)], crew)
    return made


def test_cut_off_at_any_byte_it_is_taken_up(tmp_path: Path) -> None:
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    assert run(whole) == WANTED
    data = whole.read_bytes()
    for end in range(len(data) + 1):
        cut.write_bytes(data[:end])
        assert run(cut) == WANTED
        assert sorted(cut.read_bytes().splitlines()) == sorted(data.splitlines())


def test_work_that_is_stopped_before_its_first_part_leaves_nothing(tmp_path: Path) -> None:
    """An interrupted comparison left an empty folder."""

    class Stop(Exception): ...

    def stop(done: int, _total: int) -> None:
        if done == reached:
            raise Stop

    path = tmp_path / "folder" / "x"
    for reached in (0, 2):
        with pytest.raises(Stop):
            run(path, Crew(1, progress=stop))
        assert path.parent.exists() == bool(reached)
    seen: list[int] = []
    assert run(path, Crew(1, progress=lambda done, _: seen.append(done))) == WANTED
    assert seen == [2, 3, 4, 5]


def test_workers_do_not_matter_and_jobs_share_them() -> None:
    jobs = [Job("one", range(5)), Job("two", [7])]
    assert run_recorded(square, jobs, Crew(workers=2)) == [WANTED, [[7, 49]]]
