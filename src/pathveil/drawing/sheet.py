"""The sheet an SVG is drawn on: size, title, colours in light and dark, escaping.

Colours are classes with plain values, so that programs without CSS variables show them too; the
dark set stands in a media query: the reader's device decides, and a PNG is light.

How a node is called in pictures: ``b``, copies ``b₀ b₁``, pieces ``b′ b″``.

Copies of a vertex bear the paper's index; pieces of a copy bear primes. Long names are cut in the
middle, because names of one network often differ at the end only; where a picture can, it gives
the full name on demand.

The legend under a picture: every mark that occurs, and what it means.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from xml.sax.saxutils import escape as _escape

from rich.cells import cell_len, chop_cells

from pathveil.model.layered import LayeredGraph, Node
from pathveil.model.positions import Positions

LONGEST_NAME = 12


@dataclass(frozen=True)
class Label:
    """The parts of a node's label, and the sentence that explains it."""

    name: str
    copy: str
    primes: str
    full: str
    copies: int
    pieces: int
    piece: int = 0
    vertex: str = ""

    @property
    def cells(self) -> int:
        """The width of the label, in characters of a terminal."""
        return cell_len(self.plain)

    @property
    def plain(self) -> str:
        """The label as one text, with index and primes."""
        return self.name + self.copy.translate(_SUBSCRIPTS) + self.primes


_SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_PRIMES = ("′", "″", "‴")


def labels(layered: LayeredGraph, *, longest: int = LONGEST_NAME) -> tuple[Label, ...]:
    """Return the label of each node, by its number; longer names are cut.

    >>> graph = LayeredGraph.build(Positions(("a", "b"), (1, 2)), [0, 1, 1, 2], [0, 0, 1, 1], [])
    >>> [label.plain for label in labels(graph)]
    ['a', 'b₀′', 'b₀″', 'b₁']
    """
    counts = dict(zip(layered.positions.vertices, layered.positions.counts, strict=True))
    pieces: dict[tuple[str, int], int] = {}
    for node in layered.nodes:
        pieces[node.vertex, node.copy] = pieces.get((node.vertex, node.copy), 0) + 1
    return tuple(
        _label(node, counts[node.vertex], pieces[node.vertex, node.copy], longest)
        for node in layered.nodes
    )


def copy_labels(positions: Positions) -> list[str]:
    """Return how each copy of a vertex is called, in order.

    >>> copy_labels(Positions(("a", "b"), (1, 2)))
    ['a', 'b₀', 'b₁']
    """
    return [
        short_name(vertex) + (str(copy).translate(_SUBSCRIPTS) if count > 1 else "")
        for vertex, count in zip(positions.vertices, positions.counts, strict=True)
        for copy in range(count)
    ]


def _label(node: Node, copies: int, pieces: int, longest: int) -> Label:
    full = printable(node.vertex)
    if copies > 1:
        full += f", copy {node.copy} of 0 to {copies - 1}"
    if pieces > 1:
        full += f", piece {node.piece + 1} of {pieces}"
    return Label(
        name=short_name(node.vertex, longest=longest),
        copy=str(node.copy) if copies > 1 else "",
        primes=_marks(node.piece) if pieces > 1 else "",
        full=full,
        copies=copies,
        pieces=pieces,
        piece=node.piece,
        vertex=node.vertex,
    )


def _marks(piece: int) -> str:
    if piece < len(_PRIMES):
        return _PRIMES[piece]
    return "′" + str(piece + 1).translate(_SUPERSCRIPTS)


