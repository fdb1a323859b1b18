"""A network as SVG, with its walk where the custodian wants to see it.

A picture with a walk is as secret as the walk, and says so.

Where names and numbers stand in a picture of a network: beside their marks, on nothing else.

Greedy and without chance: each label tries its places in turn and takes the first that lies on no
disc and no label set before it; if none is free, the one that overlaps least.

Where the vertices of a network stand when nobody says: near their neighbours.

Distances on the sheet follow distances in the network (stress majorisation over hop counts, from a
start by a few pivots). No chance is involved: the same network gives the same picture, on every
machine. So sums are written out, which NumPy adds in a fixed order, where a matrix product or a
decomposition would leave the order to the processor's library; sines, whose last digit is the
processor's too, are rounded; and what is compared to decide is rounded first.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
from rich.cells import cell_len

from pathveil.drawing.layer_layout import FloatArray
from pathveil.drawing.sheet import (
    ARROW,
    MARGIN,
    Entry,
    centred,
    circle,
    heading,
    num,
    outlined,
    sheet,
    short_name,
    stroke,
    text,
    text_width,
)
from pathveil.model.network import Network
from pathveil.model.walk import Walk
from pathveil.wording import counted

Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""


@dataclass
class Room:
    """What is taken on a sheet: boxes that nothing else may cover."""

    taken: list[Box] = field(default_factory=list)

    def choose(self, places: Iterable[Box], costs: Iterable[float] = ()) -> int:
        """Return the number of the best place, and take it.

        Parameters
        ----------
        places
            Boxes, the one that is liked best first.
        costs
            How much worse a place is for other reasons, in square units of overlap.

        Examples
        --------
        >>> room = Room([(0, 0, 10, 10)])
        >>> room.choose([(5, 5, 15, 15), (20, 0, 30, 10)]), room.choose([(20, 0, 30, 10)])
        (1, 0)
        >>> len(room.taken)
        3
        """
        boxes = np.array(list(places), dtype=np.float64)
        worse = np.array(list(costs) or [0.0] * len(boxes))
        best = int(np.argmin(np.round(self.overlaps(boxes) + worse, 3)))
        left, top, right, bottom = boxes[best].tolist()
        self.taken.append((left, top, right, bottom))
        return best

    def overlaps(self, places: Iterable[Box] | FloatArray) -> FloatArray:
        """Return how much of what is taken each place covers, in square units."""
        boxes = np.array(list(places), dtype=np.float64)[:, None, :]
        held = np.array(self.taken, dtype=np.float64).reshape(-1, 4)
        shared = np.minimum(boxes[..., 2:], held[:, 2:]) - np.maximum(boxes[..., :2], held[:, :2])
        return np.asarray(shared.clip(0).prod(axis=2).sum(axis=1))


def sides(x: float, y: float, away: float, wide: float, high: float) -> list[Box]:
    """Return the eight places of a name round a point: below, above, right, left, corners."""
    near = away * 0.72
    centres = [
        (x, y + away + high / 2),
        (x, y - away - high / 2),
        (x + away + 2 + wide / 2, y),
        (x - away - 2 - wide / 2, y),
        (x + near + wide / 2, y + near + high / 2),
        (x - near - wide / 2, y + near + high / 2),
        (x + near + wide / 2, y - near - high / 2),
        (x - near - wide / 2, y - near - high / 2),
    ]
    return [(cx - wide / 2, cy - high / 2, cx + wide / 2, cy + high / 2) for cx, cy in centres]


def crossing_lengths(boxes: list[Box], starts: FloatArray, ends: FloatArray) -> FloatArray:
    """Return how long lines run through each box, all lines together (Liang and Barsky).

    >>> crossing_lengths([(0, 0, 10, 10)], np.array([[-5.0, 5.0]]), np.array([[5.0, 5.0]]))
    array([5.])
    """
    held = np.array(boxes, dtype=np.float64)[:, None, :]
    way = ends - starts
    step = np.where(np.abs(way) < 1e-9, 1e-9, way)
    near, far = (held[..., :2] - starts) / step, (held[..., 2:] - starts) / step
    first = np.minimum(near, far).max(axis=2).clip(0)
    last = np.maximum(near, far).min(axis=2).clip(None, 1)
    return np.asarray(((last - first).clip(0) * _lengths(*way.T)).sum(axis=1))


def _lengths(x: FloatArray, y: FloatArray) -> FloatArray:
    return np.asarray(np.sqrt(x * x + y * y))


def _directions(angles: npt.NDArray[np.floating]) -> FloatArray:
    """Return points on the unit circle."""
    return np.asarray(np.round(np.stack([np.sin(angles), np.cos(angles)], axis=1), 6))


_PIVOTS = 100
_MOST_STRESSED = 700
_TURNS = 150


def placed(network: Network) -> FloatArray:
    """Return an ``(n, 2)`` array of coordinates in the unit square, y upwards."""
    known = network.coordinates or {}
    points = _mapped(network, known) if 2 * len(known) > len(network) else _computed(network)
    low, high = points.min(axis=0), points.max(axis=0)
    extent = float((high - low).max()) or 1.0
    # One scale for both axes, centred: a map keeps its shape.
    return np.asarray(np.round((points - (low + high) / 2) / extent + 0.5, 6))


def _mapped(network: Network, known: Mapping[str, tuple[float, float]]) -> FloatArray:
    """Return the points of a map; a vertex without coordinates is at its neighbours' mean."""
    middle = np.mean(list(known.values()), axis=0)
    points = np.array([known.get(name, middle) for name in network], dtype=np.float64)
    for place, name in enumerate(network):
        near = [known[other] for other in network.neighbours(name) if other in known]
        if name not in known and near:
            points[place] = np.mean(near, axis=0)
    if _are_degrees(points):
        # A degree of longitude is shorter than one of latitude away from the equator.
        points[:, 0] *= math.cos(math.radians(float(points[:, 1].mean())))
    return points


