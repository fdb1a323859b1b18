"""A network as SVG, with its walk where the custodian wants to see it.

A picture with a walk is as secret as the walk, and says so.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass

import numpy as np

from pathveil.formats.pictures.drawing_sheet import (
    Theme,
    num,
    outlined,
    text,
    text_width,
    words,
)
from pathveil.formats.pictures.labelling import short_name, text_cells
from pathveil.formats.pictures.legend import Entry, arrow, circle, sheet_with_legend, stroke
from pathveil.formats.pictures.naming import Room, crossing_lengths, sides
from pathveil.formats.pictures.placing import FloatArray, placed
from pathveil.formats.quantities import counted
from pathveil.model.network import Network
from pathveil.model.walk import Walk

_MARGIN = 24.0
_HEAD = 72.0
_MOST_NUMBERED = 120
_MOST_NAMED = 400
_BADGE = 8.5


@dataclass(frozen=True)
class _NetworkPlan:
    """Sizes and coordinates of everything."""

    points: FloatArray
    radius: float
    font: float
    named: bool
    inside: bool
    width: float
    height: float


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
    title = f"A network of {counted(len(network), 'vertex', 'vertices')}"
    facts = counted(len(network.pairs), "edge")
    if walk is not None:
        facts += f" · a walk of {counted(len(walk) - 1, 'step')} · secret: shows the walk"
    plan = _planned(network, at_least=text_width(facts, 12.5))
    body = [
        words(_MARGIN, 32, title, size=17),
        words(_MARGIN, 52, facts, size=12.5, style="muted" if walk is None else "alarm"),
    ]
    body += _edges(network, plan, walk)
    if walk is not None:
        body += _steps(network, walk, plan)
    room = Room(_discs(plan))
    body += _vertices(network, plan, walk)
    body += _names(network, plan, walk, room)
    if walk is not None:
        body += _numbers(network, walk, plan, room)
    return sheet_with_legend(
        body,
        _entries(network, walk, plan),
        top=plan.height,
        width=plan.width,
        margin=_MARGIN,
        title=title,
        about=f"{title}; {facts}.",
        theme=theme,
    )


def _planned(network: Network, *, at_least: float) -> _NetworkPlan:
    size = len(network)
    named = size <= _MOST_NAMED
    longest = max(text_cells(short_name(name)) for name in network)
    # Names stand inside their circles where all fit, else beside smaller ones.
    inside = named and longest <= (3 if size <= 40 else 2)
    radius = (16.0 if size <= 40 else 11.0) if inside else 8.0 if size <= 60 else 5.5
    radius = radius if named else 3.5
    font = 13.0 if radius > 12 else 9.5 if inside else 11.0 if size <= 60 else 10.0
    each = 105.0 if inside or not named else 150.0 if size <= 60 else 112.0
    side = min(2200.0, max(340.0, each * math.sqrt(size)))
    unit = placed(network)
    spanned = np.ptp(unit, axis=0) * side
    pad = _MARGIN + max(radius * 2.4, 0 if inside or not named else longest * 3.6)
    points = np.stack([unit[:, 0] - unit[:, 0].min(), unit[:, 1].max() - unit[:, 1]], axis=1) * side
    width = max(float(spanned[0]) + 2 * pad, at_least + 2 * _MARGIN, 430.0)
    points += [(width - float(spanned[0])) / 2, _HEAD + 30]
    height = _HEAD + float(spanned[1]) + 72
    return _NetworkPlan(points, radius, font, named, inside, width, height)


def _edges(network: Network, plan: _NetworkPlan, walk: Walk | None) -> list[str]:
    style = "edge" if walk is None else "faint"
    thick = 1.5 if len(network.pairs) <= 400 else 1.0
    points = plan.points
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


def _steps(network: Network, walk: Walk, plan: _NetworkPlan) -> list[str]:
    """The walk as arrows, each ending at the rim of its vertex."""
    parts, thick = [], 2.6 if len(walk) <= _MOST_NUMBERED else 1.8
    points, radius = plan.points, plan.radius
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


def _every(walk: Walk) -> int:
    """Which steps bear their number: all, or every tenth of a long walk."""
    return 1 if len(walk) <= _MOST_NUMBERED else 10


def _numbers(network: Network, walk: Walk, plan: _NetworkPlan, room: Room) -> list[str]:
    """The number of each step on its arrow, where it covers no name and no vertex."""
    parts, every = [], _every(walk)
    if not plan.named:
        return []
    for step, (i, j, bow) in enumerate(_bows(network, walk), start=1):
        if step % every and step > 1:
            continue
        spots = _spots(plan.points, i, j, bow)
        boxes = [(x - _BADGE, y - _BADGE, x + _BADGE, y + _BADGE) for x, y, _ in spots]
        x, y, _ = spots[room.choose(boxes, [cost for _, _, cost in spots])]
        parts.append(
            f'<circle class="step" cx="{num(x)}" cy="{num(y)}" r="{_BADGE}" stroke-width="1.2"/>'
            f'<text class="ink" x="{num(x)}" y="{num(y + 3.5)}" '
            f'font-size="{10 if step < 100 else 8.5}" text-anchor="middle">{step}</text>'
        )
    return parts


def _spots(points: FloatArray, i: int, j: int, bow: float) -> list[tuple[float, float, float]]:
    """Places for a step's number, best first: along its curve, then a little off it."""
    (x1, y1), (x2, y2) = points[i], points[j]
    cx, cy = _control(points, i, j, bow)
    length = math.hypot(x2 - x1, y2 - y1) or 1.0
    aside = (-(y2 - y1) / length, (x2 - x1) / length)
    found = []
    for off, dear in ((0.0, 0.0), (13.0, 3.0), (-13.0, 3.0), (26.0, 9.0), (-26.0, 9.0)):
        for along in (0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74):
            back = 1 - along
            x = back * back * x1 + 2 * along * back * cx + along * along * x2
            y = back * back * y1 + 2 * along * back * cy + along * along * y2
            found.append((x + aside[0] * off, y + aside[1] * off, dear + abs(along - 0.5)))
    return found


