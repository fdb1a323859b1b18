"""The budget so far, as SVG: the largest loss of a link after each release, and the cover used.

The picture tells how fast a budget went: it is for the custodian alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import floor, inf, log10

from pathveil.drawing.sheet import MARGIN, heading, num, sheet, text_width, words
from pathveil.wording import counted

_WIDTH, _HEIGHT, _PLOT = 760.0, 430.0, 230.0
_LEFT, _RIGHT = 64.0, _WIDTH - MARGIN
_UPPER = 130.0
_BASE = _UPPER + _PLOT
_MOST_STAIRS = 1000


def budget_svg(
    spent: Sequence[float],
    *,
    budget: float | None,
    title: str,
    cover: float | None = None,
) -> str:
    """Return a drawing of a budget: a bar of the cover, and a staircase under a line.

    Parameters
    ----------
    spent
        The largest loss of any link after each release; infinite ones are drawn at the top.
    budget
        The limit; None if there is none.
    cover
        The share of the network's cover that public releases use; None if nothing is public.

    Examples
    --------
    >>> drawn = budget_svg([0.7, 1.4], budget=2, title="Network 1", cover=0.63)
    >>> "0.6000 left" in drawn, "63% of the cover used" in drawn
    (True, True)
    """
    facts = [counted(len(spent), "release")]
    if spent:
        facts.append(f"largest loss of a link {spent[-1]:.4f}")
    facts.append("no budget" if budget is None else f"budget {budget:g}")
    if budget is not None:
        facts.append(f"{budget - (spent[-1] if spent else 0):.4f} left")
    about = ", ".join(facts)
    body = heading(title, f"{about} · for the custodian alone")
    if cover is not None:
        body += _cover_bar(cover)
    body += _staircase(spent, budget)
    return sheet(body, width=_WIDTH, height=_HEIGHT, title=title, about=about)


def _cover_bar(cover: float) -> list[str]:
    """Return a bar of the cover that is used, and what it says."""
    width, y = 240.0, 82.0
    end = _LEFT + width * min(cover, 1.0)
    return [
        _line(_LEFT, y, _LEFT + width, "faint", 'stroke-width="9"'),
        _line(_LEFT, y, end, "end", 'stroke-width="9"'),
        words(_LEFT + width + 14, y + 4, f"{min(cover, 9.99):.0%} of the cover used"),
    ]


def _staircase(spent: Sequence[float], budget: float | None) -> list[str]:
    """Return the largest loss of a link, release by release, under the budget."""
    top = max([*(value for value in spent if value != inf), budget or 0, 0.1]) * 1.08
    width = _RIGHT - _LEFT
    body = [words(_LEFT, _UPPER - 14, "largest loss of a link", size=12.5)]
    for value in _ticks(top):
        y, label = _BASE - value / top * _PLOT, f"{value:g}"
        body.append(_line(_LEFT, y, _RIGHT, "faint"))
        body.append(words(_LEFT - 8 - text_width(label, 11), y + 4, label, size=11, style="muted"))
    path = f"M{num(_LEFT)},{num(_BASE)}"
    shown = min(len(spent), _MOST_STAIRS)
    for place in range(1, shown + 1):
        value = spent[place * len(spent) // shown - 1]
        y = _BASE - min(value, top) / top * _PLOT
        path += f"V{num(y)}H{num(_LEFT + place * width / shown)}"
    body.append(f'<path class="end" stroke-width="2.2" d="{path}"/>')
    if budget is not None:
        y, label = _BASE - budget / top * _PLOT, f"budget {budget:g}"
        body.append(_line(_LEFT, y, _RIGHT, "walk", 'stroke-dasharray="7 5"'))
        body.append(words(_RIGHT - text_width(label, 12), y - 7, label, style="alarm"))
    for release in range(1, len(spent) + 1, max(1, -(-len(spent) // 12))):
        x = _LEFT + (release - 0.5) * width / len(spent) - text_width(str(release), 11) / 2
        body.append(words(x, _BASE + 18, str(release), size=11, style="muted"))
    body.append(words(_LEFT, _BASE + 38, "release", size=12, style="muted"))
    return body


def _ticks(top: float) -> list[float]:
    """Return a few round numbers up to the top.

    >>> _ticks(5.0)
    [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]
    """
    size = 10 ** floor(log10(top / 6))
    step = next(m * size for m in (1, 2, 5, 10) if m * size >= top / 6 * 0.999)
    return [round(k * step, 10) for k in range(int(top / step + 1e-9) + 1)]


def _line(x: float, y: float, end: float, style: str, more: str = "") -> str:
    ends = f'x1="{num(x)}" y1="{num(y)}" x2="{num(end)}" y2="{num(y)}"'
    return f'<line class="{style}" {ends} {more}/>'
