"""A small drawing of a plan: how much of the cover is used, against the number of walks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

WIDTH, HEIGHT, LEFT, TOP, BOTTOM, RIGHT = 420.0, 220.0, 48.0, 16.0, 184.0, 330.0
COLOURS = {"coins": "#b35900", "series": "#1b6ca8", "grouping": "#2e7d32"}
FULL = 0.9
"""Where the cover counts as full."""
HIGHEST = 1.5
"""The share at the top of the drawing."""


def cover_curves(curves: Mapping[str, Sequence[tuple[int, float]]], walks: int) -> str:
    """Return the drawing as SVG.

    Parameters
    ----------
    curves
        By way, points of walks and the share of the cover that they use.
    walks
        How many are planned: a line is drawn there.

    Examples
    --------
    >>> cover_curves({"series": ((1, 0.2), (10, 0.8))}, 5).startswith("<svg")
    True
    """
    most = max([walks, *(point[0] for points in curves.values() for point in points)])

    def place(count: float, share: float) -> str:
        x = LEFT + (RIGHT - LEFT) * count / most
        y = BOTTOM - (BOTTOM - TOP) * min(share, HIGHEST) / HIGHEST
        return f"{x:.1f},{y:.1f}"

    def line(start: str, end: str, style: str) -> str:
        return f'<path d="M{start}L{end}" fill="none" {style}/>'

    def text(x: float, y: float, words: str, more: str = "") -> str:
        return f'<text x="{x:.1f}" y="{y:.1f}" {more}>{words}</text>'

    grey = 'stroke="#888" stroke-width="1"'
    body = [
        line(place(0, 0), place(most, 0), grey),
        line(place(0, 0), place(0, HIGHEST), grey),
        line(place(0, FULL), place(most, FULL), 'stroke="#c62828" stroke-dasharray="5 4"'),
        line(place(walks, 0), place(walks, HIGHEST), 'stroke="#888" stroke-dasharray="2 3"'),
        text(LEFT, HEIGHT - 6, f"walks: 0 to {most:,}, planned {walks:,}"),
    ]
    for share in (0.5, FULL, HIGHEST):
        y = BOTTOM - (BOTTOM - TOP) * share / HIGHEST
        body.append(text(LEFT - 6, y + 4, f"{share:.0%}", 'text-anchor="end"'))
    for number, (name, points) in enumerate(curves.items()):
        colour = COLOURS.get(name, "#555")
        path = "L".join(place(*point) for point in points)
        body.append(f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        body.append(text(RIGHT + 12, TOP + 18 * number + 12, name, f'fill="{colour}"'))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH:g}" height="{HEIGHT:g}" '
        f'viewBox="0 0 {WIDTH:g} {HEIGHT:g}" font-family="sans-serif" font-size="12" role="img">'
        f"<title>Cover used against the number of walks</title>{''.join(body)}</svg>"
    )
