r"""Text that a terminal shows and does not obey.

Names of vertices, policies and files come from strangers. An escape sequence in a name could
repaint the screen, set the clipboard or make a certificate look like another one; a sign that turns
the direction of writing could swap what is read. Everything that is shown passes through
:func:`safe_text`, which writes such signs out instead of sending them.
"""

from __future__ import annotations

import unicodedata

_KEPT = frozenset("\n\t\u200c\u200d")
"""Line ends and tabs; and the two joiners that several scripts cannot be written without."""

_OBEYED = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
"""Controls, formats (direction of writing among them), half surrogates, line separators."""


def safe_text(text: str) -> str:
    r"""Return a text in which every sign that a terminal might obey is written out.

    Examples
    --------
    >>> print(safe_text("a\x1b[31mb\u202ec"))
    a\x1b[31mb\u202ec
    >>> safe_text("Zürich – 東京")
    'Zürich – 東京'
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(_written(sign) for sign in text)


def _written(sign: str) -> str:
    if sign in _KEPT or unicodedata.category(sign) not in _OBEYED:
        return sign
    code = ord(sign)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
