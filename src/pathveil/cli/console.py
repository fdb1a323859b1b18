"""The screen: tables and labelled lines, findings, JSON, and progress.

A table that loses nothing on a narrow screen: no number is cut, no word is broken. Rich shrinks
columns until they fit and breaks what does not. Here each column keeps room for its longest word;
where the screen has none for that, the table becomes a list, one line a cell.

Progress goes to standard error: a bar on a terminal, a line every ten seconds in a pipe. A bar
starts with a total and tells the time left from the work done now: what a journal brings back from
an earlier run is on the bar from the start and does not count for the time left.
"""

from __future__ import annotations

import errno
import json
import os
import sys
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import Any

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.markup import escape
from rich.measure import Measurement
from rich.padding import Padding
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.segment import Segment
from rich.table import Column, Table
from rich.text import Text

from pathveil.cli.interrupts import results_are_shown
from pathveil.model.certificate import Finding
from pathveil.model.publication import Publication
from pathveil.wording import safe_text, shown_text


class SturdyTable(Table):
    """A table of which every word can be read, however wide the screen is."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the table where its longest words fit, else the list."""
        ranges = [self._words(console, options, column) for column in self.columns]
        around = sum(self._get_padding_width(place) for place in range(len(self.columns)))
        spare = options.max_width - self._extra_width - around - sum(least for least, _ in ranges)
        if spare < 0:
            yield from self._listed()
            return
        # Rich shrinks the widest columns first, whatever is in them; so widths are settled here.
        wanted = sum(most - least for least, most in ranges)
        share = min(1.0, spare / max(wanted, 1))
        for column, (least, most) in zip(self.columns, ranges, strict=True):
            column.width = least + int((most - least) * share)
        yield from super().__rich_console__(console, options)

    def _words(self, console: Console, options: ConsoleOptions, column: Column) -> tuple[int, int]:
        """The width of a column's longest word, and of its longest line."""
        wide = options.update(max_width=10_000, no_wrap=False)
        cells = (column.header, *column.cells)
        measured = [Measurement.get(console, wide, _plain(cell)) for cell in cells]
        most = max((m.maximum for m in measured), default=0)
        return (most if column.no_wrap else max((m.minimum for m in measured), default=0)), most

    def _listed(self) -> Iterator[RenderableType]:
        """Each row as lines "head: cell"."""
        if self.title:
            yield Text.from_markup(str(self.title), style="italic")
        for place, row in enumerate(zip(*(column.cells for column in self.columns), strict=True)):
            if place:
                yield Text("")
            for column, cell in zip(self.columns, map(_plain, row), strict=True):
                if cell.plain.strip():
                    yield Text.assemble((f"{_plain(column.header).plain}: ", "dim"), cell)
        if self.caption:
            yield Padding(Text.from_markup(str(self.caption)), (0, 0))


def table(
    title: str,
    heads: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    numbers: Collection[str] = (),
    caption: str | None = None,
) -> SturdyTable:
    """Return a table; columns whose heads are in ``numbers`` are right-aligned and never broken."""
    columns = [
        Column(head, justify="right" if head in numbers else "left", no_wrap=head in numbers)
        for head in heads
    ]
    made = SturdyTable(*columns, title=title, title_justify="left", caption=caption)
    made.caption_justify = "left"
    for row in rows:
        made.add_row(*row)
    return made


def _plain(cell: RenderableType) -> Text:
    return cell if isinstance(cell, Text) else Text.from_markup(str(cell))


class SafeConsole(Console):
    """A console on which no name, whoever made it up, is more than text."""

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterator[Segment]:
        """Yield the pieces to write; what a terminal might obey in their text is written out."""
        for piece in super().render(renderable, options):
            yield piece if piece.control else Segment(safe_text(piece.text), piece.style)

    def print(self, *objects: Any, **options: Any) -> None:
        """Print a result, which an interrupt does not take back then, or a note."""
        if not self.stderr:
            results_are_shown()
        try:
            super().print(*objects, **options)
        except OSError:
            if not self.stderr:
                raise  # a note that nobody can read changes nothing

    def on_broken_pipe(self) -> None:
        """Leave as a program does that is told nobody reads on."""
        leave_broken_pipe()
        raise SystemExit(BROKEN_PIPE)


BROKEN_PIPE = 141
"""The exit code if whoever reads the output stops reading: 128 and the signal's number."""


def leave_broken_pipe() -> None:
    """Let what is still to be written go nowhere, so that no error follows at the end."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        os.dup2(nowhere, stream.fileno())


console = SafeConsole(highlight=False)

notes = SafeConsole(highlight=False, stderr=True)
"""Where what is for the custodian's eyes goes: it is no result, and must not get into one."""


def require_open_output() -> None:
    """Raise if a result would be lost: standard output was closed before we began."""
    if sys.__stdout__ is None:
        raise OSError(errno.EBADF, os.strerror(errno.EBADF))


