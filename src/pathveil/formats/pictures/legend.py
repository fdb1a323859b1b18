"""The legend under a picture: every mark that occurs, and what it means."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from pathveil.formats.pictures.drawing_sheet import Theme, num, sheet, text, text_width, words

Mark = Callable[[float, float], str]
"""Draws a sample of a mark round a point; about 28 wide and 16 high."""

_SIZE = 12.0
_LINE = 23.0
_BEFORE, _AFTER = 38.0, 26.0


@dataclass(frozen=True)
class Entry:
    """A mark and its meaning."""

    mark: Mark
    meaning: str

    @property
    def width(self) -> float:
        """How wide the entry is drawn, with the space after it."""
        return _BEFORE + text_width(self.meaning, _SIZE) + _AFTER


def drawn_legend(
    entries: Iterable[Entry], *, left: float, top: float, right: float
) -> tuple[list[str], float]:
    """Return the drawn entries, as many on a line as fit, and where the next thing may begin.

    >>> two = [Entry(circle("start"), "start"), Entry(circle("end"), "end")]
    >>> parts, below = drawn_legend(two, left=0, top=0, right=400)
    >>> len(parts), below
    (4, 23.0)
    """
    x, y, parts = left, top, []
    for entry in entries:
        if x > left and x + entry.width - _AFTER > right:
            x, y = left, y + _LINE
        parts.append(entry.mark(x + 14, y + _LINE / 2))
        parts.append(
            words(x + _BEFORE, y + _LINE / 2 + 4, entry.meaning, size=_SIZE, style="muted")
        )
        x += entry.width
    return parts, y + _LINE


def sheet_with_legend(
    body: list[str],
    entries: Iterable[Entry],
    *,
    top: float,
    width: float,
    margin: float,
    title: str,
    about: str,
    theme: Theme,
) -> str:
    """Return a whole SVG document: a picture, and from ``top`` on the legend of its marks."""
    foot, bottom = drawn_legend(entries, left=margin, top=top, right=width - margin)
    return sheet(
        [*body, *foot], width=width, height=bottom + 12, title=title, about=about, theme=theme
    )


def circle(style: str, *, radius: float = 7, inside: str = "") -> Mark:
    """Return a ring or disc as a mark, with a letter or number in it."""

    def drawn(x: float, y: float) -> str:
        at = f'cx="{num(x)}" cy="{num(y)}" r="{num(radius)}"'
        return f'<circle class="{style}" {at} stroke-width="1.6"/>' + _letters(inside, x, y)

    return drawn


def pill(style: str, *, inside: str = "", dashed: bool = False) -> Mark:
    """Return a node of a layered graph as a mark."""

    def drawn(x: float, y: float) -> str:
        at = f'x="{num(x - 14)}" y="{num(y - 8)}" width="28" height="16" rx="8"'
        dash = ' stroke-dasharray="4 3"' if dashed else ""
        box = f'<rect class="{style}" {at} stroke-width="1.3"{dash}/>'
        return box + _letters(inside, x, y)

    return drawn


def square(style: str) -> Mark:
    """Return a cell of a matrix as a mark."""

    def drawn(x: float, y: float) -> str:
        at = f'x="{num(x - 6)}" y="{num(y - 6)}" width="12" height="12"'
        return f'<rect class="{style}" {at}/>'

    return drawn


def stroke(style: str, *, upright: bool = False, more: str = "") -> Mark:
    """Return a line as a mark, with more attributes where its kind has them."""

    def drawn(x: float, y: float) -> str:
        way = f"M{num(x)} {num(y - 8)}v16" if upright else f"M{num(x - 13)} {num(y)}h26"
        return f'<path class="{style}" d="{way}" {more or _PLAIN}/>'

    return drawn


def arrow(style: str, tip: str) -> Mark:
    """Return an arrow to the right as a mark."""

    def drawn(x: float, y: float) -> str:
        shaft = f'<path class="{style}" stroke-width="2.6" d="M{num(x - 14)} {num(y)}h19"/>'
        head = f"M{num(x + 14)} {num(y)}L{num(x + 5)} {num(y - 4.5)}L{num(x + 5)} {num(y + 4.5)}z"
        return f'{shaft}<path class="{tip}" d="{head}"/>'

    return drawn


_PLAIN = 'stroke-width="1.7"'


def _letters(inside: str, x: float, y: float) -> str:
    if not inside:
        return ""
    at = f'x="{num(x)}" y="{num(y + 3.5)}" font-size="10" text-anchor="middle"'
    return f'<text class="ink" {at}>{text(inside)}</text>'
