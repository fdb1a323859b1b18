"""A publication as a matrix: one cell for each pair, for graphs whose lines would hide each other.

The bits are the publication, so the matrix leaves nothing out; layers and pieces are another way
to say the same. Rows and columns are in the order of the vertices. Up to a few hundred copies each
row is a path of its own and bears its name; beyond that the cells become a picture of dots, one
dot for a square of pairs, and only some rows are named.

*Privacy*: drawn from the bits, the names and the policy alone; not even the layers are computed.
"""

from __future__ import annotations

import struct
import zlib
from base64 import b64encode
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pathveil.drawing.sheet import (
    DOT,
    Entry,
    Theme,
    copy_labels,
    num,
    printable,
    sheet_with_legend,
    square,
    summary,
    text,
    text_width,
    words,
)
from pathveil.model.bits import PairBits
from pathveil.model.publication import Publication
from pathveil.wording import counted

BoolArray = npt.NDArray[np.bool_]

_MARGIN = 24.0
_HEAD = 74.0
_MOST_CELLS = 400
_MOST_DOTS = 1200
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


def matrix_svg(publication: Publication, *, theme: Theme = "auto") -> str:
    """Return the bits of a publication as an SVG document, one cell for each pair.

    Raises
    ------
    NoVertexList
        If the publication lists no vertices.
    """
    packed = publication.packed
    pairs, size = packed.pairs, packed.pairs.size
    total = size * (size - 1) // 2
    facts = summary(
        [
            f"{counted(pairs.count(), 'pair')} of {total:,} in the same branch",
            f"policy {printable(str(publication.policy))}",
            f"{publication.layering} layering",
        ]
    )
    title = f"A walk among {counted(len(publication.vertices), 'vertex', 'vertices')}, published"
    plan = _planned(copy_labels(packed.positions), at_least=text_width(facts, 12.5))
    body = [
        words(_MARGIN, 32, title, size=17),
        words(_MARGIN, 52, facts, size=12.5, style="muted"),
    ]
    if publication.unsafe:
        warning = "UNSAFE: the coins came from a seed; this protects nothing"
        body.append(words(_MARGIN, 70, warning, size=12.5, style="alarm"))
    cells = size <= _MOST_CELLS
    body += _cells(plan, pairs.matrix()) if cells else _dots(plan, pairs)
    body += _named(plan)
    return sheet_with_legend(
        body,
        _entries(noisy=publication.policy.noisy) if cells else _dot_entries(size),
        top=plan.top + plan.side + 16,
        width=plan.width,
        margin=_MARGIN,
        title=title,
        about=f"{facts}. A matrix with a row and a column for each copy of a vertex.",
        theme=theme,
    )


def _planned(names: list[str], *, at_least: float) -> _MatrixPlan:
    size = len(names)
    if size > _MOST_CELLS:
        cell = min(_MOST_DOTS, size) / size
        font = 10.0
    else:
        cell = 22.0 if size <= 30 else 15.0 if size <= 60 else 11.0 if size <= 120 else 9.0
        font = min(13.0, cell * 0.9)
    longest = max(text_width(name, font) for name in _ticked(names))
    left, top = _MARGIN + longest + 8, _HEAD + longest + 10
    width = max(left + cell * size + _MARGIN + 8, at_least + 2 * _MARGIN, 470.0)
    return _MatrixPlan(names, cell, font, left, top, width)


def _ticked(names: list[str]) -> list[str]:
    """The names that are written: all of them, or about sixty of a large matrix."""
    return names[:: _step(len(names))]


def _step(size: int) -> int:
    return 1 if size <= _MOST_CELLS else -(-size // 60)


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
    thin: list[str] = []
    thick: list[str] = []
    for k in range(1, size):
        lines = thick if k % _EVERY == 0 else thin
        off = num(k * cell)
        lines.append(
            f"M{num(plan.left)} {num(plan.top + float(off))}h{num(plan.side)}"
            f"M{num(plan.left + float(off))} {num(plan.top)}v{num(plan.side)}"
        )
    parts.append(f'<path class="grid" stroke-width="0.8" d="{"".join(thin)}"/>')
    if thick:
        parts.append(f'<path class="grid" stroke-width="2.2" d="{"".join(thick)}"/>')
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
    parts, step = [], _step(len(plan.names))
    middle = plan.cell / 2 if step == 1 else 0
    for place in range(0, len(plan.names), step):
        off = place * plan.cell + middle
        shown, size = text(plan.names[place]), f'font-size="{num(plan.font)}"'
        y = plan.top + off + plan.font * 0.35
        parts.append(
            f'<text class="ink" x="{num(plan.left - 6)}" y="{num(y)}" {size} '
            f'text-anchor="end">{shown}</text>'
        )
        right, foot = num(plan.left + off + plan.font * 0.35), num(plan.top - 6)
        turned = f'transform="rotate(-90 {right} {foot})"'
        parts.append(f'<text class="ink" x="{right}" y="{foot}" {size} {turned}>{shown}</text>')
    return parts


def _entries(*, noisy: bool) -> list[Entry]:
    among, never = ("", "") if noisy else (": steps of the walk are among these", ": no step")
    return [
        Entry(square("lit"), f"different branches{among}"),
        Entry(square("tile"), f"same branch{never}"),
        Entry(square("self"), "a copy and itself"),
    ]


def _dot_entries(size: int) -> list[Entry]:
    side = -(-size // _MOST_DOTS)
    each = "a pair" if side == 1 else f"{side} x {side} pairs"
    return [
        Entry(square("dot"), f"each dot is {each}; full colour: all of them in different branches"),
        Entry(square("tile"), "none of them: all in the same branch"),
    ]


def _dots(plan: _MatrixPlan, pairs: PairBits) -> list[str]:
    """The share of pairs in different branches in each square, as an image the sheet scales."""
    size = pairs.size
    side = -(-size // _MOST_DOTS)
    apart = ~pairs.matrix()
    np.fill_diagonal(apart, val=False)
    starts = np.arange(0, size, side)
    if side > 1:
        rows = np.add.reduceat(apart, starts, axis=0, dtype=np.int32)
        sums = np.add.reduceat(rows, starts, axis=1)
        high = np.minimum(starts + side, size) - starts
        shares = sums / (high[:, None] * high[None, :])
    else:
        shares = apart.astype(np.float64)
    at = f'x="{num(plan.left)}" y="{num(plan.top)}" width="{num(plan.side)}"'
    png = b64encode(_faded(np.round(shares * 255).astype(np.uint8))).decode()
    image = (
        f'<image {at} height="{num(plan.side)}" preserveAspectRatio="none" '
        f'style="image-rendering:pixelated" href="data:image/png;base64,{png}"/>'
    )
    return [f'<rect class="tile" {at} height="{num(plan.side)}"/>', image]


def _faded(alpha: npt.NDArray[np.uint8]) -> bytes:
    """A PNG of one colour that shines through by a share: it fits light pages and dark ones."""
    high, wide = alpha.shape
    rows = np.zeros((high, wide * 4 + 1), dtype=np.uint8)
    colour = np.frombuffer(bytes.fromhex(DOT[1:]), dtype=np.uint8)
    colours = np.concatenate([np.broadcast_to(colour, (high, wide, 3)), alpha[:, :, None]], axis=2)
    rows[:, 1:] = colours.reshape(high, wide * 4)
    header = struct.pack(">IIBBBBB", wide, high, 8, 6, 0, 0, 0)
    chunks = [(b"IHDR", header), (b"IDAT", zlib.compress(rows.tobytes(), 6)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in chunks
    )