def _discs(plan: _NetworkPlan) -> list[tuple[float, float, float, float]]:
    reach = plan.radius + 1
    return [(x - reach, y - reach, x + reach, y + reach) for x, y in plan.points.tolist()]


def _vertices(network: Network, plan: _NetworkPlan, walk: Walk | None) -> list[str]:
    visits = walk.visits if walk is not None else Counter[str]()
    parts = []
    for name, (x, y) in zip(network, plan.points.tolist(), strict=True):
        rings = [] if walk is None else _rings(walk, name, x, y, plan.radius)
        style = "node visited" if visits[name] else "node"
        parts.append(
            f'<g><title>{text(name)}</title><circle class="{style}" cx="{num(x)}" cy="{num(y)}" '
            f'r="{num(plan.radius)}" stroke-width="1.5"/>{"".join(rings)}</g>'
        )
    return parts


def _names(network: Network, plan: _NetworkPlan, walk: Walk | None, room: Room) -> list[str]:
    """Names in their circles, or beside them where no line and no other name runs."""
    if not plan.named:
        return []
    size, parts = plan.font, []
    if plan.inside:
        return [
            f'<text class="ink" x="{num(x)}" y="{num(y + size * 0.35)}" font-size="{num(size)}" '
            f'text-anchor="middle">{text(short_name(name))}</text>'
            for name, (x, y) in zip(network, plan.points.tolist(), strict=True)
        ]
    starts, ends = _lines(network, plan, walk)
    ringed = set() if walk is None else {walk.vertices[0], walk.vertices[-1]}
    for name, (x, y) in zip(network, plan.points.tolist(), strict=True):
        shown = short_name(name)
        wide, high = text_width(shown, size), size * 1.05
        boxes = sides(x, y, plan.radius + (9 if name in ringed else 3), wide, high)
        crossed = crossing_lengths(boxes, starts, ends)
        outside = [1e4 * (box[0] < 4 or box[2] > plan.width - 4) for box in boxes]
        liked = 2.0 * np.arange(len(boxes))  # below is where one looks first
        left, _, right, bottom = boxes[room.choose(boxes, 6 * crossed + liked + outside)]
        parts.append(outlined((left + right) / 2, bottom - size * 0.2, shown, size=size))
    return parts


def _lines(
    network: Network, plan: _NetworkPlan, walk: Walk | None
) -> tuple[FloatArray, FloatArray]:
    """The lines a name should not lie on; a step of the walk counts three times."""
    pairs = network.pairs
    if walk is not None:
        steps = [(network.index(u), network.index(v)) for u, v in walk.steps] * 2
        pairs = np.concatenate([pairs, np.array(steps, dtype=pairs.dtype).reshape(-1, 2)])
    return plan.points[pairs[:, 0]], plan.points[pairs[:, 1]]


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


def _entries(network: Network, walk: Walk | None, plan: _NetworkPlan) -> list[Entry]:
    """Every mark that occurs, and no other."""
    if walk is None:
        found = [Entry(circle("node"), "vertex")]
        return found + [Entry(stroke("edge"), "edge")] * bool(len(network.pairs))
    found = [
        Entry(circle("start"), "start"),
        Entry(circle("end"), "end"),
        Entry(arrow("walk", "tip"), "a step of the walk"),
    ]
    if plan.named:
        which = "number of the step" if _every(walk) == 1 else "number of every tenth step"
        found.append(Entry(circle("step", radius=_BADGE, inside="1"), which))
    found.append(Entry(circle("node visited"), "on the walk"))
    if len(walk.visits) < len(network):
        found.append(Entry(circle("node"), "not on the walk"))
    if len(network.pairs) > len(walk.edges):
        found.append(Entry(stroke("faint"), "an edge off the walk"))
    return found
