"""A table that loses nothing on a narrow screen: no number is cut, no word is broken.

Rich shrinks columns until they fit and breaks what does not. Here each column keeps room for its
longest word; where the screen has none for that, the table becomes a list, one line a cell.
"""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.measure import Measurement
from rich.padding import Padding
from rich.table import Column, Table
from rich.text import Text


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
