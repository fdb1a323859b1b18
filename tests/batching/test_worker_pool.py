"""Whoever does the work and whoever dies on the way, each item is answered once."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from pathveil.batching.worker_pool import run_all
from pathveil.errors import MissingExtra


def die_once(mark: str) -> str:
    """Kill the process that runs this, the first time; answer the second time."""
    path = Path(mark)
    if path.exists():
        return path.name
    path.touch()
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


def die(_: int) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_pool_that_loses_a_worker_is_started_again(tmp_path: Path) -> None:
    marks = [str(tmp_path / name) for name in "abc"]
    Path(marks[1]).touch()
    Path(marks[2]).touch()
    assert sorted(run_all(die_once, marks, workers=2)) == ["a", "b", "c"]


def test_it_gives_up_when_workers_keep_dying(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pathveil.batching.worker_pool.LIVES", 1)
    with pytest.raises(RuntimeError, match="tasks to go"):
        list(run_all(die, [1, 2], workers=2))
    with pytest.raises(ValueError, match="at least one"):
        list(run_all(abs, [1], workers=0))


def test_what_a_pool_has_made_ahead_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is taken from a pool before all items are there: so few are handed out till then."""
    monkeypatch.setattr("pathveil.batching.worker_pool.AHEAD", 3)
    handed: list[int] = []

    class Counting(ProcessPoolExecutor):
        def submit(self, *args: Any, **options: Any) -> Any:
            handed.append(1)
            return super().submit(*args, **options)

    monkeypatch.setattr("pathveil.batching.worker_pool.ProcessPoolExecutor", Counting)
    at_the_end: list[int] = []

    def items() -> Iterator[int]:
        yield from range(-20, 0)
        at_the_end.append(len(handed))

    assert sorted(run_all(abs, items(), workers=2)) == list(range(1, 21))
    assert at_the_end == [6]
    assert len(handed) == 20


def test_without_dask_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MissingExtra, match=r"pathveil\[cluster\]"):
        list(run_all(abs, [1], scheduler="tcp://127.0.0.1:1"))


@pytest.mark.parametrize("workers", [1, 2])
def test_all_items_are_taken_before_anything_is_yielded(workers: int) -> None:
    """Whoever makes the items may refuse them at the end: then nobody has seen a result."""

    def refused() -> Iterator[int]:
        yield from (-1, -2, -3)
        raise MissingExtra("gate", "none")

    with pytest.raises(MissingExtra):
        next(run_all(abs, refused(), workers=workers))
