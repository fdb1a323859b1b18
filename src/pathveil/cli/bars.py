"""Progress bars: they start with a total, and tell the time left from the work done now.

What a journal brings back from an earlier run is on the bar from the start, and counts for nothing
when the time left is reckoned. A bar is for a terminal; in a pipe, and with ``--json``, there is
none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from pathveil.cli.console import SafeConsole, console

Report = Callable[[int, int], None]
"""Called with (done, total) as work comes back."""

NARROW = 70
"""Columns below which a bar shows less beside itself."""


class TrueBar(Progress):
    """A bar whose time left is that of the work done since it began."""

    def __init__(self, what: str, *, on: SafeConsole) -> None:
        columns = [TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn()]
        if on.width >= NARROW:
            columns += [TimeElapsedColumn(), TextColumn("left")]
        columns.append(TimeRemainingColumn(compact=on.width < NARROW))
        # A long memory: stints are of unequal length, and the last few would mislead.
        super().__init__(*columns, console=on, transient=True, speed_estimate_period=600.0)
        self.what = what
        self.told: TaskID | None = None

    def report(self, done: int, total: int) -> None:
        """Show how much is done; the first report is where this run begins."""
        if self.told is None:
            self.told = self.add_task(self.what, total=total, completed=done)
        else:
            self.update(self.told, completed=done, total=total)


@contextmanager
def progress_bar(what: str, *, quiet: bool) -> Iterator[Report]:
    """Yield a callback of (done, total) behind a bar with the time left; no bar in a pipe."""
    if quiet or not console.is_terminal:
        yield lambda _done, _total: None
        return
    with TrueBar(what, on=console) as bar:
        yield bar.report


@contextmanager
def compiling_shown(*, quiet: bool) -> Iterator[None]:
    """Say "compiling, once" on a terminal while kernels are compiled; a second run finds them.

    Nothing is shown where nothing is compiled: small graphs are layered by plain Python, and
    compiled code is kept on disk.
    """
    if quiet or not console.is_terminal:
        yield
        return
    from pathveil.layering.kernels.running import watch_compiling

    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("compiling, once", total=None, visible=False)

        def told(name: str) -> None:
            shown = f"compiling, once: {name}" if name else "compiling, once"
            bar.update(task, description=shown, visible=bool(name))
            bar.refresh()  # now: compiling leaves no room for the thread that would do it

        with watch_compiling(told):
            yield
