"""How results look in a terminal: tables, the layered picture, the certificate.

A table that loses nothing on a narrow screen: no number is cut, no word is broken.

Rich shrinks columns until they fit and breaks what does not. Here each column keeps room for its
longest word; where the screen has none for that, the table becomes a list, one line a cell.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.markup import escape
from rich.measure import Measurement
from rich.padding import Padding
from rich.segment import Segment
from rich.table import Column, Table
from rich.text import Text

from pathveil.cli.interrupts import results_are_shown
from pathveil.model.publication import Publication
from pathveil.wording import safe_text, shown_text

if TYPE_CHECKING:
    from pathveil.checking.verification import Finding
    from pathveil.ledger.entries import LedgerFinding


class SturdyTable(Table):
    """A table of which every word can be read, however wide the screen is."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the table where its longest words fit, else the list."""
        ranges = [self._words(console, options, column) for column in self.columns]
        around = sum(self._get_padding_width(place) for place in range(len(self.columns)))
        spare = options.max_width - self._extra_width - around - sum(least for least, _ in ranges)
        if spare < 0:
            yield from self._listed(console)
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
        cells = [column.header, *column.cells] if self.show_header else list(column.cells)
        measured = [Measurement.get(console, wide, _plain(cell)) for cell in cells]
        most = max((m.maximum for m in measured), default=0)
        return (most if column.no_wrap else max((m.minimum for m in measured), default=0)), most

    def _listed(self, console: Console) -> Iterator[RenderableType]:
        """Each row as lines "head: cell"; without heads the first cell is the head."""
        if self.title:
            yield Text.from_markup(str(self.title), style="italic")
        heads = [_plain(column.header) for column in self.columns]
        rows = list(zip(*(list(column.cells) for column in self.columns), strict=True))
        for place, row in enumerate(rows):
            cells = [_plain(cell) for cell in row]
            if self.show_header:
                if place:
                    yield Text("")
                for head, cell in zip(heads, cells, strict=True):
                    if cell.plain.strip() and head.plain.strip():
                        yield Text.assemble((f"{head.plain}: ", "dim"), cell)
                    elif cell.plain.strip() and len(cell.plain) <= console.width:
                        yield cell
            else:
                yield Text.assemble((f"{cells[0].plain}: ", "dim"), *cells[1:])
        if self.caption:
            yield Padding(Text.from_markup(str(self.caption)), (0, 0))


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
        super().print(*objects, **options)

    def on_broken_pipe(self) -> None:
        """Leave as a program does that is told nobody reads on."""
        leave_broken_pipe()
        raise SystemExit(BROKEN_PIPE)


BROKEN_PIPE = 141
"""The exit code if whoever reads the output stops reading: 128 and the signal's number."""


def leave_broken_pipe() -> None:
    """Let what is still to be written go nowhere, so that no error follows at the end."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())


console = SafeConsole(highlight=False)

notes = SafeConsole(highlight=False, stderr=True)
"""Where what is for the custodian's eyes goes: it is no result, and must not get into one."""


def print_json(value: Any) -> None:
    """Print a result for a program: sorted keys, one document, nothing else."""
    results_are_shown()
    text = json.dumps(value, indent=2, sort_keys=True, ensure_ascii=False)
    if safe_text(text) != text:
        text = json.dumps(value, indent=2, sort_keys=True)  # the same value, in plain characters
    print(text)  # noqa: T201


def print_findings(findings: Iterable[Finding | LedgerFinding]) -> None:
    """Print claims, each with whether it holds, and what was found where it does not."""
    marks = {True: ("holds", "green"), False: ("fails", "bold red"), None: ("open", "bold yellow")}
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
        for line in Text(shown_text(words)).wrap(screen, max(screen.width - room, 20)):
            line.rstrip()
            screen.print(Text.assemble((f"{head:<{room}}", style), line), soft_wrap=True)
            head = ""


