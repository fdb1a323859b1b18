"""Numbers with their nouns, as sentences and pictures say them."""

from __future__ import annotations


def counted(number: int, one: str, many: str | None = None) -> str:
    """Return a number with its noun.

    >>> counted(1, "layer"), counted(3, "copy", "copies")
    ('1 layer', '3 copies')
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"
