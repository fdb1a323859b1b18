"""How a node is called in pictures: ``b``, copies ``b₀ b₁``, pieces ``b′ b″``.

Copies of a vertex bear the paper's index; pieces of a copy bear primes. Long names are cut in the
middle, because names of one network often differ at the end only; where a picture can, it gives
the full name on demand.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

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
        return text_cells(self.plain)

    @property
    def plain(self) -> str:
        """The label as one text, with index and primes."""
        return self.name + self.copy.translate(_SUBSCRIPTS) + self.primes


_SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_PRIMES = ("′", "″", "‴")


def labels(layered: LayeredGraph) -> tuple[Label, ...]:
    """Return the label of each node, by its number.

    >>> graph = LayeredGraph.build(Positions(("a", "b"), (1, 2)), [0, 1, 1, 2], [0, 0, 1, 1], [])
    >>> [label.plain for label in labels(graph)]
    ['a', 'b₀′', 'b₀″', 'b₁']
    """
    counts = dict(zip(layered.positions.vertices, layered.positions.counts, strict=True))
    pieces: dict[tuple[str, int], int] = {}
    for node in layered.nodes:
        pieces[node.vertex, node.copy] = pieces.get((node.vertex, node.copy), 0) + 1
    return tuple(
        _label(node, counts[node.vertex], pieces[node.vertex, node.copy]) for node in layered.nodes
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


def _label(node: Node, copies: int, pieces: int) -> Label:
    full = printable(node.vertex)
    if copies > 1:
        full += f", copy {node.copy} of 0 to {copies - 1}"
    if pieces > 1:
        full += f", piece {node.piece + 1} of {pieces}"
    return Label(
        name=short_name(node.vertex),
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
    if text_cells(text) <= longest:
        return text
    tail = max(1, longest // 3)
    head = longest - tail - 1
    return _cut(text, head) + "…" + _cut(text[::-1], tail)[::-1]


def _cut(text: str, cells: int) -> str:
    used = 0
    for place, sign in enumerate(text):
        used += _cell(sign)
        if used > cells:
            return text[:place]
    return text


def printable(name: str) -> str:
    """Return a name with signs that no picture can hold (controls, half pairs) replaced."""
    return "".join(
        "\N{REPLACEMENT CHARACTER}" if unicodedata.category(sign) in _UNSHOWABLE else sign
        for sign in name
    )


# Format characters (Cf) could turn the direction of the text around them.
_UNSHOWABLE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def text_cells(text: str) -> int:
    """Return the width of a text in cells of a terminal; wide letters take two, marks none.

    >>> text_cells("é"), text_cells("東京")
    (1, 4)
    """
    return sum(_cell(sign) for sign in text)


def _cell(sign: str) -> int:
    if unicodedata.combining(sign):
        return 0
    return 2 if unicodedata.east_asian_width(sign) in "WF" else 1


def summary(parts: Sequence[str]) -> str:
    """Return facts joined by middle dots."""
    return " · ".join(part for part in parts if part)
