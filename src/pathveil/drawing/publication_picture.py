"""A publication as SVG: its layers with arcs between them, or the matrix of its bits.

Layers: a chain of lines that only goes down is a branch. Vertices with several copies or pieces
have a colour each; copies bear an index; pieces have a dashed outline and are joined by a dotted
line, because together they are one place. A layer too wide for the sheet is laid out on several
lines inside one band.

Where lines would hide each other, a matrix has one cell for each pair instead. The bits are the
publication, so it leaves nothing out; layers and pieces are another way to say the same. Rows and
columns are in the order of the vertices.

*Privacy*: drawn from the publication alone.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from pathveil.drawing.layer_layout import FloatArray, Rows, ordered_rows, spread
from pathveil.drawing.sheet import (
    HUES,
    MARGIN,
    Entry,
    Label,
    centred,
    copy_labels,
    drawn_legend,
    heading,
    labels,
    num,
    pill,
    printable,
    sheet,
    square,
    stroke,
    text,
    text_width,
    words,
)
from pathveil.errors import DoesNotFit
from pathveil.model.layered import LayeredGraph
from pathveil.model.publication import Publication
from pathveil.wording import counted

_HEAD = 66.0
_GUTTER = 62.0
_TARGET = 1200.0
_LONGEST_NAME = 30
MOST_COPIES = 400
"""Copies up to which a publication is drawn."""
_MOST_FOLLOWED = 160
"""Lines an eye can follow: at 150 a patient one can, at 230 (thirty vertices, fair coins) none."""


@dataclass(frozen=True)
class _Plan:
    """Sizes and coordinates of everything."""

    rows: Rows
    names: tuple[Label, ...]
    size: float
    tall: float
    wide: FloatArray
    x: FloatArray
    y: FloatArray
    tops: list[float]
    bottoms: list[float]
    width: float


def publication_svg(publication: Publication) -> str:
    """Return a drawing of a publication as an SVG document: layers while lines can be followed.

    Raises
    ------
    DoesNotFit
        If there are more copies of vertices than can be seen.

    *Privacy*: the drawing is computed from the publication alone and shows nothing else.
    """
    size = publication.packed.pairs.size
    if size > MOST_COPIES:
        raise DoesNotFit(
            f"the publication has {size:,} copies of vertices, and a picture shows at most "
            f"{MOST_COPIES}; write it as *.dot or *.txt, or look at it with pathveil inspect"
        )
    # No large graph is laid out to be thrown away.
    if size > _MOST_FOLLOWED or len(publication.layered.arcs) > _MOST_FOLLOWED:
        return matrix_svg(publication)
    return layers_svg(publication)


def _described(publication: Publication, *facts: str) -> tuple[str, str]:
    """Return the title of a picture of a publication, and its line of facts."""
    vertices = counted(len(publication.vertices), "vertex", "vertices")
    policy = f"policy {printable(str(publication.policy))}"
    return f"Published: a walk among {vertices}", " · ".join(
        [*facts, policy, f"{publication.layering} layering"]
    )


def layers_svg(publication: Publication) -> str:
    """Return the layers of a publication as an SVG document, however many lines there are."""
    layered = publication.layered
    title, facts = _described(
        publication, counted(layered.height, "layer"), counted(len(layered.arcs), "arc")
    )
    plan = _planned(layered, at_least=max(text_width(facts, 12.5) + 48, 440))
    body = heading(title, facts, unsafe=publication.unsafe)
    body += _bands(plan)
    body += _links(plan, layered)
    body += _joins(plan, layered)
    body += _nodes(plan, layered)
    return sheet(
        body,
        width=plan.width,
        height=plan.bottoms[-1] + 14,
        title=title,
        about=f"{facts}. {_spoken(layered)}",
        legend=_entries(layered, plan.names),
    )


def _planned(layered: LayeredGraph, *, at_least: float) -> _Plan:
    rows, names = ordered_rows(layered), labels(layered, longest=_LONGEST_NAME)
    nodes = len(names)
    size = 15.0 if nodes <= 40 else 12.5
    tall = size * 2.1
    gap = size * (1.7 if nodes <= 24 else 0.9)
    wide = _widths(rows, names, size, gap)
    if max(sum(wide[i] + gap for i in row) for row in rows.rows) > _TARGET:
        names = labels(layered)
        wide = _widths(rows, names, size, gap)
    stagger = [
        max(1, math.ceil(sum(wide[i] + gap for i in row) / _TARGET)) if row else 1
        for row in rows.rows
    ]
    x = spread(rows, wide, gap=gap, stagger=stagger)
    first, last = float((x - wide / 2).min()), float((x + wide / 2).max())
    width = max(at_least, last - first + 2 * size + 2 * MARGIN + _GUTTER)
    x = x - (first + last) / 2 + (width + _GUTTER) / 2
    # Rows stand further apart where many lines cross the space between them.
    between = size * min(12.0, 2.6 + len(layered.arcs) / max(1, layered.height) / 16)
    line, y = tall + size * 0.75, np.zeros(rows.items)
    tops, bottoms, top = [], [], _HEAD + 20
    for row, lines in zip(rows.rows, stagger, strict=True):
        tops.append(top)
        bottom = top + size * 1.4 + tall + (lines - 1) * line
        y[list(row)] = (top + bottom) / 2
        for place, node in enumerate(item for item in row if item < nodes):
            y[node] = top + size * 0.7 + tall / 2 + (place % lines) * line
        bottoms.append(bottom)
        top = bottom + between
    return _Plan(rows, names, size, tall, wide, x, y, tops, bottoms, width)


def _widths(rows: Rows, names: tuple[Label, ...], size: float, gap: float) -> FloatArray:
    """Return how wide each item is: a node as its name, and bends lie close together."""
    wide = np.full(rows.items, 6.0 - gap)
    wide[: len(names)] = [max(size * 2.1, text_width(n.plain, size) + size * 1.1) for n in names]
    return wide


def _bands(plan: _Plan) -> list[str]:
    parts = []
    for depth, (top, bottom) in enumerate(zip(plan.tops, plan.bottoms, strict=True)):
        parts.append(
            f'<rect class="band" x="{num(MARGIN)}" y="{num(top)}" '
            f'width="{num(plan.width - 2 * MARGIN)}" height="{num(bottom - top)}" rx="8"/>'
        )
        parts.append(
            words(MARGIN + 10, (top + bottom) / 2 + 4, f"layer {depth}", size=11, style="muted")
        )
    return parts


def _links(plan: _Plan, layered: LayeredGraph) -> list[str]:
    count = len(layered.arcs)
    thick, clear = (1.7, 1.0) if count <= 40 else (1.2, 0.8) if count <= 160 else (0.7, 0.4)
    style = f'class="link" stroke-width="{thick}" stroke-opacity="{clear}"'
    return [f"<g {style}>", *(f'<path d="{_way(plan, way)}"/>' for way in plan.rows.ways), "</g>"]


def _way(plan: _Plan, way: tuple[int, ...]) -> str:
    """A smooth line from the foot of the upper node to the head of the lower one."""
    upper, lower = way[0], way[-1]
    points = [(plan.x[upper], plan.y[upper] + plan.tall / 2)]
    points += [(plan.x[item], plan.y[item]) for item in way[1:-1]]
    points.append((plan.x[lower], plan.y[lower] - plan.tall / 2))
    parts = [f"M{num(points[0][0])} {num(points[0][1])}"]
    for (x1, y1), (x2, y2) in pairwise(points):
        if abs(x1 - x2) < 0.5:
            parts.append(f"L{num(x2)} {num(y2)}")
            continue
        bend = (y2 - y1) * (0.45 if len(points) > 2 else 0.35)
        parts.append(f"C{num(x1)} {num(y1 + bend)} {num(x2)} {num(y2 - bend)} {num(x2)} {num(y2)}")
    return "".join(parts)


def _hue(layered: LayeredGraph, names: tuple[Label, ...]) -> dict[int, int]:
    """A colour for each node whose vertex has several copies or pieces."""
    vertex = layered.positions.vertex_of[layered.position_of].tolist()
    told = sorted({vertex[i] for i, n in enumerate(names) if n.copies > 1 or n.pieces > 1})
    shade = {v: place % HUES for place, v in enumerate(told)}
    return {i: shade[v] for i, v in enumerate(vertex) if v in shade}


def _nodes(plan: _Plan, layered: LayeredGraph) -> list[str]:
    hue, parts = _hue(layered, plan.names), []
    for node, label in enumerate(plan.names):
        colour = f" h{hue[node]}" if node in hue else ""
        dash = ' stroke-dasharray="4 3"' if label.pieces > 1 else ""
        wide = plan.wide[node]
        parts.append(
            f"<g><title>{text(label.full)}</title>"
            f'<rect class="node{colour}" x="{num(plan.x[node] - wide / 2)}" '
            f'y="{num(plan.y[node] - plan.tall / 2)}" width="{num(wide)}" '
            f'height="{num(plan.tall)}" rx="{num(plan.tall / 2)}" stroke-width="1.5"{dash}/>'
            f"{centred(plan.x[node], plan.y[node], label.plain, size=plan.size)}</g>"
        )
    return parts


def _joins(plan: _Plan, layered: LayeredGraph) -> list[str]:
    """Dotted lines from each piece of a copy to the next."""
    hue, parts = _hue(layered, plan.names), []
    upper = np.flatnonzero(layered.position_of[1:] == layered.position_of[:-1]).tolist()
    thick, clear = (1.7, 0.8) if len(upper) <= 16 else (1.2, 0.4)
    for node in upper:
        x1, y1, x2, y2 = plan.x[node], plan.y[node], plan.x[node + 1], plan.y[node + 1]
        # Bowed sideways, so that it is not taken for a link.
        length = math.hypot(x2 - x1, y2 - y1) or 1.0
        bow = min(60.0, 16 + length * 0.18)
        cx, cy = (x1 + x2) / 2 + (y2 - y1) / length * bow, (y1 + y2) / 2 - (x2 - x1) / length * bow
        parts.append(
            f'<path class="join h{hue[node]}" d="M{num(x1)} {num(y1)}'
            f'Q{num(cx)} {num(cy)} {num(x2)} {num(y2)}" stroke-width="{thick}" '
            f'stroke-dasharray="0.1 5" stroke-linecap="round" stroke-opacity="{clear}"/>'
        )
    return parts


def _entries(layered: LayeredGraph, names: tuple[Label, ...]) -> list[Entry]:
    """Every sign that occurs, and no other."""
    found = []
    if len(layered.arcs):
        found.append(Entry(stroke("link", upright=True), "an arc; arcs going down form a branch"))
    if any(label.copies == label.pieces == 1 for label in names):
        found.append(Entry(pill("node", inside="v"), "a vertex"))
    if any(label.copies > 1 for label in names):
        meaning = "index: copies of one vertex"
        found.append(Entry(pill("node h0", inside="v₁"), meaning))
    if any(label.pieces > 1 for label in names):
        meaning = "dashed, with primes: pieces that together are one vertex"
        found.append(Entry(pill("node h0", inside="v′", dashed=True), meaning))
        found.append(Entry(stroke("join h0", more=_DOTTED), "joins the pieces"))
    if any(label.copies > 1 or label.pieces > 1 for label in names):
        shared = len({label.vertex for label in names if label.copies + label.pieces > 2}) > HUES
        meaning = "one colour: one vertex" + (f" ({HUES} colours in turn)" if shared else "")
        found.append(Entry(_SWATCHES, meaning))
    return found


_DOTTED = 'stroke-width="1.7" stroke-dasharray="0.1 5" stroke-linecap="round"'


_SWATCHES = "".join(
    f'<circle class="node h{hue}" cx="{across}" r="4.5" stroke-width="1"/>'
    for hue, across in enumerate((-9.5, 0, 9.5))
)


def _spoken(layered: LayeredGraph) -> str:
    """The layers in words, for those who cannot see the picture."""
    if len(layered.position_of) > 150:
        return "Layers run from the top of the picture to the bottom."
    names = labels(layered)
    return " ".join(
        f"Layer {depth}: "
        + ", ".join(names[node].plain for node in np.flatnonzero(layered.layer == depth))
        + "."
        for depth in range(layered.height)
    )


# -- the matrix -----------------------------------------------------------------------------------

_EVERY = 10


@dataclass(frozen=True)
class _MatrixPlan:
    """The legend, and sizes: where the matrix begins, how large a cell is, which rows are named."""

    names: list[str]
    legend: list[str]
    cell: float
    font: float
    left: float
    top: float
    width: float

    @property
    def side(self) -> float:
        """How wide and high the matrix is."""
        return self.cell * len(self.names)


def matrix_svg(publication: Publication) -> str:
    """Return the bits of a publication as an SVG document, one cell for each pair.

    Raises
    ------
    NoVertexList
        If the publication lists no vertices.
    """
    pairs = publication.packed.pairs
    total = pairs.size * (pairs.size - 1) // 2
    noisy = publication.policy.noisy
    marked = f"{total - pairs.count():,} of {counted(total, 'pair')} are marked"
    steps = "" if noisy else "; the walk's steps are among them"
    title, facts = _described(publication, marked + steps)
    names = copy_labels(publication.packed.positions)
    entries = [
        Entry(square("lit"), "marked: different branches"),
        Entry(square("tile"), "same branch" if noisy else "same branch: no step"),
        Entry(square("self"), "a vertex and itself"),
    ]
    plan = _planned_matrix(
        names, entries, at_least=text_width(facts, 12.5), unsafe=publication.unsafe
    )
    return sheet(
        heading(title, facts, unsafe=publication.unsafe)
        + _cells(plan, pairs.matrix())
        + _named(plan)
        + plan.legend,
        width=plan.width,
        height=plan.top + plan.side + 16,
        title=title,
        about=f"{facts}. A matrix with a row and a column for each copy of a vertex.",
    )


def _planned_matrix(
    names: list[str], entries: list[Entry], *, at_least: float, unsafe: bool
) -> _MatrixPlan:
    size = len(names)
    cell = 22.0 if size <= 30 else 15.0 if size <= 60 else 11.0 if size <= 120 else 9.0
    font = min(13.0, cell * 0.9)
    longest = max(text_width(name, font) for name in names)
    left = MARGIN + longest + 8
    width = max(left + cell * size + MARGIN + 8, at_least + 2 * MARGIN, 470.0)
    under = 80.0 if unsafe else 61.0
    legend, below = drawn_legend(entries, left=MARGIN, top=under, right=width - MARGIN)
    return _MatrixPlan(names, legend, cell, font, left, below + longest + 18, width)


def _cells(plan: _MatrixPlan, same: npt.NDArray[np.bool_]) -> list[str]:
    """Each row as one path over its runs; a grid in the colour of the page parts the cells."""
    size, cell = len(same), plan.cell
    at = f'x="{num(plan.left)}" y="{num(plan.top)}" width="{num(plan.side)}"'
    parts = [f'<rect class="tile" {at} height="{num(plan.side)}"/>']
    for row in range(size):
        apart = ~same[row]
        apart[row] = False
        y = plan.top + (row + 0.5) * cell
        way = _runs(apart, plan.left, y, cell)
        parts.append(
            f'<path class="shown" stroke-width="{num(cell)}" d="{way}">'
            f"<title>{text(plan.names[row])}</title></path>"
        )
    diagonal = "".join(
        f"M{num(plan.left + k * cell)} {num(plan.top + k * cell)}h{num(cell)}v{num(cell)}"
        f"h-{num(cell)}z"
        for k in range(size)
    )
    parts.append(f'<path class="self" d="{diagonal}"/>')
    for thick, every in ((0.8, 1), (2.2, _EVERY)):
        lines = "".join(
            f"M{num(plan.left)} {num(plan.top + k * cell)}h{num(plan.side)}"
            f"M{num(plan.left + k * cell)} {num(plan.top)}v{num(plan.side)}"
            for k in range(every, size, every)
        )
        parts.append(f'<path class="grid" stroke-width="{thick}" d="{lines}"/>' if lines else "")
    return parts


def _runs(marked: npt.NDArray[np.bool_], left: float, y: float, cell: float) -> str:
    """A path over the runs of marked cells in a row."""
    links = np.flatnonzero(np.diff(np.concatenate([[False], marked, [False]]).astype(np.int8)))
    if not len(links):
        return f"M{num(left)} {num(y)}"
    return "".join(
        f"M{num(left + a * cell)} {num(y)}h{num((b - a) * cell)}"
        for a, b in links.reshape(-1, 2).tolist()
    )


def _named(plan: _MatrixPlan) -> list[str]:
    """Names before the rows, and upright above the columns."""
    parts = []
    for place, name in enumerate(plan.names):
        middle = (place + 0.5) * plan.cell + plan.font * 0.35
        end = ' text-anchor="end"'
        parts.append(words(plan.left - 6, plan.top + middle, name, size=plan.font, more=end))
        right, foot = plan.left + middle, plan.top - 6
        turned = f' transform="rotate(-90 {num(right)} {num(foot)})"'
        parts.append(words(right, foot, name, size=plan.font, more=turned))
    return parts