def _are_degrees(points: FloatArray) -> bool:
    """Return whether points look like longitude and latitude: in range, and no small whole grid."""
    inside = (np.abs(points) <= [180, 90]).all()
    return bool(inside and (points != np.round(points)).any() and np.ptp(points) > 0)


def _computed(network: Network) -> FloatArray:
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import shortest_path

    size = len(network)
    circle = _directions(2 * np.pi * np.arange(size) / size)
    if size < 3:
        return circle
    both = np.concatenate([network.pairs, network.pairs[:, ::-1]])
    matrix = coo_array((np.ones(len(both)), (both[:, 0], both[:, 1])), shape=(size, size)).tocsr()
    small = size <= _MOST_STRESSED
    pivots = np.linspace(0, size - 1, min(size, _PIVOTS)).astype(np.int64)
    hops = shortest_path(matrix, unweighted=True, directed=False, indices=None if small else pivots)
    hops[np.isinf(hops)] = np.sqrt(size) + 1  # parts that do not hang together keep apart
    squares = (hops[pivots] if small else hops) ** 2
    centred = squares.mean(axis=0) + squares.mean(axis=1)[:, None] - squares - squares.mean()
    points = _main_axes(centred, circle[pivots]) + 0.1 * circle  # no two start on one spot
    return _relaxed(points, hops) if small else points


def _main_axes(rows: FloatArray, start: FloatArray) -> FloatArray:
    """Return the columns in the two directions in which they differ most (power iteration)."""
    products = np.stack([(rows * row).sum(axis=1) for row in rows])
    axes = start
    for _ in range(_TURNS):
        first, second = (products[:, :, None] * axes).sum(axis=1).T
        first = _of_length_one(first)
        second = _of_length_one(second - first * (first * second).sum())
        axes = np.stack([first, second], axis=1)
    found = [_of_length_one((rows * axis[:, None]).sum(axis=0)) for axis in axes.T]
    return np.asarray(np.stack(found, axis=1) * np.sqrt(rows.shape[1]))


def _of_length_one(values: FloatArray) -> FloatArray:
    return np.asarray(values / (np.sqrt((values * values).sum()) or 1.0))


