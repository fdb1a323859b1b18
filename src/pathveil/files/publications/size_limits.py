"""How long the lists of a publication can honestly be, asked before anything is made of them.

The bits say how many copies there are: one for each pair of them. Everything else in the file is
about these copies, so a list that is longer than they can need is refused while it is still the
plain lists and texts that were parsed, at a tenth of what they would take in their shape.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt
from pathlib import Path
from typing import Any

from pathveil.errors import BadPublication, TooLarge
from pathveil.files.atomic_write import SIZE_LIMIT
from pathveil.model.bits import pair_count

MOST_NODES = 20_000
"""Pieces up to which a copy may have as many as the paper's engine cuts it into."""

_FEW = 10_000
"""Items that any list may have: they cost little, and what is wrong with them is said later."""


def require_drawable(names: Sequence[str], copies: int, chaff: float, path: str | Path) -> None:
    """Raise if a publication would not go into a file of that name, before a coin is thrown.

    A ``*.veil.json`` lists an arc for about every pair that looks off the walk: measured, the file
    is within 2 % of the size computed here. A ``*.veil`` holds the bits and has no such bound.

    Parameters
    ----------
    names, copies
        Vertices or classes, and how many copies each has.
    chaff
        How often a pair off the walk looks as if it were on it.

    Examples
    --------
    >>> names = [f"v{number}" for number in range(20_000)]
    >>> require_drawable(names[:10_000], 1, 0.5, "route.veil.json")
    >>> require_drawable(names, 1, 0.5, "route.veil")
    """
    if str(path).lower().removesuffix(".age").endswith(".veil"):
        return
    total = copies * len(names)
    arc = len(str(total)) + 2
    size = int(pair_count(total) * (0.25 + (1 - chaff) * arc))
    if size * 0.95 > SIZE_LIMIT:
        raise TooLarge(
            f"{path}: with its drawing, a publication of {total:,} copies would have about "
            f"{size:,} bytes, more than the {SIZE_LIMIT:,} that are read back; use *.veil"
        )


def copies_of_bits(digits: int) -> int:
    """Return how many copies have their pairs in ``digits`` hexadecimal digits, at most.

    >>> copies_of_bits(2), copies_of_bits(4)
    (4, 6)
    """
    return (1 + isqrt(1 + 8 * 4 * digits)) // 2


def require_honest_sizes(found: dict[str, Any], where: str, *, copies: int | None = None) -> None:
    """Raise where a list of a parsed publication is longer than its copies can need.

    Parameters
    ----------
    copies
        How many there are, where the bits are kept elsewhere.
    """
    bits = found.get("bits")
    if copies is None:
        copies = copies_of_bits(len(bits)) if isinstance(bits, str) else 0
    nodes = max(MOST_NODES, 2 * copies)
    listed = min(nodes, _length(found.get("nodes")))
    layers = found.get("layers")
    members = [_length(row) for row in layers] if isinstance(layers, list) else []
    pairs = pair_count(copies)
    for path, count, honest in (
        ("vertices", _length(found.get("vertices")), copies),
        ("nodes", _length(found.get("nodes")), nodes),
        ("layers", len(members), listed),
        ("members of layers", sum(members), nodes),
        ("arcs", _length(found.get("arcs")), listed),
        ("grouping.sizes", _length(_inner(found, "grouping", "sizes")), copies),
        ("universe.pairs", _length(_inner(found, "universe", "pairs")), pairs),
    ):
        if count > max(honest, _FEW):
            raise BadPublication(
                f"{where}: {path}: has {count:,} items, expected at most {max(honest, _FEW):,} for "
                "a publication with this number of bits; get the file again"
            )


def _length(value: object) -> int:
    return len(value) if isinstance(value, list) else 0


def _inner(found: dict[str, Any], part: str, key: str) -> object:
    value = found.get(part)
    return value.get(key) if isinstance(value, dict) else None
