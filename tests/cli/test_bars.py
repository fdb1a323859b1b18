"""Bars start with a total, tell the time of this run, and are for terminals only."""

from __future__ import annotations

import io

import pytest

from pathveil.cli import bars
from pathveil.cli.bars import TrueBar, compiling_shown, progress_bar
from pathveil.cli.console import SafeConsole


def terminal(width: int = 100) -> SafeConsole:
    return SafeConsole(file=io.StringIO(), force_terminal=True, width=width)


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


@pytest.mark.parametrize("width", [50, 80, 200])
def test_a_bar_fits_its_screen(width: int) -> None:
    console = terminal(width)
    with TrueBar("walks drawn, then written", on=console) as bar:
        bar.report(0, 20)
        bar.report(5, 20)
        bar.refresh()
    assert isinstance(console.file, io.StringIO)
    assert "5/20" in console.file.getvalue()


def test_there_is_no_bar_in_a_pipe_and_none_beside_json(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with progress_bar("walks", quiet=False) as report:
        report(1, 2)
    assert "".join(capsys.readouterr()) == ""
    seen = terminal()
    monkeypatch.setattr(bars, "console", seen)
    with progress_bar("walks", quiet=True) as report:
        report(1, 2)
    assert isinstance(seen.file, io.StringIO)
    assert seen.file.getvalue() == ""
    with progress_bar("walks", quiet=False) as report:
        report(1, 2)
    assert "1/2" in seen.file.getvalue()


def test_compiling_is_shown_while_it_lasts_and_to_a_terminal_only(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from pathveil.layering.kernels import running

    with compiling_shown(quiet=False):
        assert not running._watchers  # nobody looks
    assert "".join(capsys.readouterr()) == ""
    seen = terminal()
    monkeypatch.setattr(bars, "console", seen)
    with compiling_shown(quiet=True):
        assert not running._watchers
    with compiling_shown(quiet=False):
        (watcher,) = running._watchers
        watcher("orient")
        watcher("")
    assert not running._watchers
    assert isinstance(seen.file, io.StringIO)
    assert "compiling, once" in seen.file.getvalue()
