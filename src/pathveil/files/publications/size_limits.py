"""How long the lists of a publication can honestly be, asked before anything is made of them.

The bits say how many copies there are: one for each pair of them. Everything else in the file is
about these copies, so a list that is longer than they can need is refused while it is still the
plain lists and texts that were parsed, at a tenth of what they would take in their shape.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isqrt
from pathlib import Path
from typing import Any

from pathveil.errors import BadPublication, TooLarge
from pathveil.files.atomic_write import SIZE_LIMIT
from pathveil.model.bits import pair_count

MOST_NODES = 20_000
"""Pieces up to which a copy may have as many as the paper's engine cuts it into."""

MOST_ROWS = 20_000
"""Rows of a certificate: for each pair of a hundred labels there are some."""

_LONGEST = 20_000
"""Signs of a text that states a fact."""

_LONGEST_LABEL = 1000
"""Signs more for each copy, in the parameters of policies that say something of every vertex."""

_FEW = 10_000
"""Items that any list may have: they cost little, and what is wrong with them is said later."""


def require_drawable(names: Sequence[str], copies: int, chaff: float, path: str | Path) -> None:
    """Raise if a publication would not go into a file of that name, before a coin is thrown.

    A ``*.veil.json`` lists an arc for about every pair that looks off the walk: measured, the file
    is within 2 % of the size reckoned here. A ``*.veil`` holds the bits and has no such bound.

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
    name = Path(path).with_suffix("") if Path(path).suffix == ".age" else Path(path)
    if name.suffix == ".veil":
        return
    total = copies * len(names)
    arc = len(str(total)) + 2
    size = int(pair_count(total) * (0.25 + (1 - chaff) * arc))
    if size * 0.95 > SIZE_LIMIT:
        raise TooLarge(
            f"{path}: with its drawing, a publication of {total:,} copies would have about "
            f"{size:,} bytes, more than the {SIZE_LIMIT:,} that are read back; use *.veil"
        )


def copies_of_bits(signs: int) -> int:
    """Return how many copies have their pairs in so many hexadecimal signs, at most.

    >>> copies_of_bits(2), copies_of_bits(4)
    (4, 6)
    """
    return (1 + isqrt(1 + 8 * 4 * signs)) // 2


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
    most = {
        "vertices": copies,
        "nodes": nodes,
        "layers": min(nodes, _length(found.get("nodes"))),
        "arcs": min(nodes, _length(found.get("nodes"))),
    }
    for key, honest in most.items():
        _require(found.get(key), honest, where, key)
    universe, certificate = found.get("universe"), found.get("certificate")
    grouping = found.get("grouping")
    if isinstance(grouping, dict):
        _require(grouping.get("sizes"), copies, where, "grouping.sizes")
    if isinstance(universe, dict):
        _require(universe.get("pairs"), copies * (copies - 1) // 2, where, "universe.pairs")
    if isinstance(certificate, dict):
        for key in ("rows", "identification", "not_protected"):
            _require(certificate.get(key), MOST_ROWS, where, f"certificate.{key}")
    _require_texts(found, copies, where)
    _require_members(found.get("layers"), nodes, where)


def _require_texts(found: dict[str, Any], copies: int, where: str) -> None:
    """Raise where a fact is a text longer than any that states one; labels are of every copy."""
    policy, certificate = found.get("policy"), found.get("certificate")
    if isinstance(policy, dict):
        _require_short(policy.get("name"), _LONGEST, where, "policy.name")
        terms = policy.get("parameters")
        for key, value in terms.items() if isinstance(terms, dict) else ():
            longest = _LONGEST + _LONGEST_LABEL * copies
            _require_short(key, _LONGEST, where, "policy.parameters")
            _require_short(value, longest, where, f"policy.parameters.{key[:60]}")
    for part, rows in certificate.items() if isinstance(certificate, dict) else ():
        for place, row in enumerate(rows) if isinstance(rows, list) else ():
            for text in _texts_in(row):
                _require_short(text, _LONGEST, where, f"certificate.{part[:60]}[{place}]")


def _texts_in(value: object) -> Iterator[str]:
    """Yield the texts in a row of a certificate, two levels deep."""
    for inner in value.values() if isinstance(value, dict) else (value,):
        for item in inner.values() if isinstance(inner, dict) else (inner,):
            if isinstance(item, str):
                yield item


def _require_short(text: object, longest: int, where: str, path: str) -> None:
    if isinstance(text, str) and len(text) > longest:
        raise BadPublication(
            f"{where}: {path}: is a text of {len(text):,} signs, expected at most {longest:,}; "
            "get the file again"
        )


def _length(value: object) -> int:
    return len(value) if isinstance(value, list) else 0


def _require(value: object, honest: int, where: str, path: str) -> None:
    if _length(value) > max(honest, _FEW):
        raise BadPublication(
            f"{where}: {path}: has {_length(value):,} items, expected at most "
            f"{max(honest, _FEW):,} for a publication with so many bits; get the file again"
        )


def _require_members(layers: object, nodes: int, where: str) -> None:
    """Raise where layers have more members than there are nodes: each is on one layer."""
    listed = layers if isinstance(layers, list) else []
    members = sum(_length(row) for row in listed)
    if members > max(nodes, _FEW):
        raise BadPublication(
            f"{where}: layers: have {members:,} members, expected at most {nodes:,}: each node is "
            "on one layer; get the file again"
        )
