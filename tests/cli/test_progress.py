"""Bars start with a total and tell the time of this run; in a pipe there are lines instead."""

from __future__ import annotations

import io

import pytest

from pathveil.cli import console as bars
from pathveil.cli.console import ProgressLines, SafeConsole, TrueBar, busy, progress_bar


def terminal(width: int = 100) -> SafeConsole:
    return SafeConsole(file=io.StringIO(), force_terminal=True, width=width, highlight=False)


def test_what_an_earlier_run_did_says_nothing_of_the_time_left() -> None:
    clock = [0.0]
    bar = TrueBar("walks", on=terminal())
    bar.get_time = lambda: clock[0]
    bar.report(900, 1000)  # resumed: nine tenths are there already
    (task,) = bar.tasks
    assert (task.completed, task.total) == (900, 1000)
    assert task.time_remaining is None  # nothing was done yet, so nothing is promised
    for done in range(901, 911):
        clock[0] += 2.0
        bar.report(done, 1000)
    assert task.speed == pytest.approx(0.5, rel=0.12)
    assert task.time_remaining == pytest.approx(90 / 0.5, rel=0.12)


def test_in_a_pipe_there_is_a_line_every_ten_seconds(capsys: pytest.CaptureFixture[str]) -> None:
    clock, said = [0.0], list[str]()
    lines = ProgressLines("walks", say=said.append, clock=lambda: clock[0])
    for second in range(45):
        clock[0] = float(second)
        lines.report(100 + second, 200)
    assert len(said) == 4
    assert said[0] == "walks: 110 of 200, about 90 s left"
    late = ProgressLines("rounds", say=said.append, clock=lambda: clock[0])
    clock[0] += 300  # others were waited for: that says nothing of the time left
    late.report(0, 20)
    clock[0] += 10
    late.report(10, 20)
    assert said[-1] == "rounds: 10 of 20, about 10 s left"
    with progress_bar("walks", quiet=False) as report:
        report(1, 2)
    assert "".join(capsys.readouterr()) == ""


def test_a_terminal_has_a_bar_and_json_none(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = terminal()
    monkeypatch.setattr(bars, "notes", seen)
    assert isinstance(seen.file, io.StringIO)
    with progress_bar("walks", quiet=True) as report:
        report(1, 2)
    assert seen.file.getvalue() == ""
    with progress_bar("bytes", quiet=False, unit=1000) as report:
        report(1500, 1999)
    assert "1/2" in seen.file.getvalue()


def test_compiling_is_said_once(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from pathveil.layering.kernels import running

    with busy("drawing", quiet=True):
        assert not running._watchers
    for screen in (None, terminal()):
        if screen is not None:
            monkeypatch.setattr(bars, "notes", screen)
        with busy("drawing"):
            (watcher,) = running._watchers
            for name in ("orient", "", "split", ""):
                watcher(name)
        assert not running._watchers
        shown = capsys.readouterr().err if screen is None else screen.file.getvalue()  # type: ignore[attr-defined]
        assert shown.count("compiling (once)") == 1