def say(words: str, **options: Any) -> None:
    """Print plain text: nothing in it is taken for a style."""
    console.print(words, markup=False, **options)


def say_aside(words: str, *, typed: bool = False) -> None:
    """Print a line of plain text on standard error; a command to be typed is not broken."""
    notes.print(words, markup=False, soft_wrap=typed or not notes.is_terminal)


def print_json(value: Any) -> None:
    """Print a result for a program: sorted keys, one document, nothing else."""
    require_open_output()
    results_are_shown()
    text = json.dumps(value, indent=2, sort_keys=True, ensure_ascii=False)
    if safe_text(text) != text or console.encoding != "utf-8":
        text = json.dumps(value, indent=2, sort_keys=True)  # the same value, in plain characters
    print(text)  # noqa: T201


def print_findings(findings: Iterable[Finding]) -> None:
    """Print claims, each with whether it holds, and what was found where it does not."""
    marks = {True: ("holds", "green"), False: ("fails", "bold red"), None: ("open", "bold magenta")}
    for finding in findings:
        mark, style = marks[finding.holds]
        show_lines([(mark, finding.claim)], style=style)
        if finding.detail:
            show_lines([("", f"found: {finding.detail}")])


def arrows(names: Iterable[str]) -> str:
    """Return names joined by arrows, in characters that the screen can show."""
    try:
        "→".encode(console.encoding)
    except (UnicodeEncodeError, LookupError):
        return " -> ".join(names)
    return " → ".join(names)


def say_walk(names: Sequence[str]) -> None:
    """Print names joined by arrows; on a terminal a line ends behind an arrow."""
    if not console.is_terminal:
        say(arrows(names), soft_wrap=True)
        return
    arrow, line = arrows(["", ""]).rstrip(), ""
    for name in names:
        longer = f"{line} {name}{arrow}" if line else f"{name}{arrow}"
        if line and cell_len(longer) > console.width:
            say(line)
            longer = f"{name}{arrow}"
        line = longer
    say(line.removesuffix(arrow))


_LABELS = 10
"""Columns for a label; a longer one makes room for itself."""


def show_lines(
    rows: Sequence[tuple[str, str]], *, on: SafeConsole | None = None, style: str = "dim"
) -> None:
    """Print labelled lines; what is longer than the screen hangs under its own words."""
    screen = console if on is None else on
    room = max([_LABELS, *(len(label) + 1 for label, _ in rows)])
    for label, words in rows:
        head = label
        least = 20 if " " in words else len(words)  # a digest is left whole, to be copied
        for line in Text(shown_text(words)).wrap(screen, max(screen.width - room, least)):
            line.rstrip()
            screen.print(Text.assemble((f"{head:<{room}}", style), line), soft_wrap=True)
            head = ""


def print_picture(publication: Publication) -> None:
    """Print the layered graph as text."""
    from pathveil.drawing.terminal import publication_text_picture

    console.print(publication_text_picture(publication, width=console.width), markup=False)


def warn_unsafe(publication: Publication) -> None:
    """Say aloud that a seeded publication protects nothing."""
    if publication.unsafe:
        console.print(
            "[bold red]unsafe[/]: the coins came from a seed; from whoever has it or guesses it "
            "nothing here is protected. For tests and experiments only."
        )


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

    def report(self, done: int, total: int) -> None:
        """Show how much is done; the first report is where this run begins."""
        done, total = done // self.unit, -(-total // self.unit)
        if self.tasks:
            self.update(self.tasks[0].id, completed=done, total=total)
        else:
            self.add_task(self.what, total=total, completed=done)


class ProgressLines:
    """Lines about progress, ten seconds apart, with the time left by the work done since then."""

    def __init__(
        self, what: str, *, say: Callable[[str], None], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.what, self.say, self.clock = what, say, clock
        self.last = clock()
        self.begun: tuple[float, int] | None = None

    def report(self, done: int, total: int) -> None:
        """Say how much is done, unless a line was written a moment ago."""
        now = self.clock()
        began, before = self.begun = self.begun or (now, done)
        if now - self.last < EVERY:
            return
        self.last = now
        fresh = done - before
        left = (total - done) * (now - began) / fresh if fresh else None
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
        yield ProgressLines(what, say=say_aside).report


@contextmanager
def busy(what: str, *, quiet: bool = False) -> Iterator[None]:
    """Show on a terminal that work is under way whose length is not known; say if it compiles."""
    from pathveil.layering.kernels.running import watch_compiling

    said: list[str] = []

    def compiling(name: str) -> None:
        if name and not said:
            said.append(name)
            say_aside("compiling (once)")

    if quiet or notes.quiet:
        yield
        return
    shown = notes.status(escape(what)) if notes.is_terminal else nullcontext()
    with watch_compiling(compiling), shown:
        yield


@contextmanager
def aloud() -> Iterator[None]:
    """Let what is printed inside be seen in any case: it is the result itself."""
    require_open_output()
    before, console.quiet = console.quiet, False
    try:
        yield
    finally:
        console.quiet = before
