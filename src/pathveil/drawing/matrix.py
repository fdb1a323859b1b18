"""A publication as a matrix: one cell for each pair, for graphs whose lines would hide each other.

The bits are the publication, so the matrix leaves nothing out; layers and pieces are another way
to say the same. Rows and columns are in the order of the vertices.

*Privacy*: drawn from the bits, the names and the policy alone; not even the layers are computed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pathveil.drawing.sheet import (
    MARGIN,
    Entry,
    copy_labels,
    heading,
    num,
    printable,
    sheet,
    square,
    text,
    text_width,
)
from pathveil.model.publication import Publication
from pathveil.wording import counted

BoolArray = npt.NDArray[np.bool_]

_HEAD = 74.0
_EVERY = 10


@dataclass(frozen=True)
class _MatrixPlan:
    """Sizes: where the matrix begins, how large a cell is, which rows are named."""

    names: list[str]
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
    title, facts = described(
        publication, f"{counted(pairs.count(), 'pair')} of {total:,} in the same branch"
    )
    names = copy_labels(publication.packed.positions)
    plan = _planned(names, at_least=text_width(facts, 12.5), unsafe=publication.unsafe)
    return sheet(
        heading(title, facts, unsafe=publication.unsafe)
        + _cells(plan, pairs.matrix())
        + _named(plan),
        width=plan.width,
        height=plan.top + plan.side + 16,
        title=title,
        about=f"{facts}. A matrix with a row and a column for each copy of a vertex.",
        legend=_entries(noisy=publication.policy.noisy),
    )


def described(publication: Publication, *facts: str) -> tuple[str, str]:
    """Return the title of a picture of a publication, and its line of facts."""
    vertices = counted(len(publication.vertices), "vertex", "vertices")
    policy = f"policy {printable(str(publication.policy))}"
    return f"Published: a walk among {vertices}", " · ".join(
        [*facts, policy, f"{publication.layering} layering"]
    )


def _planned(names: list[str], *, at_least: float, unsafe: bool) -> _MatrixPlan:
    size = len(names)
    cell = 22.0 if size <= 30 else 15.0 if size <= 60 else 11.0 if size <= 120 else 9.0
    font = min(13.0, cell * 0.9)
    longest = max(text_width(name, font) for name in names)
    left, top = MARGIN + longest + 8, (_HEAD if unsafe else _HEAD - 18) + longest + 18
    width = max(left + cell * size + MARGIN + 8, at_least + 2 * MARGIN, 470.0)
    return _MatrixPlan(names, cell, font, left, top, width)


def _cells(plan: _MatrixPlan, same: BoolArray) -> list[str]:
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


def _runs(marked: BoolArray, left: float, y: float, cell: float) -> str:
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
        shown, size = text(name), f'font-size="{num(plan.font)}"'
        parts.append(
            f'<text class="ink" x="{num(plan.left - 6)}" y="{num(plan.top + middle)}" {size} '
            f'text-anchor="end">{shown}</text>'
        )
        right, foot = num(plan.left + middle), num(plan.top - 6)
        turned = f'transform="rotate(-90 {right} {foot})"'
        parts.append(f'<text class="ink" x="{right}" y="{foot}" {size} {turned}>{shown}</text>')
    return parts


def _entries(*, noisy: bool) -> list[Entry]:
    among, never = ("", "") if noisy else (": steps of the walk are among these", ": no step")
    return [
        Entry(square("lit"), f"different branches{among}"),
        Entry(square("tile"), f"same branch{never}"),
        Entry(square("self"), "a vertex and itself"),
    ]