def kept_apart(points: FloatArray, least: float) -> FloatArray:
    """Return the points moved as little as may be until no two are nearer than ``least``.

    >>> (kept_apart(np.array([[0.0, 0.0], [1.0, 0.0]]), 3.0).round(1) + 0.0).tolist()
    [[-1.0, 0.0], [2.0, 0.0]]
    """
    size = len(points)
    if size > _MOST_NAMED:
        return points
    # Radians: points on one spot part in different directions.
    points = np.asarray(points + 1e-3 * _directions(np.arange(size) * 2.4))
    for _ in range(_TURNS):
        between = points[:, None, :] - points[None, :, :]
        apart = _lengths(between[..., 0], between[..., 1])
        np.fill_diagonal(apart, np.inf)
        lacking = (least - apart).clip(0)
        if lacking.max() < 0.01 * least:
            break
        points = points + (between * (lacking / apart / 2)[..., None]).sum(axis=1)
    return points


def _relaxed(points: FloatArray, hops: FloatArray) -> FloatArray:
    """Stress majorisation with weights 1 / distance squared."""
    size = len(points)
    weight = 1.0 / np.where(hops > 0, hops, 1.0) ** 2
    np.fill_diagonal(weight, 0.0)
    total = weight.sum(axis=1)[:, None]
    for _ in range(_TURNS if size <= 300 else _TURNS // 3):
        between = points[:, None, :] - points[None, :, :]
        apart = np.maximum(_lengths(between[..., 0], between[..., 1]), 1e-9)
        pull = weight * (hops / apart - 1)
        points = points + (between * pull[..., None]).sum(axis=1) / total
    return points


_HEAD = 72.0
_MOST_NUMBERED = 120
_MOST_NAMED = 400
_MOST_ALL_NAMED = 60
_LONGEST_NAME = 30
_BADGE = 8.5
_MOST_COVERED = 0.08  # of a name's box


@dataclass(frozen=True)
class MapPlan:
    """Sizes and coordinates of everything."""

    points: FloatArray
    radius: float
    font: float
    named: frozenset[str]
    inside: bool
    width: float
    height: float
    left: float = 0.0


def network_svg(network: Network, walk: Walk | None = None) -> str:
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
    facts = counted(len(network.pairs), "link")
    if walk is not None:
        facts += f"; the walk takes {counted(len(walk) - 1, 'step')}. Secret: this shows the walk"
    plan = _planned(network, walk, at_least=text_width(facts, 12.5))
    body = heading(title, facts, secret=walk is not None)
    body += drawn_map(network, network, plan, walk, "link" if walk is None else "faint")
    return sheet(
        body,
        width=plan.width,
        height=plan.height,
        title=title,
        about=f"{title}: {facts}.",
        legend=_entries(network, walk, plan),
    )


def drawn_map(
    network: Network, links: Network, plan: MapPlan, walk: Walk | None, style: str
) -> list[str]:
    """Return a map: some links in a style, the walk if there is one, discs, names, numbers."""
    room = Room(taken_by_discs(network, plan, walk))
    parts = link_lines(links, plan, style)
    if walk is not None:
        parts += step_arrows(network, walk, plan)
    parts += vertex_discs(network, plan, walk)
    parts += draw_names(links, plan, walk, room)
    if walk is not None:
        parts += step_numbers(network, walk, plan, room)
    return parts


def _planned(network: Network, walk: Walk | None, *, at_least: float) -> MapPlan:
    size = len(network)
    named: frozenset[str] = frozenset(network if size <= _MOST_NAMED else ())
    if walk is not None and size > _MOST_ALL_NAMED:
        named = frozenset(walk.visits)  # of a large map the stops alone
    longest = max(cell_len(short_name(name)) for name in network)
    # Names stand inside their circles where all fit, else beside smaller ones.
    inside = len(named) == size and longest <= (3 if size <= 40 else 2)
    radius = (16.0 if size <= 40 else 11.0) if inside else 8.0 if size <= 60 else 5.5
    radius = radius if size <= _MOST_NAMED else 3.5
    font = 13.0 if radius > 12 else 9.5 if inside else 11.0 if size <= 60 else 10.0
    each = 105.0 if inside or size > _MOST_NAMED else 150.0 if size <= 60 else 112.0
    side = min(2200.0, max(340.0, each * math.sqrt(size)))
    unit = placed(network)
    pad = MARGIN + max(radius * 2.4, 0 if inside or not named else longest * 3.6)
    points = kept_apart(unit * [side, -side], 2 * radius + (10 if inside else 22))
    spanned = np.ptp(points, axis=0)
    width = max(float(spanned[0]) + 2 * pad, at_least + 2 * MARGIN, 430.0)
    points += [(width - float(spanned[0])) / 2, _HEAD + 30] - points.min(axis=0)
    height = _HEAD + float(spanned[1]) + 72
    return MapPlan(np.round(points, 1), radius, font, named, inside, width, height)


def link_lines(network: Network, plan: MapPlan, style: str) -> list[str]:
    """Return all links as one path."""
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


def _curve(plan: MapPlan, i: int, j: int, bow: float) -> tuple[complex, complex, complex]:
    """Return start, control point and end of a step's curve, as points of the complex plane."""
    start, end = (complex(*plan.points[place]) for place in (i, j))
    aside = (end - start) / (abs(end - start) or 1.0) * -1j
    return start, (start + end) / 2 + aside * bow, end


def _at(*points: complex) -> str:
    return "L".join(f"{num(point.real)} {num(point.imag)}" for point in points)


def step_arrows(network: Network, walk: Walk, plan: MapPlan) -> list[str]:
    """Return the walk as arrows, each ending at the rim of its vertex."""
    parts, thick = [], 2.6 if len(walk) <= _MOST_NUMBERED else 1.8
    for i, j, bow in _bows(network, walk):
        start, control, end = _curve(plan, i, j, bow)
        onward = (end - control) / (abs(end - control) or 1.0)
        tip = end - onward * (plan.radius + 2)
        foot = tip - onward * 9
        wing = onward * 4.5j
        parts.append(
            f'<path class="walk" stroke-width="{thick}" d="M{_at(start)}Q{_at(control)} '
            f'{_at(foot)}"/><path class="tip" d="M{_at(tip, foot + wing, foot - wing)}z"/>'
        )
    return parts


def _every(walk: Walk) -> int:
    """Which steps bear their number: all, or every tenth of a long walk."""
    return 1 if len(walk) <= _MOST_NUMBERED else 10


def step_numbers(network: Network, walk: Walk, plan: MapPlan, room: Room) -> list[str]:
    """Return the number of each step on its arrow, where it covers no name and no vertex."""
    parts, every = [], _every(walk)
    if not plan.named:
        return []
    for step, (i, j, bow) in enumerate(_bows(network, walk), start=1):
        if step % every and step > 1:
            continue
        spots = _spots(plan, i, j, bow)
        boxes = [(x - _BADGE, y - _BADGE, x + _BADGE, y + _BADGE) for x, y, _ in spots]
        x, y, _ = spots[room.choose(boxes, [cost for _, _, cost in spots])]
        parts.append(
            f'<circle class="step" cx="{num(x)}" cy="{num(y)}" r="{_BADGE}" stroke-width="1.2"/>'
            + centred(x, y, str(step), size=10 if step < 100 else 8.5)
        )
    return parts


def _spots(plan: MapPlan, i: int, j: int, bow: float) -> list[tuple[float, float, float]]:
    """Places for a step's number, best first: along its curve, then a little off it."""
    found = []
    for off, cost in ((0.0, 0.0), (26.0, 3.0), (-26.0, 3.0), (52.0, 9.0), (-52.0, 9.0)):
        start, control, end = _curve(plan, i, j, bow + off)
        for along in (0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74):
            back = 1 - along
            spot = back * back * start + 2 * along * back * control + along * along * end
            found.append((spot.real, spot.imag, cost + abs(along - 0.5)))
    return found


def taken_by_discs(network: Network, plan: MapPlan, walk: Walk | None) -> list[Box]:
    """Return the boxes that names must leave free."""
    ends = set() if walk is None else {walk.vertices[0], walk.vertices[-1]}
    boxes = []
    for name, (x, y) in zip(network, plan.points.tolist(), strict=True):
        reach = plan.radius + (8 if name in ends else 1)
        boxes.append((x - reach, y - reach, x + reach, y + reach))
    return boxes


def vertex_discs(network: Network, plan: MapPlan, walk: Walk | None) -> list[str]:
    """Return the vertices as discs; those on the walk are filled, its ends ringed."""
    visits = walk.visits if walk is not None else Counter[str]()
    parts = []
    for name, (x, y) in zip(network, plan.points.tolist(), strict=True):
        rings = [("node visited" if visits[name] else "node", 0.0, 1.5)]
        if walk is not None:
            rings += [("start", 3.5, 2)] * (name == walk.vertices[0])
            rings += [("end", 6.5, 2)] * (name == walk.vertices[-1])
        drawn = "".join(
            f'<circle class="{style}" cx="{num(x)}" cy="{num(y)}" r="{num(plan.radius + more)}" '
            f'stroke-width="{thick}"/>'
            for style, more, thick in rings
        )
        parts.append(f"<g><title>{text(name)}</title>{drawn}</g>")
    return parts


def draw_names(network: Network, plan: MapPlan, walk: Walk | None, room: Room) -> list[str]:
    """Return names in their circles, or beside them where no line and no other name runs."""
    if not plan.named:
        return []
    size, parts = plan.font, []
    if plan.inside:
        return [
            centred(x, y, short_name(name), size=size)
            for name, (x, y) in zip(network, plan.points.tolist(), strict=True)
            if name in plan.named
        ]
    starts, ends = _lines(network, plan, walk)
    ringed = set() if walk is None else {walk.vertices[0], walk.vertices[-1]}
    stops = set() if walk is None else set(walk.visits)
    placed_names = zip(network, plan.points.tolist(), strict=True)
    for name, (x, y) in sorted(placed_names, key=lambda item: item[0] not in stops):
        if name not in plan.named:
            continue
        away, high = plan.radius + (9 if name in ringed else 3), size * 1.05
        whole = short_name(name, longest=_LONGEST_NAME)
        for shown in (whole, short_name(name)):
            boxes = sides(x, y, away, text_width(shown, size), high)
            crossed = crossing_lengths(boxes, starts, ends)
            outside = np.array([1e4 * (_is_outside(box, plan)) for box in boxes])
            costs = 6 * crossed + outside
            # A long name is shown whole only where it covers nothing.
            if shown == short_name(name) or (costs + room.overlaps(boxes)).min() < size:
                break
        hidden = room.overlaps(boxes) > _MOST_COVERED * text_width(shown, size) * high
        if name not in stops and (hidden | (outside > 0)).all():
            continue  # it would make two names unreadable; the pointer shows it
        liked = 2.0 * np.arange(len(boxes))  # below is where one looks first
        left, _, right, bottom = boxes[room.choose(boxes, costs + liked + 1e4 * hidden)]
        parts.append(outlined((left + right) / 2, bottom - size * 0.2, shown, size=size))
    return parts


def _is_outside(box: Box, plan: MapPlan) -> bool:
    return box[0] < plan.left + 4 or box[2] > plan.left + plan.width - 4


def _lines(network: Network, plan: MapPlan, walk: Walk | None) -> tuple[FloatArray, FloatArray]:
    """The lines a name should not lie on; a step of the walk counts three times."""
    pairs = network.pairs
    if walk is not None:
        steps = [(network.index(u), network.index(v)) for u, v in walk.steps] * 2
        pairs = np.concatenate([pairs, np.array(steps, dtype=pairs.dtype).reshape(-1, 2)])
    return plan.points[pairs[:, 0]], plan.points[pairs[:, 1]]


def _entries(network: Network, walk: Walk | None, plan: MapPlan) -> list[Entry]:
    """Every mark that occurs, and no other."""
    if walk is None:
        found = [Entry(circle("node"), "vertex")]
        return found + [Entry(stroke("link"), "link")] * bool(len(network.pairs))
    found = [
        Entry(circle("start"), "start"),
        Entry(circle("end"), "end"),
        Entry(ARROW, "a step of the walk"),
    ]
    if plan.named:
        which = "number of the step" if _every(walk) == 1 else "number of every tenth step"
        found.append(Entry(circle("step", radius=_BADGE, inside="1"), which))
    found.append(Entry(circle("node visited"), "on the walk"))
    if len(walk.visits) < len(network):
        found.append(Entry(circle("node"), "not on the walk"))
    if len(network.pairs) > len(walk.links):
        found.append(Entry(stroke("faint"), "a link off the walk"))
    return found
