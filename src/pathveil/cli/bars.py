"""Progress on standard error: a bar on a terminal, a line every ten seconds in a pipe.

A bar starts with a total and tells the time left from the work done now: what a journal brings back
from an earlier run is on the bar from the start and does not count for the time left.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.markup import escape
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from pathveil.cli.console import SafeConsole, notes

Report = Callable[[int, int], None]
"""Called with (done, total) as work comes back."""

NARROW = 70
"""Columns below which a bar shows less beside itself."""
EVERY = 10.0
"""Seconds between two lines in a pipe."""


class TrueBar(Progress):
    """A bar whose time left is that of the work done since it began."""

    def __init__(self, what: str, *, on: SafeConsole, unit: int = 1) -> None:
        columns = [TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn()]
        if on.width >= NARROW:
            columns += [TimeElapsedColumn(), TextColumn("left")]
        columns.append(TimeRemainingColumn(compact=on.width < NARROW))
        # A long memory: pieces of work are of unequal length, and the last few would mislead.
        super().__init__(*columns, console=on, transient=True, speed_estimate_period=600.0)
        self.what, self.unit = escape(what), unit
        self.begun: TaskID | None = None

    def report(self, done: int, total: int) -> None:
        """Show how much is done; the first report is where this run begins."""
        done, total = done // self.unit, -(-total // self.unit)
        if self.begun is None:
            self.begun = self.add_task(self.what, total=total, completed=done)
        else:
            self.update(self.begun, completed=done, total=total)


class ProgressLines:
    """Lines about progress, ten seconds apart, with the time left by the work done since then."""

    def __init__(
        self, what: str, *, say: Callable[[str], None], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.what, self.say, self.clock = what, say, clock
        self.began = self.last = clock()
        self.before: int | None = None

    def report(self, done: int, total: int) -> None:
        """Say how much is done, unless a line was written a moment ago."""
        if self.before is None:
            self.before = done
        now = self.clock()
        if now - self.last < EVERY:
            return
        self.last = now
        fresh = done - self.before
        left = (total - done) * (now - self.began) / fresh if fresh else None
        more = "" if left is None else f", about {left:.0f} s left"
        self.say(f"{self.what}: {done:,} of {total:,}{more}")


@contextmanager
def progress_bar(what: str, *, quiet: bool, unit: int = 1) -> Iterator[Report]:
    """Yield a callback of (done, total) that shows progress on standard error.

    Parameters
    ----------
    unit
        How much of ``done`` is one on the bar, such as a million bytes.
    """
    if quiet or notes.quiet:
        yield lambda _done, _total: None
    elif notes.is_terminal:
        with TrueBar(what, on=notes, unit=unit) as bar:
            yield bar.report
    else:
        yield ProgressLines(what, say=_say).report


@contextmanager
def busy(what: str, *, quiet: bool = False) -> Iterator[None]:
    """Show on a terminal that work is under way whose length is not known; say if it compiles."""
    from pathveil.layering.kernels.running import watch_compiling

    said: list[str] = []

    def compiling(name: str) -> None:
        if name and not said:
            said.append(name)
            _say("compiling (once)")

    if quiet or notes.quiet:
        yield
        return
    with watch_compiling(compiling):
        if notes.is_terminal:
            with notes.status(escape(what)):
                yield
        else:
            yield


def _say(line: str) -> None:
    notes.print(line, markup=False, soft_wrap=True)
