"""The budget run so far, as SVG and as text: the largest loss of a link, and uses per link.

The picture tells how often links were used and how fast a budget went: it is the custodian's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import floor, log10

from pathveil.drawing.sheet import Theme, heading, num, sheet, text_width, words
from pathveil.wording import counted

_WIDTH, _MARGIN = 760.0, 28.0
_PLOT, _BARS = 230.0, 150.0
_LEFT, _RIGHT = 64.0, _WIDTH - _MARGIN
_MOST_BARS = 30
_MOST_STAIRS = 1000
Point = tuple[float, float]
_EIGHTHS = " ▁▂▃▄▅▆▇█"


def budget_svg(
    spent: Sequence[float],
    uses: Mapping[int, int],
    *,
    budget: float | None,
    title: str,
    cover: float | None = None,
    theme: Theme = "auto",
) -> str:
    """Return a drawing of a budget: a staircase under a line, and a histogram.

    Parameters
    ----------
    spent
        The largest loss of any link after each release; infinite ones are drawn at the top.
    uses
        How many links were used how often.
    budget
        The limit; None if there is none.
    cover
        The share of the network's cover that public releases use; None if nothing is public.

    Examples
    --------
    >>> drawn = budget_svg([0.7, 1.4], {0: 3, 1: 2}, budget=2, title="Network 1")
    >>> drawn.startswith("<svg"), "0.6000 left" in drawn
    (True, True)
    """
    finite = [value for value in spent if value != float("inf")]
    top = max([*finite, budget or 0, 0.1]) * 1.08
    facts = [counted(len(spent), "release")]
    if spent:
        facts.append(f"largest loss of a link {spent[-1]:.4f}")
    facts.append("no budget" if budget is None else f"budget {budget:g}")
    if budget is not None:
        facts.append(f"{budget - (spent[-1] if spent else 0):.4f} left")
    if cover is not None:
        facts.append(f"{min(cover, 9.99):.0%} of the cover used")
    about = " · ".join(facts)
    body = heading(title, f"{about} · for the custodian alone")
    if cover is not None:
        body += _cover_bar(cover)
    body += _staircase(spent, budget, top, upper=96.0)
    body += _histogram(uses, upper=96.0 + _PLOT + 92)
    return sheet(
        body,
        width=_WIDTH,
        height=96 + _PLOT + 92 + _BARS + 56,
        title=title,
        about=about,
        theme=theme,
    )


def _cover_bar(cover: float) -> list[str]:
    """Return a bar of the cover that is used, in the upper right corner."""
    left, width, y = _RIGHT - 160, 160.0, 30.0
    end = left + width * min(cover, 1.0)
    return [
        _line((left, y), (_RIGHT, y), "faint", 'stroke-width="9"'),
        _line((left, y), (end, y), "end", 'stroke-width="9"'),
    ]


def _staircase(
    spent: Sequence[float], budget: float | None, top: float, *, upper: float
) -> list[str]:
    """Return the largest loss of a link, release by release, under the budget."""
    width, base = _WIDTH - _LEFT - _MARGIN, upper + _PLOT
    step = width / max(len(spent), 1)
    body = [words(_LEFT, upper - 14, "largest loss of a link", size=12.5)]
    for value in _ticks(top):
        y = base - value / top * _PLOT
        body.append(_line((_LEFT, y), (_RIGHT, y), "faint"))
        body.append(_right(f"{value:g}", y))
    points = f"M{num(_LEFT)},{num(base)}"
    stairs = _thinned(spent, _MOST_STAIRS)
    for place, value in enumerate(stairs):
        y = base - min(value, top) / top * _PLOT
        points += f"V{num(y)}H{num(_LEFT + (place + 1) * width / len(stairs))}"
    body.append(f'<path class="end" stroke-width="2.2" d="{points}"/>')
    if budget is not None:
        y = base - budget / top * _PLOT
        body.append(_line((_LEFT, y), (_RIGHT, y), "walk", 'stroke-dasharray="7 5"'))
        label = f"budget {budget:g}"
        x = _WIDTH - _MARGIN - text_width(label, 12)
        body.append(words(x, y - 7, label, style="alarm"))
    body.append(_line((_LEFT, base), (_RIGHT, base), "link"))
    for place in _places(len(spent)):
        x = _LEFT + (place - 0.5) * step - text_width(str(place), 11) / 2
        body.append(words(x, base + 18, str(place), size=11, style="muted"))
    body.append(words(_LEFT, base + 38, "release", size=12, style="muted"))
    return body


def _histogram(uses: Mapping[int, int], *, upper: float) -> list[str]:
    """Return how many links were used how often."""
    width, base = _WIDTH - _LEFT - _MARGIN, upper + _BARS
    bars = _binned(uses)
    most = max((count for _, count in bars), default=0) or 1
    slot = width / max(len(bars), 1)
    wide = min(slot * 0.72, 46.0)
    body = [words(_LEFT, upper - 14, "links by uses of all walks together", size=12.5)]
    for place, (label, count) in enumerate(bars):
        middle = _LEFT + (place + 0.5) * slot
        high = count / most * (_BARS - 20)
        where = f'x="{num(middle - wide / 2)}" y="{num(base - high)}"'
        size = f'width="{num(wide)}" height="{num(high)}"'
        body.append(f'<rect class="node h0" stroke-width="1.2" {where} {size}/>')
        shown = f"{count:,}"
        body.append(words(middle - text_width(shown, 11) / 2, base - high - 5, shown, size=11))
        x = middle - text_width(label, 11) / 2
        body.append(words(x, base + 17, label, size=11, style="muted"))
    body.append(_line((_LEFT, base), (_RIGHT, base), "link"))
    body.append(words(_LEFT, base + 37, "times used", size=12, style="muted"))
    return body


def _binned(uses: Mapping[int, int]) -> list[tuple[str, int]]:
    """Return bars from never used to used most; many are put together."""
    if not uses:
        return []
    last = max(uses)
    width = max(1, -(-(last + 1) // _MOST_BARS))
    found = []
    for start in range(0, last + 1, width):
        end = min(start + width - 1, last)
        label = str(start) if width == 1 else f"{start}-{end}"
        found.append((label, sum(uses.get(k, 0) for k in range(start, end + 1))))
    return found


def _ticks(top: float) -> list[float]:
    """Return a few round numbers up to the top.

    >>> _ticks(5.0)
    [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]
    """
    raw = top / 6
    size = 10 ** floor(log10(raw))
    step = next(m * size for m in (1, 2, 5, 10) if m * size >= raw * 0.999)
    return [round(k * step, 10) for k in range(int(top / step + 1e-9) + 1)]


def _places(count: int) -> list[int]:
    """Return which releases are named under the staircase."""
    step = max(1, -(-count // 12))
    return list(range(1, count + 1, step))


def _line(start: Point, end: Point, style: str, more: str = "") -> str:
    (x, y), (to_x, to_y) = start, end
    ends = f'x1="{num(x)}" y1="{num(y)}" x2="{num(to_x)}" y2="{num(to_y)}"'
    return f'<line class="{style}" {ends} {more}/>'.replace(" />", "/>")


def _right(label: str, y: float) -> str:
    return words(_LEFT - 8 - text_width(label, 11), y + 4, label, size=11, style="muted")


def budget_bars(
    spent: Sequence[float], *, budget: float | None, width: int = 60, height: int = 8
) -> str:
    """Return the staircase as text, the budget as a line across it.

    >>> print(budget_bars([1, 2, 3], budget=4, width=3, height=4))
    ┄┄┄ 4
      █
     ██
    ███
    """
    shown = _thinned(spent, width)
    top = max([budget or 0.0, *(v for v in shown if v != float("inf")), 1e-9])
    rows = []
    for row in range(height, 0, -1):
        line = "".join(_cell(min(value, top) / top * height - (row - 1)) for value in shown)
        if row == height and budget is not None:
            line = "".join("┄" if sign == " " else sign for sign in line) + f" {budget:g}"
        rows.append(line.rstrip())
    return "\n".join(rows)


def _cell(filled: float) -> str:
    return _EIGHTHS[max(0, min(8, round(filled * 8)))]


def _thinned(values: Sequence[float], most: int) -> list[float]:
    if len(values) <= most:
        return list(values)
    return [values[(place + 1) * len(values) // most - 1] for place in range(most)]