def short_name(name: str, *, longest: int = LONGEST_NAME) -> str:
    """Return a name that fits, cut in the middle where it is too long.

    >>> short_name("Frankfurt-am-Main-7")
    'Frankfu…in-7'
    """
    text = printable(name)
    if cell_len(text) <= longest:
        return text
    tail = max(1, longest // 3)
    head = longest - tail - 1
    return chop_cells(text, head)[0] + "…" + chop_cells(text[::-1], tail)[0][::-1]


def printable(name: str) -> str:
    """Return a name with characters that no picture can hold (controls, half pairs) replaced."""
    return "".join(
        "\N{REPLACEMENT CHARACTER}" if unicodedata.category(sign) in _UNSHOWABLE else sign
        for sign in name
    )


# Format characters (Cf) could turn the direction of the text around them.
_UNSHOWABLE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


MARGIN = 24.0
_FONT = "system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',sans-serif"
_LETTER = 0.6
HUES = 8
"""How many colours tell vertices apart; more vertices share them in turn."""

_PLAIN = {
    "page": ("#ffffff", "#0f141b"),
    "band": ("#f3f5f9", "#171e29"),
    "ink": ("#1f2937", "#e6eaf1"),
    "muted": ("#64748b", "#94a3b8"),
    "link": ("#64748b", "#8495ab"),
    "faint": ("#cbd5e1", "#3a4656"),
    "fill": ("#ffffff", "#1b2430"),
    "line": ("#334155", "#aebaca"),
    "alarm": ("#b91c1c", "#fca5a5"),
    "walk": ("#c2410c", "#fb923c"),
    "visited": ("#ffedd5", "#43290f"),
    "start": ("#15803d", "#4ade80"),
    "end": ("#1d4ed8", "#7cb0ff"),
    "tile": ("#e6ebf3", "#222c3a"),
    "own": ("#b4bfce", "#4b5a70"),
    "lit": ("#2563eb", "#6ea8fe"),
}
_HUES = (
    (("#dbeafe", "#1d4ed8"), ("#1a3357", "#93c5fd")),
    (("#ffedd5", "#c2410c"), ("#47280f", "#fdba74")),
    (("#dcfce7", "#15803d"), ("#133822", "#86efac")),
    (("#f3e8ff", "#7e22ce"), ("#351e55", "#d8b4fe")),
    (("#fce7f3", "#be185d"), ("#471930", "#f9a8d4")),
    (("#ccfbf1", "#0f766e"), ("#0e3637", "#5eead4")),
    (("#fef9c3", "#a16207"), ("#3b310e", "#fde047")),
    (("#fee2e2", "#b91c1c"), ("#471b1b", "#fca5a5")),
)


def sheet(
    body: list[str],
    *,
    width: float,
    height: float,
    title: str,
    about: str,
    legend: Iterable[Entry] = (),
) -> str:
    """Return a whole SVG document with a title and a description for those who cannot see it.

    The legend, if there is one, stands below ``height``; its longest entry fits the width.
    """
    legend = list(legend)
    width = max([width, *(entry.width - _AFTER + 2 * MARGIN for entry in legend)])
    drawn, bottom = drawn_legend(legend, left=MARGIN, top=height, right=width - MARGIN)
    height = bottom + 12 if drawn else height
    size = f'width="{num(width)}" height="{num(height)}"'
    # As wide as the window or the page, up to twice its own size.
    fit = f'width="100%" style="max-width:{num(2 * width)}px;height:auto"'
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="pathveil" {fit} '
        f'viewBox="0 0 {num(width)} {num(height)}" role="img" font-family="{_FONT}">'
    )
    parts = [
        head,
        f"<title>{text(title)}</title>",
        f"<desc>{text(about)}</desc>",
        f"<style>{_style()}</style>",
        f'<rect class="page" {size}/>',
        *body,
        *drawn,
        "</svg>\n",
    ]
    return "\n".join(parts)


def text(value: str) -> str:
    """Return a text as XML content or attribute, whatever characters it has."""
    return _escape(printable(value), {'"': "&quot;"})


def num(value: float) -> str:
    """Return a coordinate with at most one digit after the point, noise in the last ones or not.

    >>> num(3.0), num(-0.04), num(2.25)
    ('3', '0', '2.2')
    """
    written = f"{round(value, 6):.1f}".removesuffix(".0")
    return "0" if written == "-0" else written


def text_width(value: str, size: float) -> float:
    """Return about how wide a text is drawn; there is no font to ask."""
    return cell_len(value) * size * _LETTER


MIDDLE = ' text-anchor="middle"'


def words(
    x: float, y: float, value: str, *, size: float = 12, style: str = "ink", more: str = ""
) -> str:
    """Return a line of text, with more attributes where its kind has them."""
    where = f'x="{num(x)}" y="{num(y)}" font-size="{num(size)}"'
    return f'<text class="{style}" {where}{more}>{text(value)}</text>'


def heading(title: str, facts: str, *, secret: bool = False, unsafe: bool = False) -> list[str]:
    """Return the title of a picture and the line of facts under it."""
    parts = [
        words(MARGIN, 32, title, size=17),
        words(MARGIN, 52, facts, size=12.5, style="alarm" if secret else "muted"),
    ]
    if unsafe:
        warning = "UNSAFE: the coins came from a seed; this protects nothing"
        parts.append(words(MARGIN, 71, warning, size=12.5, style="alarm"))
    return parts


