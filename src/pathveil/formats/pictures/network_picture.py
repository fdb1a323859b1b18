"""A network as SVG, with its walk where the custodian wants to see it.

A picture with a walk is as secret as the walk, and says so.
"""

from __future__ import annotations

import math
from collections import Counter

import numpy as np

from pathveil.formats.pictures.drawing_sheet import Theme, num, sheet, text, text_width, words
from pathveil.formats.pictures.labelling import counted, short_name, text_cells
from pathveil.formats.pictures.placing import FloatArray, placed
from pathveil.model.network import Network
from pathveil.model.walk import Walk

_MARGIN = 24.0
_HEAD = 72.0
_MOST_NUMBERED = 80
_MOST_NAMED = 150


def network_svg(network: Network, walk: Walk | None = None, *, theme: Theme = "auto") -> str:
    """Return a drawing of a network as an SVG document, the walk on top of it if one is given.

    Vertices stand where the network's positions put them, else near their neighbours.

    *Privacy*: with a walk the drawing shows the secret; it is for the custodian alone.

    Raises
    ------
    NotAWalk, UnknownVertex
        Where the walk is none through this network.
    """
    if walk is not None:
        walk.require_in(network)
    size = len(network)
    named = size <= _MOST_NAMED
    longest = max(text_cells(short_name(name)) for name in network)
    # Names stand inside their circles where all fit, else below smaller ones.
    inside = named and longest <= (3 if size <= 40 else 2)
    radius = (16.0 if size <= 40 else 11.0) if inside else 8.0 if named else 3.5
    side = min(1400.0, max(340.0, (110.0 if inside or not named else 190.0) * math.sqrt(size)))
    unit = placed(network)
    spanned = np.ptp(unit, axis=0) * side
    pad = _MARGIN + max(radius * 2.4, 0 if inside or not named else longest * 3.6)
    points = np.stack([unit[:, 0] - unit[:, 0].min(), unit[:, 1].max() - unit[:, 1]], axis=1) * side
    title = f"A network of {counted(size, 'vertex', 'vertices')}"
    facts = counted(len(network.pairs), "edge")
    if walk is not None:
        facts += f" · a walk of {counted(len(walk) - 1, 'step')} · secret: shows the walk"
    width = max(float(spanned[0]) + 2 * pad, text_width(facts, 12.5) + 2 * _MARGIN, 430.0)
    points += [(width - float(spanned[0])) / 2, _HEAD + 26]
    height = _HEAD + float(spanned[1]) + 74
    body = [
        words(_MARGIN, 32, title, size=17),
        words(_MARGIN, 52, facts, size=12.5, style="muted" if walk is None else "alarm"),
    ]
    body += _edges(network, points, walk)
    if walk is not None:
        body += _steps(network, walk, points, radius)
    body += _vertices(network, points, radius, walk, named=named, inside=inside)
    if walk is not None:
        body += _numbers(network, walk, points, radius)
        body += _legend(walk, height)
        height += 34
    return sheet(
        body, width=width, height=height, title=title, about=f"{title}; {facts}.", theme=theme
    )


def _edges(network: Network, points: FloatArray, walk: Walk | None) -> list[str]:
    style = "edge" if walk is None else "faint"
    thick = 1.5 if len(network.pairs) <= 400 else 0.8
    path = "".join(
        f"M{num(points[i, 0])} {num(points[i, 1])}L{num(points[j, 0])} {num(points[j, 1])}"
        for i, j in network.pairs.tolist()
    )
    return [f'<path class="{style}" stroke-width="{thick}" d="{path}"/>']


def _bows(network: Network, walk: Walk) -> list[tuple[int, int, float]]:
    """For each step its ends and how far it bows, so that repeated steps lie side by side."""
    used: Counter[tuple[int, int]] = Counter()
    bows = []
    for u, v in walk.steps:
        i, j = network.index(u), network.index(v)
        pair = (min(i, j), max(i, j))
        rank = used[pair]
        used[pair] += 1
        # 0, 1, -1, 2, -2 ... seen from one fixed end, so that way and return differ.
        side = (rank + 1) // 2 * (1 if rank % 2 else -1)
        bows.append((i, j, 44.0 * side * (1 if i < j else -1)))
    return bows


def _control(points: FloatArray, i: int, j: int, bow: float) -> tuple[float, float]:
    (x1, y1), (x2, y2) = points[i], points[j]
    length = math.hypot(x2 - x1, y2 - y1) or 1.0
    return (x1 + x2) / 2 + (y2 - y1) / length * bow, (y1 + y2) / 2 - (x2 - x1) / length * bow