def certificate_table(publication: Publication) -> SturdyTable:
    """Return the certificate as a person reads it: who gains how much, in which direction."""
    table = SturdyTable(
        title="Certificate: the largest loss, by what someone lacks", title_justify="left"
    )
    table.add_column("someone who lacks", ratio=3)
    table.add_column("link is there", ratio=2)
    table.add_column("link is not", ratio=2)
    table.add_column("notion", ratio=2)
    rows = publication.certificate.rows
    claims = _paper_claims(publication)
    if any(claims):
        table.add_column("the paper claims", ratio=2)
    for row, claim in zip(rows, claims, strict=True):
        cells = [str(row.adversary), str(row.presence), str(row.absence), row.notion]
        table.add_row(*map(escape, cells), *([escape(claim)] if any(claims) else []))
    return table


def identification_table(publication: Publication) -> SturdyTable:
    """Return how often a missing walk link is told from the other links that could be it."""
    title = "How often can someone who lacks one link of the walk name it?"
    table = SturdyTable(title=title, title_justify="left")
    table.add_column("it is", ratio=3)
    table.add_column("guessed right before", ratio=1, justify="right")
    table.add_column("after", ratio=1, justify="right")
    table.add_column("certain", ratio=1, justify="right")
    for row in publication.certificate.identification:
        chances = (_percent(row.before), _percent(row.after), _percent(row.certain))
        table.add_row(escape(str(row)), *chances)
    return table


def _percent(decimal: str) -> str:
    """Return a chance as a person reads it; the file has it exactly, and no figure crashes us."""
    try:
        return f"{float(decimal):.1%}"
    except (ValueError, OverflowError):
        return escape(decimal)


def _paper_claims(publication: Publication) -> list[str]:
    """Return what the paper claims of each row; nothing where the policy is not known here."""
    from pathveil.errors import BadBudget
    from pathveil.policies import Policy

    rows = publication.certificate.rows
    try:
        kind = Policy.from_terms(publication.policy).kind
    except BadBudget:
        return ["" for _ in rows]
    return [kind.paper_claim(row) for row in rows]


def print_certificate(publication: Publication) -> None:
    """Print the certificate, and under it what it does not say."""
    console.print(certificate_table(publication))
    if publication.certificate.identification:
        console.print(identification_table(publication))
    if publication.certificate.not_protected:
        console.print("What this does not protect:")
    for line in publication.certificate.not_protected:
        console.print(Padding(escape(shown_text(f"• {line}")), (0, 0, 0, 2)))


def comparison_rows(records: Sequence[Mapping[str, Any]]) -> SturdyTable:
    """Return the strongest attack on each system at each budget; the files hold all the rest."""
    from pathveil.lab.comparison.comparison_tables import share

    table = SturdyTable(title="The strongest attack on each system", title_justify="left")
    table.add_column("system", no_wrap=True)
    for head in ("budget", "success", "control", "read"):
        table.add_column(head, justify="right", no_wrap=head == "success")
    table.add_column("verdict", no_wrap=True)
    for r in records:
        leaks = r["verdict"] in {"leaks", "definitely"}
        table.add_row(
            r["system"],
            f"{r['budget']:g}",
            f"{r['success']:.2f} \\[{r['low']:.2f}, {r['high']:.2f}]",
            f"{r['control_success']:.2f}",
            share(r["recovered"]),
            f"[red]{r['verdict']}[/]" if leaks else r["verdict"],
        )
    return table


def print_picture(publication: Publication) -> None:
    """Print the layered graph as text."""
    from pathveil.drawing.terminal import publication_text_picture

    console.print(publication_text_picture(publication, width=console.width), markup=False)


def warn_unearned(publication: Publication) -> None:
    """Say aloud that a file contradicts itself: a certificate not earned, a digest not its own."""
    from pathveil.checking.certificate_check import require_earned
    from pathveil.errors import BadPublication
    from pathveil.model.series import require_unchanged

    for check, said in ((require_earned, "not earned"), (require_unchanged, "changed")):
        try:
            check(publication)
        except BadPublication as error:
            console.print(f"[bold red]{said}[/]: {escape(shown_text(str(error)))}")


def warn_unsafe(publication: Publication) -> None:
    """Say aloud that a seeded publication protects nothing."""
    if publication.unsafe:
        console.print(
            "[bold red]unsafe[/]: the coins came from a seed; from whoever has it or guesses it "
            "nothing here is protected. For tests and experiments only."
        )