def centred(x: float, y: float, value: str, *, size: float) -> str:
    """Return a line of text centred on a point; nothing of no text."""
    return words(x, y + size * 0.35, value, size=size, more=MIDDLE) if value else ""


def outlined(x: float, y: float, value: str, *, size: float) -> str:
    """Return a name with a rim in the colour of the page, so that lines do not run through it."""
    rim = f'{MIDDLE} stroke-width="3" stroke-linejoin="round"'
    behind = words(x, y, value, size=size, style="halo", more=rim)
    return behind + words(x, y, value, size=size, more=MIDDLE)


Paint = tuple[str | None, str | None]


def paints(*, dark: bool) -> dict[str, Paint]:
    """Return fill and stroke of each class of marks; None is nothing, or whatever is inherited."""
    tone = {name: pair[dark] for name, pair in _PLAIN.items()}
    found: dict[str, Paint] = {
        "page": (tone["page"], None),
        "band": (tone["band"], None),
        "link": ("none", tone["link"]),
        "faint": ("none", tone["faint"]),
        "node": (tone["fill"], tone["line"]),
        "join": ("none", tone["line"]),
        "walk": ("none", tone["walk"]),
        "tip": (tone["walk"], None),
        "step": (tone["page"], tone["walk"]),
        "visited": (tone["visited"], tone["walk"]),
        "start": ("none", tone["start"]),
        "end": ("none", tone["end"]),
        "shown": ("none", tone["lit"]),
        "lit": (tone["lit"], None),
        "grid": ("none", tone["page"]),
        "tile": (tone["tile"], None),
        "self": (tone["own"], None),
        "halo": (tone["page"], tone["page"]),
        **{name: (tone[name], None) for name in ("ink", "muted", "alarm")},
    }
    for hue, tones in enumerate(_HUES):
        fill, line = tones[dark]
        found[f"node.h{hue}"] = (fill, line)
        found[f"join.h{hue}"] = (None, line)
    return found


def _style() -> str:
    light, dark = ("".join(_rules(dark=dark)) for dark in (False, True))
    return f"{light}@media(prefers-color-scheme:dark){{{dark}}}"


def _rules(*, dark: bool) -> Iterator[str]:
    for name, (fill, line) in paints(dark=dark).items():
        parts = [f"fill:{fill}"] * (fill is not None) + [f"stroke:{line}"] * (line is not None)
        yield f".pathveil .{name}{{{';'.join(parts)}}}"


_SIZE = 12.0
_LINE = 23.0
_BEFORE, _AFTER = 38.0, 26.0


@dataclass(frozen=True)
class Entry:
    """A mark, drawn round the origin and about 28 wide and 16 high, and its meaning."""

    mark: str
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
        at = f"translate({num(x + 14)} {num(y + _LINE / 2)})"
        parts.append(f'<g transform="{at}">{entry.mark}</g>')
        parts.append(
            words(x + _BEFORE, y + _LINE / 2 + 4, entry.meaning, size=_SIZE, style="muted")
        )
        x += entry.width
    return parts, y + _LINE


def circle(style: str, *, radius: float = 7, inside: str = "") -> str:
    """Return a ring or disc as a mark, with a letter or number in it."""
    drawn = f'<circle class="{style}" r="{num(radius)}" stroke-width="1.6"/>'
    return drawn + centred(0, 0, inside, size=10)


def pill(style: str, *, inside: str, dashed: bool = False) -> str:
    """Return a node of a layered graph as a mark."""
    at = 'x="-14" y="-8" width="28" height="16" rx="8"'
    dash = ' stroke-dasharray="4 3"' if dashed else ""
    drawn = f'<rect class="{style}" {at} stroke-width="1.3"{dash}/>'
    return drawn + centred(0, 0, inside, size=10)


def square(style: str) -> str:
    """Return a cell of a matrix as a mark."""
    return f'<rect class="{style}" x="-6" y="-6" width="12" height="12"/>'


def stroke(style: str, *, upright: bool = False, more: str = 'stroke-width="1.7"') -> str:
    """Return a line as a mark, with more attributes where its kind has them."""
    return f'<path class="{style}" d="{"M0 -8v16" if upright else "M-13 0h26"}" {more}/>'


ARROW = (
    '<path class="walk" stroke-width="2.6" d="M-14 0h19"/>'
    '<path class="tip" d="M14 0L5 -4.5L5 4.5z"/>'
)
"""A step of a walk as a mark."""