def _steps(network: Network, walk: Walk, points: FloatArray, radius: float) -> list[str]:
    """The walk as arrows, each ending at the rim of its vertex."""
    parts, thick = [], 2.6 if len(walk) <= _MOST_NUMBERED else 1.6
    for i, j, bow in _bows(network, walk):
        cx, cy = _control(points, i, j, bow)
        x2, y2 = points[j]
        away = math.hypot(x2 - cx, y2 - cy) or 1.0
        dx, dy = (x2 - cx) / away, (y2 - cy) / away
        tip = (x2 - dx * (radius + 2), y2 - dy * (radius + 2))
        foot = (tip[0] - dx * 9, tip[1] - dy * 9)
        parts.append(
            f'<path class="walk" stroke-width="{thick}" d="M{num(points[i, 0])} '
            f'{num(points[i, 1])}Q{num(cx)} {num(cy)} {num(foot[0])} {num(foot[1])}"/>'
            f'<path class="tip" d="M{num(tip[0])} {num(tip[1])}L{num(foot[0] - dy * 4.5)} '
            f'{num(foot[1] + dx * 4.5)}L{num(foot[0] + dy * 4.5)} {num(foot[1] - dx * 4.5)}z"/>'
        )
    return parts


def _numbers(network: Network, walk: Walk, points: FloatArray, radius: float) -> list[str]:
    if len(walk) > _MOST_NUMBERED or radius < 5:
        return []
    parts = []
    for step, (i, j, bow) in enumerate(_bows(network, walk), start=1):
        cx, cy = _control(points, i, j, bow)
        # The middle of a quadratic curve lies halfway to its control point.
        x = (points[i, 0] + points[j, 0]) / 4 + cx / 2
        y = (points[i, 1] + points[j, 1]) / 4 + cy / 2
        parts.append(
            f'<circle class="step" cx="{num(x)}" cy="{num(y)}" r="8.5" stroke-width="1.2"/>'
            f'<text class="ink" x="{num(x)}" y="{num(y + 3.5)}" font-size="10" '
            f'text-anchor="middle">{step}</text>'
        )
    return parts


def _vertices(
    network: Network,
    points: FloatArray,
    radius: float,
    walk: Walk | None,
    *,
    named: bool,
    inside: bool,
) -> list[str]:
    visits = walk.visits if walk is not None else Counter[str]()
    size = 13.0 if radius > 12 else 9.5 if inside else 11.0
    parts = []
    for name, (x, y) in zip(network, points.tolist(), strict=True):
        rings = [] if walk is None else _rings(walk, name, x, y, radius)
        label = ""
        if named:
            down = size * 0.35 if inside else radius + size + (7 if rings else 1)
            label = (
                f'<text class="ink" x="{num(x)}" y="{num(y + down)}" font-size="{num(size)}" '
                f'text-anchor="middle">{text(short_name(name))}</text>'
            )
        style = "node visited" if visits[name] else "node"
        parts.append(
            f'<g><title>{text(name)}</title><circle class="{style}" cx="{num(x)}" cy="{num(y)}" '
            f'r="{num(radius)}" stroke-width="1.5"/>{"".join(rings)}{label}</g>'
        )
    return parts


def _rings(walk: Walk, name: str, x: float, y: float, radius: float) -> list[str]:
    """Rings round the first and the last vertex; both, if they are the same."""
    kinds = [("start", 3.5)] * (name == walk.vertices[0]) + [("end", 6.5)] * (
        name == walk.vertices[-1]
    )
    return [
        f'<circle class="{kind}" cx="{num(x)}" cy="{num(y)}" r="{num(radius + more)}" '
        'stroke-width="2"/>'
        for kind, more in kinds
    ]


def _legend(walk: Walk, height: float) -> list[str]:
    y, x, parts = height + 6, _MARGIN + 8, []
    entries = [("start", "start"), ("end", "end")]
    for style, meaning in entries:
        parts.append(
            f'<circle class="{style}" cx="{num(x)}" cy="{num(y - 4)}" r="7" stroke-width="2"/>'
        )
        parts.append(words(x + 14, y, meaning, size=12, style="muted"))
        x += 22 + text_width(meaning, 12) + 12
    parts.append(f'<path class="walk" stroke-width="2.6" d="M{num(x)} {num(y - 4)}h22"/>')
    told = "the walk, steps numbered" if len(walk) <= _MOST_NUMBERED else "the walk"
    parts.append(words(x + 30, y, told, size=12, style="muted"))
    return parts
